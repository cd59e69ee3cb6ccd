"""Nearness in meaning by the word vectors that come with memtui, of documents that words found.

Nothing is stored and nothing scanned: the texts of the best by words are compared when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import apsw

from ...config import compares_meaning
from ..index.documents import fetch
from .passages import passages
from .word_vectors import WordVectors

COMPARED, MOST_CHARACTERS = 50, 50_000
"""So many of the best by words are compared, the best first, until their texts have so many characters."""
TRUST = 0.75
"""How far the table is trusted beside words, at most."""
STRANGE, KNOWN = 0.4, 0.7
"""The shares of a text's words that the table has up to which it isn't trusted, and from which on it is."""


@lru_cache(maxsize=1)
def table() -> WordVectors | None:
    """Return the table, read once a process; None where it is missing or damaged."""
    try:
        return WordVectors()
    except (OSError, ValueError):
        return None


def in_other_language(text: str) -> list[str]:
    """Return the words by which what a text says in Chinese is looked for in English texts, or what it says
    in English in Chinese ones."""
    if not compares_meaning() or (words := table()) is None:
        return []
    return words.in_other_language(text)


def near_text(db: apsw.Connection, text: str, best: Sequence[int]) -> tuple[dict[int, float], float]:
    """Return the cosines of documents and a text, of the first of those that are the `best` by words, and
    how far they are trusted."""
    if not compares_meaning() or (words := table()) is None:
        return {}, 0.0
    wanted = words.vector(text)
    trust = TRUST * min(1.0, max(0.0, (1 - wanted.unknown - STRANGE) / (KNOWN - STRANGE)))
    if not wanted.length or not trust:
        return {}, 0.0
    documents = {document.id: document for document in fetch(db, best[:COMPARED])}
    cosines: dict[int, float] = {}
    left = MOST_CHARACTERS
    for number in filter(documents.__contains__, best[:COMPARED]):
        texts = passages(documents[number])
        left -= sum(map(len, texts))
        if left < 0:
            break
        cosines[number] = max((wanted.cosine(words.vector(text)) for text in texts), default=0.0)
    return cosines, trust


def near_document(
    db: apsw.Connection, document: int, best: Sequence[int]
) -> tuple[dict[int, float], float]:
    """Return the same of documents and another one."""
    texts = [text for row in fetch(db, [document]) for text in passages(row)]
    return near_text(db, "\n".join(texts), best)


def nearest_passage(db: apsw.Connection, text: str, document: int) -> str:
    """Return the passage of a document that is nearest to a text, '' where it has none."""
    if (words := table()) is None:
        return ""
    wanted = words.vector(text)
    texts = [text for row in fetch(db, [document]) for text in passages(row)]
    return max(texts, key=lambda one: wanted.cosine(words.vector(one)), default="")
