"""What sub-agents report: the answer of the call that started each, once, whichever way it came.

A report may come before its call (the call of a sub-agent in the foreground ends after it, and a
sub-agent's transcript may be read first): it is then an observation by itself, and becomes the call's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...agents import subagents
from ...events import Event, ToolUse, event_key
from ...kinds import NOISE, REPORT
from ...records import Session
from ...records.dataclasses import replace
from ...store import Store
from ...text.redaction import remember_clean, texts_in
from .columns import extra_of
from .deduplication import Channel
from .replies import prompt_number

if TYPE_CHECKING:
    from ...observe.rules.observation import ObservationFields

ASKED = "Asked: "
LINK = """
INSERT INTO captured_events (session_id, kind, key, content, at, channel, shared, record_id)
VALUES (?, 'report', ?, '', 0, 'both', 1, ?)
ON CONFLICT DO UPDATE SET record_id = excluded.record_id
"""
LINKED = "SELECT record_id FROM captured_events WHERE session_id = ? AND kind = ? AND key = ?"


def keep_report(store: Store, session: Session, event: Event, channel: Channel, at: int) -> bool:
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
        target = _orphan(store, session, event, channel, at)
        is_new = True
    else:
        is_new = target is not None and bool(event.text.strip()) and _answer(store, target, event.text)
    if target is not None:
        _link(store, session, names, target)
    return is_new


def taken_over(
    store: Store, session: Session, event: Event, tool: ToolUse, fields: ObservationFields
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


def reports_of(event: Event) -> Iterator[Event]:
    """Yield the reports that a call brought back which waits for sub-agents."""
    if event.tool is not None and event.tool.response is not None:
        for report in subagents.awaited(event.tool):
            yield replace(
                event, kind="report", key=None, tool=None, tokens=0,
                subagent=report.subagent, text=report.text, call=report.call,
            )  # fmt: skip


def _started(tool: ToolUse) -> str | None:
    from ...observe.rules import tools

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
    from ...observe.rules import tools

    waiting = [
        observation.id
        for observation in store.observations.unreported(session.id)
        if observation.tool_name
        and tools.starts_agent(observation.tool_name)
        and not _answer_in(observation.narrative)
    ]
    return waiting[0] if len(waiting) == 1 else None


def _moved(store: Store, event: Event, number: int) -> Event:
    """The report with the words that stand in an observation of their own, which becomes noise."""
    standing = store.observations.get(number)
    if standing.tool_name != REPORT:
        return event
    store.observations.revise(number, type=NOISE, subtitle="trivial", narrative=None)
    return event if event.text.strip() else replace(event, text=standing.narrative or "")


def _orphan(store: Store, session: Session, event: Event, channel: Channel, at: int) -> int:
    from ...observe.rules.observation import observation_fields

    fields = observation_fields(ToolUse("Agent", {}, event.text))
    line = fields["subtitle"] or "a sub-agent"
    fields |= {"title": f"A sub-agent answered: {line}"[:120], "subtitle": None}
    return store.observations.add(
        session,
        **fields,
        tool_name=REPORT,
        prompt_number=prompt_number(store, session, channel, at),
        subagent=event.subagent,
        at=at,
        extra=extra_of(event),
    ).id


def _answer(store: Store, number: int, text: str) -> bool:
    """Add a sub-agent's words to the observation of the call that started it; whether they were new."""
    from ...observe.rules.observation import observation_fields

    standing = store.observations.get(number)
    fields = observation_fields(ToolUse("Agent", {}, text))
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


def _answer_in(narrative: str | None) -> str:
    """What an observation of a call tells beside what was asked."""
    text = (narrative or "").strip()
    return text.partition("\n\n")[2].strip() if text.startswith(ASKED) else text


def _plain(text: str) -> str:
    return " ".join(text.split())
