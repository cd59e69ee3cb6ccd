"""Which documents match a query's words: candidates from the indexes, each verified on its text; or all of
them, for what is done to many at once.

The promise: exactly the documents that contain every term as a substring of a searchable field, both
folded. The indexes only say where to look; `Matcher.holds` decides. The best are told by BM25 over the
words index, of the newest that match.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import islice
from typing import NamedTuple

import apsw

from ..database.deadline import Deadline
from ..platform.clock import horizon_ms
from ..records.kinds import KINDS, ref
from ..text.language.folding import fold
from ..text.late_pattern import late_pattern
from .index import full_text as index
from .index.documents import LONGEST_PATTERN, Document, fetch, holding, is_same_when_folded
from .listing.document_sql import BM25, TIMES_TOLD
from .query.filters import Where, filled, where
from .query.language import Query, Term
from .terms import Clause, estimated_frequency, expression, frequency, has_phrases, quote, tokens

FIRST_SLICE, LARGEST_SLICE, LARGEST_UNREAD = 32, 256, 4_096
FEW = 2_000
"""When filters leave no more documents than this, reading them beats walking an index."""
HIGHEST = (1 << 63) - 1
MAXIMUM_CLAUSES = 8
"""So many of a query's terms, the rarest, narrow nearly as well as all of a text that was pasted; each by
its rarest trigram alone."""
MAXIMUM_COMPARED = 16
"""So many of a query's terms, the longest, are looked up for the rarest of them."""
MAXIMUM_WITHIN = 4
"""So many terms, of a long query such as no index was asked for, are looked for by SQLite before a text is
read."""
MAXIMUM_EXCLUDED = 8
"""So many excluded terms are looked for by SQLite, which spares reading most of what holds them."""
READ_FOR_UNKNOWN = 4_000
"""Where no word that is kept has a term's letters in a row, so many of the newest documents that have its
trigrams are read, and more only if one of these matches: no word but one with digits or of very many
letters could hold it."""
SPELLED = late_pattern(f"[a-z]{{{index.SHORTEST_SPELLING},{index.LONGEST_SPELLING}}}")


NEWEST_RANKED = (5_000, 20_000)
"""So many of the newest word matches are ranked: the more where a filter leaves few of them."""
PHRASES_RANKED = (500, 2_000)
BLOCK = 200
"""In blocks of so many of the best, equals are put in the order of their time."""
WALKED = 1_000_000
"""So many documents SQLite's BM25 walks through, for all words together, in the time that a page takes to
score otherwise."""


class Matcher:
    """One query against one connection; inside `with deadline:` where there is one."""

    def __init__(self, db: apsw.Connection, query: Query, deadline: Deadline | None = None) -> None:
        self.db = db
        self.deadline = deadline or Deadline(db)
        self.where: Where = where(db, query)
        self.tokenizer = index.built(db)
        self.query = self._in_characters_held(query) if query.has_other_characters else query
        self._refuted: set[int] = set()

    def _in_characters_held(self, query: Query) -> Query:
        """Return a query without what no text holds of its words in other characters: where all is in
        simplified Chinese, nothing has to be looked for in traditional."""
        if self.tokenizer != "trigram" or self.where.source != "documents" or index.waiting(self.db):
            return query

        @cache
        def is_held(gram: str) -> bool:
            return next(_beginning(self.db, gram), None) is not None

        def may_be_held(term: Term) -> bool:
            starts = range(max(1, len(term.folded) - GRAM_LENGTH + 1))
            return all(is_held(term.folded[start : start + GRAM_LENGTH]) for start in starts)

        return query.with_other_characters(may_be_held)

    @cached_property
    def few(self) -> tuple[int, int] | None:
        """The lowest and highest document when the filters leave only a few; (0, 0) for none."""
        if self.where.is_everything:
            return None
        inner = f"SELECT d.id FROM documents d WHERE {self.where.sql} LIMIT {FEW}"
        sql = f"SELECT count(*), coalesce(min(id), 0), coalesce(max(id), 0) FROM ({inner})"
        number, low, high = next(self.db.execute(sql, self.where.values))
        return (low, high) if number < FEW else None

    @property
    def is_long(self) -> bool:
        """Whether a query has so many words that few documents hold all of them."""
        words = (max(len(tokens(term)) for term in clause) for clause in self.narrowest)
        return len(self.query.clauses) > MAXIMUM_CLAUSES or sum(words) > MAXIMUM_CLAUSES

    @property
    def has_words(self) -> bool:
        """Whether there is an index of words."""
        return self.tokenizer not in (None, "like")

    @property
    def bounds(self) -> tuple[int, int]:
        """Between which documents all that pass the filters lie, as far as that is known."""
        return self.few or (0, HIGHEST)

    def holds(self, document: Document) -> bool:
        """Whether a document's text meets every clause and no excluded term."""
        result = _finder(document)
        return all(any(map(result, clause)) for clause in self.query.clauses) and not any(
            map(result, self.query.excluded)
        )

    def allows(self, document: Document) -> bool:
        """Whether a document's text holds no excluded term."""
        return not any(map(_finder(document), self.query.excluded))

    def verified(self, ids: Iterable[int], first: int = FIRST_SLICE) -> Iterator[Document]:
        """Yield those of these documents that match, in the order given.

        Read in slices that grow from `first`, so that a page reads little more than itself.
        """
        source = (number for number in ids if number not in self._refuted)
        size = min(first, LARGEST_SLICE)
        without = tuple(
            term.folded
            for term in self.query.excluded[:MAXIMUM_EXCLUDED]
            if term.columns is None and is_same_when_folded(term.folded)
        )
        sought = set(self.narrowest)
        unsought = [clause for clause in self.query.clauses if clause not in sought]
        single = [c[0].folded for c in unsought or self.narrowest if len(c) == 1 and not c[0].negated]
        within = sorted(filter(is_same_when_folded, single), key=len)[-MAXIMUM_WITHIN:]
        while batch := list(islice(source, size)):
            good = {}
            for document in fetch(self.db, batch, without, within):
                self.deadline.check()
                if self.holds(document):
                    good[document.id] = document
            # What was read for unknown letters isn't read again.
            if len(self._refuted) < READ_FOR_UNKNOWN:
                self._refuted.update(number for number in batch if number not in good)
            yield from (good[number] for number in batch if number in good)
            size = min(2 * size, LARGEST_SLICE)

    def matching(self, ids: Iterable[int]) -> Iterator[int]:
        """Yield those of these documents that match, in the order given; without reading the text of those
        in which SQLite sees all that is asked for, where most match."""
        source, size, seen = iter(ids), FIRST_SLICE, tuple[str, ...]()
        while batch := list(islice(source, size)):
            self.deadline.check()
            good = holding(self.db, batch, seen) if seen else set()
            good.update(document.id for document in self.verified([n for n in batch if n not in good]))
            yield from (number for number in batch if number in good)
            # Where few match, most would be looked at twice.
            seen = self._seen_by_sqlite if 2 * len(good) > len(batch) else ()
            size = min(4 * size, LARGEST_UNREAD if seen else LARGEST_SLICE)

    @cached_property
    def _seen_by_sqlite(self) -> tuple[str, ...]:
        """The texts a document matches by holding all of them; none where SQLite can't tell that."""
        terms = [clause[0] for clause in self.query.clauses if len(clause) == 1]
        texts = tuple(term.folded for term in terms if not term.negated and term.columns is None)
        is_told = len(texts) == len(self.query.clauses) <= MAXIMUM_WITHIN and not self.query.excluded
        are_plain = all(len(text) <= LONGEST_PATTERN and is_same_when_folded(text) for text in texts)
        return texts if is_told and are_plain else ()

    @property
    def _order(self) -> str:
        return "ASC" if self.where.oldest_first else "DESC"

    def candidates(self) -> Iterator[int]:
        """Yield every document that can match and passes the filters, newest (or oldest) indexed first."""
        if self.where.source != "documents" or self.few is not None:
            yield from self._scan()
            return
        table, sought = self._expression()
        if not sought:
            yield from self._scan()
            return
        # Those are the newest.
        parts = [self._waiting(), self._walk(table, sought)]
        for part in reversed(parts) if self.where.oldest_first else parts:
            yield from part

    def _waiting(self) -> list[int]:
        """Return the documents that no index holds yet."""
        if not index.waiting(self.db):
            return []
        sql = (
            "SELECT d.id FROM unindexed u CROSS JOIN documents d ON d.id = u.document_id "
            f"WHERE {self.where.sql} ORDER BY d.id {self._order}"
        )
        return [number for (number,) in self.db.execute(sql, self.where.values)]

    def newest_first(self, ids: Iterable[int]) -> list[int]:
        """Return documents by their own time, newest first, or oldest where asked; those dated a day ahead
        last: not the order in which they were indexed. Where asked, the most often told come first."""
        told = f"{TIMES_TOLD} DESC, " if self.where.most_told_first else ""
        sql = (
            f"SELECT d.id FROM {self.where.source} d WHERE d.id IN (SELECT value FROM json_each(?)) "
            f"ORDER BY {told}d.created_at > ?, d.created_at {self._order}, d.id {self._order}"
        )
        values = (json.dumps(list(ids)), horizon_ms())
        return [number for (number,) in self.db.execute(sql, values)]

    def _scan(self) -> Iterator[int]:
        sql = (
            f"SELECT d.id FROM {self.where.source} d WHERE {self.where.sql} AND {filled(self.query)} "
            f"ORDER BY d.created_at {self._order}, d.id {self._order}"
        )
        yield from (number for (number,) in self.db.execute(sql, self.where.values))

    def _walk(self, table: str, sought: str) -> Iterator[int]:
        if self.where.is_everything:
            sql = f"SELECT f.rowid FROM {table} f WHERE {table} MATCH ? ORDER BY f.rowid {self._order}"
        else:
            sql = (
                f"SELECT f.rowid FROM {table} f CROSS JOIN documents d ON d.id = f.rowid "
                f"WHERE {table} MATCH ? AND {self.where.sql} AND {filled(self.query)} "
                f"ORDER BY f.rowid {self._order}"
            )
        rows = self.db.execute(sql, (sought, *self.where.values))
        passed: list[int] = []
        for (number,) in rows:
            if (
                len(passed) == READ_FOR_UNKNOWN
                and self._asks_for_unknown
                and next(self.verified(passed), None) is None
            ):
                return
            passed.append(number)
            yield number

    @property
    def _asks_for_unknown(self) -> bool:
        return any(all(map(self._is_unknown, clause)) for clause in self.narrowest)

    def _is_unknown(self, term: Term) -> bool:
        """Whether a term is of letters that no word which is kept has in a row."""
        word = term.folded
        if not SPELLED.fullmatch(word) or frequency(self.db, word, 1):
            return False
        known = "SELECT EXISTS (SELECT 1 FROM spellings WHERE instr(word, ?))"
        return not self.db.execute(known, (word,)).get

    def _expression(self) -> tuple[str, str]:
        """The table to walk and its MATCH expression; '' when only a scan is complete."""
        if self.tokenizer == "unicode61":
            return "words", expression(self.narrowest, prefix=True)
        if self.tokenizer != "trigram":
            return "", ""
        return "grams", _narrowing(self.db, self.narrowest, self.deadline)

    @cached_property
    def narrowest(self) -> tuple[Clause, ...]:
        """The clauses that are looked for in the indexes: of very many the rarest, the rarest first."""
        clauses = tuple(clause for clause in self.query.clauses if not any(term.negated for term in clause))
        if len(clauses) <= MAXIMUM_CLAUSES:
            return clauses
        longest = sorted(clauses, key=_shortest)[-MAXIMUM_COMPARED:]
        if not self.has_words:
            return tuple(longest[-MAXIMUM_CLAUSES:])
        return tuple(sorted(longest, key=self._estimated_frequency)[:MAXIMUM_CLAUSES])

    def _estimated_frequency(self, clause: Clause) -> int:
        """About how many documents hold the longest word of one of a clause's terms."""
        self.deadline.check()
        words = [max(tokens(term), key=len, default="") for term in clause]
        return sum(estimated_frequency(self.db, word) if word else HIGHEST for word in words)


class Candidates(NamedTuple):
    """Documents with their scores, best first; `newest` is None when all word matches were ranked,
    otherwise how many of the newest were."""

    scored: list[tuple[int, float]]
    newest: int | None


def bm25_candidates(matcher: Matcher, limit: int, enough: int | None = None) -> Candidates:
    """Return up to `limit` of the newest documents that hold the terms as words, best first by BM25; of
    older ones only where there are not `enough` (None: the limit).

    A word that a third of the store holds costs little more than a rare one, because only so
    many matches are looked at; of what a filter lets pass, enough for a page or two.
    """
    sought = expression(matcher.narrowest)
    if not sought or not matcher.has_words or matcher.where.source != "documents":
        return Candidates([], None)
    sizes = PHRASES_RANKED if has_phrases(matcher.narrowest) else NEWEST_RANKED
    low, high = matcher.bounds
    for size in sizes:
        cut = cutoff(matcher, sought, size)
        results = _scored(matcher, sought, low if cut is None else cut, high, limit)
        if cut is None or len(results) >= (limit if enough is None else enough):
            break
    return Candidates(_newest_of_equals(matcher.db, results), None if cut is None else size)


def _newest_of_equals(db: apsw.Connection, scored: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return documents, given the best first, with the newest of equals first: within blocks, so that a
    longer list begins as a shorter one does."""
    scores = Counter(score for _, score in scored)
    equal = [number for number, score in scored if scores[score] > 1]
    sql = "SELECT id, created_at FROM documents WHERE id IN (SELECT value FROM json_each(?))"
    times = dict(db.execute(sql, (json.dumps(equal),))) if equal else {}
    return [
        pair
        for start in range(0, len(scored), BLOCK)
        for pair in sorted(
            scored[start : start + BLOCK], key=lambda pair: (-pair[1], -times.get(pair[0], 0), -pair[0])
        )
    ]


def cutoff(matcher: Matcher, sought: str, number: int) -> int | None:
    """Return the lowest id of the newest `number` matches; None when there are no more than these."""
    cut: int | None = matcher.db.execute(
        "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? "
        "ORDER BY rowid DESC LIMIT 1 OFFSET ?",
        (sought, *matcher.bounds, number),
    ).get
    return None if cut is None else cut + 1


def matching_refs(db: apsw.Connection, query: Query) -> list[str]:
    """Return the refs of every memory that a query matches, the newest first."""
    matcher = Matcher(db, query)
    source, condition, values = matcher.where.source, matcher.where.sql, matcher.where.values
    if not query.is_filter_only:
        ids = list(matcher.matching(matcher.candidates()))
        condition, values = "d.id IN (SELECT value FROM json_each(?))", (json.dumps(ids),)
    sql = (
        f"SELECT d.kind, d.record_id FROM {source} d WHERE {condition} "
        "ORDER BY d.created_at DESC, d.id DESC"
    )
    return [ref(KINDS[letter], number) for letter, number in db.execute(sql, values)]


GRAM_LENGTH = 3
MAXIMUM_GRAMS = 16
"""Of all terms together, so many trigrams (at least two of each) narrow as well as all of them."""
GRAMS_COMPARED = 3
"""So many trigrams of such a term are looked up for the rarest of them."""
MAXIMUM_EXPANSIONS = 1_000
"""Short terms that begin more trigrams than this stand in most texts: looking for them narrows little
and costs more than reading a text does."""
FEW_FOR_GRAMS = 500
"""When the long terms leave no more documents than this, the short ones needn't narrow."""
Begun = dict[str, list[str]]


def _finder(document: Document) -> Callable[[Term], bool]:
    """Whether a document's text is as a term wants it; each set of columns is folded once."""
    folded: dict[frozenset[str] | None, str] = {}

    def found(term: Term) -> bool:
        columns = term.columns
        if columns not in folded:
            folded[columns] = fold(document.joined(columns))
        return (term.folded in folded[columns]) != term.negated

    return found


def _narrowing(db: apsw.Connection, clauses: tuple[Clause, ...], deadline: Deadline) -> str:
    """Return an FTS5 expression that every document matches which meets the clauses; '' when only a scan
    is complete."""
    short = [clause for clause in clauses if _shortest(clause) < GRAM_LENGTH]
    each = max(2, MAXIMUM_GRAMS // max(1, sum(map(len, clauses))))
    if len(clauses) >= MAXIMUM_CLAUSES:
        each = 1
    parts = [_alternatives(db, clause, each) for clause in clauses if clause not in short]
    if not short or (parts and _finds_few(db, " AND ".join(parts))):
        return " AND ".join(parts)
    share = MAXIMUM_EXPANSIONS // len(short)
    for clause in short:
        deadline.check()
        begun = _begun(db, clause, share)
        if begun is not None:
            parts.append(_alternatives(db, clause, each, begun))
    return " AND ".join(parts)


def _shortest(clause: Clause) -> int:
    return min(len(term.folded) for term in clause)


def _alternatives(db: apsw.Connection, clause: Clause, each: int, begun: Begun | None = None) -> str:
    """A clause: of a long term so many trigrams, of a short one any that it begins."""
    alternatives = []
    for text in [term.folded for term in clause]:
        if begun and text in begun:
            alternatives.append(f"({' OR '.join(map(quote, begun[text]))})")
        else:
            grams = _spread(text, each) if each > 1 else [_rarest(db, text)]
            alternatives.append(f"({' AND '.join(map(quote, grams))})")
    return f"({' OR '.join(alternatives)})"


def _spread(text: str, number: int) -> dict[str, None]:
    """So many of a text's trigrams, or all, from its beginning to its end."""
    last = len(text) - GRAM_LENGTH
    number = min(number, last + 1)
    starts = (last * place // max(1, number - 1) for place in range(number))
    return dict.fromkeys(text[start : start + GRAM_LENGTH] for start in starts)


def _rarest(db: apsw.Connection, text: str) -> str:
    """The rarest of some of a text's trigrams."""
    return min(_spread(text, GRAMS_COMPARED), key=lambda gram: estimated_frequency(db, gram, index="grams"))


def _finds_few(db: apsw.Connection, sought: str) -> bool:
    sql = f"SELECT count(*) FROM (SELECT 1 FROM grams WHERE grams MATCH ? LIMIT {FEW_FOR_GRAMS})"
    return int(db.execute(sql, (sought,)).get) < FEW_FOR_GRAMS


def _begun(db: apsw.Connection, clause: Clause, at_most: int) -> Begun | None:
    """The trigrams that each of a clause's short terms begins; None when there are too many.

    A text ends in separators, so that every character begins one.
    """
    begun: Begun = {}
    for text in [term.folded for term in clause if len(term.folded) < GRAM_LENGTH]:
        results = list(islice(_beginning(db, text), at_most + 1))
        at_most -= len(results)
        if at_most < 0:
            return None
        begun[text] = results or [f"{text}\x1f\x1f"[:GRAM_LENGTH]]
    return begun


def _beginning(db: apsw.Connection, start: str) -> Iterator[str]:
    """The trigrams that begin with a text, each by one seek: to list them with their counts would
    read all their posting lists."""
    term = start
    sql = "SELECT term FROM gram_instances WHERE term >= ? LIMIT 1"
    while (result := db.execute(sql, (term,)).get) is not None and result.startswith(start):
        yield result
        term = result + "\x00"


def _scored(matcher: Matcher, sought: str, low: int, high: int, limit: int) -> list[tuple[int, float]]:
    """Return the best `limit` matches with ids from `low` to `high`, as (id, score), best first.

    BM25 of a phrase would look for that phrase in the whole index to weigh it, so the words of
    phrases are scored one by one.
    """
    condition, among = matcher.where.sql, tuple[str, ...]()
    if has_phrases(matcher.narrowest):
        sql = "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?"
        ids = [number for (number,) in matcher.db.execute(sql, (sought, low, high))]
        if not ids:
            return []
        # The plus keeps SQLite from asking the index once for each of them.
        condition += " AND +f.rowid IN (SELECT value FROM json_each(?))"
        among = (json.dumps(ids),)
        sought = expression(matcher.narrowest, apart=True)
    join = "" if matcher.where.is_everything else "CROSS JOIN documents d ON d.id = f.rowid "
    score, given = _scoring(matcher.db, sought)
    rows = matcher.db.execute(
        f"SELECT f.rowid, {score} AS score FROM words f {join}"
        f"WHERE words MATCH ? AND f.rowid BETWEEN ? AND ? AND {condition} "
        "ORDER BY score DESC, f.rowid DESC LIMIT ?",
        (*given, sought, low, high, *matcher.where.values, *among, limit),
    )
    return [(int(number), float(score)) for number, score in rows]


def _scoring(db: apsw.Connection, expression: str) -> tuple[str, tuple[str, ...]]:
    """Return the SQL of the score of rows that match an expression, and what is bound in it."""
    last = int(db.execute("SELECT ifnull(max(id), 0) FROM documents").get)
    if last * expression.count('"') <= 2 * WALKED:
        return BM25, ()
    # Only for very large memories.
    from .terms import scoring

    return scoring(db, expression, WALKED)
