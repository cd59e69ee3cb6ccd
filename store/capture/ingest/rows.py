"""What becomes of a clean event: judged by the rules, it is a prompt, a summary or an observation, once,
and for an observer a message in the queue.

Noise becomes an observation too, of the type that lists and contexts leave out: every tool use is counted
in its session, and another channel's report of it finds the row. A sub-agent's report is the answer of the
call that started it. It may come before its call (the call of a sub-agent in the foreground ends after it,
and a sub-agent's transcript may be read first): it is then an observation by itself, and becomes the
call's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...agents import subagents
from ...agents.registry import BY_NAME
from ...observe.boundary import as_text, judged_reply, judged_tool
from ...observe.rules import tools
from ...records.dataclasses import replace
from ...records.events import OTHER_CHANNEL_MS, ToolUse, event_key
from ...records.kinds import COMMAND, NOISE, REPLY, REPORT
from ...records.rows import Prompt, Session
from ...store import Store
from ...tables.base import Values
from ...tables.observations import Observations
from ...tables.repositories import locate
from ...text.redaction import remember_clean, texts_in
from .accepting import CleanEvent, KnownEvent, amend_known

if TYPE_CHECKING:
    from ...observe.rules.observation import ObservationFields

MOST_REMARKS = 12
"""So many remarks of one turn are kept, beside the reply that ends it."""
CHARACTERS_OF_REMARKS = 6_000
"""Characters of a turn's remarks beyond which no other is kept."""

UNREAD = 0
"""The `record_id` of a reply's event that was stored when replies became nothing."""

MADE_OF = {"prompt": "prompts", "compaction": "summaries"}
ELSEWHERE = """
SELECT id FROM {0} t WHERE session_id = :session AND text = :text AND origin <> :machine
    AND source IS NULL AND abs(created_at - :at) <= :apart AND NOT EXISTS (
        SELECT 1 FROM captured_events c
        WHERE c.session_id = :session AND c.kind = :kind AND c.record_id = t.id
    )
ORDER BY abs(created_at - :at), id LIMIT 1
"""

LONGEST_COMMAND = 400
"""Characters of a command line that are kept."""
ASKED = "Asked: "
LINK = """
INSERT INTO captured_events (session_id, kind, key, content, at, channel, shared, record_id)
VALUES (?, 'report', ?, '', 0, 'both', 1, ?)
ON CONFLICT DO UPDATE SET record_id = excluded.record_id
"""
LINKED = "SELECT record_id FROM captured_events WHERE session_id = ? AND kind = ? AND key = ?"


def insert_row(store: Store, session: Session, event: CleanEvent) -> int | None:
    """Insert the row that an event becomes, and queue what an observer may make more of; the row's id,
    None where it becomes none."""
    if event.kind in MADE_OF and (number := _made_elsewhere(store, session, event)) is not None:
        return number
    if event.kind == "prompt" and event.text.strip():
        prompt = store.prompts.add(session, event.text, at=event.moment, extra=_extra(event))
        if event.channel == "transcript":
            _take_up(store, prompt)
        return prompt.id
    if event.kind == "compaction" and event.text.strip():
        return store.summaries.add(session, text=event.text, at=event.moment, extra=_extra(event)).id
    if event.kind == "tool" and event.tool is not None:
        return _add_tool_use(store, session, event, event.tool)
    # Where a turn's end tells no reply, a transcript may.
    if event.kind == "reply" and (event.text.strip() or (event.channel == "hook" and not event.transcript)):
        return _add_reply(store, session, event, is_queued=event.is_final)
    return None


def _made_elsewhere(store: Store, session: Session, event: CleanEvent) -> int | None:
    """The row that another machine made of an event, and no event here has become yet; None for none."""
    values = {
        "session": session.id, "text": event.text, "at": event.moment, "apart": OTHER_CHANNEL_MS,
        "machine": store.machine_id, "kind": event.kind,
    }  # fmt: skip
    result: int | None = store.db.execute(ELSEWHERE.format(MADE_OF[event.kind]), values).get
    return result


def _take_up(store: Store, prompt: Prompt) -> None:
    """Number what hooks told of a turn before its prompt was known."""
    number, before = prompt.prompt_number, prompt.prompt_number - 1 or None
    late = "session_id = ? AND prompt_number IS ? AND created_at >= ?"
    told = store.observations.where(late, (prompt.session_id, before, prompt.created_at))
    if told:
        store.observations.write_columns([row.id for row in told], {"prompt_number": number})
    store.pending.renumber(prompt, before)


def complete_row(store: Store, session: Session, event: CleanEvent, known: KnownEvent) -> bool:
    """Add the output of a tool use to an observation that was made without it, or the observation of a
    reply that was stored when replies became none; whether there was any to add.

    An observation made of a hook's report that could not tell the exit status is corrected by the
    transcript, which can; nothing is new then.
    """
    if event.kind == "reply" and known.record_id == UNREAD:
        number = _add_reply(store, session, event)
        amend_known(store.db, session.id, known, event, number)
        return number is not None
    number, tool = known.record_id, event.tool
    if number is None or tool is None or event.is_unfinished:
        return False
    is_correction = event.channel == "transcript" and known.is_first_report
    if known.finished and not (is_correction and _may_correct(store, event, number)):
        return False
    fields, failure = _judged(store, session, event, tool, own=number)
    standing = store.observations.get(number)
    if fields["type"] not in (NOISE, "discovery"):
        turn = standing.prompt_number
        fields["title"] = store.observations.title_in_turn(fields["title"], session.id, turn, number)
    if known.finished:
        if not failure and (fields["type"], fields["title"]) != (standing.type, standing.title):
            store.observations.revise(number, **fields)
        return False
    store.observations.revise(number, **fields)
    if failure:
        _queue_failed_tool(store, session, event, tool, number, failure)
    link_call(store, session, tool, number)
    amend_known(store.db, session.id, known, event, number)
    return True


def _may_correct(store: Store, event: CleanEvent, number: int) -> bool:
    """Whether only the transcript tells how a tool use ended, and no user or model wrote its row."""
    agent, tool = BY_NAME.get(event.agent), event.tool
    is_told = tool is not None and (tool.failed or tool.exit_code is not None)
    if agent is None or not agent.status_in_transcript or not is_told:
        return False
    from ...observe.jobs.findings import UserEdits, made_by

    standing = store.observations.get(number)
    if not standing.is_visible or (made_by(standing) or "").startswith("model"):
        return False
    return not UserEdits(store).touch(standing)


def _judged(
    store: Store,
    session: Session,
    event: CleanEvent,
    tool: ToolUse,
    root: str | None = None,
    own: int | None = None,
) -> tuple[ObservationFields, str]:
    """What the rules make of a tool use; `own` is the id of its observation, if there is one."""
    agent = BY_NAME.get(event.agent)
    if event.channel == "transcript" and event.is_unfinished and (agent is None or agent.tells_answers):
        tool = replace(tool, never_ended=True)
    known_files = KnownFiles(store.observations, session.id, own)
    return judged_tool(tool, root or session.project_path or event.cwd, known_files)


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


def _add_tool_use(store: Store, session: Session, event: CleanEvent, tool: ToolUse) -> int:
    """Make the observation of a tool use, of a report that came before it, or find its like; the id."""
    project, root = place_of(store, session, event)
    fields, failure = _judged(store, session, event, tool, root)
    number = _taken_over(store, session, event, tool, fields)
    if number is None and fields["type"] == "discovery":
        about = {"subagent": event.subagent, "project": project, "tool_name": tool.name}
        number = store.observations.repeated(session.id, {**fields, **about}, event.moment)
        if number is not None:
            return number
    if number is None:
        turn = prompt_number(store, session, event)
        if fields["type"] not in (NOISE, "discovery"):
            fields["title"] = store.observations.title_in_turn(fields["title"], session.id, turn)
        number = store.observations.add(
            session,
            **fields,
            tool_name=tool.name,
            project=project,
            prompt_number=turn,
            discovery_tokens=event.tokens,
            event_id=_event_id(session, event),
            at=event.moment,
            subagent=event.subagent,
            extra=_extra(event, None if fields["type"] == "discovery" else tool),
        ).id
        link_call(store, session, tool, number)
    if failure:
        _queue_failed_tool(store, session, event, tool, number, failure)
    elif event.channel == "hook" and fields["type"] != NOISE:
        store.pending.add(
            session,
            "observation",
            tool_name=tool.name,
            tool_input=as_text(tool.input),
            tool_response=as_text(tool.response),
            cwd=event.cwd,
            prompt_number=session.prompt_counter or None,
            event_id=_event_id(session, event),
            at=event.moment,
            observation_id=number,
        )
    return number


def place_of(store: Store, session: Session, event: CleanEvent) -> tuple[str, str | None]:
    """The project of an event and its root: those of the repository in which it happened, or of the file
    that a tool was given to change, by its whole path; else the session's."""
    folders = [event.cwd]
    if event.tool:
        given = event.tool.input if isinstance(event.tool.input, dict) else {}
        if tools.action_of(event.tool.name, given) in (tools.EDIT, tools.WRITE):
            path = Path(tools.first_text(given, tools.PATHS))
            folders = [str(path.parent), event.cwd] if path.is_absolute() else folders
    for folder in folders:
        if place := store.known_projects.elsewhere(folder, session.project_path):
            return place
        if folder != event.cwd and locate(folder or "/").is_repository:
            break
    return session.project, session.project_path


def _add_reply(store: Store, session: Session, event: CleanEvent, *, is_queued: bool = False) -> int | None:
    """Add the observation of a reply, or of a remark between tool calls, and queue the end of a turn for an
    observer; its id, None where it says nothing worth it, the turn has enough of them, the prompt that it
    answers was hidden, or a sub-agent said it."""
    if event.subagent:
        return None
    number = prompt_number(store, session, event)
    prompt = store.prompts.last_visible_text(session.id, number)
    about: dict[str, Any] = {
        "event_id": _event_id(session, event), "prompt_number": number, "at": event.moment,
    }  # fmt: skip
    if is_queued:
        store.pending.add(
            session, "summary", cwd=event.cwd, **about,
            last_user_message=prompt, last_assistant_message=event.text or None,
        )  # fmt: skip
    if not event.text.strip() or (number is not None and store.prompts.is_hidden(session.id, number)):
        return None
    fields, failure = judged_reply(event.text, prompt or "", is_final=event.is_final)
    if fields is None:
        return None
    if not event.is_final:
        count, characters = store.observations.size_of_replies(session.id, number)
        if count >= MOST_REMARKS or characters >= CHARACTERS_OF_REMARKS:
            return None
    fields["title"] = store.observations.title_in_turn(fields["title"], session.id, number)
    # Work in another repository is that project's.
    place = store.known_projects.elsewhere(event.cwd, session.project_path)
    project = place[0] if place else session.project
    reply = store.observations.add(
        session, **fields, **about, tool_name=REPLY, project=project, extra=_extra(event)
    ).id
    if failure:
        _queue_failed(
            store, session, reply, failure, {"is_final": event.is_final}, tool_name=REPLY,
            last_user_message=prompt or "", last_assistant_message=event.text,
        )  # fmt: skip
    return reply


def _queue_failed_tool(
    store: Store, session: Session, event: CleanEvent, tool: ToolUse, number: int, failure: str
) -> None:
    _queue_failed(
        store, session, number, failure, {"failed": tool.failed, "exit_code": tool.exit_code},
        tool_name=tool.name, cwd=event.cwd,
        tool_input=as_text(tool.input), tool_response=as_text(tool.response),
    )  # fmt: skip


def _queue_failed(
    store: Store, session: Session, number: int, failure: str, extra: Values, **payload: Any
) -> None:
    """Queue an event on which a rule failed, in place of what waits for its plain row: a retry has the
    rules judge it again."""
    standing = store.observations.get(number)
    marks = json.dumps({"replaces": standing.uid, **extra})
    store.pending.add(
        session, "observation", status="failed", attempts=0, at=standing.created_at,
        observation_id=number, extra=marks, error=failure, **payload,
    )  # fmt: skip


def prompt_number(store: Store, session: Session, event: CleanEvent) -> int | None:
    """The number of the prompt that an event belongs to: for a hook the newest, for a transcript, which
    is read later, the newest of its time; None before the first. `session` is of this transaction."""
    if event.channel == "transcript" and (number := store.prompts.number_at(session.id, event.moment)):
        return number
    return session.prompt_counter or None


def _event_id(session: Session, event: CleanEvent) -> str | None:
    """An id for an event that no other event of any agent has; None for an event without a key."""
    if event.key is None:
        return None
    result = f"{session.agent}:{session.content_session_id}:{event.kind}:{event.key}"
    # It is made of what is scrubbed.
    remember_clean([result])
    return result


def _extra(event: CleanEvent, tool: ToolUse | None = None) -> str | None:
    """What has no column of its own, as a JSON object; None for nothing. The line of a command that did
    something, which titles and narratives tell in their own way, is told as it was given; one that only
    looks may be repeated, and has none."""
    extra: dict[str, Any] = {**event.extra}
    given = tool.input if tool is not None and isinstance(tool.input, dict) else {}
    if tool is not None and tools.action_of(tool.name, given) == tools.RUN:
        extra |= {COMMAND: tools.command_line(given)[:LONGEST_COMMAND]}
    return json.dumps(extra, ensure_ascii=False) if extra else None


def keep_report(store: Store, session: Session, event: CleanEvent) -> bool:
    """Store a sub-agent's report where it belongs; whether it was new."""
    if not event.subagent:
        return False
    path = event.extra.get("path")
    names = [event.subagent, *([path] if isinstance(path, str) else [])]
    known = next(filter(None, (_linked(store, session, "report", name) for name in names)), None)
    call = _linked(store, session, "tool", event.call) if event.call else None
    if known and call and known != call:
        event = _moved(store, event, known)
    target = call or known or (_sole_waiting(store, session) if event.text.strip() else None)
    if target is None and event.text.strip():
        target = _orphan(store, session, event)
        is_new = True
    else:
        is_new = target is not None and bool(event.text.strip()) and _answer(store, target, event.text)
    if target is not None:
        _link(store, session, names, target)
    return is_new


def _taken_over(
    store: Store, session: Session, event: CleanEvent, tool: ToolUse, fields: ObservationFields
) -> int | None:
    """Make a report that came before its call the observation of the call; its id, None where the call
    started nobody, or nobody has reported."""
    started = _started(tool)
    number = _linked(store, session, "report", started) if started else None
    if number is None:
        return None
    standing = store.observations.get(number)
    if standing.tool_name != REPORT:
        return None
    words = standing.narrative or ""
    store.observations.revise(number, **fields, tool_name=tool.name, subagent=event.subagent)
    _answer(store, number, words)
    return number


def link_call(store: Store, session: Session, tool: ToolUse, number: int) -> None:
    """Note which sub-agent a call started, where it tells it."""
    if started := _started(tool):
        _link(store, session, [started], number)


def reports_of(event: CleanEvent) -> Iterator[CleanEvent]:
    """Yield the reports that a call brought back which waits for sub-agents."""
    if event.tool is not None and event.tool.response is not None:
        for report in subagents.awaited(event.tool):
            yield replace(
                event, kind="report", key=None, tool=None, tokens=0,
                subagent=report.subagent, text=report.text, call=report.call,
            )  # fmt: skip


def _started(tool: ToolUse) -> str | None:
    given = tool.input if isinstance(tool.input, dict) else {}
    if tools.action_of(tool.name, given) != tools.DELEGATE or tools.awaits_agent(tool.name):
        return None
    return subagents.started(tool)


def _linked(store: Store, session: Session, kind: str, key: str) -> int | None:
    result: int | None = store.db.execute(LINKED, (session.id, kind, event_key(kind, key))).get
    return result


def _link(store: Store, session: Session, names: list[str], number: int) -> None:
    values = [(session.id, event_key("report", name), number) for name in names]
    store.db.executemany(LINK, values)


def _sole_waiting(store: Store, session: Session) -> int | None:
    """The call that started a sub-agent, told no id of it, and has no answer; None where more have."""
    waiting = [
        observation.id
        for observation in store.observations.unreported(session.id)
        if observation.tool_name
        and tools.starts_agent(observation.tool_name)
        and not _answer_in(observation.narrative)
    ]
    return waiting[0] if len(waiting) == 1 else None


def _moved(store: Store, event: CleanEvent, number: int) -> CleanEvent:
    """The report with the words that stand in an observation of their own, which becomes noise."""
    standing = store.observations.get(number)
    if standing.tool_name != REPORT:
        return event
    store.observations.revise(number, type=NOISE, subtitle="trivial", narrative=None)
    return event if event.text.strip() else replace(event, text=standing.narrative or "")


def _orphan(store: Store, session: Session, event: CleanEvent) -> int:
    fields = _report_fields(event.text)
    line = fields["subtitle"] or "a sub-agent"
    fields |= {"title": f"A sub-agent answered: {line}"[:120], "subtitle": None}
    return store.observations.add(
        session,
        **fields,
        tool_name=REPORT,
        prompt_number=prompt_number(store, session, event),
        subagent=event.subagent,
        at=event.moment,
        extra=_extra(event),
    ).id


def _answer(store: Store, number: int, text: str) -> bool:
    """Add a sub-agent's words to the observation of the call that started it; whether they were new."""
    standing = store.observations.get(number)
    fields = _report_fields(text)
    words = fields["narrative"] or ""
    if not words or _plain(words)[:200] in _plain(standing.narrative or ""):
        return False
    before = standing.narrative if standing.narrative else ""
    changes: dict[str, Any] = {
        "narrative": "\n\n".join(filter(None, (before, words))),
        "facts": list(dict.fromkeys([*standing.facts, *fields["facts"]])),
    }
    if not _answer_in(before):
        changes["subtitle"] = fields["subtitle"] or standing.subtitle
    remember_clean(texts_in(changes))
    store.observations.revise(number, **changes)
    # A model that has yet to look at the call is to look at the answer.
    store.pending.set_response(standing.id, text)
    return True


def _report_fields(text: str) -> ObservationFields:
    return judged_tool(ToolUse("Agent", {}, text))[0]


def _answer_in(narrative: str | None) -> str:
    """What an observation of a call tells beside what was asked."""
    text = (narrative or "").strip()
    return text.partition("\n\n")[2].strip() if text.startswith(ASKED) else text


def _plain(text: str) -> str:
    return " ".join(text.split())
