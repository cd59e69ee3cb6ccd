"""Which documents match a query's words: candidates from the indexes, each verified on its text.

The promise: exactly the documents that contain every term as a substring of a searchable field,
both folded. The indexes only say where to look; `Matcher.holds` decides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import apsw

from . import index
from .documents import Document, fetch
from .filters import Where, where
from .folding import CHINESE, fold, query_tokens
from .query import Query, Term

FIRST_SLICE, LARGEST_SLICE = 32, 256
MAXIMUM_GRAMS = 24
"""Of a long term, so many trigrams narrow as well as all of them."""
MAXIMUM_EXPANSIONS = 1_000
"""A short term that begins more trigrams than this stands in most texts: scan instead."""
FEW = 2_000
"""When filters leave no more documents than this, reading them beats walking an index."""
NEWEST_RANKED = (5_000, 20_000)
"""So many of the newest word matches are ranked: the more where a filter leaves few of them."""
PHRASES_RANKED = (500, 2_000)
WEIGHTS = "4.0, 2.0, 1.0"
"""What a word counts for in the title, the body and the lists."""
HIGHEST = (1 << 63) - 1


class Ranked(NamedTuple):
    """Documents with their scores, best first; `newest` is None when all word matches were ranked,
    otherwise of how many of the newest these are the best."""

    scored: list[tuple[int, float]]
    newest: int | None


class Matcher:
    """One query against one connection."""

    def __init__(self, db: apsw.Connection, query: Query) -> None:
        self.db = db
        self.query = query
        self.where: Where = where(query)
        self.tokenizer = index.built(db)

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
    def bounds(self) -> tuple[int, int]:
        """Between which documents all that pass the filters lie, as far as that is known."""
        return self.few or (0, HIGHEST)

    def holds(self, document: Document) -> bool:
        """Whether a document's text meets every clause and no excluded term."""
        found = _finder(document)
        return all(any(map(found, clause)) for clause in self.query.clauses) and not any(
            map(found, self.query.excluded)
        )

    def allows(self, document: Document) -> bool:
        """Whether a document's text holds no excluded term."""
        return not any(map(_finder(document), self.query.excluded))

    def verified(self, ids: Iterable[int], first: int = FIRST_SLICE) -> Iterator[Document]:
        """Of these documents, those that match, in the order given.

        Read in slices that grow from `first`, so that a page reads little more than itself.
        """
        source, size = iter(ids), first
        while batch := list(islice(source, size)):
            good = {one.id: one for one in fetch(self.db, batch) if self.holds(one)}
            yield from (good[number] for number in batch if number in good)
            size = max(size, min(2 * size, LARGEST_SLICE))

    def candidates(self) -> Iterator[int]:
        """Every document that can match and passes the filters, newest indexed first."""
        if self.where.source != "documents" or self.few is not None:
            yield from self._scan()
            return
        waiting = [
            number
            for (number,) in self.db.execute(
                f"SELECT d.id FROM unindexed u CROSS JOIN documents d ON d.id = u.document_id "
                f"WHERE {self.where.sql} ORDER BY d.id DESC",
                self.where.values,
            )
        ]
        yield from waiting
        table, expression = self._expression()
        if not expression:
            seen = set(waiting)
            yield from (number for number in self._scan() if number not in seen)
            return
        yield from self._walk(table, expression)

    def newest_first(self, ids: Iterable[int]) -> list[int]:
        """Documents by their own time, which is not the order in which they were indexed."""
        sql = (
            f"SELECT d.id FROM {self.where.source} d WHERE d.id IN (SELECT value FROM json_each(?)) "
            "ORDER BY d.created_at DESC, d.id DESC"
        )
        return [number for (number,) in self.db.execute(sql, (json.dumps(list(ids)),))]

    def ranked(self, limit: int) -> Ranked:
        """Documents that hold the terms as words, best first by BM25: of the newest such ones.

        A word that a third of the store holds costs little more than a rare one, because only so
        many matches are looked at; of what a filter lets pass, enough for a page or two.
        """
        expression = self.word_expression()
        if not expression or self.where.source != "documents":
            return Ranked([], None)
        sizes = PHRASES_RANKED if self._has_phrases else NEWEST_RANKED
        low, high = self.bounds
        for size in sizes:
            cut = self.db.execute(
                "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? "
                "ORDER BY rowid DESC LIMIT 1 OFFSET ?",
                (expression, low, high, size - 1),
            ).get
            found = self._scored(expression, cut or low, high, limit)
            if cut is None or len(found) >= limit:
                break
        return Ranked(found, None if cut is None else size)

    def _scored(self, expression: str, low: int, high: int, limit: int) -> list[tuple[int, float]]:
        """The best matches between two documents, with scores that fall.

        BM25 of a phrase would look for that phrase in the whole index to weigh it, so the words of
        phrases are scored one by one.
        """
        condition, among = self.where.sql, tuple[str, ...]()
        if self._has_phrases:
            sql = "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?"
            ids = [number for (number,) in self.db.execute(sql, (expression, low, high))]
            # The plus keeps SQLite from asking the index once for each of them.
            condition += " AND +f.rowid IN (SELECT value FROM json_each(?))"
            among = (json.dumps(ids),)
            expression = self.word_expression(apart=True)
        join = "" if self.where.is_everything else "CROSS JOIN documents d ON d.id = f.rowid "
        rows = self.db.execute(
            f"SELECT f.rowid, -bm25(words, {WEIGHTS}) AS score FROM words f {join}"
            f"WHERE words MATCH ? AND f.rowid BETWEEN ? AND ? AND {condition} "
            "ORDER BY score DESC, f.rowid DESC LIMIT ?",
            (expression, low, high, *self.where.values, *among, limit),
        )
        return [(int(number), float(score)) for number, score in rows]

    @property
    def _has_phrases(self) -> bool:
        return any(len(query_tokens(term.text)) > 1 for term in self.query.terms)

    def word_expression(self, *, prefix: bool = False, apart: bool = False) -> str:
        """The query as the words index understands it; '' when no clause has a word.

        With `prefix` a term's last word may go on; with `apart` a phrase is all of its words.
        """
        if self.tokenizer in (None, "like"):
            return ""
        clauses = []
        for clause in self.query.clauses:
            phrases = [phrase(term, prefix=prefix, apart=apart) for term in clause]
            if all(phrases):
                clauses.append(f"({' OR '.join(phrases)})")
        return " AND ".join(clauses)

    def _scan(self) -> Iterator[int]:
        sql = (
            f"SELECT d.id FROM {self.where.source} d WHERE {self.where.sql} "
            "ORDER BY d.created_at DESC, d.id DESC"
        )
        yield from (number for (number,) in self.db.execute(sql, self.where.values))

    def _walk(self, table: str, expression: str) -> Iterator[int]:
        if self.where.is_everything:
            sql = f"SELECT f.rowid FROM {table} f WHERE {table} MATCH ? ORDER BY f.rowid DESC"
        else:
            sql = (
                f"SELECT f.rowid FROM {table} f CROSS JOIN documents d ON d.id = f.rowid "
                f"WHERE {table} MATCH ? AND {self.where.sql} ORDER BY f.rowid DESC"
            )
        values = (expression, *self.where.values)
        yield from (number for (number,) in self.db.execute(sql, values))

    def _expression(self) -> tuple[str, str]:
        """The table to walk and its MATCH expression; '' when only a scan is complete."""
        if self.tokenizer == "unicode61":
            return "words", self.word_expression(prefix=True)
        if self.tokenizer != "trigram":
            return "", ""
        parts = [self._grams(clause) for clause in self.query.clauses]
        return "grams", " AND ".join(part for part in parts if part)

    def _grams(self, clause: tuple[Term, ...]) -> str:
        """A clause as trigrams: all of a term's, any of its terms; '' when it can't narrow."""
        alternatives = []
        for term in clause:
            text = term.folded
            if len(text) >= 3:
                starts = range(len(text) - 2)
                step = max(1, len(starts) // MAXIMUM_GRAMS)
                grams = dict.fromkeys(text[start : start + 3] for start in starts[::step])
                alternatives.append("(" + " AND ".join(map(quote, grams)) + ")")
            elif expansions := self._expand(text):
                alternatives.append("(" + " OR ".join(map(quote, expansions)) + ")")
            else:
                return ""
        return "(" + " OR ".join(alternatives) + ")"

    def _expand(self, start: str) -> list[str]:
        """The trigrams that begin with a short text: each found by one seek, since reading their
        counts would read their whole posting lists. Empty when there are too many."""
        found: list[str] = []
        sql = "SELECT term FROM gram_instances WHERE term >= ? AND term < ? LIMIT 1"
        low, high = start, start + "\U0010ffff"
        while (term := self.db.execute(sql, (low, high)).get) is not None:
            found.append(term)
            if len(found) > MAXIMUM_EXPANSIONS:
                return []
            low = term + "\x00"
        return found or [f"{start}\x1f\x1f"[:3]]


def _finder(document: Document) -> Callable[[Term], bool]:
    """Whether a term stands in a document's text; each set of columns is folded once."""
    folded: dict[frozenset[str] | None, str] = {}

    def found(term: Term) -> bool:
        columns = term.columns
        if columns not in folded:
            folded[columns] = fold(document.joined(columns))
        return term.folded in folded[columns]

    return found


def phrase(term: Term, *, prefix: bool = False, apart: bool = False) -> str:
    """A term for the words index: its tokens in a row, or `apart`; '' when it has none.

    A single Chinese character begins the bigrams it stands in, so it is always a prefix.
    """
    tokens = query_tokens(term.text)
    if not tokens:
        return ""
    lone = len(tokens[-1]) == 1 and CHINESE.match(tokens[-1]) is not None
    last = " *" if prefix or lone else ""
    if apart:
        return f"({' AND '.join(map(quote, tokens))}{last})"
    return quote(" ".join(tokens)) + last


def quote(text: str) -> str:
    """A text as an FTS5 string: whatever it holds, it is no syntax."""
    return '"' + text.replace('"', '""') + '"'
