"""Each event once: whether one was told before, by the same channel or by the other.

A hook may be registered twice, two agents' hooks may tell of one session, and a transcript tells
again what the hooks told. Where both channels call an event by one key that decides. Otherwise two
tellings are one event if they say the same at about the same time; a transcript without times tells
of the first that says the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import apsw

from ...agents.payload import content_hash
from ...events import Event

Channel = Literal["hook", "transcript"]

TOGETHER_MS = 2_000
"""Within it, the same thing without a name told twice by one channel is one event."""

APART_MS = 600_000
"""Within it, what a hook and a transcript tell of the same thing is one event."""

UNFINISHED = "unfinished"

INSERT = """
INSERT INTO captured_events (session_id, kind, key, content, at, channel, shared, record_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """An event that was told before: its key, the row that was made of it, and whether it had an end."""

    key: str
    record_id: int | None
    finished: bool


def find_known(
    db: apsw.Connection, session_id: int, event: Event, channel: Channel, at: int
) -> KnownEvent | None:
    """The same event, where it is known; it is marked as told by this channel too.

    `at` is in ms, 0 where nothing tells when it happened.
    """
    content = content_hash(event)
    if event.key is not None:
        key = key_of(event, channel, at)
        rows: list[Any] = db.execute(
            "SELECT key, record_id, content, channel FROM captured_events "
            "WHERE session_id = ? AND kind = ? AND key IN (?, ?) ORDER BY length(key) DESC",
            (session_id, event.kind, key, apart(key, content)),
        ).fetchall()
        for row in rows:
            if not is_another(event, row, channel):
                return _told(db, session_id, event, channel, row)
    if event.shared and event.key is not None:
        condition = "AND channel <> :channel AND channel <> 'both' AND shared = 0"
    elif event.key is not None:
        condition = "AND channel <> :channel AND channel <> 'both'"
    else:
        condition = "AND (channel <> 'both' OR abs(at - :at) <= :together)"
    found = db.execute(
        f"""
        SELECT key, record_id, content, channel FROM captured_events
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
            "together": TOGETHER_MS,
            "apart": APART_MS,
        },
    ).fetchone()
    return _told(db, session_id, event, channel, found) if found else None


def is_another(event: Event, found: tuple[str, int, str, str], channel: Channel) -> bool:
    """Whether an event only shares its key: what is typed while an agent works is of the same turn."""
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
    """Note that an event was told."""
    content = content_hash(event)
    if is_unfinished(event):
        content = UNFINISHED + content
    key = key_of(event, channel, at)
    known = "SELECT 1 FROM captured_events WHERE session_id = ? AND kind = ? AND key = ?"
    if db.execute(known, (session_id, event.kind, key)).get:
        key = apart(key, content)
    values = (session_id, event.kind, key, content, at, channel, event.shared, record_id)
    db.execute(INSERT, values)


def mark_finished(db: apsw.Connection, session_id: int, told: KnownEvent, event: Event) -> None:
    """Note that the end of an event was told, which was told before without it."""
    db.execute(
        "UPDATE captured_events SET content = ? WHERE session_id = ? AND kind = ? AND key = ?",
        (content_hash(event), session_id, event.kind, told.key),
    )


def is_unfinished(event: Event) -> bool:
    """Whether a tool was called and has not answered."""
    return event.tool is not None and event.tool.response is None and not event.tool.failed


def key_of(event: Event, channel: Channel, at: int) -> str:
    """What an event is remembered by: its own key, else what it says and when."""
    if event.key is None:
        return f"{channel} {at} {content_hash(event)}"
    return event.key if event.shared else f"{channel} {event.key}"


def apart(key: str, content: str) -> str:
    """The key of another event that shares its own with one told before."""
    return f"{key} {content}"


def _told(
    db: apsw.Connection,
    session_id: int,
    event: Event,
    channel: Channel,
    found: tuple[str, int, str, str],
) -> KnownEvent:
    key, record_id, content, before = found
    if before not in (channel, "both"):
        sql = (
            "UPDATE captured_events SET channel = 'both' WHERE (session_id, kind, key) = (?, ?, ?)"
        )
        db.execute(sql, (session_id, event.kind, key))
        own = key_of(event, channel, 0) if event.key is not None else key
        if own != key:
            # Told once more under the name it has in this channel, it is known by that.
            values = (session_id, event.kind, own, content, 0, "both", event.shared, record_id)
            db.execute(f"{INSERT} ON CONFLICT DO NOTHING", values)
    return KnownEvent(key, record_id, not content.startswith(UNFINISHED))
