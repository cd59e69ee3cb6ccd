"""Deduplication: find the event that a new report is about, if the same or the other channel reported
it before.

A hook may be registered twice, two agents' hooks may report one session, and a transcript repeats
what the hooks reported. Where both channels name events by the same keys, the key decides. Otherwise
two reports are of one event if their content is equal and their times are close; a report without a
time matches the first event of equal content.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import apsw

from ...records.dataclasses import dataclass
from .accepting import CleanEvent

SAME_CHANNEL_MS = 2_000
"""Two reports without a key, of equal content and by one channel, are of one event within this time."""

OTHER_CHANNEL_MS = 600_000
"""Two reports of equal content, by a hook and a transcript, are of one event within this time."""

UNFINISHED = "unfinished"

INSERT = """
INSERT INTO captured_events (session_id, kind, key, content, at, channel, shared, record_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """An event that was stored before: its key, the id of the row that it became (None for none), and
    whether it had an end (False for a tool call without its output)."""

    key: str
    record_id: int | None
    finished: bool
    is_first_report: bool = False
    """Whether this channel reports it for the first time, after the other did."""


class StoredEvent(NamedTuple):
    """A row of `captured_events`; `record_id` as `KnownEvent` has it."""

    key: str
    record_id: int | None
    content: str
    channel: str


def find_known(db: apsw.Connection, session_id: int, event: CleanEvent) -> KnownEvent | None:
    """Find the same event if it is stored, and mark it as reported by this channel too."""
    stored = stored_event(db, session_id, event)
    if stored is None:
        return None
    key, record_id, content, before = stored
    is_first_report = before not in (event.channel, "both")
    if is_first_report:
        sql = "UPDATE captured_events SET channel = 'both' WHERE (session_id, kind, key) = (?, ?, ?)"
        db.execute(sql, (session_id, event.kind, key))
        if event.key is not None and event.stored_key != key:
            # From now on this channel finds it by the key that it has there.
            values = (event.stored_key, content, 0, "both", event.shared, record_id)
            db.execute(f"{INSERT} ON CONFLICT DO NOTHING", (session_id, event.kind, *values))
    return KnownEvent(key, record_id, not content.startswith(UNFINISHED), is_first_report)


def stored_event(db: apsw.Connection, session_id: int, event: CleanEvent) -> StoredEvent | None:
    """Return how the same event is stored, None where it isn't."""
    if event.key is not None:
        rows: list[Any] = db.execute(
            "SELECT key, record_id, content, channel FROM captured_events "
            "WHERE session_id = ? AND kind = ? AND key IN (?, ?) ORDER BY length(key) DESC",
            (session_id, event.kind, event.stored_key, f"{event.stored_key} {event.content}"),
        ).fetchall()
        for row in itertools.starmap(StoredEvent, rows):
            # Prompts that are typed while an agent works have the key of one turn.
            is_own = event.kind != "prompt" or row.channel != event.channel
            if is_own or row.content == event.content:
                return row
    if event.shared and event.key is not None:
        condition = "AND channel <> :channel AND channel <> 'both' AND shared = 0"
    elif event.key is not None:
        condition = "AND channel <> :channel AND channel <> 'both'"
    else:
        condition = "AND (channel <> 'both' OR abs(at - :at) <= :together)"
    result = db.execute(
        f"""
        SELECT key, record_id, content, channel
        FROM captured_events INDEXED BY captured_events_by_content
        WHERE session_id = :session AND kind = :kind AND content IN (:content, :unfinished) {condition}
            AND (:at = 0 OR at = 0 OR abs(at - :at) <= iif(channel = :channel, :together, :apart))
        ORDER BY at = 0, iif(:at = 0, at, abs(at - :at)) LIMIT 1
        """,
        {
            "session": session_id,
            "kind": event.kind,
            "content": event.content,
            "unfinished": event.content if event.kind != "tool" else UNFINISHED + event.content,
            "channel": event.channel,
            "at": event.told_at,
            "together": SAME_CHANNEL_MS,
            "apart": OTHER_CHANNEL_MS,
        },
    ).fetchone()
    return StoredEvent(*result) if result else None


def is_of_an_event(db: apsw.Connection, session_id: int, kinds: Sequence[str], record_id: int) -> bool:
    """Return whether a record was made of an event of one of these kinds that is known."""
    names = json.dumps(kinds)
    sql = (
        "SELECT 1 FROM captured_events WHERE record_id = ? AND session_id = ? "
        "AND kind IN (SELECT value FROM json_each(?)) LIMIT 1"
    )
    return db.execute(sql, (record_id, session_id, names)).get is not None


def remember_event(db: apsw.Connection, session_id: int, event: CleanEvent, record_id: int | None) -> None:
    """Store that an event was reported, and the row that it became (None for none)."""
    content = UNFINISHED + event.content if event.is_unfinished else event.content
    rest = (content, event.told_at, event.channel, event.shared, record_id)
    db.execute(f"{INSERT} ON CONFLICT DO NOTHING", (session_id, event.kind, event.stored_key, *rest))
    if not db.changes():
        # It shares its own key with an event stored before.
        db.execute(INSERT, (session_id, event.kind, f"{event.stored_key} {content}", *rest))


def amend_known(
    db: apsw.Connection, session_id: int, known: KnownEvent, event: CleanEvent, record_id: int | None
) -> None:
    """Store what an event has now that was stored before: an end, or the row that it became."""
    sql = "UPDATE captured_events SET content = ?, record_id = ? WHERE (session_id, kind, key) = (?, ?, ?)"
    db.execute(sql, (event.content, record_id, session_id, event.kind, known.key))
