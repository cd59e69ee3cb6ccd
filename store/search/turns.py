"""Turns: what a user asked, and all that was done and said until they asked again; and what one is worth
to whoever asks, beside the words that it holds: who said it, what it is, and how it ended.

A prompt and the observations that bear its number are one turn. Summaries and facts belong to none, nor
does what was added to a project by hand, which was not made in one session.

A log that repeats the words of a question holds them best, and the session that only asked holds them as
well as the one that decided. So a hit's score is multiplied by what its kind is worth, and by its age as
far as that kind ages. Kinds are told by a turn's own texts, in English and Chinese, and by what the user
said next.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import apsw

from ..platform.clock import DAY_MS
from ..records.conforming import as_text
from ..records.dataclasses import replace
from ..records.kinds import NOISE, REPLY, VISIBLE
from ..records.rows import FoundTurn, Hit, Observation, Summary
from ..text.language.phrases import (
    ASKED_FOR,
    CHINESE_CHANGED,
    CHINESE_RULED,
    gave_up,
    points_elsewhere,
    repeats,
)
from ..text.late_pattern import late_pattern
from .listing.document_sql import BY_RULES


class TurnKey(NamedTuple):
    """A turn: the number of its session, and its own within it."""

    session: int
    number: int


PLACES = """
SELECT d.id, d.session_id, coalesce(o.prompt_number, p.prompt_number)
FROM json_each(?) chosen CROSS JOIN documents d ON d.id = chosen.value
LEFT JOIN observations o ON d.kind = 'o' AND o.id = d.record_id
LEFT JOIN prompts p ON d.kind = 'p' AND p.id = d.record_id
LEFT JOIN sessions s ON s.id = d.session_id
WHERE coalesce(o.prompt_number, p.prompt_number) IS NOT NULL
    AND s.content_session_id NOT LIKE 'manual-%'
"""
SUPERSEDED = """
SELECT DISTINCT d.id FROM facts f, json_each(f.evidence) e JOIN prompts p ON p.uid = e.value
JOIN documents d ON d.session_id = p.session_id
LEFT JOIN observations o ON d.kind = 'o' AND o.id = d.record_id
WHERE f.superseded_by IS NOT NULL AND f.deleted_at IS NULL AND d.id IN (SELECT value FROM json_each(?1))
    AND CASE d.kind WHEN 'p' THEN d.record_id = p.id ELSE o.prompt_number = p.prompt_number END
"""
STEPS = f"""
SELECT d.id FROM json_each(?) chosen CROSS JOIN documents d ON d.id = chosen.value
WHERE d.kind = 'o' AND d.type = 'discovery'
    AND (SELECT prompt_number IS NOT NULL AND {BY_RULES} FROM observations WHERE id = d.record_id)
"""
"""What a tool read, searched or checked in a turn."""


class TurnTexts(NamedTuple):
    """What was asked in a turn, what came of it with its type, and what the user said next; '' for
    nothing, or what is hidden."""

    question: str
    verdict: str
    type: str
    said_next: str


def turns_of(db: apsw.Connection, ids: Iterable[int]) -> dict[int, TurnKey]:
    """Return the turns of documents by the documents' ids; what belongs to none is left out."""
    rows: Any = db.execute(PLACES, (json.dumps(list(ids)),))
    return {number: TurnKey(session, turn) for number, session, turn in rows}


def steps_of(db: apsw.Connection, ids: Iterable[int]) -> frozenset[int]:
    """Return which documents are steps of turns in which a tool only read, searched or checked."""
    rows: Any = db.execute(STEPS, (json.dumps(list(ids)),))
    return frozenset(number for (number,) in rows)


def superseded_of(db: apsw.Connection, ids: Iterable[int]) -> frozenset[int]:
    """Return which documents are of turns in which was decided what no longer holds."""
    rows: Any = db.execute(SUPERSEDED, (json.dumps(list(ids)),))
    return frozenset(number for (number,) in rows)


def in_front(first: Sequence[Hit], others: Sequence[Hit]) -> list[Hit]:
    """Return some hits, which name what of their turns the others do too, then those others that aren't of
    their turns."""
    known = {hit.unit for hit in first}
    same = {hit.unit: hit for hit in others if hit.unit in known}
    rest = [hit for hit in others if hit.unit not in known]
    return [*(_with_all_of_its_turn(hit, same.get(hit.unit)) for hit in first), *rest]


def _with_all_of_its_turn(hit: Hit, same: Hit | None) -> Hit:
    """Return a hit whose turn names all records that were found, also those that another hit names."""
    if same is None or hit.turn is None or same.turn is None:
        return hit
    refs = dict.fromkeys((*hit.turn.others, same.row.ref, *same.turn.others))
    others = tuple(ref for ref in refs if ref != hit.row.ref)
    return replace(hit, turn=replace(hit.turn, others=others))


class Units:
    """What is one hit: a turn, or a document that belongs to none. Where no turns are wanted every document
    is one."""

    def __init__(self, db: apsw.Connection, *, turns: bool) -> None:
        self.db = db
        self.are_turns = turns
        self._turns: dict[int, TurnKey] = {}
        self._asked: set[int] = set()

    def turns(self, ids: Iterable[int]) -> dict[int, TurnKey]:
        """Return the turns of documents by the documents' ids, where they belong to one."""
        if self.are_turns and (new := set(ids) - self._asked):
            self._asked |= new
            self._turns |= turns_of(self.db, new)
        return self._turns

    def of(self, ids: Collection[int]) -> list[TurnKey | int]:
        """Return the units of documents, in their order."""
        turns = self.turns(ids)
        return [turns.get(number, number) for number in ids]

    def best(self, ids: Iterable[int], number: int, without: Collection[int]) -> list[int]:
        """Return of documents, the best first, the first of each unit, up to a number of these; none of the
        units that other documents belong to."""
        known, results, wanted = set(self.of(without)), list[int](), list(ids)
        for value, unit in zip(wanted, self.of(wanted), strict=True):
            if unit not in known and len(results) < number:
                known.add(unit)
                results.append(value)
        return results

    def once(self, hits: Sequence[Hit]) -> list[Hit]:
        """Return hits with each turn once: the first of its records stands for it, and names the others."""
        if not self.are_turns:
            return list(hits)
        first: dict[TurnKey | int, Hit] = {}
        others: defaultdict[TurnKey | int, list[str]] = defaultdict(list)
        for unit, hit in zip(self.of([item.row.document_id for item in hits]), hits, strict=True):
            if first.setdefault(unit, hit) is not hit:
                others[unit].append(hit.row.ref)
        texts = texts_of(self.db, (unit for unit in first if isinstance(unit, TurnKey)))
        return [
            hit
            if isinstance(unit, int)
            else replace(hit, turn=_turn(unit, texts[unit], tuple(others[unit])))
            for unit, hit in first.items()
        ]


LOOP = 3
"""What came so often to the same in one turn is a loop."""


def unusual_first(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits where, of one command that ran in a loop, failures stand first, then what seldom came
    out, in the places and with the scores that the command's hits have."""
    results = list(hits)
    loops: defaultdict[tuple[int | None, int | None, str], list[tuple[int, Observation]]] = defaultdict(
        list
    )
    for place, hit in enumerate(hits):
        if isinstance(one := hit.record, Observation) and one.tool_name != REPLY:
            command = hit.row.title.partition(": ")[0]
            loops[one.session_id, one.prompt_number, command].append((place, one))
    for loop in loops.values():
        came: Counter[str | None] = Counter()
        for _place, one in loop:
            came[one.title] += 1 + one.repeats
        if len(came) > 1 and max(came.values()) >= LOOP:
            unusual = sorted(loop, key=lambda item: (item[1].type != "error", came[item[1].title]))
            for (place, _one), (found, _other) in zip(loop, unusual, strict=True):
                slot = hits[place]
                results[place] = replace(hits[found], score=slot.score, parts=slot.parts)
    return results


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
    r"|ing)?(?: \w+){0,3} to|mov(?:e|ed|ing)(?: \w+){0,3} (?:to|behind|off)|instead(?! of))\b"
    rf"|{CHINESE_CHANGED}|换为|替换|从现在|已(?:删除|取消|废弃)",
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
    ids of documents that are steps of turns, as `steps_of` tells them, `asked` is the question.

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


def worth(kind: str, age_ms: int) -> float:
    """Return by what the score of a turn is multiplied that is so much older than the newest hit."""
    weight, half_life = WORTH[kind]
    faded: float = 0.5 ** (max(0, age_ms) / DAY_MS / half_life)
    return weight * (LASTING + (1 - LASTING) * faded)


QUESTIONS = f"""
SELECT p.session_id, p.prompt_number, substr(p.text, 1, ?2), 'prompt'
FROM json_each(?1) chosen
JOIN prompts p ON p.session_id = chosen.value ->> 0 AND p.prompt_number = chosen.value ->> 1
WHERE {VISIBLE} ORDER BY p.created_at DESC, p.id DESC
"""
VERDICTS = f"""
SELECT o.session_id, o.prompt_number, substr(
    iif(o.tool_name = '{REPLY}', coalesce(nullif(o.narrative, ''), o.title), o.title), 1, ?2
), o.type
FROM json_each(?1) chosen
JOIN observations o ON o.session_id = chosen.value ->> 0 AND o.prompt_number = chosen.value ->> 1
WHERE o.subagent IS NULL AND o.type <> '{NOISE}' AND o.title <> '' AND {VISIBLE}
ORDER BY o.tool_name IS '{REPLY}', o.type = 'decision' AND o.tool_name IS NOT '{REPLY}', o.created_at, o.id
"""
"""The last that was said; where that was nothing, the last that was decided, else done."""
READ_CHARACTERS = 8_000
"""Of a question and of a reply so much is read."""


def texts_of(db: apsw.Connection, keys: Iterable[TurnKey]) -> dict[TurnKey, TurnTexts]:
    """Return what was asked in turns, what came of them, and what was asked next."""
    wanted = list(dict.fromkeys(keys))
    following = [TurnKey(session, number + 1) for session, number in wanted]
    asked = _texts(db, QUESTIONS, [*wanted, *following])
    came = _texts(db, VERDICTS, wanted)
    nothing = ("", "")
    return {
        key: TurnTexts(asked.get(key, nothing)[0], *came.get(key, nothing), asked.get(after, nothing)[0])
        for key, after in zip(wanted, following, strict=True)
    }


def _texts(db: apsw.Connection, sql: str, keys: Sequence[TurnKey]) -> dict[TurnKey, tuple[str, str]]:
    rows: Any = db.execute(sql, (json.dumps(keys), READ_CHARACTERS))
    return {
        TurnKey(session, number): (as_text(text), as_text(kind)) for session, number, text, kind in rows
    }


def turn_of(db: apsw.Connection, document: int) -> FoundTurn | None:
    """Return the turn of a document, without what it is worth as; None where it belongs to none."""
    for key in turns_of(db, [document]).values():
        texts = texts_of(db, [key])[key]
        return FoundTurn(*key, texts.question, texts.verdict, "")
    return None


def _turn(key: TurnKey, texts: TurnTexts, others: tuple[str, ...]) -> FoundTurn:
    # Only now: most of what lists memories has no use for it.
    return FoundTurn(*key, texts.question, texts.verdict, kind_of_turn(*texts), others)


SUPERSEDED_WEIGHT = 0.2
"""What counts of a fact in whose place another one holds."""
LOUD = 0.5
"""What counts of a log that holds some of the words. The whole table would cost questions their answers
there: the first five had .78 of them instead of .96, with the fourth roots of its weights .93."""
STEP = 0.5
"""What counts of a turn that holds all words only where it read, searched or checked something."""


def _weighed(hit: Hit, age_ms: int, decided: float, *, is_step: bool) -> Hit:
    kind = kind_of_hit(hit)
    factor = STEP if is_step and hit.tier == "exact" else 1.0
    if kind in ("decision", "fact"):
        factor *= decided
    if kind is not None:
        factor *= worth(kind, age_ms) if hit.tier == "exact" else LOUD if kind == "log" else 1.0
    if hit.row.state:
        factor *= SUPERSEDED_WEIGHT
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
