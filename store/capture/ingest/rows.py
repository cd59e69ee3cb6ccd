"""One event as a row: a prompt, a summary, an observation, a message to the observer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import apsw

from ...events import Event, ToolUse
from ...records import Session
from ...store import Store
from .deduplication import Channel, KnownEvent, is_unfinished, mark_finished

if TYPE_CHECKING:
    from ...observe.rules.observation import ObservationFields


SEEN = """
SELECT 1 FROM labels JOIN documents ON documents.id = labels.document_id
WHERE labels.kind = 'file' AND labels.value = ? AND documents.session_id = ?
    AND documents.kind = 'o' AND documents.record_id IS NOT ? LIMIT 1
"""


def insert_row(
    store: Store, session: Session, event: Event, channel: Channel, at: int
) -> int | None:
    """The row that an event becomes, by its id; None for what becomes none."""
    if event.kind == "prompt" and event.text.strip():
        return store.prompts.add(session, event.text, at=at, extra=extra_of(event)).id
    if event.kind == "compaction" and event.text.strip():
        return store.summaries.add(session, text=event.text, at=at, extra=extra_of(event)).id
    if event.kind == "tool" and event.tool is not None:
        made = fields_of(store, session, event, event.tool)
        number = add_observation(store, session, event, event.tool, made, at)
        if channel == "hook" and made["type"] != "noise":
            queue_tool(store, session, event, event.tool, at, number)
        return number
    if event.kind == "reply" and event.text.strip():
        queue_reply(store, session, event, at)
    return None


def fields_of(
    store: Store, session: Session, event: Event, tool: ToolUse, own: int | None = None
) -> ObservationFields:
    """What the rules make of a tool use.

    Noise too becomes a row, of the type by which lists and contexts leave it out: every tool use is
    counted and found again in its session, and what another channel tells of it finds that row.
    No observer is asked to make more of it.
    """
    # A session that starts with nothing waiting does not pay for what only tool uses need.
    from ...observe.rules.observation import observation_fields

    known = KnownFiles(store.db, session.id, own)
    return observation_fields(tool, session.project_path or event.cwd, known)


def add_observation(
    store: Store, session: Session, event: Event, tool: ToolUse, made: ObservationFields, at: int
) -> int:
    """The observation of a tool use."""
    return store.observations.add(
        session,
        **made,
        tool_name=tool.name,
        prompt_number=prompt_number(store, session),
        discovery_tokens=event.tokens,
        event_id=event_id(session, event),
        at=at,
        extra=extra_of(event),
    ).id


def complete_row(store: Store, session: Session, event: Event, told: KnownEvent) -> bool:
    """Add the end of a tool use to an observation that was made without it; whether that was new."""
    if told.finished or event.tool is None or is_unfinished(event) or told.record_id is None:
        return False
    made = fields_of(store, session, event, event.tool, told.record_id)
    store.observations.revise(told.record_id, **made)
    mark_finished(store.db, session.id, told, event)
    return True


def queue_tool(
    store: Store, session: Session, event: Event, tool: ToolUse, at: int, observation_id: int
) -> None:
    """A message for the observer, which may make more of a tool use than the rules do."""
    store.pending.add(
        session,
        "observation",
        tool_name=tool.name,
        tool_input=as_text(tool.input),
        tool_response=as_text(tool.response),
        cwd=event.cwd,
        prompt_number=prompt_number(store, session),
        event_id=event_id(session, event),
        at=at,
        observation_id=observation_id,
    )


def queue_reply(store: Store, session: Session, event: Event, at: int) -> None:
    """A message for the observer: a turn is over, and this is what the agent said last."""
    if event.subagent:
        return
    asked = store.db.execute(
        "SELECT text FROM prompts WHERE session_id = ? AND private = 0 AND deleted_at IS NULL "
        "ORDER BY prompt_number DESC, id DESC LIMIT 1",
        (session.id,),
    ).get
    store.pending.add(
        session,
        "summary",
        last_user_message=asked,
        last_assistant_message=event.text,
        cwd=event.cwd,
        prompt_number=prompt_number(store, session),
        event_id=event_id(session, event),
        at=at,
    )


def prompt_number(store: Store, session: Session) -> int | None:
    """The number of the session's newest prompt, which what happens now belongs to."""
    sql = "SELECT nullif(prompt_counter, 0) FROM sessions WHERE id = ?"
    found: int | None = store.db.execute(sql, (session.id,)).get
    return found


def event_id(session: Session, event: Event) -> str | None:
    """An id for the event that no other event of any agent has; None where the agent gives none."""
    if event.key is None:
        return None
    return f"{session.agent}:{session.content_session_id}:{event.kind}:{event.key}"


def extra_of(event: Event) -> str | None:
    """What has no column, as JSON."""
    found = dict(event.extra)
    if event.subagent:
        found["subagent"] = event.subagent
    return json.dumps(found, ensure_ascii=False) if found else None


def as_text(value: object) -> str | None:
    """What a tool was given or answered: a text as it is, anything else as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


class KnownFiles:
    """What a session's observations tell of files, but for its `own` one; asked only where it matters."""

    def __init__(self, db: apsw.Connection, session_id: int, own: int | None = None) -> None:
        self.db = db
        self.session_id = session_id
        self.own = own

    def __contains__(self, path: object) -> bool:
        return bool(self.db.execute(SEEN, (path, self.session_id, self.own)).get)
