"""Deduplication: find the event that a new report is about, if the same or the other channel reported
it before.

A hook may be registered twice, two agents' hooks may report one session, and a transcript repeats
what the hooks reported. Where both channels name events by the same keys, the key decides. Otherwise
two reports are of one event if their content is equal and their times are close; a report without a
time matches the first event of equal content.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import apsw

from ...agents.payload import content_hash
from ...events import Event
from ...records.dataclasses import dataclass

Channel = Literal["hook", "transcript"]

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


def find_known(
    db: apsw.Connection, session_id: int, event: Event, channel: Channel, at: int
) -> KnownEvent | None:
    """Find the same event if it is stored, and mark it as reported by this channel too.

    `at` is when it happened, ms since the epoch, 0 where nothing says so.
    """
    row = stored_event(db, session_id, event, channel, at)
    return _mark_reported(db, session_id, event, channel, row) if row else None


def stored_event(
    db: apsw.Connection, session_id: int, event: Event, channel: Channel, at: int
) -> StoredEvent | None:
    """Return how the same event is stored, None where it isn't; `at` as `find_known` has it."""
    content = content_hash(event)
    if event.key is not None:
        key = key_of(event, channel, at)
        rows: list[Any] = db.execute(
            "SELECT key, record_id, content, channel FROM captured_events "
            "WHERE session_id = ? AND kind = ? AND key IN (?, ?) ORDER BY length(key) DESC",
            (session_id, event.kind, key, key_with_content(key, content)),
        ).fetchall()
        for row in rows:
            if not only_shares_key(event, row, channel):
                return StoredEvent(*row)
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
            "content": content,
            "unfinished": content if event.kind != "tool" else UNFINISHED + content,
            "channel": channel,
            "at": at,
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


def only_shares_key(event: Event, found: tuple[str, int, str, str], channel: Channel) -> bool:
    """Whether an event has the key of another event: prompts that are typed while an agent works have
    the key of one turn."""
    _, _, content, before = found
    return event.kind == "prompt" and before == channel and content != content_hash(event)


def remember_event(
    db: apsw.Connection,
    session_id: int,
    event: Event,
    channel: Channel,
    at: int,
    record_id: int | None,
) -> None:
    """Store that an event was reported, and the row that it became (None for none)."""
    content = content_hash(event)
    if is_unfinished(event):
        content = UNFINISHED + content
    key = key_of(event, channel, at)
    rest = (content, at, channel, event.shared, record_id)
    db.execute(f"{INSERT} ON CONFLICT DO NOTHING", (session_id, event.kind, key, *rest))
    if not db.changes():
        key = key_with_content(key, content)
        db.execute(INSERT, (session_id, event.kind, key, *rest))


def mark_finished(db: apsw.Connection, session_id: int, known: KnownEvent, event: Event) -> None:
    """Store that an event which was stored without its end has one."""
    db.execute(
        "UPDATE captured_events SET content = ? WHERE session_id = ? AND kind = ? AND key = ?",
        (content_hash(event), session_id, event.kind, known.key),
    )


def set_record(
    db: apsw.Connection, session_id: int, kind: str, known: KnownEvent, record_id: int | None
) -> None:
    """Store which row an event became that was stored before; None for none."""
    db.execute(
        "UPDATE captured_events SET record_id = ? WHERE (session_id, kind, key) = (?, ?, ?)",
        (record_id, session_id, kind, known.key),
    )


def is_unfinished(event: Event) -> bool:
    """Whether a tool was called and has given no output."""
    return event.tool is not None and event.tool.response is None and not event.tool.failed


def key_of(event: Event, channel: Channel, at: int) -> str:
    """The key that an event is stored under: its own, else one of its content and time."""
    if event.key is None:
        return f"{channel} {at} {content_hash(event)}"
    return event.key if event.shared else f"{channel} {event.key}"


def key_with_content(key: str, content: str) -> str:
    """The key of an event that shares its own key with an event stored before."""
    return f"{key} {content}"


def _mark_reported(
    db: apsw.Connection,
    session_id: int,
    event: Event,
    channel: Channel,
    found: StoredEvent,
) -> KnownEvent:
    """The event of a stored row, marked as reported by this channel too."""
    key, record_id, content, before = found
    if before not in (channel, "both"):
        sql = "UPDATE captured_events SET channel = 'both' WHERE (session_id, kind, key) = (?, ?, ?)"
        db.execute(sql, (session_id, event.kind, key))
        own = key_of(event, channel, 0) if event.key is not None else key
        if own != key:
            # From now on this channel finds it by the key that it has there.
            values = (session_id, event.kind, own, content, 0, "both", event.shared, record_id)
            db.execute(f"{INSERT} ON CONFLICT DO NOTHING", values)
    first = before not in (channel, "both")
    return KnownEvent(key, record_id, not content.startswith(UNFINISHED), first)
