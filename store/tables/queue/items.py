"""The items of the queue as one list: quarantined events and messages, in pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apsw

from ...records.dataclasses import dataclass
from ..base import to_record
from ..session_titles import session_titles
from .messages import clocks

STATES = ("pending", "processing", "failed", "abandoned", "quarantined", "processed")
WAITING_OR_FAILED = ("pending", "processing", "failed", "abandoned", "quarantined")
"""What is listed unless something else is asked for."""

MESSAGES = """
SELECT CAST(m.id AS TEXT), m.status, m.kind, coalesce(m.tool_name, ''),
    iif(s.private OR s.deleted_at IS NOT NULL, '', s.content_session_id),
    s.private OR s.deleted_at IS NOT NULL, s.project, s.agent, m.created_at, m.attempts,
    coalesce(m.error, m.outcome, ''),
    CASE WHEN m.not_before BETWEEN :now + 1 AND :now + :retry THEN m.not_before - :now ELSE 0 END,
    s.id
FROM pending_messages m JOIN sessions s ON s.id = m.session_id
WHERE m.id IN (SELECT value FROM json_each(:ids))
"""
SESSION = 4
"""The column of a session's name."""
LONGEST_NAME = 200
EVENT = """
SELECT 'q' || id, 'quarantined', 'event', '', '', 0, '', agent, at, attempts, reason, 0
FROM quarantine
"""
EVENTS = f"{EVENT} ORDER BY id LIMIT :limit OFFSET :start"
IDS = "SELECT id FROM pending_messages WHERE status = '{}'"
SLICE = "LIMIT :limit OFFSET :start"


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A message, or an event that could not be stored; `ref` is 12 or q12. `wait_ms` is how long it
    waits before it is tried again. `session` is empty for a hidden one."""

    ref: str
    status: str
    kind: str
    what: str
    session: str
    hidden: bool
    project: str
    agent: str
    created_at: int
    attempts: int
    reason: str
    wait_ms: int


def item_counts(db: apsw.Connection) -> dict[str, int]:
    """Return how many items there are in each state."""
    rows: Iterable[Any] = db.execute(
        "SELECT status, number FROM message_counts UNION ALL SELECT 'quarantined', count(*) FROM quarantine"
    ).fetchall()
    results = {str(state): int(count) for state, count in rows}
    return {state: results.get(state, 0) for state in STATES}


def item_page(db: apsw.Connection, states: Sequence[str], start: int, length: int) -> list[QueueItem]:
    """At most `length` of the items in these states, from the item `start` on (0 is the first).

    Quarantined events come first, then what was processed, newest first, then all others in the
    order in which they came.
    """
    counts = item_counts(db)
    items: list[QueueItem] = []
    others = [state for state in STATES if state not in ("quarantined", "processed")]
    for part in (["quarantined"], ["processed"], others):
        wanted = [state for state in part if state in states]
        count = sum(counts[state] for state in wanted)
        if start < count and len(items) < length:
            items += _part(db, wanted, start, length - len(items))
        start = max(0, start - count)
    return items


def items_by_ref(db: apsw.Connection, refs: Sequence[str]) -> list[QueueItem]:
    """Return the items with these refs (`12`, `q12`), in the order given; without what is gone."""
    events = [ref[1:] for ref in refs if ref.startswith("q")]
    messages = [ref for ref in refs if not ref.startswith("q")]
    items = {row[0]: to_record(QueueItem, row) for row in _messages(db, map(int, messages))}
    sql = f"{EVENT} WHERE id IN (SELECT value FROM json_each(?))"
    rows: Iterable[Any] = db.execute(sql, (json.dumps([int(event) for event in events]),))
    items |= {row[0]: to_record(QueueItem, row) for row in rows}
    return [items[ref] for ref in refs if ref in items]


def _messages(db: apsw.Connection, ids: Iterable[int]) -> Iterator[list[Any]]:
    rows: list[Any] = db.execute(MESSAGES, clocks() | {"ids": json.dumps(list(ids))}).fetchall()
    titles = session_titles(db, {row[-1] for row in rows})
    for *values, session in rows:
        # A hidden session has no name at all.
        if values[SESSION]:
            values[SESSION] = (titles[session] or values[SESSION])[:LONGEST_NAME]
        yield values


def _part(db: apsw.Connection, states: Sequence[str], start: int, length: int) -> list[QueueItem]:
    values = {"limit": length, "start": start}
    if states == ["quarantined"]:
        return [to_record(QueueItem, row) for row in db.execute(EVENTS, values)]
    order = "ORDER BY id DESC" if states == ["processed"] else "ORDER BY id"
    # One state after another, each in the order of its index: what lies beyond the page is not read.
    sql = f"{' UNION ALL '.join(map(IDS.format, states))} {order} {SLICE}"
    ids = [int(number) for (number,) in db.execute(sql, values)]
    results = {row[0]: to_record(QueueItem, row) for row in _messages(db, ids)}
    return [results[str(number)] for number in ids if str(number) in results]
