"""Typos: what the words of a query without exact hits may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from . import spellings
from .folding import CHINESE, fold
from .matching import Matcher
from .query import Query, parse
from .stop_words import STOP_WORDS
from .words import quote

LONG = 9
"""From so many letters on a word may be two edits away, below it one."""
LONGEST_RUN = 6
"""A longer run of Chinese is a sentence, of which most pairs are in no other text."""
WORD = re.compile(r"[^\W\d_]+")
CANDIDATES = 12
"""So many of the nearest are compared by how often they stand in the memory."""
COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class Correction:
    """What no memory holds as a word, and the nearest word that some do.

    `query` is the whole query with all its corrections made.
    """

    typed: str
    meant: str
    query: str


def corrections(matcher: Matcher) -> tuple[Correction, ...]:
    """The nearest word for each that no memory holds as a word; one without any near is left as it is."""
    if not matcher.has_words:
        return ()
    text, found = matcher.query.text, []
    for typed in dict.fromkeys(_words(matcher.query)):
        meant = _meant(matcher, typed)
        if meant is not None:
            text = _replaced(text, typed, meant)
            found.append((typed, meant))
    if text == matcher.query.text:
        return ()
    return tuple(Correction(typed, meant, text) for typed, meant in found)


def _replaced(text: str, typed: str, meant: str) -> str:
    """The query with a word in the place of the first such one that is no filter's."""
    filters = [(chip.start, chip.end) for chip in parse(text).chips]
    for match in re.finditer(re.escape(typed), text):
        if not any(start <= match.start() < end for start, end in filters):
            return text[: match.start()] + meant + text[match.end() :]
    return text


def _words(query: Query) -> Iterator[str]:
    """Words and Chinese runs of a query's terms, as typed."""
    for term in query.terms:
        for part in WORD.findall(term.text):
            yield from re.findall(f"{CHINESE.pattern}|[^{CHINESE.pattern[1:-2]}]+", part)


def _meant(matcher: Matcher, typed: str) -> str | None:
    word = fold(typed)
    if CHINESE.fullmatch(word):
        return _nearest_run(matcher, word) if len(word) <= LONGEST_RUN else None
    if len(word) < spellings.SHORTEST or word in STOP_WORDS or _frequency(matcher, word, 1):
        return None
    return _nearest_word(matcher, word)


def _frequency(matcher: Matcher, text: str, at_most: int) -> int:
    """How many documents hold some words in a row, in whatever inflection."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    return int(matcher.db.execute(sql, (quote(text), at_most)).get)


def _nearest_word(matcher: Matcher, word: str) -> str | None:
    """The most frequent of the words with the fewest edits (optimal string alignment)."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    edits = 2 if len(word) >= LONG else 1
    known = set(spellings.near(matcher.db, word, edits))
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=edits, limit=None)
    if not near:
        return None
    least = min(distance for _, distance, _ in near)
    best = sorted(one for one, distance, _ in near if distance == least)[:CANDIDATES]
    return max(best, key=lambda one: _frequency(matcher, one, COUNTED))


def _nearest_run(matcher: Matcher, run: str) -> str | None:
    """A Chinese run with its wrong character put right, or two that are in the wrong order.

    A wrong character makes the pairs it stands in unknown. Other unknown pairs only stand where two
    words meet, so a repair counts only if the memory holds it together with what is around it.
    """
    groups = _unknown(matcher, run)
    if len(groups) != 1:
        return None
    start, end = groups[0]
    repairs = {
        repair: frequency
        for repair in _repairs(matcher, run, start, end)
        if (frequency := _frequency(matcher, " ".join(_pairs(repair)), COUNTED))
    }
    if not repairs:
        return None
    best = max(repairs, key=lambda repair: repairs[repair])
    return run[:start] + best + run[start + len(best) :]


def _unknown(matcher: Matcher, run: str) -> list[tuple[int, int]]:
    """Where pairs that no memory holds follow each other: the first one's place, and the last's."""
    groups: list[tuple[int, int]] = []
    for place, pair in enumerate(_pairs(run)):
        if pair not in STOP_WORDS and not _frequency(matcher, pair, 1):
            if groups and groups[-1][1] == place - 1:
                groups[-1] = (groups[-1][0], place)
            else:
                groups.append((place, place))
    return groups


def _repairs(matcher: Matcher, run: str, start: int, end: int) -> Iterator[str]:
    """What may stand instead of the characters of some unknown pairs: another character where it
    is in all of them, or two in the other order."""
    text = run[start : end + 2]
    for place in range(len(text)):
        # A pair that is known can't hold the wrong character.
        inner = 0 < place < len(text) - 1
        edge = (place == 0 and start == 0) or (place and start + len(text) == len(run))
        if (len(text) == 3 and inner) or (len(text) == 2 and edge):
            before, after = text[:place], text[place + 1 :]
            for character in _fitting(matcher, before[-1:], after[:1]):
                yield before + character + after
    for place in range(len(text) - 1):
        yield text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def _fitting(matcher: Matcher, before: str, after: str) -> set[str]:
    """The characters that some memory holds after one character and before another ('': any)."""
    sets = []
    for column, beside in (("word", before), ("backwards", after)):
        if beside:
            sql = (
                f"SELECT {column} FROM spellings WHERE {column} > ? AND {column} < ? "
                "AND length(word) = 2 AND document_id > 0"
            )
            found = matcher.db.execute(sql, (beside, beside + spellings.HIGHEST))
            sets.append({pair[1] for (pair,) in found})
    return set.intersection(*sets) - {""} if sets else set()


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)]
