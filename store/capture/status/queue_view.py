"""The queue as a list shows it: messages and quarantined events, in pages; retry or drop one of
them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from ...errors import NotFoundError
from ...records import PendingMessage
from ...store import Store
from ...tables.queue import clocks
from ...tables.rows import to_record
from ..ingest import drain, quarantine

STATES = ("pending", "processing", "failed", "abandoned", "quarantined", "processed")
WAITING_OR_FAILED = ("pending", "processing", "failed", "abandoned", "quarantined")
"""What is shown unless something else is asked for."""

MESSAGES = """
SELECT CAST(m.id AS TEXT) AS ref, m.status AS status, m.kind AS kind, coalesce(m.tool_name, '') AS what,
    iif(s.private OR s.deleted_at IS NOT NULL, '',
        substr(coalesce(s.title, s.first_prompt, s.content_session_id), 1, 200)) AS session,
    s.private OR s.deleted_at IS NOT NULL AS hidden, s.project AS project, s.agent AS agent,
    m.created_at AS created_at, m.attempts AS attempts, coalesce(m.error, m.outcome, '') AS reason,
    CASE WHEN m.not_before BETWEEN :now + 1 AND :now + :retry THEN m.not_before - :now ELSE 0 END
        AS wait_ms,
    1 AS place, iif(m.status = 'processed', -m.id, m.id) AS number
FROM pending_messages m JOIN sessions s ON s.id = m.session_id
WHERE m.status IN (SELECT value FROM json_each(:states))
"""
EVENTS = """
SELECT 'q' || id, 'quarantined', 'event', '', '', 0, '', agent, at, attempts, reason, 0, 0, id
FROM quarantine WHERE 'quarantined' IN (SELECT value FROM json_each(:states))
"""
PAGE = f"{EVENTS} UNION ALL {MESSAGES} ORDER BY place, number LIMIT :limit OFFSET :start"


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


@dataclass(frozen=True, slots=True)
class QueueDetail:
    """All about one: the message or the record as the hook wrote it, and the title of what the rules
    made of it."""

    item: QueueItem
    message: PendingMessage | None = None
    record: str = ""
    made: str = ""


def counts(store: Store) -> dict[str, int]:
    """How many there are in each state."""
    found = store.pending.counts()
    found["quarantined"] = int(store.db.execute("SELECT count(*) FROM quarantine").get or 0)
    return {state: found.get(state, 0) for state in STATES}


def page(store: Store, states: Sequence[str], start: int, length: int) -> list[QueueItem]:
    """A page of those in some states: the oldest first, the processed newest first."""
    values = _values(states) | {"start": start, "limit": length}
    rows: list[Any] = store.db.execute(PAGE, values).fetchall()
    return [to_record(QueueItem, row[: len(fields(QueueItem))]) for row in rows]


def detail(store: Store, item: QueueItem) -> QueueDetail | None:
    """All about one; None when it is gone."""
    if item.ref.startswith("q"):
        sql = "SELECT record FROM quarantine WHERE id = ?"
        found = store.db.execute(sql, (int(item.ref[1:]),)).get
        return None if found is None else QueueDetail(item, record=str(found))
    try:
        message = store.pending.get(int(item.ref))
    except NotFoundError:
        return None
    sql = (
        "SELECT coalesce((SELECT title FROM observations WHERE id = ?1 AND private = 0 "
        "AND deleted_at IS NULL), (SELECT request FROM summaries WHERE id = ?2 AND private = 0 "
        "AND deleted_at IS NULL))"
    )
    made = store.db.execute(sql, (message.observation_id, message.summary_id)).get
    return QueueDetail(item, message, made=str(made or ""))


def retry(store: Store, item: QueueItem) -> bool:
    """Try one again; whether it waits again, or is stored now. NotFoundError when it is gone."""
    if item.ref.startswith("q"):
        return drain.retry_quarantined(store, [int(item.ref[1:])]).stored == 1
    return store.pending.retry([int(item.ref)]) == 1


def drop(store: Store, item: QueueItem) -> None:
    """Forget one for good. NotFoundError when it is gone."""
    if item.ref.startswith("q"):
        quarantine.drop(store, [int(item.ref[1:])])
    else:
        store.pending.drop([int(item.ref)])


def _values(states: Sequence[str]) -> dict[str, Any]:
    return clocks() | {"states": json.dumps(list(states))}
