"""Members of a team for tests, each with a store of their own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from memtui.store import Store
from memtui.store.leaves.sync.channel import Wishes
from memtui.store.leaves.sync.machines import TEAM, Machines, PlaceStatus
from memtui.store.leaves.sync.meeting import Meeting, meet
from memtui.store.leaves.team.entries import Removal
from memtui.store.leaves.team.joining import create_team, join_team, own_server
from memtui.store.leaves.team.server import Server
from memtui.store.leaves.team.sharing import Sharing, rule_of


def as_user(dsn: str, user: str, database: str | None = None) -> str:
    """A DSN for somebody else."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    parts = conninfo_to_dict(dsn) | {"user": user}
    return make_conninfo("", **parts | ({"dbname": database} if database else {}))


class Colleagues:
    """A team on a server, and its members' stores by name. `direct` is its owner's way by no pooler."""

    def __init__(self, dsn: str, folder: Path, direct: str = "", *, is_distributed: bool = False) -> None:
        self.dsn = dsn
        self.direct = direct or dsn
        self.folder = folder
        self.stores: dict[str, Store] = {}
        self.stack = ExitStack()
        self.owner = self.machine("keeper")
        team = create_team(self.owner, dsn, "crew", is_distributed=is_distributed)
        self.team_id = team.team_id

    def __enter__(self) -> Colleagues:
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def machine(self, name: str) -> Store:
        """A new store."""
        path = self.folder / name / "memory.db"
        path.parent.mkdir()
        store = self.stack.enter_context(Store.open(path))
        store.db.pragma("synchronous", "OFF")
        self.stores[name] = store
        return store

    def invite(
        self, name: str, role: str = "writer", projects: Sequence[str] | None = None, machine: str = ""
    ) -> Store:
        """A new member, or a further machine of one, and its store."""
        with Server(self.dsn) as server:
            server.invite(self.team_id, name, role, projects)
        store = self.machine(machine or name)
        join_team(store, as_user(self.dsn, name))
        return store

    def server(self, name: str) -> Server:
        """A member's connection."""
        return self.stack.enter_context(Server(as_user(self.dsn, name)))


def share(store: Store, project: str = "atlas", *types: str) -> None:
    """Share a project."""
    Sharing(store).share(rule_of(store, project, since=0, types=types, everyone=False))


def sync(store: Store, *, verify: bool = False) -> Meeting:
    """Meet the team."""
    return meet(store, Machines(store).place(TEAM), Wishes(verify=verify))


def removals(store: Store) -> list[Removal]:
    """What administrators last took away."""
    with own_server(store) as (team, server):
        return server.removals(team.team_id, 10)


def status(store: Store) -> PlaceStatus:
    """How it stands with the team."""
    return next(status for status in Machines(store).status() if status.name == TEAM)


def titles(store: Store) -> set[str]:
    """The titles of the visible observations."""
    sql = "SELECT title FROM observations WHERE private = 0 AND deleted_at IS NULL"
    return {str(title) for (title,) in store.db.execute(sql)}
