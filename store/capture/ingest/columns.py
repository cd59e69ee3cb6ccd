"""The columns that the rows of every kind of event have: its id, and what has no column of its own."""

from __future__ import annotations

import json

from ...events import Event
from ...records import Session
from ...text.redaction import remember_clean


def event_id(session: Session, event: Event) -> str | None:
    """An id for an event that no other event of any agent has; None for an event without a key."""
    if event.key is None:
        return None
    result = f"{session.agent}:{session.content_session_id}:{event.kind}:{event.key}"
    # It is made of what is scrubbed.
    remember_clean([result])
    return result


def extra_of(event: Event) -> str | None:
    """What has no column of its own, as a JSON object; None for nothing."""
    return json.dumps(event.extra, ensure_ascii=False) if event.extra else None


def as_text(value: object) -> str | None:
    """A tool's input or output, which is scrubbed, as text: a text as it is, anything else as JSON, None
    for None."""
    if value is None or isinstance(value, str):
        return value
    text = json.dumps(value, ensure_ascii=False)
    remember_clean([text])
    return text
