"""The rules observer: each message gets its record at once, whether a model comes after it or not, and its
session the summary as it stands after that turn.

What each turn said is kept in the detailed level's `extra` under `turns`, so that the summary can be made
anew of all of them: a turn that is told again, or late, changes nothing else.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

import apsw

from ...context.uses import count_cited
from ...platform.errors import DatabaseError, NotFoundError, failure_of
from ...platform.translation import N_
from ...records.events import ToolUse
from ...records.kinds import NOISE, REPLY, ref_of
from ...records.rows import PendingMessage, Prompt, Session
from ...store import Store
from ...tables.base import Values, digest, read_object
from ...text.language.blocks import sentences_of
from ...text.language.phrases import asks_something
from ...text.truncation import shortened
from ..summaries.lines import LINE, SummaryLines, is_lasting, read_reply
from ..summaries.summary import BRIEF, SummaryFields, Turn, distinct, listed, summarize
from .findings import (
    RULES,
    LeaseLostError,
    MessageFinding,
    SummariesByLevel,
    made_by,
    store_facts,
    store_observations,
)
from .worker import CrashMarker, release_blameless

RETRY_MS = 60_000
HIDDEN = N_("hidden: nothing was made of it")


def record_messages(
    store: Store,
    owner: str,
    *,
    final: bool,
    deadline: float,
    limit: int,
) -> int:
    """Give messages without a record one by the rules, at most `limit`, until a deadline (monotonic
    seconds); how many.

    With `final` they are processed by that; else they go on waiting for a model. A message that fails
    is tried again later, and abandoned when it fails for the third time.
    """
    done = 0
    with closing(CrashMarker(store.path, owner)) as marker:
        while done < limit and time.monotonic() < deadline and store.pending.has_unobserved():
            # One at a time: where a worker dies, only what it died of has an attempt less.
            marker.open()
            claimed = _claim(store, owner, limit - done)
            if not claimed:
                break
            try:
                _record(store, claimed, final, marker)
            except LeaseLostError:
                continue
            except (DatabaseError, apsw.Error):
                # The memory itself is in trouble; the lease ends by itself.
                raise
            except Exception as error:
                # Whatever a message holds, it must not keep those behind it from being observed.
                for message in claimed:
                    store.pending.fail(message, failure_of(error), RETRY_MS * message.attempts)
            done += len(claimed)
    return done


def _claim(store: Store, owner: str, most: int) -> Sequence[PendingMessage]:
    """Lease the next message, with the other ends of turns of a session whose summary is to be made: of
    one whose turns have waited it is made once for all of them."""
    with store.transaction():
        release_blameless(store)
        claimed = store.pending.claim(owner, 1)
        # What failed before comes alone.
        if claimed and claimed[0].kind == "summary" and claimed[0].attempts == 1:
            session_id = claimed[0].session_id
            return [*claimed, *store.pending.claim_turn_ends(owner, session_id, most - 1)]
        return claimed


def _record(store: Store, messages: Sequence[PendingMessage], final: bool, marker: CrashMarker) -> None:
    message = messages[0]
    session = store.sessions.get(message.session_id)
    if not session.is_visible:
        store.pending.confirm(messages, HIDDEN)
        return
    if message.kind == "summary":
        _summarize(store, session, messages, final, marker)
        return
    with marker.of(message.id):
        finding = observe_message(store, session, message)
    if finding is None:
        store.pending.confirm([message], N_("noise: nothing was made of it"))
        return
    store_observations(store, session, [finding], messages=[message], final=final)


def observe_message(store: Store, session: Session, message: PendingMessage) -> MessageFinding | None:
    """The observation that the rules make of a tool use's message; None where it is noise. Of one on
    which a rule failed it comes in place of the plain row."""
    # Nearly every message has its observation already; what makes them takes long to import.
    from ..rules.observation import observation_fields

    marks = read_object(message.extra)
    replaced = store.record(str(marks["replaces"])).id if "replaces" in marks else None
    if replaced is not None and message.tool_name == REPLY:
        return _observe_reply(message, replaced, is_final=bool(marks.get("is_final")))
    code = marks.get("exit_code")
    tool = ToolUse(
        message.tool_name or "unknown",
        parse_stored(message.tool_input),
        parse_stored(message.tool_response),
        bool(marks.get("failed")),
        code if isinstance(code, int) else None,
    )
    made = observation_fields(tool, session.project_path or message.cwd)
    if replaced is not None:
        return MessageFinding({**made}, message, replaced)
    if made["type"] == NOISE:
        return None
    fields = {
        **made,
        "tool_name": message.tool_name,
        "prompt_number": message.prompt_number,
        "event_id": message.event_id,
        "at": message.created_at,
    }
    return MessageFinding(fields, message)


def _observe_reply(message: PendingMessage, replaced: int, *, is_final: bool) -> MessageFinding:
    from ..rules.replies import reply_fields

    text, prompt = message.last_assistant_message or "", message.last_user_message or ""
    made = reply_fields(text, prompt, is_final=is_final)
    return MessageFinding({**made} if made else {"type": NOISE}, message, replaced)


def parse_stored(text: str | None) -> object:
    """The JSON value that was stored as this text; the text itself where it is none."""
    if text and text.lstrip()[:1] in "{[":
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    return text


def _summarize(
    store: Store, session: Session, messages: Sequence[PendingMessage], final: bool, marker: CrashMarker
) -> None:
    """Bring a session's summaries up to date with turns that ended, unless a model made them and will be
    asked again; and store the facts that its prompts and the replies state."""
    ends = [(message, reply_of(store, message)) for message in messages]
    with marker.of(messages[0].id), store.transaction():
        number = _put_summaries(store, session, ends, final)
        uid = store.summaries.get(number).uid
        replies = [(uid, reply, message.created_at) for message, reply in ends if reply]
        store_facts(store, session, replies=replies)
        for _uid, reply, at in replies:
            count_cited(store, reply, at)


def _put_summaries(
    store: Store, session: Session, ends: Sequence[tuple[PendingMessage, str | None]], final: bool
) -> int:
    """Store a session's summaries and confirm the messages with them; the detailed one's id."""
    # Most jobs have no turn's end to sum up, and a hook's process pays for what it imports.
    standing = store.summaries.of_observer(session, "detailed")
    is_models = standing is not None and made_by(standing) != RULES
    if is_models and not final:
        assert standing is not None
        for message, _ in ends:
            if not store.pending.finish(message, "pending", counts=False, summary_id=standing.id):
                raise LeaseLostError("Message {id} is another worker's by now.", id=message.id)
        return standing.id
    stored = store_observations(
        store,
        session,
        [],
        updated_summaries(store, session, ends),
        [message for message, _ in ends],
        at=max(message.created_at for message, _ in ends),
        prompt_number=max((message.prompt_number or 0 for message, _ in ends)) or None,
        final=final,
    )
    return stored.summaries["detailed"]


def reply_of(store: Store, message: PendingMessage) -> str | None:
    """The agent's last reply in a turn; None where the prompt that it answers was hidden."""
    number = message.prompt_number
    if number is not None and store.prompts.is_hidden(message.session_id, number):
        return None
    return message.last_assistant_message


def is_record_visible(store: Store, message: PendingMessage) -> bool:
    """Whether a message's session and the record that was made of it are visible."""
    with suppress(NotFoundError):
        if not store.sessions.get(message.session_id).is_visible:
            return False
        if message.observation_id is not None:
            return store.observations.get(message.observation_id).is_visible
        if message.summary_id is not None:
            return store.summaries.get(message.summary_id).is_visible
        return True
    return False


TURNS = "turns"
"""The key of `extra`, and of the values for the detailed level, that holds what the turns said."""

MOST_OBSERVATIONS = 2_000
"""The newest observations of a session that its summary is made of."""
MOST_TURNS = 200
MOST_KEPT = 16_000
"""Characters of what is kept of all turns; of the oldest only causes, decisions and first lines are kept
beyond that."""

LINES = ("learned", "decided", "completed", "next_steps", "questions")
OF_MODEL = {
    "learned": "learned",
    "decided": "decisions",
    "completed": "completed",
    "next_steps": "next_steps",
}
"""The fields of a model's answer that stand for a turn's lines, by these."""


def updated_summaries(
    store: Store,
    session: Session,
    ends: Sequence[tuple[PendingMessage, str | None]],
    model_fields: Mapping[str, str] | None = None,
) -> SummariesByLevel:
    """Return both levels of a session's summary after some turns, as columns and, of the detailed level,
    the turns of which they are made.

    `ends` are the turns' ends, each with the reply that ended it; None where it may not be told.
    `model_fields` is what a model answered about the one turn, by column: its lines stand for the rules' in
    each column that it fills, merged with those of other turns by the same rule. What it leaves empty is
    the rules'.
    """
    turns = _turns(store, session)
    asked = {prompt.prompt_number: prompt.text for prompt in store.prompts.standing(session)}
    for message, reply in ends:
        turn: dict[str, Any] = {"at": message.created_at, "number": message.prompt_number}
        if reply:
            lines = read_reply(reply, asked.get(message.prompt_number or 0, ""))
            turn |= {name: result for name in LINES if (result := getattr(lines, name))}
            key = digest(message.event_id or reply)[:12]
            turns[key] = turn | (_of_model(model_fields) if model_fields else _kept_model(turns.get(key)))
        elif model_fields:
            turns[digest(str(message.id))[:12]] = turn | _of_model(model_fields)
    return _made_of(store, session, turns)


def current_summaries(store: Store, session: Session) -> SummariesByLevel:
    """Return both levels of a session's summary as `updated_summaries` does, of what is visible now."""
    return _made_of(store, session, _turns(store, session))


def _made_of(store: Store, session: Session, turns: dict[str, dict[str, Any]]) -> SummariesByLevel:
    prompts = store.prompts.standing(session)
    turns = _bounded(turns)
    ordered = sorted(turns.items(), key=lambda item: (item[1]["at"], item[0]))
    made = summarize(
        [entry.text for entry in prompts],
        store.observations.of_session(session)[-MOST_OBSERVATIONS:],
        turns=[Turn(turn["at"], _lines(turn)) for _, turn in ordered],
        unanswered=_unanswered(prompts, [turn.get("number") for turn in turns.values()]),
    )
    brief, detailed = _columns(made.brief), _columns(made.detailed)
    for name in ("request", "investigated"):
        content = distinct(line for _, turn in ordered for line in _model(turn).get(name, ()))
        if content:
            brief[name] = shortened(content[0], BRIEF)
            detailed[name] = listed(content[:8])
    return {"brief": brief, "detailed": detailed | {TURNS: turns}}


def summary_between(
    store: Store, session: Session, since: int, until: int, without: Collection[str] = ()
) -> SummaryFields:
    """Return the detailed summary of what a session came to from one moment until another (ms), by what
    was asked, done and said then; `without` are refs of what isn't to be told."""
    standing = store.summaries.of_observer(session, "detailed")
    kept = {} if standing and ref_of(standing) in without else _turns(store, session)
    prompts = [one for one in store.prompts.standing(session) if since <= one.created_at < until]
    turns = [turn for turn in kept.values() if since <= turn["at"] < until]
    observations = [it for it in store.observations.of_session(session) if ref_of(it) not in without]
    return summarize(
        [prompt.text for prompt in prompts],
        [item for item in observations if since <= item.created_at < until][-MOST_OBSERVATIONS:],
        turns=[Turn(turn["at"], _lines(turn)) for turn in sorted(turns, key=lambda turn: turn["at"])],
        unanswered=_unanswered(prompts, [turn.get("number") for turn in turns]),
    ).detailed


def _unanswered(prompts: Sequence[Prompt], ended: Sequence[int | None]) -> str:
    """Return the last prompt that asks for something, where no turn ended since it came; "" for none."""
    last = prompts[-1] if prompts and asks_something(prompts[-1].text) else None
    is_open = last is not None and all(number and number < last.prompt_number for number in ended)
    return last.text if last and is_open else ""


def _turns(store: Store, session: Session) -> dict[str, dict[str, Any]]:
    """Return what is kept of the session's turns, but for those whose prompt was hidden since."""
    standing = store.summaries.of_observer(session, "detailed")
    kept = read_object(standing.extra).get(TURNS) if standing else None
    if not isinstance(kept, dict):
        return {}
    return {
        key: turn
        for key, turn in kept.items()
        if isinstance(turn, dict)
        and isinstance(turn.get("at"), int)
        and not _is_hidden(store, session, turn.get("number"))
    }


def _is_hidden(store: Store, session: Session, number: object) -> bool:
    return isinstance(number, int) and store.prompts.is_hidden(session.id, number)


def _of_model(model_fields: Mapping[str, str]) -> dict[str, Any]:
    model = {
        name: [shortened(sentence.text, LINE) for sentence in sentences_of(text)] or [shortened(text, LINE)]
        for name, text in model_fields.items()
        if text.strip()
    }
    return {"model": model}


def _kept_model(known: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"model": known["model"]} if known and "model" in known else {}


def _model(turn: Mapping[str, Any]) -> dict[str, list[str]]:
    result = turn.get("model")
    return result if isinstance(result, dict) else {}


def _lines(turn: Mapping[str, Any]) -> SummaryLines:
    lines = SummaryLines(**{name: list(turn.get(name, ())) for name in LINES})
    for name, field in OF_MODEL.items():
        if content := _model(turn).get(field):
            setattr(lines, name, list(content))
    return lines


def _bounded(turns: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the turns within MOST_KEPT characters, in the order of their time."""
    ordered = sorted(turns.items(), key=lambda item: (item[1]["at"], item[0]))
    # The first turn says what the session is about.
    ordered = ordered[:1] + ordered[1:][-(MOST_TURNS - 1) :]
    size = sum(_size(turn) for _, turn in ordered)
    kept: dict[str, dict[str, Any]] = {}
    for key, turn in ordered:
        if size > MOST_KEPT:
            less = _essence(turn)
            size -= _size(turn) - _size(less)
            turn = less
        kept[key] = turn
    return kept


def _essence(turn: dict[str, Any]) -> dict[str, Any]:
    names = ("at", "number", "decided", "next_steps")
    less: dict[str, Any] = {name: turn[name] for name in names if name in turn}
    learned = [line for line in turn.get("learned", ()) if is_lasting(line)]
    completed = turn.get("completed", ())[:1]
    less |= {"learned": learned} if learned else {}
    less |= {"completed": completed} if completed else {}
    if model := {name: lines[:1] for name, lines in _model(turn).items()}:
        less["model"] = model
    return less


def _size(turn: Mapping[str, Any]) -> int:
    fields = [turn.get(name, ()) for name in LINES] + list(_model(turn).values())
    return sum(len(line) for lines in fields for line in lines)


def _columns(made: SummaryFields) -> Values:
    """Return the columns of a level but for its level and prompt, which are known where it is stored."""
    return {name: value for name, value in made.items() if name not in ("level", "prompt_number")}
