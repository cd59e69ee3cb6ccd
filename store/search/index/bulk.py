"""Insert many records at once, with all that triggers and the indexes make of them one by one.

The rows go in first; then documents, labels and indexes are made of them by a few statements, which
run on a thread of their own: SQLite needs no Python for them, so the next rows can be read meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import apsw

from ...database.background import Background
from ...records import kinds
from ...records.kinds import NOISE, TABLES
from ...tables.base import Values
from ..index import derived
from ..index import full_text as index
from .documents import made_of

LETTERS = {TABLES[kind]: letter for kind, letter in kinds.LETTERS.items()}
SEARCHED = frozenset(LETTERS)
"""The tables that are searched."""

SUMMARIES = TABLES["summary"]

BULK_MINIMUM = 16
"""So few rows are left to the triggers: setting these aside makes SQLite compile every statement anew."""

STAGED = """
CREATE TEMP TABLE IF NOT EXISTS staged_texts (record_id, title, body, lists, grams);
CREATE TEMP TABLE IF NOT EXISTS staged_words (word, backwards, record_id);
"""
FEEDS = {
    "words": "INSERT INTO words (rowid, title, body, lists) "
    "SELECT d.id, s.title, s.body, s.lists FROM temp.staged_texts s "
    "CROSS JOIN documents d ON d.kind = ? AND d.record_id = s.record_id",
    "grams": "INSERT INTO grams (rowid, text) SELECT d.id, s.grams FROM temp.staged_texts s "
    "CROSS JOIN documents d ON d.kind = ? AND d.record_id = s.record_id",
    "spellings": "INSERT INTO spellings SELECT s.word, s.backwards, d.id FROM temp.staged_words s "
    "CROSS JOIN documents d ON d.kind = ? AND d.record_id = s.record_id WHERE true "
    "ON CONFLICT DO UPDATE SET document_id = excluded.document_id WHERE document_id = 0",
}


class IndexTexts(NamedTuple):
    """What the indexes hold of rows: of each, by its place, title, body and lists of `words` and the text
    of `grams`, None of one that is hidden; and their words, each with the place of a row that holds it."""

    of_rows: list[tuple[str, str, str, str] | None]
    words: list[tuple[str, int]]


def index_texts(
    table: str, rows: Sequence[Values], seen: set[str], hidden: Collection[int] = ()
) -> IndexTexts:
    """Return what the indexes will hold of new rows of a table that is searched, but for those `hidden`
    by their places.

    `seen` are pieces of text whose words are left out; it gains the others.
    """
    letter = LETTERS[table]
    of_rows = [
        index.texts(made_of(place, letter, row)) if place not in hidden and _is_indexed(row) else None
        for place, row in enumerate(rows)
    ]
    shown = ((place, texts[:3]) for place, texts in enumerate(of_rows) if texts is not None)
    return IndexTexts(of_rows, index.words_of(shown, seen))


def _is_indexed(row: Values) -> bool:
    is_shown = not row.get("private") and row.get("deleted_at") is None
    return is_shown and row.get("type") != NOISE


class Bulk:
    """Inserts batches of rows. Each batch is whole after `finish`, before which nobody else may use
    the connection; it belongs to one transaction. As a context, it finishes in the end."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        self.tables = index.tables(db)
        self.seen: set[str] = set()
        self.background = Background(db)
        self.summaries: list[int] = []

    def __enter__(self) -> Bulk:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.background.__exit__(kind, error, trace)
        self.finish()

    def insert(
        self, table: str, insert: str, rows: Sequence[Values], texts: IndexTexts | None = None
    ) -> list[int]:
        """Insert rows and begin to derive what belongs to them; their ids. `texts` are those of all
        these rows, where they were made before."""
        self.finish()
        letter = LETTERS.get(table)
        if letter is None or len(rows) < BULK_MINIMUM:
            return self._inserted(insert, rows)
        derived.set_triggers(self.db, False)
        try:
            ids = self._inserted(insert, rows)
            self._stage(table, ids, rows, texts)
        except BaseException:
            self._resume_triggers()
            raise
        self.summaries = ids if letter == "s" else []
        self.background.run(lambda: self._derive(letter, ids))
        return ids

    def finish(self) -> None:
        """Wait until all that was inserted is derived."""
        summaries, self.summaries = self.summaries, []
        self.background.wait()
        if summaries:
            derived.drop_second_levels(self.db, summaries)

    def _inserted(self, insert: str, rows: Sequence[Values]) -> list[int]:
        result: Any = self.db.executemany(insert, rows).fetchall()
        return [number for (number,) in result]

    def _stage(
        self, table: str, ids: Sequence[int], rows: Sequence[Values], texts: IndexTexts | None
    ) -> None:
        if not self.tables:
            return
        if len(self.seen) > index.MOST_REMEMBERED:
            self.seen.clear()
        second = derived.second_levels(self.db, ids) if table == SUMMARIES else set()
        if texts is None or second:
            hidden = {place for place, number in enumerate(ids) if number in second}
            texts = index_texts(table, rows, self.seen, hidden)
            words = texts.words
        else:
            words = [pair for pair in texts.words if pair[0] not in self.seen]
            self.seen.update(word for word, _ in words)
        self.db.execute(STAGED)
        self.db.executemany(
            "INSERT INTO temp.staged_texts VALUES (?, ?, ?, ?, ?)",
            ((ids[place], *row) for place, row in enumerate(texts.of_rows) if row is not None),
        )
        self.db.executemany(
            "INSERT INTO temp.staged_words VALUES (?, ?, ?)",
            ((word, word[::-1], ids[place]) for word, place in words),
        )

    def _derive(self, letter: str, ids: list[int]) -> None:
        try:
            derived.add(self.db, letter, ids)
            if self.tables:
                for table in (*self.tables, "spellings"):
                    self.db.execute(FEEDS[table], (letter,))
                self.db.execute("DELETE FROM temp.staged_texts; DELETE FROM temp.staged_words")
        finally:
            self._resume_triggers()

    def _resume_triggers(self) -> None:
        with suppress(apsw.ConnectionClosedError):
            derived.set_triggers(self.db, True)


@contextmanager
def bulk_hash_size(db: apsw.Connection) -> Iterator[None]:
    """Let the indexes gather more in memory while very many rows are written."""
    index.set_hash_size(db, index.BULK_HASH_SIZE)
    try:
        yield
    finally:
        with suppress(apsw.ConnectionClosedError):
            index.set_hash_size(db, index.USUAL_HASH_SIZE)


def leave_unmerged(db: apsw.Connection) -> None:
    """Have the indexes never merge what deletions leave, which takes far longer than these: for a file
    that is soon gone."""
    for table in index.tables(db):
        for setting in ("automerge", "deletemerge"):
            db.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('{setting}', 0)")
