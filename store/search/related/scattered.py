"""Long texts that hold every word of a question, but nowhere together: these answer it by chance.

Only questions are treated so; elsewhere exact means "holds every term".
"""

from __future__ import annotations

from collections.abc import Iterable

from ...text.language.folding import fold
from ..index.documents import Document
from ..query.language import Query
from .second_tier import content_words, is_strict

LONG = 3_000
"""Characters of a text beyond which it may hold any words."""
TOGETHER = 1_000
"""Words that stand within so many characters of each other stand together."""
OCCURRENCES = 500
"""So many occurrences of a word are looked at."""


def scattered(query: Query, documents: Iterable[Document]) -> set[int]:
    """Return the ids of long documents in which a question's words stand nowhere together; none where
    the query is no question: few words, a phrase, a field, or another order than by relevance."""
    if not query.is_question or query.sort not in (None, "relevance") or any(map(is_strict, query.clauses)):
        return set()
    words = [fold(word) for word in content_words(query)]
    if len(words) < 2:
        return set()
    return {document.id for document in documents if _is_scattered(document, words)}


def _is_scattered(document: Document, words: list[str]) -> bool:
    joined = document.joined(None)
    if len(joined) < LONG:
        return False
    text = fold(joined)
    places = sorted((place, which) for which, word in enumerate(words) for place in _places(text, word))
    # A word that stands there in another form only (one clause has alternatives) is left out.
    wanted = len({which for _, which in places})
    last: dict[int, int] = {}
    for place, which in places:
        last.pop(which, None)
        last[which] = place
        if len(last) == wanted and place - next(iter(last.values())) <= TOGETHER:
            return False
    return bool(places)


def _places(text: str, word: str) -> Iterable[int]:
    place = text.find(word)
    for _ in range(OCCURRENCES):
        if place < 0:
            return
        yield place
        place = text.find(word, place + len(word))
