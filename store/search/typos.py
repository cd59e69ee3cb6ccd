"""Typos: what the words of a query without exact hits may have meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from . import spellings
from .chinese_typos import nearest_run
from .documents import FIELDS
from .folding import CHINESE, fold
from .items import items
from .matching import Matcher
from .query import Query
from .stop_words import STOP_WORDS
from .words import frequency

LONG = 9
"""From so many letters on a word may be two edits away, below it one."""
WORD = re.compile(rf"{CHINESE.pattern}|(?:(?!{CHINESE.pattern})[^\W_])+")
"""A word or a run of Chinese, as the words index would take it apart."""
MAXIMUM_WORDS = 32
"""So many words of a query are looked at: a longer one was pasted, not typed."""
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
    query = matcher.query
    # Beside a colon stands what was meant as a filter.
    terms = [term.text for term in query.terms if ":" not in term.text]
    typed = ((word, word == text) for text in terms for word in WORD.findall(text))
    meant = {}
    for word, whole in islice(typed, MAXIMUM_WORDS):
        if nearest := _meant(matcher, word, whole=whole):
            meant[word] = nearest
    text = _corrected(query, meant)
    if text == query.text:
        return ()
    return tuple(Correction(word, nearest, text) for word, nearest in meant.items())


def _corrected(query: Query, meant: dict[str, str]) -> str:
    """A query's text with other words in its terms; filters, field names and what is excluded stay."""
    filters = {chip.start for chip in query.chips}
    parts, last = [], 0
    for item in items(query.text):
        if item.start in filters or item.negated:
            continue
        start = item.start + (len(item.name) + 1 if item.name in FIELDS else 0)
        term = query.text[start : item.end]
        parts += [query.text[last:start], WORD.sub(lambda word: meant.get(word[0], word[0]), term)]
        last = item.end
    return "".join([*parts, query.text[last:]])


def _meant(matcher: Matcher, typed: str, *, whole: bool) -> str | None:
    """The nearest word; a part of a longer term (`tok*`) may also be the beginning of a word."""
    word = fold(typed)
    if CHINESE.fullmatch(word):
        return nearest_run(matcher, word)
    if not word.isalpha() or len(word) < spellings.SHORTEST or word in STOP_WORDS:
        return None
    if frequency(matcher.db, word, 1) or (not whole and spellings.begins(matcher.db, word)):
        return None
    return _nearest_word(matcher, word)


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
    return max(best, key=lambda one: frequency(matcher.db, one, COUNTED))
