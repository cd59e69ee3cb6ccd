"""An event's way to its row: cleaned, known by its session, deduplicated, and stored.

It becomes a prompt, a summary or an observation, and, for an observer, a message in the queue.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...agents.payload import HOUSEKEEPING
from ...agents.registry import BY_NAME
from ...clock import now_ms
from ...events import Event, ToolUse, event_key
from ...kinds import NOISE
from ...observe.rules import tools
from ...paths import observer_directory
from ...records import Session
from ...records.dataclasses import replace
from ...store import Store
from ...tables.base import write_text
from ...tables.projects.repositories import locate
from ...tables.removal.purge import PURGED_SESSION, purged_at
from ...text.redaction import is_plain
from .. import settings
from .cleaning import clean_text, cleaned
from .columns import as_text, event_id, extra_of
from .deduplication import (
    Channel,
    KnownEvent,
    find_known,
    remember_event,
    set_record,
)
from .exclusion import Exclusions
from .replies import UNREAD, add_reply, has_no_reply, prompt_number, queue_reply
from .reports import keep_report, link_call, reports_of, taken_over
from .rewinds import take_back
from .tool_rows import complete_observation, fields_of, queue_failed_tool

if TYPE_CHECKING:
    from ...observe.rules.observation import ObservationFields

NOT_TYPED = tuple(prompt for agent in BY_NAME.values() for prompt in agent.own_prompts)
"""Prompts that begin so were written by an agent."""

OF_A_PROGRAM = re.compile(
    r"\s*(?:<(?:channel|webhook|heartbeat|tick|hook_prompt|automation)[\s>]"
    r"|<(?:[a-z]{1,20}[-_])?(?:teammate|team|agent|peer|coordinator|session|system|task|background|subagent"
    r"|channel|webhook|event|cron|schedule[d]?|loop|automation|monitor|hook|mailbox|ci|pr|build|review)[-_]"
    r"(?:message|notification|notice|event|wakeup|task|feedback|reminder|trigger|activity|update|prompt"
    r"|job|run|result|output)s?\b"
    r"|\{\"task_id\":|\[SYSTEM NOTIFICATION|Stop hook feedback:|\[(?:Cross-session|Teammate) message)",
    re.IGNORECASE,
)
"""How a message begins that stands in a prompt's place, and was written by a teammate, another session, a
webhook, a schedule, a hook or the agent's own system."""

INJECTED = re.compile(
    r"(?:# Handoff\s+)?<(ide_opened_file|ide_selection|hook_context|system_reminder|current_datetime"
    r"|memtui-context|memtui-handoff)\b[^<>]{0,512}>",
    re.IGNORECASE,
)
HANDED_OVER = re.compile(r"<memtui-handoff\b[^<>]{0,100} session=\"([0-9a-f-]{36})\"")
"""What names the session, by its uid, that a prompt hands over."""
WRAPPED = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)

IDEMPOTENT = ("session_start", "session_end", "usage")
"""Kinds of events that change nothing when they are stored again."""


def ingest_event(
    store: Store,
    event: Event,
    channel: Channel,
    *,
    at: int | None = None,
    is_clean: bool = False,
) -> bool:
    """Store an event in one transaction; whether it was new.

    `at` is when it happened, ms since the epoch, for an event without a time (now unless given).
    Private text and secrets are taken out here, unless a hook has done so by the same table (`is_clean`).
    """
    moment = event.at or at or now_ms()
    if is_own(store, event.cwd) or (channel == "transcript" and is_unwanted(store, event, moment)):
        return False
    event = event if is_clean else clean_event_texts(event)
    handed = HANDED_OVER.search(event.text) if event.kind == "prompt" else None
    event = conformed(event)
    if event.kind == "instructions":
        from ...files.loaded import note_loaded

        return note_loaded(store.path, event, moment)
    reported_at = moment if event.at or channel == "hook" else 0
    with store.transaction():
        session, event = session_of_event(store, event, moment)
        if (gone := purged_at(store.db, session.uid)) is not None:
            if moment <= gone:
                return False
            if session.content_session_id.startswith(PURGED_SESSION):
                session = store.sessions.revive(session, event.session)
        if event.kind == "session_start" and channel == "hook":
            note_unfinished(store, event.agent)
        if event.transcript and channel == "hook":
            note_transcript(store, event)
        if event.kind in IDEMPOTENT:
            return update_session(store, session, event, moment)
        if is_noise(event):
            return False
        if event.kind == "rewind":
            return take_back(store, session, event)
        if event.kind == "report":
            return keep_report(store, session, event, channel, moment)
        for report in reports_of(event):
            keep_report(store, session, report, channel, moment)
        if handed and not session.prompt_counter:
            note_continued(store, session, handed[1])
        known = find_known(store.db, session.id, event, channel, reported_at)
        if known is not None:
            return complete_row(store, session, event, known, channel, moment)
        number = insert_row(store, session, event, channel, moment)
        if number is None and not event.is_final:
            return False
        remember_event(store.db, session.id, event, channel, reported_at, number)
    return True


def clean_event_texts(event: Event) -> Event:
    """A copy of an event without what is private or secret, its texts truncated."""
    titles = event.title, event.old_title
    texts = (event.session, event.key, event.subagent, event.cwd, event.text, *titles)
    # One look at all of them costs less than one at each.
    is_plain(*filter(None, (*texts, event.transcript)))
    tool = event.tool
    if tool:
        # What a tool was given tells whether its answer is a secret.
        use = cleaned({"tool_input": tool.input, "tool_response": tool.response})
        tool = replace(
            tool,
            name=clean_text(tool.name),
            input=use["tool_input"],
            response=use["tool_response"],
        )
    return replace(
        event,
        session=clean_text(event.session),
        key=event.key and clean_text(event.key),
        subagent=event.subagent and clean_text(event.subagent),
        cwd=event.cwd and clean_text(event.cwd),
        text=clean_text(event.text),
        title=event.title and clean_text(event.title),
        old_title=event.old_title and clean_text(event.old_title),
        transcript=event.transcript and clean_text(event.transcript),
        parent=event.parent and clean_text(event.parent),
        tool=tool,
        extra=cleaned(event.extra),
    )


def conformed(event: Event) -> Event:
    """An event as it may be stored: with a session, its key as ids are kept, its text without what agents
    put around it."""
    return replace(
        event,
        session=event.session or "unknown",
        key=event.key and event_key(event.kind, event.key),
        text=without_injections(event.text).strip(),
    )


def is_own(store: Store, folder: str | None) -> bool:
    """Whether a directory holds our own memory: what an agent does there is an observer's work."""
    return bool(folder) and _is_within_own(store.path.absolute(), str(folder))


@lru_cache(maxsize=64)
def _is_within_own(database: Path, folder: str) -> bool:
    home = database.parent
    places = (Path(folder), *Path(folder).parents)
    return observer_directory(database) in places or (home.name == "memtui" and home in places)


def is_unwanted(store: Store, event: Event, at: int) -> bool:
    """Whether a hook would not have reported an event: it is excluded, or capture was paused then."""
    if any(begun <= at / 1_000 <= ended for begun, ended in settings.pauses(store.path)):
        return True
    globs = settings.excluded(store.path)
    payload = {"cwd": event.cwd or "", "input": event.tool.input if event.tool else None}
    return bool(globs) and Exclusions(globs).cover(payload, event.cwd or "/")


def session_of_event(store: Store, event: Event, at: int) -> tuple[Session, Event]:
    """The session that an event belongs to, started when it is unknown, and the event as one of that
    session: a sub-agent's events belong to the session of its parent."""
    if event.subagent and event.subagent != event.session:
        store.db.execute(
            "INSERT INTO subagents VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (event.agent, event.subagent, event.session),
        )
    sql = "SELECT parent FROM subagents WHERE agent = ? AND id = ?"
    if parent := store.db.execute(sql, (event.agent, event.session)).get:
        event = replace(event, session=str(parent), subagent=event.subagent or event.session)
    known = store.sessions.find(event.session, event.agent)
    if known is not None and known.project and not event.title:
        return moved(store, known, event), event
    remote = event.extra.get("repository")
    project, root = store.known_projects.of(event.cwd, remote if isinstance(remote, str) else "")
    owner = store.sessions.start(
        event.session,
        agent=event.agent,
        project=project,
        project_path=root,
        title=None if event.subagent else event.title,
        at=at,
    )
    if event.title and event.old_title and owner.title == event.old_title:
        # One that was edited here stays.
        owner = store.sessions.rename(owner, event.title)
    return owner, event


def moved(store: Store, session: Session, event: Event) -> Session:
    """The session, in the project of the repository in which it works now, where it began in none."""
    if not session.project_path or event.cwd == session.project_path:
        return session
    if locate(session.project_path).is_repository:
        return session
    place = store.known_projects.elsewhere(event.cwd, session.project_path)
    return store.sessions.move(session, *place) if place else session


def place_of(store: Store, session: Session, event: Event) -> tuple[str, str | None]:
    """The project of an event and its root: those of the repository in which it happened, or of the file
    that it changed; else the session's."""
    folders = [*changed_folders(event.tool), event.cwd] if event.tool else [event.cwd]
    for folder in folders:
        if place := store.known_projects.elsewhere(folder, session.project_path):
            return place
        if folder != event.cwd and locate(folder or "/").is_repository:
            break
    return session.project, session.project_path


def changed_folders(tool: ToolUse) -> list[str]:
    """The directory of the file that a tool was given to change; none where it names none by its whole
    path."""
    given = tool.input if isinstance(tool.input, dict) else {}
    if tools.action_of(tool.name, given) not in (tools.EDIT, tools.WRITE):
        return []
    path = Path(tools.first_text(given, tools.PATHS))
    return [str(path.parent)] if path.is_absolute() else []


def note_continued(store: Store, session: Session, uid: str) -> None:
    """Note that a session goes on from the one of this uid, which its first prompt hands over to it."""
    for parent in store.sessions.where("uid = ?", (uid,)):
        store.sessions.continue_from(session, parent.agent, parent.content_session_id)


def note_transcript(store: Store, event: Event) -> None:
    """Store the path of the session's transcript; at the end of a turn it is due to be read.

    Until then it counts as unread: the agent may be killed before it reports an end.
    """
    is_due = event.kind in ("reply", "session_end", "compaction")
    store.db.execute(
        "INSERT INTO transcripts (path, agent, is_due) VALUES (?, ?, ?) ON CONFLICT (path) "
        "DO UPDATE SET is_due = max(is_due, excluded.is_due), read_at = NULL",
        (event.transcript, event.agent, is_due),
    )


def note_unfinished(store: Store, agent: str) -> None:
    """Make those transcripts of an agent due that a hook has named since they were last read: of
    sessions at work, and of those that were killed before their hooks reported an end."""
    store.db.execute(
        "UPDATE transcripts SET is_due = 1 WHERE agent = ? AND read_at IS NULL AND is_due = 0",
        (agent,),
    )


def update_session(store: Store, session: Session, event: Event, at: int) -> bool:
    """Start, resume or end a session, or store what an answer cost; whether that was new."""
    if event.parent and not event.subagent:
        session = store.sessions.continue_from(session, event.agent, event.parent)
    if event.automatic and not session.automatic:
        store.sessions.set_automatic(session)
    if event.kind == "session_end" and not event.subagent:
        if (session.completed_at or 0) >= at:
            return False
        store.sessions.end(session, "failed" if event.failed else "completed", at)
    elif event.kind == "session_start" and not event.subagent:
        if session.status == "active" or (session.completed_at or 0) >= at:
            return session.started_at == at
        store.sessions.resume(session)
    elif event.kind == "usage" and event.usage is not None:
        used = event.usage
        values = (used.input, used.output, used.cache_read, used.cache_written)
        store.db.execute(
            "INSERT INTO token_usage (session_id, message, model, at, input, output, cache_read, "
            "cache_written) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "model = excluded.model, at = excluded.at, "
            "input = excluded.input, output = excluded.output, "
            "cache_read = excluded.cache_read, cache_written = excluded.cache_written",
            (session.id, event.key or str(at), write_text(event.model), at, *values),
        )
    return True


def is_noise(event: Event) -> bool:
    """Whether an event is none of the user's: an agent's own prompt, a sub-agent's talk."""
    if event.kind == "prompt":
        return (
            bool(event.subagent)
            or event.text.lstrip().startswith(NOT_TYPED)
            or OF_A_PROGRAM.match(event.text) is not None
            or HOUSEKEEPING.fullmatch(event.text) is not None
        )
    return event.kind in ("reply", "compaction") and bool(event.subagent)


def without_injections(text: str) -> str:
    """A text without the blocks that agents and hooks, ours among them, put around it."""
    if "<" not in text:
        return text
    if wrapped := WRAPPED.search(text):
        text = wrapped[1]
    folded = text.lower()
    if len(folded) != len(text):
        return text
    kept: list[str] = []
    unclosed: set[str] = set()
    at = 0
    while block := INJECTED.search(text, at):
        name = block[1].lower()
        end = -1 if name in unclosed else folded.find(f"</{name}>", block.end())
        if end < 0:
            unclosed.add(name)
            kept.append(text[at : block.end()])
            at = block.end()
        else:
            kept.append(text[at : block.start()])
            at = end + len(name) + 3
    return "".join([*kept, text[at:]]).strip() if at else text


def insert_row(store: Store, session: Session, event: Event, channel: Channel, at: int) -> int | None:
    """Insert the row that an event becomes, and queue what an observer may make more of; the row's id,
    None where it becomes none."""
    if event.kind == "prompt" and event.text.strip():
        return store.prompts.add(session, event.text, at=at, extra=extra_of(event)).id
    if event.kind == "compaction" and event.text.strip():
        return store.summaries.add(session, text=event.text, at=at, extra=extra_of(event)).id
    if event.kind == "tool" and event.tool is not None:
        project, root = place_of(store, session, event)
        fields, failure = fields_of(store, session, event, event.tool, root=root)
        number = taken_over(store, session, event, event.tool, fields)
        if number is None and fields["type"] == "discovery":
            about = {"subagent": event.subagent, "project": project, "tool_name": event.tool.name}
            number = store.observations.repeated(session.id, {**fields, **about}, at)
            if number is not None:
                return number
        if number is None:
            number = add_observation(store, session, event, event.tool, fields, project, channel, at)
            link_call(store, session, event.tool, number)
        if failure:
            queue_failed_tool(store, session, event, event.tool, number, failure, at)
        elif channel == "hook" and fields["type"] != NOISE:
            queue_tool(store, session, event, event.tool, at, number)
        return number
    if event.kind == "reply" and (event.text.strip() or has_no_reply(event, channel)):
        if event.is_final:
            queue_reply(store, session, event, channel, at)
        return add_reply(store, session, event, channel, at)
    return None


def add_observation(
    store: Store,
    session: Session,
    event: Event,
    tool: ToolUse,
    fields: ObservationFields,
    project: str,
    channel: Channel,
    at: int,
) -> int:
    """Add the observation of a tool use to a project; its id."""
    return store.observations.add(
        session,
        **fields,
        tool_name=tool.name,
        project=project,
        prompt_number=prompt_number(store, session, channel, at),
        discovery_tokens=event.tokens,
        event_id=event_id(session, event),
        at=at,
        subagent=event.subagent,
        extra=extra_of(event),
    ).id


def complete_row(
    store: Store, session: Session, event: Event, known: KnownEvent, channel: Channel, at: int
) -> bool:
    """Add the output of a tool use to an observation that was made without it, or the observation of a
    reply that was stored when replies became none; whether there was any to add."""
    if event.kind == "reply" and known.record_id == UNREAD:
        number = add_reply(store, session, event, channel, at)
        set_record(store.db, session.id, event.kind, known, number)
        return number is not None
    return complete_observation(store, session, event, known, channel)


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
        prompt_number=session.prompt_counter or None,
        event_id=event_id(session, event),
        at=at,
        observation_id=observation_id,
    )
