"""What is shown of a hit: of a turn what was asked and what came of it, and the sentences in it that
answer a query best. All of it is about 1,200 characters, of the first hit 1,800.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from ..records.fields import FIELDS
from ..records.kinds import KINDS, TOLD, VISIBLE, ref
from ..text.language.folding import prepare
from ..text.language.sentences import split_sentences
from ..text.late_pattern import late_pattern
from ..text.truncation import shortened
from .index.documents import SEPARATOR, SHAPES, Document, fetch
from .index.stems import stems
from .listing.document_sql import STATE

if TYPE_CHECKING:
    from ..records.rows import FoundTurn, Hit
    from .query.language import Query

QUESTION = 160
VERDICT_OF_FIRST, ALL_OF_FIRST = 1_000, 1_800
VERDICT, ALL = 600, 1_200
"""Characters of each, and of all with the passage, which has what they leave and ends with a sentence."""
LONGEST = 300
"""Characters of a sentence after which it is divided."""
READ, READ_OF_ONE = 60_000, 8_000
"""Characters of a turn that are read, and of a record of which a line is shown."""
SAYS = {
    letter: frozenset(field.name for field in FIELDS[kind] if field.says) for letter, kind in KINDS.items()
}
"""The columns of each kind that say something: names of files and concepts do not."""
AGAIN = 0.5
"""What a word counts once more that a sentence before has already."""
BEST_RECORD = 1.6
"""What a sentence counts of the record that was found, beside others of its turn."""
AROUND, NEAR = 0.2, 2
"""What a word counts that only a neighbour of a sentence has, up to so many sentences away."""
ALIKE = 0.7
"""What has so large a part of its words from a sentence that is told already says the same."""
SHORT, LENGTH = 60, 0.3
"""Of two sentences with the same words the shorter says more, from so many characters on."""
LEAST = 50
"""Characters of room for which one more sentence is shown, whole."""
IN_A_NAME = late_pattern("[A-Z](?<=[a-z0-9].)")
"""The first letter of a word of a name that others are joined with (`retryLimit`), by the capital: to look
behind each letter takes ten times as long."""
APART = r" \g<0>"
_OF_TURN = f"""
FROM (
    SELECT 'o' AS kind, id, created_at FROM observations
    WHERE session_id = ?1 AND prompt_number = ?2 AND {VISIBLE}
    UNION ALL SELECT 'p', id, created_at FROM prompts
    WHERE session_id = ?1 AND prompt_number = ?2 AND {VISIBLE}
) r JOIN documents d ON d.kind = r.kind AND d.record_id = r.id
"""
RECORDS = f"SELECT d.id {_OF_TURN} ORDER BY r.created_at, d.id"
WITHIN = f"""
SELECT d.kind, d.record_id, d.project IN (?3, '') AND NOT ({STATE}) AND {TOLD} {_OF_TURN}
"""
"""The documents of a turn; and whether agents at work on a project may be told of each."""


class Excerpt(NamedTuple):
    """What is shown of a hit. `question` and `verdict` are those of its turn, each on one line, '' where it
    belongs to none; the sentences of the `passage` stand on a line each."""

    question: str
    verdict: str
    passage: str


class _Sentence(NamedTuple):
    """A sentence with its stems, those of them that are asked for, and which of these only its neighbours
    have."""

    text: str
    stems: frozenset[str]
    asked: frozenset[str]
    around: frozenset[str]
    document_id: int


def excerpts(db: apsw.Connection, query: Query, hits: Sequence[Hit]) -> list[Excerpt]:
    """Return what is shown of each hit of a query, of the first one the most. What a phrase or a field asks
    for stands in the passage as the hit has it."""
    is_related = any(hit.tier == "related" for hit in hits)
    words: frozenset[str] = frozenset()
    if query.is_plain and (is_related or any(hit.turn is not None for hit in hits)):
        from .related.second_tier import content_words, searched_words

        words = asked_words(db, query, searched_words(db, query) if is_related else content_words(query))
    results = []
    for place, hit in enumerate(hits):
        row = hit.row
        shown = excerpt(db, row.document_id, row.title, hit.turn, words, is_first=not place)
        results.append(shown if shown.passage else shown._replace(passage=shortened(hit.passage.text, ALL)))
    return results


def in_a_line(db: apsw.Connection, words: frozenset[str], document: Document, length: int) -> str:
    """Return the sentences of a document that answer best, by `asked_words`, beside its title: of about so
    many characters, with " … " between them; '' where none holds a word."""
    title = _line(document.texts[0]) if SHAPES[document.kind].titled else ""
    sentences = _sentences(db, [document], words, READ_OF_ONE)
    places = _best(sentences, document.id, words, title, length)
    best = [sentences[place].text for place in places]
    return shortened(" … ".join(best), length)


def excerpt(
    db: apsw.Connection,
    document: int,
    title: str,
    turn: FoundTurn | None,
    words: frozenset[str],
    *,
    is_first: bool = False,
) -> Excerpt:
    """Return what is shown of a document with a title, and of its turn where it belongs to one, to whoever
    asks for these stems (`asked_stems`); the passage is '' where nothing holds one."""
    longest, room = (VERDICT_OF_FIRST, ALL_OF_FIRST) if is_first else (VERDICT, ALL)
    question, verdict, said = "", "", title
    numbers = [document]
    if turn is not None:
        question = shortened(_line(turn.question), QUESTION)
        verdict = ends(_line(turn.verdict), longest)
        said = f"{question} {verdict}"
        rows: Any = db.execute(RECORDS, (turn.session_id, turn.number)) if words else ()
        numbers = [number for (number,) in rows]
    room -= len(said) + 2
    best: list[str] = []
    if words:
        documents = {item.id: item for item in fetch(db, numbers)}
        in_order = [documents[number] for number in numbers if number in documents]
        sentences = _sentences(db, in_order, words, READ)
        places = _best(sentences, document, words, _line(said), room)
        places = _with_neighbours(places, sentences, _line(said), room)
        best = [sentences[place].text for place in places]
    return Excerpt(question, verdict, "\n".join(best))


def is_all_tellable(db: apsw.Connection, project: str, turn: FoundTurn, left_out: Collection[str]) -> bool:
    """Return whether agents at work on a project may be told all of a turn, of which some refs are
    `left_out`."""
    rows: Any = db.execute(WITHIN, (turn.session_id, turn.number, project))
    return all(is_told and ref(KINDS[kind], number) not in left_out for kind, number, is_told in rows)


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


def asked_words(db: apsw.Connection, query: Query, words: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words that a query asks about, and those of the parts of names."""
    return asked_stems(db, words, query.plain_text)


def asked_stems(db: apsw.Connection, words: Iterable[str], text: str) -> frozenset[str]:
    """Return the stems of words that a text asks about, and those of the parts of its names."""
    parts = [IN_A_NAME.sub(APART, word) for word in text.split() if IN_A_NAME.search(word)]
    return frozenset(stem for _, _, stem in stems(db, " ".join([*words, *parts])))


def _sentences(
    db: apsw.Connection, documents: Iterable[Document], words: frozenset[str], left: int
) -> list[_Sentence]:
    """The sentences of documents, each once, in the order in which they came, of at most `left`
    characters; `words` are those that are asked for."""
    texts: dict[str, int] = {}
    for document in documents:
        columns = zip(SHAPES[document.kind].columns, document.texts, strict=True)
        says = SAYS[document.kind]
        text = SEPARATOR.join(part for name, part in columns if name in says)[:left]
        left -= len(text)
        for piece in _pieces(text):
            texts.setdefault(piece, document.id)
    # All at once: a call of the tokenizer costs as much as a hundred words.
    apart = [IN_A_NAME.sub(APART, text) for text in texts]
    apart = [text if text.isascii() else prepare(text) for text in apart]
    tokens = iter(stems(db, "\n".join(apart)))
    token = next(tokens, None)
    held: list[frozenset[str]] = []
    end = 0
    for text in apart:
        end += len(text.encode()) + 1
        its = set()
        while token is not None and token[0] < end:
            its.add(token[2])
            token = next(tokens, None)
        held.append(frozenset(its))
    asked = [words & content for content in held]
    return [
        _Sentence(
            text,
            held[place],
            asked[place],
            frozenset[str]().union(*asked[max(0, place - NEAR) : place + NEAR + 1]) - asked[place],
            number,
        )
        for place, (text, number) in enumerate(texts.items())
    ]


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


def _best(
    sentences: list[_Sentence], record: int, words: frozenset[str], said: str, room: int
) -> list[int]:
    """The places of the sentences with the most of what is asked for, the best first, as many as there is
    room for, but for what is said already; a heading with what stands under it. A word counts by how few of
    the sentences have it; `record` is the id of the document that was found."""
    left = {
        word: log(1 + len(sentences) / (1 + sum(word in item.asked for item in sentences)))
        for word in words
    }
    results: dict[int, None] = {}
    content: list[frozenset[str]] = []
    waiting = [place for place, item in enumerate(sentences) if item.asked and not _is_said(item, said)]
    while waiting and room >= LEAST:
        place = max(waiting, key=lambda place: _score(sentences[place], record, left))
        waiting.remove(place)
        best = sentences[place]
        if any(len(best.stems & other) >= ALIKE * len(best.stems) for other in content):
            continue
        content.append(best.stems)
        is_heading = best.text.endswith((":", "：")) and place + 1 < len(sentences)
        for shown in (place, place + 1) if is_heading else (place,):
            if shown not in results:
                results[shown] = None
                room -= len(sentences[shown].text) + 1
        for stem in best.asked:
            left[stem] *= AGAIN
    return [*results]


def _with_neighbours(places: list[int], sentences: list[_Sentence], said: str, room: int) -> list[int]:
    """Sentences with what stands beside them in their records, as far as there is room: an answer often
    has none of the words of its question."""
    results = dict.fromkeys(places)
    room -= sum(len(sentences[place].text) + 1 for place in places)
    for place in places:
        for beside in (place + 1, place - 1):
            if room < LEAST or beside in results or not 0 <= beside < len(sentences):
                continue
            neighbour = sentences[beside]
            if neighbour.document_id == sentences[place].document_id and not _is_said(neighbour, said):
                results[beside] = None
                room -= len(neighbour.text) + 1
    return [*results]


def _is_said(sentence: _Sentence, said: str) -> bool:
    return sentence.text.rstrip(".:") in said


def _score(sentence: _Sentence, record: int, weights: dict[str, float]) -> float:
    content = sum(weights[stem] for stem in sentence.asked)
    around = sum(weights[stem] for stem in sentence.around)
    by_length: float = max(len(sentence.text), SHORT) ** LENGTH
    share = BEST_RECORD if sentence.document_id == record else 1.0
    return (content + AROUND * around) * share / by_length
