"""What a turn is worth to whoever asks, beside the words that it holds: who said it, what it is, and how it
ended.

A log that repeats the words of a question holds them best, and the session that only asked holds them as
well as the one that decided. So a hit's score is multiplied by what its kind is worth, and by its age as
far as that kind ages. Kinds are told by a turn's own texts, in English and Chinese, and by what the user
said next.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..clock import DAY_MS
from ..records import Hit, Summary
from ..records.dataclasses import replace
from ..text.language.deciding import ASKED_FOR, CHINESE_RULED
from ..text.language.noise import gave_up, points_elsewhere, repeats
from ..text.late_pattern import late_pattern


class Worth(NamedTuple):
    """What a kind of turn counts, and after how many days half of it has faded."""

    weight: float
    half_life: float


WORTH = {
    "change": Worth(2.0, 720),
    "decision": Worth(1.7, 360),
    "fact": Worth(1.5, 720),
    "outcome": Worth(1.3, 360),
    "answer": Worth(1.0, 360),
    "given up": Worth(0.5, 180),
    "pointer": Worth(0.5, 180),
    "question": Worth(0.4, 90),
    "log": Worth(0.25, 30),
}
"""Chosen so that of topics that one session decided, and seven others speak of, the one that decided comes
first (it never did by words alone). A decision counts after ten months as much as an outcome of today.
"""
SUPERSEDED = 0.2
"""What counts of a fact in whose place another one holds."""
LOUD = 0.5
"""What counts of a log that holds some of the words. The whole table would cost questions their answers
there: the first five had .78 of them instead of .96, with the fourth roots of its weights .93."""
STEP = 0.5
"""What counts of a turn that holds all words only where it read, searched or checked something."""
LASTING = 0.5
"""What is left of a weight after any time."""
DECIDED = 1.5
"""What a decision or a fact counts more where the question asks what was decided."""
SHORT = 600
"""Characters of a text in which it says what it is."""

DECISION_ASKED = late_pattern(ASKED_FOR, re.IGNORECASE)
ASKS = late_pattern(r"[?？](?:[\s\"'”’)）]|$)|[吗呢][。！，,\s]*$")
OPEN = late_pattern(
    r"\b(?:still (?:looking|investigating|searching|checking|unclear|unknown|open)|inconclusive"
    r"|nothing (?:conclusive|definite|yet|certain)|not (?:yet )?(?:clear|sure|certain|known|found"
    r"|conclusive)|(?:don't|do not|didn't) (?:know|have an? (?:answer|idea))|no (?:idea|answer"
    r"|conclusion)s?\b|could(?:n't| not) (?:find|determine|reproduce|tell|say)|remains? (?:open|unclear))"
    r"|尚未|尚不|还没(?:有)?(?:结论|找到|查到|答案|定)|不清楚|不确定|不知道|还在(?:看|查|找)|没有(?:结论"
    r"|答案)|暂无|无法确定",
    re.IGNORECASE,
)
CHANGE = late_pattern(
    r"\b(?:from (?:now on|today|tomorrow|this (?:week|month|release)|(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day on|next \w+ on)|as of (?:now|today)|no longer|(?:raise|lower|increase|decrease|reduce|cut"
    r"|extend|shorten)[ds]?(?: \w+){1,6} to|any ?more|(?:is|are) (?:now )?gone|replac(?:e|es|ed|ing)"
    r"|supersed\w+|overrul\w+|chang(?:e|ed) (?:it|that|the|this|our|from|to)|switch(?:ed"
    r"|ing)?(?: \w+){0,3} to|mov(?:e|ed|ing)(?: \w+){0,3} (?:to|behind|off)|instead(?! of))\b|不再|改为"
    r"|改成|改用|换成|换为|取代|替换|从今天|从现在|今后|以后(?:都|就|一律)?|已(?:删除|取消|废弃)",
    re.IGNORECASE,
)
RULED = late_pattern(
    r"\b(?:always|never|must(?:n't| not)?|shall|rule:|decided|agreed|at most|at least|only ever)\b"
    rf"|{CHINESE_RULED}",
    re.IGNORECASE,
)


def kind_of_turn(question: str, verdict: str, type: str = "", said_next: str = "") -> str:
    """Return the kind of a turn, a key of `WORTH`, by what was asked, what came of it and of which type
    that is, and what the user said next in the session."""
    if repeats(question) or repeats(verdict):
        return "log"
    asks = ASKS.search(question[-SHORT:])
    changes = not asks and CHANGE.search(question[:SHORT])
    if not verdict:
        return "change" if changes else "question"
    if type == "decision" or (said_next and not (ASKS.search(said_next[:SHORT]) or repeats(said_next))):
        return "decision"
    if gave_up(verdict):
        return "given up"
    if OPEN.search(verdict[:SHORT]) or ASKS.search(verdict[-SHORT:]):
        return "question"
    if asks:
        return "pointer" if points_elsewhere(verdict) else "answer"
    if changes:
        return "change"
    return "decision" if RULED.search(question[:SHORT]) else "outcome"


def weighed(hits: Sequence[Hit], steps: Collection[int] = (), asked: str = "") -> list[Hit]:
    """Return hits in the order of their scores by their worth, which gets a part in each. `steps` are the
    ids of documents that are steps of turns, as `turns.steps_of` tells them, `asked` is the question.

    All that hold every term are weighed by what they are and how old they are; of those that hold some, the
    words decide, and only a log and what is superseded count for less.
    """
    newest = max((hit.row.created_at for hit in hits), default=0)
    decided = DECIDED if DECISION_ASKED.search(asked) else 1.0
    results = [
        _weighed(hit, newest - hit.row.created_at, decided, is_step=hit.row.document_id in steps)
        for hit in hits
    ]
    return sorted(results, key=lambda hit: -hit.score)


def _weighed(hit: Hit, age_ms: int, decided: float, *, is_step: bool) -> Hit:
    kind = kind_of_hit(hit)
    factor = STEP if is_step and hit.tier == "exact" else 1.0
    if kind in ("decision", "fact"):
        factor *= decided
    if kind is not None:
        factor *= worth(kind, age_ms) if hit.tier == "exact" else LOUD if kind == "log" else 1.0
    if hit.row.superseded:
        factor *= SUPERSEDED
    if factor == 1.0 or not hit.score:
        return hit
    parts = hit.parts or (("words", hit.score),)
    gained = hit.score * (factor - 1)
    return replace(hit, score=hit.score + gained, parts=(*parts, ("worth", gained)))


def kind_of_hit(hit: Hit) -> str | None:
    """Return what a hit is worth as: a turn by what was said in it, a summary by what was asked for and
    what came of it, a fact as such; None for a record that belongs to no turn."""
    if hit.turn is not None:
        return hit.turn.kind
    record = hit.record if hit.kind == "summary" else None
    if isinstance(record, Summary):
        said = record.completed or record.learned or record.text
        return kind_of_turn(record.request or "", said) if said else "answer"
    return "fact" if hit.kind == "fact" else None


def worth(kind: str, age_ms: int) -> float:
    """Return by what the score of a turn is multiplied that is so much older than the newest hit."""
    weight, half_life = WORTH[kind]
    faded: float = 0.5 ** (max(0, age_ms) / DAY_MS / half_life)
    return weight * (LASTING + (1 - LASTING) * faded)
