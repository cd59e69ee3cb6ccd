"""Turns: what a user asked, and all that was done and said until they asked again.

A prompt and the observations that bear its number are one turn. Summaries and facts belong to none, nor
does what was added to a project by hand, which was not made in one session.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import apsw

from ..kinds import NOISE, REPLY, VISIBLE
from ..records import FoundTurn, Hit
from ..records.conforming import as_text
from ..records.dataclasses import replace
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
WHERE f.superseded_by IS NOT NULL AND f.deleted_at IS NULL AND d.id IN (SELECT value FROM json_each(?))
    AND CASE d.kind WHEN 'p' THEN d.record_id = p.id ELSE o.prompt_number = p.prompt_number END
"""
STEPS = f"""
SELECT d.id FROM json_each(?) chosen CROSS JOIN documents d ON d.id = chosen.value
WHERE d.kind = 'o' AND d.type = 'discovery'
    AND (SELECT prompt_number IS NOT NULL AND {BY_RULES} FROM observations WHERE id = d.record_id)
"""
"""What a tool read, searched or checked in a turn."""
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


def with_all_of_its_turn(hit: Hit, same: Hit | None) -> Hit:
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


def _turn(key: TurnKey, texts: TurnTexts, others: tuple[str, ...]) -> FoundTurn:
    # Only now: most of what lists memories has no use for it.
    from .worth import kind_of_turn

    return FoundTurn(*key, texts.question, texts.verdict, kind_of_turn(*texts), others)
