"""The trash: what is deleted, and can be brought back until it is purged."""

from __future__ import annotations

from typing import Any

import apsw

from ..database.reversal import TITLES
from ..database.row_change import KINDS
from ..kinds import ref
from ..records.dataclasses import dataclass
from .purge import PURGED_SESSION

_PROJECT = {"prompts": "coalesce((SELECT project FROM sessions WHERE id = prompts.session_id), '')"}
_IN_TRASH = " UNION ALL ".join(
    f"SELECT '{kind}' AS kind, id, substr({TITLES[table]}, 1, 400) AS title, "
    f"{_PROJECT.get(table, 'project')} AS project, deleted_at FROM {table} "
    "WHERE deleted_at IS NOT NULL"
    + (f" AND content_session_id NOT GLOB '{PURGED_SESSION}*'" if table == "sessions" else "")
    for table, kind in KINDS.items()
)


@dataclass(frozen=True, slots=True)
class Deleted:
    """A memory in the trash; `deleted_at` in ms."""

    ref: str
    kind: str
    title: str
    project: str
    deleted_at: int


def trash(db: apsw.Connection, limit: int, offset: int = 0) -> list[Deleted]:
    """Return a page of what is deleted, the last deleted first."""
    sql = f"SELECT * FROM ({_IN_TRASH}) ORDER BY deleted_at DESC, kind, id DESC LIMIT ? OFFSET ?"
    rows: Any = db.execute(sql, (limit, offset))
    return [
        Deleted(ref(kind, number), kind, str(title or "").strip().split("\n", 1)[0], project, at)
        for kind, number, title, project, at in rows
    ]


def trash_count(db: apsw.Connection) -> int:
    """Return how many memories are deleted."""
    return int(db.execute(f"SELECT count(*) FROM ({_IN_TRASH})").get)
