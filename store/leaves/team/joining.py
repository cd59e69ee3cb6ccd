"""Making, joining and leaving a team, whom it has, and its server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ...platform.errors import InvalidRecordError
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...store import Store
from ..sync.machines import in_a_team
from . import membership
from .driver import invitation, passfile_line, replica_dsn, without_password
from .membership import NONE_HERE, Team, keep_password, own_team, share_password, team_of
from .retention import TeamRetention
from .server import Server


@dataclass(frozen=True, slots=True)
class Invitation:
    """By which DSN somebody joins. It holds the password that was made for them, if one was."""

    name: str
    role: str
    projects: tuple[str, ...] | None
    dsn: str
    has_password: bool


def create_team(
    store: Store, dsn: str, name: str, read_dsn: str | None = None, *, is_distributed: bool = False
) -> Team:
    """Make a team in a database of one's own, or bring its schema up to date, and join it. `read_dsn` is
    where a replica of it is, for all members; "" for none any more."""
    bare = _kept(dsn)
    current = team_of(store)
    if read_dsn:
        replica = replica_dsn(bare, read_dsn)
        share_password(passfile_line(bare, ""), passfile_line(replica, ""))
        Server(replica).connection.close()
    with Server(bare) as server:
        known = None if current is None else (current.team_id, current.name)
        team_id = server.create(name, read_dsn, is_distributed=is_distributed, current=known)
        return _join(store, server, bare, team_id, name)


def join_team(store: Store, dsn: str, name: str | None = None) -> Team:
    """Join the team of a database (of this name, where it has several)."""
    bare = _kept(dsn)
    with Server(bare) as server:
        teams = server.teams()
        named = {team: team_name for team, team_name in teams.items() if name in (None, team_name)}
        if not named:
            raise InvalidRecordError(
                "You are a member of no such team there; an administrator runs `mem team invite`."
            )
        if len(named) > 1:
            raise InvalidRecordError(
                "Name the team: {names} are there.", names=_(", ").join(named.values())
            )
        [(team_id, team_name)] = named.items()
        return _join(store, server, bare, team_id, team_name)


def leave_team(store: Store, *, keep: bool) -> int:
    """Leave the team, and return how many memories were removed from this store alone: without `keep` those
    that teammates shared and that were not changed here, which joining again brings back."""
    own_team(store)
    with store.transaction():
        removed = 0 if keep else TeamRetention(store).remove_all()
        membership.leave(store)
    return removed


@contextmanager
def own_server(store: Store) -> Iterator[tuple[Team, Server]]:
    """Have the store's team, and a connection to its server. Raises NotFoundError where there is none."""
    team = own_team(store)
    with Server(team.dsn) as server:
        yield team, server


def invite(store: Store, name: str, role: str, projects: Sequence[str] | None) -> Invitation:
    """Make somebody a member, or change what they may do."""
    with own_server(store) as (team, server):
        password = server.invite(team.team_id, name, role, projects)
    dsn = invitation(team.dsn, name, password)
    shared_projects = None if projects is None else tuple(projects)
    return Invitation(name, role, shared_projects, dsn, password is not None)


def change_password(store: Store, name: str | None) -> Invitation:
    """Give a member, or oneself (None), a new password; one's own is kept here at once."""
    with own_server(store) as (team, server):
        member = name or team.member
        password = server.change_password(member)
    if member == team.member:
        keep_password(passfile_line(team.dsn, password))
    return Invitation(member, "", None, invitation(team.dsn, member, password), True)


def rename_team(store: Store, name: str) -> None:
    """Give the store's team another name, which members' stores have from their next joining on."""
    with own_server(store) as (team, server):
        server.rename(team.team_id, name)
    with store.transaction():
        store.db.execute("UPDATE team SET name = ?", (name,))


def remove_team(store: Store) -> int:
    """Remove the store's team with all that its server has of it, and leave it; members keep what is on
    their machines. Return how many members it had."""
    with own_server(store) as (team, server):
        many = len(server.members(team.team_id))
        server.remove(team.team_id)
    membership.leave(store)
    return many


def _kept(dsn: str) -> str:
    """Return a DSN without its password, which is kept in a file that only its owner reads."""
    bare, password = without_password(dsn)
    if password is None:
        return bare
    path = keep_password(passfile_line(bare, password))
    return without_password(f"{bare} passfile='{path}'")[0]


def _join(store: Store, server: Server, dsn: str, team_id: str, name: str) -> Team:
    current = team_of(store)
    if current is not None and current.team_id != team_id:
        raise in_a_team(current.name)
    greeting = server.greet(team_id, store.machine_id)
    if current is None:
        membership.join(
            store,
            Team(team_id, name, dsn, greeting.member, greeting.role, NONE_HERE, "off", None, None, ""),
        )
    else:
        membership.move(store, dsn)
    return own_team(store)
