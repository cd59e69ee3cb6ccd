"""Which team a store is in, and as whom."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ...platform.paths import config_path_bytes
from ...platform.system import posix
from ...records.dataclasses import dataclass
from ...store import Store
from ..sync.machines import Machines, in_no_team

RETENTION = "team_retention"
"""The row of `meta` that says for how long what teammates shared is kept here."""
PEER = "team-"
"""How the team is called among the peers of `store/leaves/sync`, before its id."""


SLOTS = 16
"""Into so many parts a team's rows are put by the hash of what names them, each with numbers of its own."""
NONE_HERE = (0,) * SLOTS


@dataclass(frozen=True, slots=True)
class Team:
    """The team that a store is in. `dsn` is without a password, `cursors` the numbers of the newest rows of
    each slot of the server that are here; times are ms."""

    team_id: str
    name: str
    dsn: str
    member: str
    role: str
    cursors: tuple[int, ...]
    tells: str
    """What teammates shared agents are told: off, accepted or all."""
    met_at: int | None
    trouble: str | None
    read_dsn: str
    """Where searches and pulls go, a replica; "" for where all else goes."""

    @property
    def peer(self) -> str:
        """How the exchange of machines calls it."""
        return PEER + self.team_id

    @property
    def may_write(self) -> bool:
        """Whether its member may share and change memories there."""
        return self.role != "reader"


def team_of(store: Store) -> Team | None:
    """Return the team that a store is in; None for none."""
    row: Any = store.db.execute(
        "SELECT team_id, name, dsn, member, role, cursors, tells, met_at, trouble, read_dsn FROM team"
    ).fetchone()
    if row is None:
        return None
    *who, cursors, tells, met_at, trouble, read_dsn = row
    here: tuple[int, ...] = (*json.loads(cursors), *NONE_HERE)[:SLOTS]
    team_id, name, dsn, member, role = who
    return Team(team_id, name, dsn, member, role, here, tells, met_at, trouble, read_dsn)


def own_team(store: Store) -> Team:
    """Return the team that a store is in. Raises NotFoundError where it is in none."""
    team = team_of(store)
    if team is None:
        raise in_no_team()
    return team


def join(store: Store, team: Team) -> None:
    """Have a store be in a team, from its first row on."""
    with store.transaction():
        leave(store)
        store.db.execute(
            "INSERT INTO team (id, team_id, name, dsn, member, role) VALUES (1, ?, ?, ?, ?, ?)",
            (team.team_id, team.name, team.dsn, team.member, team.role),
        )


def tell_agents(store: Store, level: str) -> None:
    """Have agents be told what teammates shared: off, accepted or all."""
    own_team(store)
    with store.transaction():
        store.db.execute("UPDATE team SET tells = ?", (level,))


def move(store: Store, dsn: str) -> None:
    """Have a store meet its team at another address."""
    with store.transaction():
        store.db.execute("UPDATE team SET dsn = ?", (dsn,))


def leave(store: Store) -> None:
    """Have a store be in no team, and forget what is known of its server but for who shared what, be it
    taken back since: agents are told nothing of that. What was kept to oneself, or out, stays so."""
    with store.transaction():
        if (team := team_of(store)) is not None:
            Machines(store).forget_peer(team.peer)
            store.db.execute("DELETE FROM team_rows WHERE author = ?", (team.member,))
            sql = "DELETE FROM team_reviews WHERE verdict <> 'kept out' OR member <> ?"
            store.db.execute(sql, (team.member,))
        store.db.execute("UPDATE team_rows SET version = '', visibility = 'private', shared_here = 0")
        for table in ("team", "team_projects"):
            store.db.execute(f"DELETE FROM {table}")
        store.db.execute("DELETE FROM team_choices WHERE visibility <> 'private'")
        store.db.execute("DELETE FROM meta WHERE key = ?", (RETENTION,))


def password_file() -> Path:
    """Return where the passwords of teams lie, in the form of libpq's own password file."""
    return Path(os.fsdecode(config_path_bytes())).with_name("team.pgpass")


def share_password(old: str, new: str) -> None:
    """Have the password that is kept for one server be kept for another too; both are lines without one."""
    old, new = old.rstrip("\n"), new.rstrip("\n")
    path = password_file()
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        if line.startswith(old):
            keep_password(f"{new}{line.removeprefix(old)}\n")
            return


def keep_password(line: str) -> Path:
    """Write a password where only its owner reads it, and return the file."""
    path = password_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    old_lines = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    where = line.rsplit(":", 1)[0]
    lines = [line, *(other for other in old_lines if other.rsplit(":", 1)[0] != where)]
    descriptor = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        posix.fchmod(descriptor, 0o600)
        file.write("".join(lines))
    return path
