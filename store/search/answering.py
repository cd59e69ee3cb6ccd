"""What is shown of a hit: of a turn what was asked and what came of it, and the sentences in it that
answer a query best. All of it is at most 900 characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Any, NamedTuple

import apsw

from ..kinds import REPLY, VISIBLE
from ..records import Hit
from ..text.language.sentences import split_sentences
from ..text.truncation import shortened
from .index.documents import SEPARATOR, fetch
from .matching.terms import frequency
from .query.language import Query

QUESTION, VERDICT, PASSAGE = 80, 350, 450
"""Characters of each. Of other divisions of 900 none showed more answers to the questions of
`bench.questions`."""
LONGEST = 300
"""Characters of a sentence after which it is cut."""
READ = 60_000
"""Characters of a turn that are read."""
COMMON = 2_000
"""Documents with a word up to which they are counted."""
AGAIN = 0.5
"""What a word counts once more that a sentence before has already."""
SAID = 1.1
"""What a sentence counts that the agent said, beside what a tool put out."""
ALIKE = 0.8
"""What has so large a part of its words from a sentence that is told already says the same."""
SHORT, LENGTH = 60, 0.3
"""Of two sentences with the same words the shorter says more, from so many characters on."""
RECORDS = f"""
SELECT d.id, d.kind = 'p' OR r.tool_name = '{REPLY}' FROM (
    SELECT 'o' AS kind, id, tool_name, created_at FROM observations
    WHERE session_id = ?1 AND prompt_number = ?2 AND {VISIBLE}
    UNION ALL SELECT 'p', id, NULL, created_at FROM prompts
    WHERE session_id = ?1 AND prompt_number = ?2 AND {VISIBLE}
) r JOIN documents d ON d.kind = r.kind AND d.record_id = r.id ORDER BY r.created_at, d.id
"""


class Shown(NamedTuple):
    """What is shown of a hit. `question` and `verdict` are those of its turn, each on one line, '' where it
    belongs to none; the sentences of the `passage` stand on a line each."""

    question: str
    verdict: str
    passage: str


class _Sentence(NamedTuple):
    text: str
    following: str
    stems: frozenset[str]
    is_said: bool


def shown(db: apsw.Connection, query: Query, hits: Sequence[Hit]) -> list[Shown]:
    """Return what is shown of each hit of a query. What a phrase or a field asks for stands in the
    passage as the hit has it."""
    of_words = [hit for hit in hits if hit.turn is not None or hit.tier == "related"]
    weights = _weights(db, query) if of_words and query.is_plain else {}
    return [_shown(db, hit, weights) for hit in hits]


def _shown(db: apsw.Connection, hit: Hit, weights: dict[str, float]) -> Shown:
    question, verdict, room = "", "", QUESTION + VERDICT + PASSAGE
    if hit.turn is not None:
        question = shortened(_line(hit.turn.question), QUESTION)
        verdict = ends(_line(hit.turn.verdict), VERDICT)
        room = PASSAGE
    best = _best(_sentences(db, _records(db, hit)), weights, room) if weights else []
    return Shown(question, verdict, shortened("\n".join(best) or hit.passage.text, room))


def _records(db: apsw.Connection, hit: Hit) -> dict[int, bool]:
    """The documents of a hit's turn as they came, or its own, and whether a person or an agent said
    them."""
    if hit.turn is None:
        return {hit.row.document_id: True}
    rows: Any = db.execute(RECORDS, (hit.turn.session_id, hit.turn.number))
    return {number: bool(is_said) for number, is_said in rows}


def ends(text: str, size: int) -> str:
    """Return a text of at most so many characters: of a longer one three fifths of them from its beginning
    and the rest from its end, where a reply often says what it comes to."""
    if len(text) <= size:
        return text
    head = size * 3 // 5
    tail = text[-(size - head - 1) :]
    return f"{shortened(text, head)} {tail[tail.find(' ') + 1 :]}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _weights(db: apsw.Connection, query: Query) -> dict[str, float]:
    """The stems of what a query asks about, the rare ones with the most weight."""
    from .related.second_tier import content_words, stems

    total = int(db.execute("SELECT coalesce(max(id), 0) FROM documents").get)
    return {
        stem: log(1 + total / (1 + frequency(db, word, COMMON)))
        for word in content_words(query)
        for _, _, stem in stems(db, word)
    }


def _sentences(db: apsw.Connection, said: dict[int, bool]) -> list[_Sentence]:
    """The sentences of documents, each once, in the order in which they came."""
    from .related.second_tier import stems

    documents = {document.id: document for document in fetch(db, said)}
    texts: dict[str, bool] = {}
    left = READ
    for number in said:
        if number in documents and left > 0:
            text = SEPARATOR.join(documents[number].texts)[:left]
            left -= len(text)
            texts |= dict.fromkeys(_pieces(text), said[number])
    # All at once: a call of the tokenizer costs as much as a hundred words.
    tokens = iter(stems(db, "\n".join(texts)))
    token = next(tokens, None)
    sentences, end = [], 0
    for (text, is_said), following in zip(texts.items(), [*[*texts][1:], ""], strict=False):
        end += len(text.encode()) + 1
        held = set()
        while token is not None and token[0] < end:
            held.add(token[2])
            token = next(tokens, None)
        sentences.append(_Sentence(text, following, frozenset(held), is_said))
    return sentences


def _pieces(text: str) -> Iterator[str]:
    for line in text.replace(SEPARATOR, "\n").split("\n"):
        for sentence in split_sentences(line):
            rest = sentence.strip()
            while len(rest) > LONGEST:
                cut = rest.rfind(" ", LONGEST // 3, LONGEST)
                cut = LONGEST if cut < 0 else cut
                yield rest[:cut].strip()
                rest = rest[cut:].strip()
            if len(rest) > 2:
                yield rest


def _best(sentences: list[_Sentence], weights: dict[str, float], room: int) -> list[str]:
    """The sentences with the most of what is asked for, the best first, as many as there is room for; a
    heading with what stands under it."""
    left = dict(weights)
    results: dict[str, None] = {}
    content: list[frozenset[str]] = []
    waiting = [sentence for sentence in sentences if not sentence.stems.isdisjoint(left)]
    while waiting and room > 0:
        best = max(waiting, key=lambda row: _score(row, left))
        waiting.remove(best)
        if any(len(best.stems & other) >= ALIKE * len(best.stems) for other in content):
            continue
        content.append(best.stems)
        for text in (best.text, best.following if best.text.endswith((":", "：")) else ""):
            if text and text not in results:
                results[text] = None
                room -= len(text) + 1
        for stem in best.stems & left.keys():
            left[stem] *= AGAIN
    return [*results]


def _score(sentence: _Sentence, weights: dict[str, float]) -> float:
    content = sum(weights[stem] for stem in sentence.stems if stem in weights)
    by_length: float = max(len(sentence.text), SHORT) ** LENGTH
    return content * (SAID if sentence.is_said else 1.0) / by_length
