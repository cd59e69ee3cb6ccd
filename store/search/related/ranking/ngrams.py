"""How much of a question's words stands in texts by their pieces: `authenticate` is near to
`authentication`, `cache` to `precached`.

Pieces (character n-grams) lie within a word, and the first one is marked as its beginning. What few of
the candidates hold weighs more; so does what stands often in a short text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, sqrt

from ....text.language.folding import CHINESE, fold
from ...index.documents import SHAPES, Document

LENGTHS = (3, 4, 5)
"""Letters of a piece."""
CHINESE_LENGTH = 2
READ = 4_000
"""Characters of a text that are looked at."""
MOST_PIECES = 120
"""Of a question so many are looked for."""
OWN_LENGTH = 0.6
"""How far a text is measured by its own length, and for the rest by the mean of all: a title alone
would else outdo every text."""
BEGINNING = " "
NO_LETTERS = {code: BEGINNING for code in range(128) if not chr(code).isalnum()}
BETWEEN = re.compile(r"[\W_]+")


def similarities(words: Iterable[str], documents: Iterable[Document]) -> dict[int, float]:
    """Return how similar documents are to folded words, by id: 1 for the most similar, or all 0."""
    wanted = Counter(piece for word in words for piece in _pieces(word)).most_common(MOST_PIECES)
    texts = {document.id: _apart(fold(_text(document)[:READ])) for document in documents}
    scores = dict.fromkeys(texts, 0.0)
    for piece, asked in wanted:
        counts = {key: count for key, text in texts.items() if (count := text.count(piece))}
        weight = asked * log((len(texts) + 1) / (len(counts) + 0.5)) ** 2
        for key, count in counts.items():
            scores[key] += weight * (1 + log(count))
    return _relative(scores, texts)


def _relative(scores: Mapping[int, float], texts: Mapping[int, str]) -> dict[int, float]:
    """The scores by the lengths of the texts, as parts of the best one."""
    if not any(scores.values()):
        return dict(scores)
    others = (1 - OWN_LENGTH) * sum(map(len, texts.values())) / len(texts)
    results = {key: score / sqrt(others + OWN_LENGTH * len(texts[key])) for key, score in scores.items()}
    best = max(results.values())
    return {key: score / best for key, score in results.items()}


def _text(document: Document) -> str:
    """A document's text without the raw one (code, a tool's output), unless it has no other."""
    shape = SHAPES[document.kind]
    columns = zip(shape.columns, document.texts, strict=True)
    return BEGINNING.join(text for column, text in columns if column not in shape.raw and text) or (
        document.joined()
    )


def _apart(text: str) -> str:
    """A text with blanks before each word and behind the last."""
    apart = text.translate(NO_LETTERS) if text.isascii() else BETWEEN.sub(BEGINNING, text)
    return f"{BEGINNING}{apart}{BEGINNING}"


def _pieces(word: str) -> list[str]:
    if CHINESE.match(word):
        return _cut(word, CHINESE_LENGTH)
    return [piece for length in LENGTHS for piece in _cut(BEGINNING + word, length)]


def _cut(text: str, length: int) -> list[str]:
    return [text[start : start + length] for start in range(max(1, len(text) - length + 1))]
