"""The sessions whose git branch isn't merged. `memtui.store.links.branches` finds them; a session's start
asks for them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

import apsw

OF_PROJECTS = "project IN (SELECT value FROM json_each(?1))"


def projects_on_branches(db: apsw.Connection) -> set[str]:
    """Return the projects that have sessions of which the branch is known."""
    return {
        name for (name,) in db.execute("SELECT DISTINCT project FROM sessions WHERE branch IS NOT NULL")
    }


def on_branches(db: apsw.Connection, projects: Collection[str], branches: Iterable[str]) -> list[int]:
    """Return the sessions of some projects that worked on one of these branches."""
    sql = f"SELECT id FROM sessions WHERE branch IN (SELECT value FROM json_each(?2)) AND {OF_PROJECTS}"
    return [number for (number,) in db.execute(sql, (json.dumps([*projects]), json.dumps([*branches])))]


def noted(db: apsw.Connection, projects: Collection[str] | None = None) -> list[int]:
    """Return the sessions that are noted, all or those of some projects."""
    sql = "SELECT session_id FROM unmerged_sessions"
    if projects is None:
        return [number for (number,) in db.execute(sql)]
    sql += f" WHERE session_id IN (SELECT id FROM sessions WHERE {OF_PROJECTS})"
    return [number for (number,) in db.execute(sql, (json.dumps([*projects]),))]


def note(db: apsw.Connection, sessions: Iterable[int]) -> None:
    """Note these sessions in place of those that were; inside a transaction."""
    db.execute("DELETE FROM unmerged_sessions")
    db.executemany("INSERT INTO unmerged_sessions VALUES (?)", [(number,) for number in sessions])
