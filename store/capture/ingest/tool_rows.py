"""The observation of a tool use as reports of it come: made, completed by a later one, corrected by the
agent's transcript.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...agents.registry import BY_NAME
from ...events import Event, ToolUse
from ...observe.boundary import judged
from ...records import Session
from ...store import Store
from ...tables.observations import Observations
from ...text.redaction import remember_clean, texts_in
from .columns import as_text
from .deduplication import Channel, KnownEvent, is_unfinished, mark_finished
from .quarantine import queue_failed
from .reports import link_call

if TYPE_CHECKING:
    from ...observe.rules.observation import ObservationFields


def fields_of(
    store: Store,
    session: Session,
    event: Event,
    tool: ToolUse,
    own: int | None = None,
    root: str | None = None,
) -> tuple[ObservationFields, str]:
    """The fields that the rules give to the observation of a tool use, and the failure of a rule, ""
    for none: they are plain then. `own` is the id of the observation itself, if there is one.

    Noise becomes an observation too, of the type that lists and contexts leave out: every tool use is
    counted in its session, and another channel's report of it finds the row. It isn't queued.
    """
    # A session that starts with nothing waiting does not pay for what only tool uses need.
    from ...observe.rules.observation import observation_fields

    known = KnownFiles(store.observations, session.id, own)
    root = root or session.project_path or event.cwd
    fields, failure = judged(lambda: observation_fields(tool, root, known), lambda: plain_fields(tool))
    # They are made of the event's texts, which are scrubbed.
    remember_clean(texts_in(fields))
    return fields, failure


def plain_fields(tool: ToolUse) -> ObservationFields:
    """The fields of a tool use that no rule has looked at: its input and its output as they are."""
    command = tool.input.get("command") if isinstance(tool.input, dict) else None
    given = (command if isinstance(command, str) else as_text(tool.input)) or ""
    return {
        "type": "error" if tool.failed else "note",
        "title": f"Used {tool.name}: {' '.join(given[:200].split())}"[:120],
        "subtitle": None,
        "narrative": "\n\n".join(filter(None, (given, as_text(tool.response)))) or None,
        "facts": [], "concepts": [], "files_read": [], "files_modified": [],
    }  # fmt: skip


def queue_failed_tool(
    store: Store, session: Session, event: Event, tool: ToolUse, number: int, failure: str, at: int
) -> None:
    """Queue a tool use on which a rule failed."""
    queue_failed(
        store, session, number, failure, at, {"failed": tool.failed, "exit_code": tool.exit_code},
        tool_name=tool.name, cwd=event.cwd,
        tool_input=as_text(tool.input), tool_response=as_text(tool.response),
    )  # fmt: skip


def complete_observation(
    store: Store, session: Session, event: Event, known: KnownEvent, channel: Channel
) -> bool:
    """Add the output of a tool use to an observation that was made without it; whether there was any
    to add.

    An observation made of a hook's report that could not tell the exit status is corrected by the
    transcript, which can; nothing is new then.
    """
    if event.tool is None or is_unfinished(event) or known.record_id is None:
        return False
    if known.finished:
        if channel == "transcript" and known.is_first_report:
            _correct_row(store, session, event, event.tool, known.record_id)
        return False
    fields, failure = fields_of(store, session, event, event.tool, known.record_id)
    store.observations.revise(known.record_id, **fields)
    if failure:
        at = store.observations.get(known.record_id).created_at
        queue_failed_tool(store, session, event, event.tool, known.record_id, failure, at)
    link_call(store, session, event.tool, known.record_id)
    mark_finished(store.db, session.id, known, event)
    return True


def _correct_row(store: Store, session: Session, event: Event, tool: ToolUse, number: int) -> None:
    """Give an observation the outcome that only the transcript tells, unless a user or a model wrote it."""
    agent = BY_NAME.get(event.agent)
    is_told = tool.failed or tool.exit_code is not None
    if agent is None or not agent.status_in_transcript or not is_told:
        return
    from ...observe.jobs.findings import UserEdits, made_by

    standing = store.observations.get(number)
    if not standing.is_visible or (made_by(standing) or "").startswith("model"):
        return
    if UserEdits(store).touch(standing):
        return
    fields, failure = fields_of(store, session, event, tool, number)
    if not failure and (fields["type"], fields["title"]) != (standing.type, standing.title):
        store.observations.revise(number, **fields)


class KnownFiles:
    """The files that a session's observations are about, but for the observation `own`.

    `path in known_files` is a query, made only where a rule asks: reading a known file is no news.
    """

    def __init__(self, observations: Observations, session_id: int, own: int | None = None) -> None:
        self.observations = observations
        self.session_id = session_id
        self.own = own

    def __contains__(self, path: object) -> bool:
        return self.observations.has_file(str(path), self.session_id, self.own)
