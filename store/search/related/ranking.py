"""How the candidates of a search are put in order, beyond what their words tell: by pieces of words, by
what the rest of their session says, by a time that the question names, and by meaning.

A score is relative to the best one. Its parts add up to it: the words (BM25), the pieces of words, the
nearness in meaning where vectors tell it, and the session's share.

The weights are one setting for all languages and kinds of questions, chosen by nDCG@10 on seven sets.
Pieces of words with a weight of .25 prefer titles and prompts to the texts that answer.

Scores are mixed, not ranks: the best by words and the nearest in meaning are each 1, and a part of the
second is taken. The share is as large as the trust in the model, so that one which knows nothing of these
texts changes nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from math import log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from ...text.language.folding import CHINESE, fold
from ..index.documents import SHAPES, Document, fetch

if TYPE_CHECKING:
    from .meaning import Near

CLOSELY = 50
"""So many of the best by their words are compared by pieces of words, for which their texts are read."""
LOOKED_AT = 100
"""So many of the best get their session's share; the others follow."""
PIECES = 0.15
SESSION = 0.3
"""The share of each in a score; the rest is the words'."""
PLACES = """
SELECT d.id, CASE WHEN s.content_session_id LIKE 'manual-%' THEN NULL ELSE d.session_id END
FROM json_each(?) chosen CROSS JOIN documents d ON d.id = chosen.value
LEFT JOIN sessions s ON s.id = d.session_id
"""
"""What was added to a project by hand was not made in one session."""


class RankedDocument(NamedTuple):
    """A document with its score, 0 to 1, and the parts that add up to it, by their names."""

    id: int
    score: float
    parts: tuple[tuple[str, float], ...]


def ordered(
    db: apsw.Connection,
    scored: Sequence[tuple[int, float]],
    words: Collection[str],
    near: Callable[[list[int]], Near] | None = None,
) -> list[RankedDocument]:
    """Return documents, given as (id, BM25) with the best first, as candidates in their last order.

    `words` are those of the question, folded. `near` tells of the best by words, best first, how near to
    the question they are in meaning.
    """
    best = max((score for _, score in scored), default=0.0)
    if best <= 0 and near is None:
        return [RankedDocument(key, 0.0, ()) for key, _ in scored]
    results = {key: {"words": score / (best or 1.0)} for key, score in scored[:LOOKED_AT]}
    closely = list(fetch(db, [key for key, _ in scored[:CLOSELY]]))
    alike = _similarities(words, closely)
    if any(alike.values()):
        _mix(results, "n-grams", alike, PIECES)
    if near is not None:
        best_first = sorted(results, key=lambda key: -sum(results[key].values()))
        share = _share_beside(words, [document.joined() for document in closely])
        mix_meaning(results, near(best_first), share)
    if not results:
        return []
    places: list[Any] = db.execute(PLACES, (json.dumps(list(results)),)).fetchall()
    sessions = {key: session for key, session in places if session is not None}
    if sessions:
        scores = {key: sum(parts.values()) for key, parts in results.items()}
        _mix(results, "session", _session_scores(scores, sessions), SESSION)
    first = _relative(results)
    return [*first, *_others(scored[LOOKED_AT:], first[-1])]


SHARE, SHARE_OF_SHORT, SHARE_ACROSS = 0.4, 0.2, 0.8
"""What meaning counts beside words, at full trust: less where texts are short, of which the vectors say
little that the words don't; more where a Chinese question finds texts without Chinese, by a dictionary."""
Parts = dict[int, dict[str, float]]
"""What the score of each document is made of, by its id and the parts' names."""


def mix_meaning(found: Parts, near: Near, share: float = SHARE) -> None:
    """Give the parts of each score one more for its nearness."""
    nearest = max(near.cosines.values(), default=0.0)
    share *= near.trust
    if nearest <= 0 or not share:
        return
    best = max((sum(parts.values()) for parts in found.values()), default=0.0) or 1.0
    for key, parts in found.items():
        cosine = near.cosines.get(key)
        words = sum(parts.values()) / best
        for name in parts:
            parts[name] *= (1 - share) / best
        # What has no vector yet is not worse for it.
        parts["meaning"] = share * (words if cosine is None else max(0.0, cosine) / nearest)


NEXT = 0.25
"""The best of a turn's other records counts a quarter, the next one a quarter of that."""
BEST_OF_TURN = 5
"""So many of them count: a long turn has more that hold a word by chance."""


def with_turn_shares(
    scored: Sequence[tuple[int, float]], turns: Mapping[int, Hashable]
) -> list[tuple[int, float]]:
    """Return documents, given as (id, score) with the best first, with what the others of their turns add,
    best first again. `turns` has the turn of a document where it has one."""
    of_turn: defaultdict[Hashable, list[tuple[int, float]]] = defaultdict(list)
    for number, score in scored:
        if number in turns:
            of_turn[turns[number]].append((number, score))
    results = []
    for number, score in scored:
        others = (
            [other for key, other in of_turn[turns[number]] if key != number] if number in turns else []
        )
        share = sum(other * NEXT**place for place, other in enumerate(others[:BEST_OF_TURN], 1))
        results.append((number, score + share))
    return sorted(results, key=lambda pair: (-pair[1], -pair[0]))


def _mix(
    found: Mapping[int, dict[str, float]], name: str, scores: Mapping[int, float], share: float
) -> None:
    """Give the parts of each score one more, which has this share in it."""
    for key, parts in found.items():
        for other in parts:
            parts[other] *= 1 - share
        parts[name] = share * scores.get(key, 0.0)


def _relative(found: Mapping[int, dict[str, float]]) -> list[RankedDocument]:
    best = max(sum(parts.values()) for parts in found.values())
    candidates = [
        RankedDocument(
            key,
            sum(parts.values()) / best,
            tuple((name, part / best) for name, part in parts.items() if part),
        )
        for key, parts in found.items()
    ]
    return sorted(candidates, key=lambda document: (-document.score, -document.id))


def _others(scored: Sequence[tuple[int, float]], last: RankedDocument) -> Iterator[RankedDocument]:
    """Those after the last of the candidates, by their words: none has a higher score than that one."""
    most = max((score for _, score in scored), default=0.0) or 1.0
    for key, score in scored:
        relative = last.score * score / most
        yield RankedDocument(key, relative, (("words", relative),))


BEST_OF_SESSION = 3
"""So many of a session's memories tell how well it answers: a long session has more that do by chance."""


def _session_scores(scores: Mapping[int, float], sessions: Mapping[int, int]) -> dict[int, float]:
    """Return how well the session of each document answers, by the document's id: the sum of its three
    best scores, as a part of the best sum.

    `sessions` has the session of a document where it has one; without, it stands for itself.
    """
    if not scores:
        return {}
    own: defaultdict[tuple[bool, int], list[float]] = defaultdict(list)
    places = {key: (key in sessions, sessions.get(key, key)) for key in scores}
    for key, score in scores.items():
        own[places[key]].append(score)
    sums = {place: sum(nlargest(BEST_OF_SESSION, some)) for place, some in own.items()}
    best = max(sums.values()) or 1.0
    return {key: sums[place] / best for key, place in places.items()}


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


def _similarities(words: Iterable[str], documents: Iterable[Document]) -> dict[int, float]:
    """Return how similar documents are to folded words, by id: 1 for the most similar, or all 0."""
    wanted = Counter(piece for word in words for piece in _pieces(word)).most_common(MOST_PIECES)
    texts = {document.id: _apart(fold(_text(document)[:READ])) for document in documents}
    scores = dict.fromkeys(texts, 0.0)
    for piece, asked in wanted:
        counts = {key: count for key, text in texts.items() if (count := text.count(piece))}
        weight = asked * log((len(texts) + 1) / (len(counts) + 0.5)) ** 2
        for key, count in counts.items():
            scores[key] += weight * (1 + log(count))
    return _by_length(scores, texts)


def _by_length(scores: Mapping[int, float], texts: Mapping[int, str]) -> dict[int, float]:
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


SHORT = 250
"""Characters of a short text."""


def _share_beside(words: Collection[str], texts: Collection[str]) -> float:
    """Return what meaning counts beside the words of a question in such texts."""
    # Only now: it takes long to import.
    from statistics import median

    if texts and any(map(CHINESE.match, words)) and not median(bool(CHINESE.search(it)) for it in texts):
        return SHARE_ACROSS
    return SHARE_OF_SHORT if texts and median(map(len, texts)) < SHORT else SHARE
