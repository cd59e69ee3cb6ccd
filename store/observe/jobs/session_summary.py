"""The summary of a session as it stands after a turn: by the rules, and with what a model said of it.

What each turn said is kept in the detailed level's `extra` under `turns`, so that the summary can be made
anew of all of them: a turn that is told again, or late, changes nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...records.rows import PendingMessage, Session
from ...store import Store
from ...tables.base import Values, digest, read_object
from ...text.language.blocks import sentences_of
from ...text.truncation import shortened
from ..summaries.lines import LINE, SummaryLines, is_lasting, read_reply
from ..summaries.summary import BRIEF, SummaryFields, Turn, distinct, listed, summarize
from .findings import SummariesByLevel

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
    asked_in: dict[int | None, str] = {entry.prompt_number: entry.text for entry in prompts}
    made = summarize(
        [entry.text for entry in prompts],
        store.observations.of_session(session)[-MOST_OBSERVATIONS:],
        turns=[Turn(turn["at"], _lines(turn), asked_in.get(turn.get("number"), "")) for _, turn in ordered],
    )
    brief, detailed = _columns(made.brief), _columns(made.detailed)
    for name in ("request", "investigated"):
        content = distinct(line for _, turn in ordered for line in _model(turn).get(name, ()))
        if content:
            brief[name] = shortened(content[0], BRIEF)
            detailed[name] = listed(content[:8])
    return {"brief": brief, "detailed": detailed | {TURNS: turns}}


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
