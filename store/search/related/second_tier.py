"""The second tier: documents related to a query that too few contain whole.

Any of the words will do, in any inflection, and the rare ones decide. All words of a question ORed
would rank most of a large store, so the rarest words within a budget anchor the walk, the common
ones only add to the score of what the anchors found. `ranking` puts the best of them in their last order.
"""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice

import apsw

from ...records.dataclasses import replace
from ...records.rows import Snippet
from ...text.language.folding import CHINESE, fold
from ...text.language.words import STOP_WORDS, without_function_words
from ..index.documents import Document
from ..index.full_text import tables
from ..index.stems import stems
from ..listing.document_sql import BM25
from ..listing.snippets import merged, spans
from ..matching import NEWEST_RANKED, Matcher, cutoff
from ..query.language import Filter, Query, Term
from ..terms import WORD, Clause, estimated_frequency, phrase, quote, tokens
from ..turns import TurnKey, turns_of
from .meaning import AMONG, Meaning, Near
from .ranking import RankedDocument, ordered, with_turn_shares

BUDGET = 20_000
"""The anchors' postings."""
OTHERS_BUDGET = 250_000
"""The postings of the common words: BM25 reads them all, of the whole store, to weigh a word."""
HELD = "SELECT word FROM spellings WHERE word IN (SELECT value FROM json_each(?))"
MAXIMUM_WORDS, MAXIMUM_ANCHORS, MAXIMUM_OTHERS = 32, 8, 8
"""Of a longer question the first so many words, of the rare and of the common ones the rarest of them."""
BEST = 500
"""So many are looked at for excluded words and phrases that are asked for."""
NEAR_BEST = 0.7
"""The share of the best score of all times that something of a time has for this to be the one meant."""
LOOKED_AT = 200
"""So many of the best are looked at for what else of their turns is among them."""


def content_words(query: Query) -> list[str]:
    """Return the words that a query asks about, without stop words unless it has no others.

    Only those of its plain terms: a phrase or a field asks for exactly that.
    """
    every = _tokens(_plain(query))
    bare = _tokens([Term(_bare_text(query))])
    return [word for word in bare if word not in STOP_WORDS] or bare or every


def searched_words(db: apsw.Connection, query: Query) -> list[str]:
    """Return the words that a query asks about, Chinese ones in other characters too, and where these are
    several also those for them in the other language, English or Chinese: of Chinese ones the pairs, as
    they stand in a row."""
    # Not before a search needs them: the tables take some milliseconds to read.
    from ...text.language.han_forms import other_forms
    from .word_meaning import in_other_language

    words, translated = content_words(query), in_other_language(_bare_text(query))
    forms = [form for word in words if not word.isascii() for form in other_forms(word)]
    forms = _held(db, forms) if forms else []
    is_one = len(words) < 2 or (len(translated) < 2 and not any(map(str.isascii, words)))
    others = [] if is_one else [" ".join(tokens(Term(other))) for other in translated]
    return list(dict.fromkeys([*words, *forms, *others]))


def _held(db: apsw.Connection, words: list[str]) -> list[str]:
    """Return those of some words that a memory holds."""
    if not tables(db):
        return []
    rows = db.execute(HELD, (json.dumps(words),))
    held = {str(word) for (word,) in rows}
    return [word for word in words if word in held]


def _tokens(terms: list[Term]) -> list[str]:
    """The words of some terms, as the words index has them, each once."""
    parts = (Term(part) for term in terms for part in term.text.split())
    return list(dict.fromkeys(word for part in parts for word in tokens(part)))[:MAXIMUM_WORDS]


def _whole_words(query: Query) -> list[str]:
    """The words that a query asks about, folded: of Chinese its runs, of which pairs are made."""
    words = [word for word in WORD.findall(fold(_bare_text(query))) if word not in STOP_WORDS]
    return words[:MAXIMUM_WORDS]


def _bare_text(query: Query) -> str:
    """What a query asks about, without words that only ask."""
    return without_function_words(" ".join(term.text for term in _plain(query)))


def _plain(query: Query) -> list[Term]:
    clauses = query.as_typed.clauses
    return [term for clause in clauses if not is_strict(clause) for term in clause]


def is_strict(clause: Clause) -> bool:
    """Whether a clause has to be met as it stands, by related documents too."""
    return any(term.phrase or term.field or term.negated for term in clause)


def related(
    matcher: Matcher, limit: int, without: set[int], meaning: Meaning | None = None
) -> Iterator[RankedDocument]:
    """Yield up to `limit` documents that hold any of the words, or are near to them in `meaning`, best
    first.

    `without` are documents that were found otherwise.
    """
    documents = [
        ranked_document
        for ranked_document in candidates(matcher, meaning)
        if ranked_document.id not in without
    ]
    strict = _strict(matcher.query)
    if not strict and not matcher.query.excluded:
        yield from documents[:limit]
        return
    by_id = {row.id: row for row in documents}
    demanded = Query(clauses=strict, excluded=matcher.query.excluded)
    demands = Matcher(matcher.db, demanded, matcher.deadline)
    for document in islice(demands.verified(by_id), limit):
        yield by_id[document.id]


def candidates(matcher: Matcher, meaning: Meaning | None = None) -> list[RankedDocument]:
    """Return the documents that hold any of the words, or are near to them in `meaning`, in their last
    order: up to `BEST`, of which not yet all that is demanded was looked for."""
    query, where = matcher.query, matcher.where
    if where.source != "documents" or not content_words(query):
        return []

    def near(best: list[int]) -> Near:
        assert meaning is not None
        if meaning.needs_words and len(content_words(query)) < 2:
            return Near()
        near = meaning.near_text(matcher.db, query.plain_text, best[:AMONG])
        return near if meaning.needs_words else _of_turns(matcher.db, near)

    return ordered(
        matcher.db,
        _by_words(matcher),
        _whole_words(query),
        None if meaning is None else near,
    )


def with_time(db: apsw.Connection, query: Query) -> Query:
    """Return a query whose words name a time with that as a filter; with those words as words like others
    where the best of that time is far from the best there is, which may be what speaks of the time.

    What was asked at other times holds every word of a question, and answers none.
    """
    applied, matcher = replace(query, named_time=None), Matcher(db, query)
    if query.is_plain and STOP_WORDS.issuperset(_tokens([Term(_bare_text(query))])):
        # What is asked for is the time.
        return replace(applied, clauses=())
    if query.similar or matcher.where.source != "documents" or not matcher.has_words:
        return applied
    answers = (*query.filters, Filter("kind", ("prompt",), negated=True))
    always = Matcher(db, replace(query, since=None, until=None, filters=answers))
    then, best = (max((score for _, score in _by_words(one)), default=0.0) for one in (matcher, always))
    return applied if then > 0 and then >= NEAR_BEST * best else query.without_time


def _of_turns(db: apsw.Connection, near: Near) -> Near:
    """Return how near documents are, each as near as the nearest of its turn."""
    turns = turns_of(db, near.cosines)
    nearest: dict[TurnKey, float] = {}
    for number, turn in turns.items():
        nearest[turn] = max(near.cosines[number], nearest.get(turn, -1.0))
    cosines = {
        number: nearest[turns[number]] if number in turns else cosine
        for number, cosine in near.cosines.items()
    }
    return replace(near, cosines=cosines)


def _by_words(matcher: Matcher) -> list[tuple[int, float]]:
    """Return the documents that hold any of the words, as (id, BM25), best first."""
    query = matcher.query
    if not matcher.has_words:
        return []
    words = searched_words(matcher.db, query)
    anchor = _demanded(_strict(query))
    if not anchor:
        anchors, words = _anchors(matcher, words)
        anchor = " OR ".join(map(quote, anchors))
    if not anchor:
        return []
    scored = _scored(matcher, anchor, words)
    turns = turns_of(matcher.db, [number for number, _ in scored[:LOOKED_AT]])
    return [*with_turn_shares(scored[:LOOKED_AT], turns), *scored[LOOKED_AT:]]


def _strict(query: Query) -> tuple[Clause, ...]:
    return tuple(filter(is_strict, query.clauses))


def highlight_stems(db: apsw.Connection, words: list[str], passage: Snippet) -> Snippet:
    """Highlight in a passage what has the stem of one of the words; Chinese, which has none, as it is."""
    wanted = {token for word in words for _, _, token in stems(db, word)}
    raw = passage.text.encode()
    results = [
        (len(raw[:start].decode()), len(raw[:end].decode()))
        for start, end, token in stems(db, passage.text)
        if token in wanted
    ]
    pairs = " ".join(words).split()
    chinese = [Term(pair) for pair in pairs if not pair.isascii() and CHINESE.match(pair)]
    return Snippet(passage.text, merged([*results, *spans(passage.text, chinese)]))


def _anchors(matcher: Matcher, words: list[str]) -> tuple[list[str], list[str]]:
    """The rarest words, as many as fit the budget (at least one), and the rest, as many as fit theirs."""
    number = {word: estimated_frequency(matcher.db, word, BUDGET) for word in words}
    known = sorted((word for word in words if number[word]), key=lambda word: number[word])
    counts = list(accumulate(number[word] for word in known))
    anchors = max(1, min(bisect(counts, BUDGET), MAXIMUM_ANCHORS))
    before = counts[anchors - 1] if known else 0
    others = bisect(counts, before + OTHERS_BUDGET, lo=anchors) if known else 0
    return known[:anchors], known[anchors : min(others, anchors + MAXIMUM_OTHERS)]


def _demanded(strict: tuple[Clause, ...]) -> str:
    """What has to be met as it stands, as the words index understands it."""
    clauses = [[phrase(term) for term in clause] for clause in strict]
    return " AND ".join(f"({' OR '.join(phrases)})" for phrases in clauses if all(phrases))


def _scored(matcher: Matcher, anchor: str, others: list[str]) -> list[tuple[int, float]]:
    """Return the best `BEST` of the newest documents that meet the anchor, by BM25 over all words."""
    low, high = matcher.bounds
    cut = cutoff(matcher, anchor, BUDGET)
    if cut and matcher.where.is_everything:
        cut = cutoff(matcher, anchor, NEWEST_RANKED[0])
    low = cut or low
    join = "" if matcher.where.is_everything else "CROSS JOIN documents d ON d.id = f.rowid "
    # The plus keeps SQLite from asking the index once for each of them.
    sql = (
        f"SELECT f.rowid, {BM25} AS score FROM words f {join}"
        f"WHERE words MATCH ? AND f.rowid BETWEEN ? AND ? AND {matcher.where.sql} "
        "AND +f.rowid IN (SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?) "
        "ORDER BY score DESC, f.rowid DESC LIMIT ?"
    )
    every = " OR ".join([f"({anchor})", *map(quote, others)])
    values = (every, low, high, *matcher.where.values, anchor, low, high, BEST)
    return list(matcher.db.execute(sql, values))


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
