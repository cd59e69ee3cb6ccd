"""The timeline: what happened around a moment, in one session, one project, or everywhere."""

from __future__ import annotations

import apsw

from ..errors import InvalidRecordError
from ..kinds import LETTERS
from ..records import ListRow, Scope, Window
from .listing import COLUMNS, find, to_list_row

SCOPES: dict[Scope, str] = {
    "session": "d.session_id = :session",
    "project": "d.project = :project",
    "all": "true",
}
LONGEST_REACH_MS = 200 * 366 * 86_400_000


def window(
    db: apsw.Connection,
    anchor: ListRow | int,
    *,
    minutes: float = 30,
    scope: Scope = "session",
    limit: int = 500,
) -> Window:
    """Return the documents within `minutes` before and after the anchor, in time order.

    The anchor is a list row, always part of its window, or a moment in ms (then every project is
    looked at). Where more than `limit` lie in the window, those nearest to the anchor on each side
    are kept and the window is marked as truncated.
    """
    if scope not in SCOPES:
        raise InvalidRecordError(f"A timeline's scope is session, project or all, not {scope}.")
    if not isinstance(anchor, int):
        anchor = _current(db, anchor)
    at = anchor if isinstance(anchor, int) else anchor.created_at
    reach = round(min(max(0, minutes * 60_000), LONGEST_REACH_MS))
    values: dict[str, object] = {
        "at": at, "since": at - reach, "until": at + reach, "limit": limit + 1,
        "number": 0, "session": None, "project": "",
    }  # fmt: skip
    middle: list[ListRow] = []
    if isinstance(anchor, int):
        scope = "all"
    else:
        middle = [anchor]
        values |= {
            "number": anchor.document_id,
            "session": anchor.session_id,
            "project": anchor.project,
        }
    before = _side(db, scope, values, "<", "DESC", "d.created_at >= :since")
    after = _side(db, scope, values, ">", "ASC", "d.created_at <= :until")
    room = max(0, limit - len(middle))
    left = min(len(before), max(room // 2, room - len(after)))
    right = min(len(after), room - left)
    return Window(
        (*before[:left][::-1], *middle, *after[:right]),
        left if middle else -1,
        at - reach,
        at + reach,
        scope,
        truncated=left < len(before) or right < len(after),
    )


def neighbour(
    db: apsw.Connection, row: ListRow, step: int, scope: Scope = "all", kind: str | None = "o"
) -> ListRow | None:
    """Return the next (step 1) or previous (-1) document of a kind in time; None at either end."""
    row = _current(db, row)
    values: dict[str, object] = {
        "at": row.created_at, "number": row.document_id, "limit": abs(step),
        "session": row.session_id, "project": row.project, "kind": kind,
    }  # fmt: skip
    side, order = (">", "ASC") if step > 0 else ("<", "DESC")
    found = _side(db, scope, values, side, order, "true" if kind is None else "d.kind = :kind")
    return found[-1] if found else None


def _current(db: apsw.Connection, row: ListRow) -> ListRow:
    # Its document may have another id by now: hidden and shown again, or made anew.
    return find(db, LETTERS[row.kind], row.record_id) or row


def _side(
    db: apsw.Connection,
    scope: Scope,
    values: dict[str, object],
    side: str,
    order: str,
    condition: str,
) -> list[ListRow]:
    sql = (
        f"SELECT {COLUMNS} FROM documents d WHERE d.id IN (SELECT d.id FROM documents d "
        f"WHERE {SCOPES[scope]} AND (d.created_at, d.id) {side} (:at, :number) AND {condition} "
        f"ORDER BY d.created_at {order}, d.id {order} LIMIT :limit) "
        f"ORDER BY d.created_at {order}, d.id {order}"
    )
    return [to_list_row(row) for row in db.execute(sql, values)]
