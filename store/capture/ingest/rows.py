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


KNOWN_FILE = """
SELECT 1 FROM labels JOIN documents ON documents.id = labels.document_id
WHERE labels.kind = 'file' AND labels.value = ? AND documents.session_id = ?
    AND documents.kind = 'o' AND documents.record_id IS NOT ? LIMIT 1
"""


def insert_row(
    store: Store, session: Session, event: Event, channel: Channel, at: int
) -> int | None:
    """Insert the row that an event becomes, and queue what an observer may make more of; the row's id,
    None where it becomes none."""
    if event.kind == "prompt" and event.text.strip():
        return store.prompts.add(session, event.text, at=at, extra=extra_of(event)).id
    if event.kind == "compaction" and event.text.strip():
        return store.summaries.add(session, text=event.text, at=at, extra=extra_of(event)).id
    if event.kind == "tool" and event.tool is not None:
        fields = fields_of(store, session, event, event.tool)
        number = add_observation(store, session, event, event.tool, fields, at)
        if channel == "hook" and fields["type"] != "noise":
            queue_tool(store, session, event, event.tool, at, number)
        return number
    if event.kind == "reply" and event.text.strip():
        queue_reply(store, session, event, at)
    return None


def fields_of(
    store: Store, session: Session, event: Event, tool: ToolUse, own: int | None = None
) -> ObservationFields:
    """The fields that the rules give to the observation of a tool use; `own` is the id of the
    observation itself, if there is one.

    Noise becomes an observation too, of the type that lists and contexts leave out: every tool use is
    counted in its session, and another channel's report of it finds the row. It isn't queued.
    """
    # A session that starts with nothing waiting does not pay for what only tool uses need.
    from ...observe.rules.observation import observation_fields

    known = KnownFiles(store.db, session.id, own)
    return observation_fields(tool, session.project_path or event.cwd, known)


def add_observation(
    store: Store, session: Session, event: Event, tool: ToolUse, fields: ObservationFields, at: int
) -> int:
    """Add the observation of a tool use; its id."""
    return store.observations.add(
        session,
        **fields,
        tool_name=tool.name,
        prompt_number=store.sessions.newest_prompt_number(session.id),
        discovery_tokens=event.tokens,
        event_id=event_id(session, event),
        at=at,
        extra=extra_of(event),
    ).id


def complete_row(store: Store, session: Session, event: Event, known: KnownEvent) -> bool:
    """Add the output of a tool use to an observation that was made without it; whether there was any
    to add."""
    if known.finished or event.tool is None or is_unfinished(event) or known.record_id is None:
        return False
    fields = fields_of(store, session, event, event.tool, known.record_id)
    store.observations.revise(known.record_id, **fields)
    mark_finished(store.db, session.id, known, event)
    return True


def queue_tool(
    store: Store, session: Session, event: Event, tool: ToolUse, at: int, observation_id: int
) -> None:
    """Queue a tool use for an observer, which may make more of it than the rules do."""
    store.pending.add(
        session,
        "observation",
        tool_name=tool.name,
        tool_input=as_text(tool.input),
        tool_response=as_text(tool.response),
        cwd=event.cwd,
        prompt_number=store.sessions.newest_prompt_number(session.id),
        event_id=event_id(session, event),
        at=at,
        observation_id=observation_id,
    )


def queue_reply(store: Store, session: Session, event: Event, at: int) -> None:
    """Queue the end of a turn for an observer: the user's last prompt and the agent's last reply.

    Nothing is queued of a sub-agent's turn.
    """
    if event.subagent:
        return
    store.pending.add(
        session,
        "summary",
        last_user_message=store.prompts.last_visible_text(session.id),
        last_assistant_message=event.text,
        cwd=event.cwd,
        prompt_number=store.sessions.newest_prompt_number(session.id),
        event_id=event_id(session, event),
        at=at,
    )


def event_id(session: Session, event: Event) -> str | None:
    """An id for an event that no other event of any agent has; None for an event without a key."""
    if event.key is None:
        return None
    return f"{session.agent}:{session.content_session_id}:{event.kind}:{event.key}"


def extra_of(event: Event) -> str | None:
    """What has no column of its own, as a JSON object; None for nothing."""
    extra = dict(event.extra)
    if event.subagent:
        extra["subagent"] = event.subagent
    return json.dumps(extra, ensure_ascii=False) if extra else None


def as_text(value: object) -> str | None:
    """A tool's input or output as text: a text as it is, anything else as JSON, None for None."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


class KnownFiles:
    """The files that a session's observations are about, but for the observation `own`.

    `path in known_files` is a query, made only where a rule asks: reading a known file is no news.
    """

    def __init__(self, db: apsw.Connection, session_id: int, own: int | None = None) -> None:
        self.db = db
        self.session_id = session_id
        self.own = own

    def __contains__(self, path: object) -> bool:
        return bool(self.db.execute(KNOWN_FILE, (path, self.session_id, self.own)).get)
