"""The timeline: what happened around a moment, in one session, one project, or everywhere; and what
sub-agents did, below the calls that started them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import apsw

from ...database.transaction import in_snapshot
from ...platform.errors import InvalidRecordError
from ...records.kinds import LETTERS
from ...records.rows import ListRow, Record, Scope, Window
from .rows import COLUMNS, find, list_row, to_list_row

SCOPES: dict[Scope, str] = {
    "session": "d.session_id = :session",
    "project": "d.project = :project",
    "all": "true",
}
INDEXES: dict[Scope, str] = {
    "session": "documents_by_session",
    "project": "documents_by_project",
    "all": "documents_by_time",
}
"""What is read in the order of time within a scope."""
KIND = "+d.kind = :kind"
"""Asked of what an index gives in the order of time: the index by kind has it in none."""
LONGEST_REACH_MS = 200 * 366 * 86_400_000
LAST = (1 << 63) - 1
"""The greatest time that a column holds, whatever it means."""


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
        raise InvalidRecordError("A timeline's scope is session, project or all, not {scope}.", scope=scope)
    if not isinstance(anchor, int):
        anchor = _current(db, anchor)
    at = anchor if isinstance(anchor, int) else anchor.created_at
    reach = round(min(max(0, minutes * 60_000), LONGEST_REACH_MS))
    since, until = max(at - reach, -LAST), min(at + reach, LAST)
    values: dict[str, object] = {
        "at": at, "since": since, "until": until, "limit": limit + 1,
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
        since,
        until,
        scope,
        truncated=left < len(before) or right < len(after),
    )


def beside(
    db: apsw.Connection, row: ListRow, count: int, scope: Scope, kind: str | None = None
) -> list[ListRow]:
    """Return up to `count` documents after a row in time, or before it where that is negative, the
    nearest first; of one kind, or of all."""
    row = _current(db, row)
    values: dict[str, object] = {
        "at": row.created_at, "number": row.document_id, "limit": abs(count),
        "session": row.session_id, "project": row.project, "kind": kind,
    }  # fmt: skip
    side, order = (">", "ASC") if count > 0 else ("<", "DESC")
    return _side(db, scope, values, side, order, "true" if kind is None else KIND)


def nearest(
    db: apsw.Connection, since: int, until: int, row: ListRow | None, scope: Scope
) -> ListRow | None:
    """Return the first document from `since` to before `until` (ms), else the one nearest to that time;
    in the session or project of a row, or anywhere. None where there is none at all."""
    values: dict[str, object] = {
        "at": since, "number": -LAST, "limit": 1,
        "session": row.session_id if row else None, "project": row.project if row else "",
    }  # fmt: skip
    scope = scope if row is not None else "all"
    after = _side(db, scope, values, ">", "ASC", "true")
    if after and after[0].created_at < until:
        return after[0]
    before = _side(db, scope, values, "<", "DESC", "true")
    rows = [*before, *after]
    return min(rows, key=lambda item: abs(item.created_at - since), default=None)


def counts(db: apsw.Connection, row: ListRow, edges: Sequence[int], scope: Scope) -> list[int]:
    """Return how many documents in the scope of a row lie between each two of these moments (ms), the
    later one left out. Only an index is read."""
    sql = (
        f"SELECT (SELECT count(*) FROM documents d INDEXED BY {INDEXES[scope]} WHERE {SCOPES[scope]} "
        "AND d.created_at >= value ->> 0 AND d.created_at < value ->> 1) "
        "FROM json_each(:edges) ORDER BY key"
    )
    values = {**_scope_of(row), "edges": _pairs(edges)}
    return [int(number) for (number,) in db.execute(sql, values)]


def counts_by_type(
    db: apsw.Connection,
    row: ListRow,
    edges: Sequence[int],
    scope: Scope,
    types: Sequence[str],
) -> list[Counter[str]]:
    """Return how many documents of each of these types lie between each two of these moments, as
    `counts` does."""
    if scope == "all":
        # By the index of types: it holds all that is asked, and no row is read.
        wanted, source = (
            "json_each(:types) t",
            "INDEXED BY documents_by_type WHERE d.type = t.value",
        )
        sql = (
            f"SELECT e.key, t.value, (SELECT count(*) FROM documents d {source} "
            "AND d.created_at >= e.value ->> 0 AND d.created_at < e.value ->> 1) "
            f"FROM {wanted}, json_each(:edges) e"
        )
    else:
        sql = (
            "SELECT e.key, d.type, count(*) FROM json_each(:edges) e CROSS JOIN documents d "
            f"INDEXED BY {INDEXES[scope]} WHERE {SCOPES[scope]} AND d.created_at >= e.value ->> 0 "
            "AND d.created_at < e.value ->> 1 "
            "AND d.type IN (SELECT value FROM json_each(:types)) GROUP BY e.key, d.type"
        )
    values = {**_scope_of(row), "edges": _pairs(edges), "types": json.dumps(list(types))}
    results = [Counter[str]() for _ in edges[1:]]
    rows: Any = db.execute(sql, values)
    for place, type, number in rows:
        results[place][type] += number
    return results


def _scope_of(row: ListRow) -> dict[str, object]:
    return {"session": row.session_id, "project": row.project}


def _pairs(edges: Sequence[int]) -> str:
    return json.dumps(list(pairwise(edges)))


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


Slice = tuple[int, int]
"""The numbers of the first and the last part of a run of parts of time."""


def slices(totals: Sequence[int], rows: int) -> Iterator[Slice]:
    """Yield runs of parts of time, the newest first, each of about `rows` of the `totals` of memories."""
    last = len(totals) - 1
    many = 0
    for part in range(last, -1, -1):
        many += totals[part]
        if part == 0 or many + totals[part - 1] > rows:
            yield part, last
            last, many = part - 1, 0


class Timelines:
    """What a `Store` offers of the order of time."""

    db: apsw.Connection

    @in_snapshot
    def nearest(self, since: int, until: int, row: ListRow | None, scope: Scope) -> ListRow | None:
        """Return the first memory from `since` to before `until` (ms), else the one nearest to that time;
        in the session or project of a row, or anywhere. None where there is none at all."""
        return nearest(self.db, since, until, row, scope)

    @in_snapshot
    def timeline(
        self,
        anchor: Record | ListRow | int,
        *,
        minutes: float = 30,
        scope: Scope = "session",
        limit: int = 500,
    ) -> Window:
        """Return what happened around a record or a moment (ms), so many minutes to either side."""
        if not isinstance(anchor, int | ListRow):
            anchor = list_row(self.db, anchor)
        return window(self.db, anchor, minutes=minutes, scope=scope, limit=limit)

    @in_snapshot
    def density(self, row: ListRow, edges: Sequence[int], scope: Scope) -> list[int]:
        """Return how many memories in a row's scope lie between each two of these moments (ms)."""
        return counts(self.db, row, edges, scope)

    @in_snapshot
    def density_by_type(
        self, row: ListRow, edges: Sequence[int], scope: Scope, types: Sequence[str]
    ) -> list[Counter[str]]:
        """Return the same, how many of each of these types."""
        return counts_by_type(self.db, row, edges, scope, types)

    @in_snapshot
    def neighbour(self, row: ListRow, step: int, scope: Scope = "all") -> ListRow | None:
        """The observation `step` places later (or earlier) in time; None at either end."""
        rows = beside(self.db, row, step, scope, "o")
        return rows[-1] if rows else None


STEP = "↳ "
"""What stands before a step of a sub-agent."""

Row = TypeVar("Row")


def nested(rows: Iterable[Row], id_of: Callable[[Row], int | None], steps: Mapping[int, int]) -> list[Row]:
    """Return rows in their order, but each step right below the call that it belongs to.

    `id_of` is the id of a row's observation, None for another record; `steps` are the calls of steps by
    the ids of both. A step whose call isn't among the rows stays where it is.
    """
    ordered = list(rows)
    present = {id_of(row) for row in ordered}
    below: dict[int, list[Row]] = {}
    others: list[Row] = []
    for row in ordered:
        number = id_of(row)
        call = None if number is None else steps.get(number)
        if call is None or call not in present:
            others.append(row)
        else:
            below.setdefault(call, []).append(row)

    def with_steps(row: Row) -> Iterable[Row]:
        yield row
        number = id_of(row)
        for step in below.pop(number, []) if number is not None else []:
            yield from with_steps(step)

    made = [item for row in others for item in with_steps(row)]
    # Of two that name each other neither has a place.
    return [*made, *(row for rest in below.values() for row in rest)]
