"""The trash: what is deleted, and can be brought back until it is purged."""

from __future__ import annotations

import json
from typing import Any

import apsw

from ...fields import TITLES
from ...kinds import KIND_OF, ref
from ...records.dataclasses import dataclass
from .purge import PURGED_SESSION

_PROJECT = {"prompts": "coalesce((SELECT project FROM sessions WHERE id = prompts.session_id), '')"}
_IN_TRASH = {
    kind: f"{table} WHERE deleted_at IS NOT NULL"
    + (f" AND content_session_id NOT GLOB '{PURGED_SESSION}*'" if table == "sessions" else "")
    for table, kind in KIND_OF.items()
}
_PLACES = " UNION ALL ".join(
    f"SELECT '{kind}' AS kind, id, deleted_at FROM {source}" for kind, source in _IN_TRASH.items()
)
_ROWS = {
    kind: f"SELECT id, substr({TITLES[table]}, 1, 400), {_PROJECT.get(table, 'project')}, deleted_at "
    f"FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
    for table, kind in KIND_OF.items()
}


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
    # Each table has it in this order; the rows themselves are read of the page alone.
    sql = f"{_PLACES} ORDER BY deleted_at DESC, id DESC, kind LIMIT ? OFFSET ?"
    places: list[Any] = db.execute(sql, (limit, offset)).fetchall()
    results: dict[tuple[str, int], Deleted] = {}
    for kind in {kind for kind, _, _ in places}:
        ids = json.dumps([number for item, number, _ in places if item == kind])
        rows: Any = db.execute(_ROWS[kind], (ids,))
        for number, title, project, at in rows:
            line = str(title or "").strip().split("\n", 1)[0]
            results[kind, number] = Deleted(ref(kind, number), kind, line, project, at)
    return [results[kind, number] for kind, number, _ in places]


def trash_count(db: apsw.Connection) -> int:
    """Return how many memories are deleted."""
    sums = " + ".join(f"(SELECT count(*) FROM {source})" for source in _IN_TRASH.values())
    return int(db.execute(f"SELECT {sums}").get)
