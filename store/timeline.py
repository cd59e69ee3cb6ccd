"""The timeline: what happened around a moment, in one session, one project, or everywhere."""

from __future__ import annotations

import apsw

from . import entries
from .entries import COLUMNS, to_entry
from .records import Entry, Scope, Window

SCOPES: dict[Scope, str] = {
    "session": "d.session_id IS :session",
    "project": "d.project = :project",
    "all": "true",
}


def window(
    db: apsw.Connection,
    anchor: Entry | int,
    *,
    minutes: float = 30,
    scope: Scope = "session",
    limit: int = 500,
) -> Window:
    """The documents within so many minutes before and after the anchor, in time order.

    The anchor is an entry, or a moment in ms (then every project is looked at). Where more than
    `limit` lie in the window, those nearest to the anchor on each side are kept and the window is
    marked as truncated.
    """
    at = anchor if isinstance(anchor, int) else anchor.created_at
    reach = max(0, round(minutes * 60_000))
    values: dict[str, object] = {
        "at": at, "since": at - reach, "until": at + reach, "limit": limit // 2 + 1,
        "number": 0, "session": None, "project": "",
    }  # fmt: skip
    if isinstance(anchor, int):
        scope = "all"
    else:
        values |= {
            "number": anchor.document_id,
            "session": anchor.session_id,
            "project": anchor.project,
        }
    before = _side(db, scope, values, "<", "DESC", "d.created_at >= :since")[::-1]
    after = _side(db, scope, values, ">", "ASC", "d.created_at <= :until")
    truncated = max(len(before), len(after)) > limit // 2
    middle = [] if isinstance(anchor, int) else [anchor]
    found = (*before[-(limit // 2) :], *middle, *after[: limit // 2])
    place = len(before[-(limit // 2) :]) if middle else -1
    return Window(found, place, at - reach, at + reach, scope, truncated)


def neighbour(
    db: apsw.Connection, entry: Entry, step: int, scope: Scope = "all", kind: str | None = "o"
) -> Entry | None:
    """The next (step 1) or previous (-1) document of a kind in time; None at either end."""
    values: dict[str, object] = {
        "at": entry.created_at, "number": entry.document_id, "limit": abs(step),
        "session": entry.session_id, "project": entry.project, "kind": kind,
    }  # fmt: skip
    side, order = (">", "ASC") if step > 0 else ("<", "DESC")
    found = _side(db, scope, values, side, order, "d.kind = coalesce(:kind, d.kind)")
    return found[-1] if found else None


def entry(db: apsw.Connection, kind: str, record_id: int) -> Entry | None:
    """The entry of a record by its kind's letter and id, hidden or not; None when there is none."""
    for source in ("documents", "hidden_documents"):
        sql = f"SELECT d.id FROM {source} d WHERE d.kind = ? AND d.record_id = ?"
        number = db.execute(sql, (kind, record_id)).get
        if number is not None:
            return entries.by_ids(db, [number]).get(number)
    return None


def _side(
    db: apsw.Connection,
    scope: Scope,
    values: dict[str, object],
    side: str,
    order: str,
    condition: str,
) -> list[Entry]:
    sql = (
        f"SELECT {COLUMNS} FROM documents d WHERE d.id IN (SELECT d.id FROM documents d "
        f"WHERE {SCOPES[scope]} AND (d.created_at, d.id) {side} (:at, :number) AND {condition} "
        f"ORDER BY d.created_at {order}, d.id {order} LIMIT :limit) "
        f"ORDER BY d.created_at {order}, d.id {order}"
    )
    return [to_entry(row) for row in db.execute(sql, values)]
