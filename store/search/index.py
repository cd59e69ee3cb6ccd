"""The full-text indexes: made, fed, compared with the rows, and made anew.

`words` ranks: English stems and Chinese bigrams in three columns. `grams` finds any substring: the
trigrams of the folded text, without positions, so its candidates are verified on the text. Both are
contentless, because SQL can't make their text; triggers take a document out in the same statement
that hides it, and `catch_up` puts new text in before the transaction commits.
"""

from __future__ import annotations

import os
from contextlib import closing
from itertools import islice, zip_longest
from typing import Literal

import apsw

from ..database.migrations import index_script
from ..database.transaction import translate_errors, try_write
from . import spellings
from .derived import derive
from .documents import SEPARATOR, Document, fetch
from .folding import fold, prepare

Tokenizer = Literal["trigram", "unicode61", "like"]
BATCH = 256
MOST_CAUGHT_UP = 2_000


def built(db: apsw.Connection) -> Tokenizer | None:
    """The tokenizer the file's indexes were made for; None before they are made."""
    found: Tokenizer | None = db.execute("SELECT value FROM meta WHERE key = 'tokenizer'").get
    return found


def wanted(db: apsw.Connection) -> Tokenizer:
    """The best that SQLite here can do, or what MEMTUI_TOKENIZER forces.

    Trigram came to FTS5 long before the oldest SQLite we accept, so one with FTS5 has it.
    """
    forced = os.environ.get("MEMTUI_TOKENIZER")
    if forced in ("trigram", "unicode61", "like"):
        return forced  # type: ignore[return-value]
    has_fts5 = db.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get
    return "trigram" if has_fts5 else "like"


def ensure(db: apsw.Connection) -> None:
    """Make the indexes where they are missing or made for another tokenizer."""
    if built(db) != wanted(db):
        with db:
            if built(db) != wanted(db):
                rebuild(db, wanted(db))


def rebuild(db: apsw.Connection, tokenizer: Tokenizer) -> None:
    """Drop all that is derived from the rows, and make it anew; inside a transaction."""
    db.execute(index_script("drop"))
    derive(db)
    for script in scripts(tokenizer):
        db.execute(script)
    db.execute(
        "INSERT INTO meta VALUES ('tokenizer', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        (tokenizer,),
    )
    catch_up(db)


def scripts(tokenizer: Tokenizer) -> list[str]:
    """What makes the indexes. Where `words` alone has to find beginnings of words, it can't hold stems."""
    if tokenizer == "like":
        return []
    words, spelled = index_script("words"), index_script("spellings")
    if tokenizer == "unicode61":
        return [words.replace("porter ", ""), spelled]
    return [words, index_script("grams"), spelled]


def catch_up(db: apsw.Connection, limit: int | None = None) -> None:
    """Index the documents that wait for it (at most `limit`); inside a transaction."""
    left = limit
    while left is None or left > 0:
        batch = [
            number
            for (number,) in db.execute("SELECT document_id FROM unindexed LIMIT ?", (BATCH,))
        ]
        if not batch:
            break
        feed(db, batch)
        db.execute("DELETE FROM unindexed WHERE document_id <= ?", (batch[-1],))
        left = None if left is None else left - len(batch)
    if tables(db):
        spellings.adopt(db, limit)


def try_catch_up(db: apsw.Connection) -> None:
    """Index what other programs wrote, unless another process is writing or the disk is full: a
    search reads what waits."""
    with translate_errors(db, writing=False):
        if db.in_transaction or not is_behind(db):
            return
    try_write(db, lambda: catch_up(db, MOST_CAUGHT_UP))


def feed(db: apsw.Connection, ids: list[int], into: apsw.Connection | None = None) -> None:
    """Put the text of documents that no index holds yet into the indexes (of another file)."""
    tokenizer = built(db)
    if tokenizer is None or tokenizer == "like":
        return
    word_rows: list[tuple[int, str, str, str]] = []
    gram_rows: list[tuple[int, str]] = []
    for document in fetch(db, ids):
        title, body, lists, grams = texts(document)
        word_rows.append((document.id, title, body, lists))
        if tokenizer == "trigram":
            gram_rows.append((document.id, grams))
    target = into or db
    target.executemany(
        "INSERT INTO words (rowid, title, body, lists) VALUES (?, ?, ?, ?)", word_rows
    )
    if gram_rows:
        target.executemany("INSERT INTO grams (rowid, text) VALUES (?, ?)", gram_rows)
    if into is None:
        spellings.add(db, ((number, prepared) for number, *prepared in word_rows))


def texts(document: Document) -> tuple[str, str, str, str]:
    """What the indexes hold of a document: title, body and lists of `words`, and the text of `grams`."""
    title, body, lists = document.parts()
    return prepare(title), prepare(body), prepare(lists), gram_text(document.joined())


def gram_text(joined: str) -> str:
    """The text whose trigrams are indexed. Two separators after each field and item make every
    character the first of a trigram, so that terms of one and two characters have some too."""
    return fold(joined).replace(SEPARATOR, SEPARATOR * 2) + SEPARATOR * 2


def waiting(db: apsw.Connection) -> int:
    """How many documents wait to be indexed."""
    return int(db.execute("SELECT count(*) FROM unindexed").get)


def is_behind(db: apsw.Connection) -> bool:
    """Whether `catch_up` has anything to do."""
    return waiting(db) > 0 or (bool(tables(db)) and spellings.orphaned(db))


def tables(db: apsw.Connection) -> list[str]:
    """The index tables that the file has."""
    return {"trigram": ["words", "grams"], "unicode61": ["words"]}.get(built(db) or "", [])


def first_difference(db: apsw.Connection, table: str) -> str | None:
    """The first term at which an index and one made anew from the rows part; None when equal.

    The fresh index is built in a temporary file, and both are read term by term in step, so that
    memory stays flat.
    """
    vocabulary = f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, {table}, instance)"
    terms = "SELECT term, doc, col, offset FROM temp.terms"
    with closing(apsw.Connection("")) as fresh:
        for script in scripts(built(db) or "like"):
            fresh.execute(script[: script.index(";") + 1])
        due = db.execute("SELECT id FROM documents EXCEPT SELECT document_id FROM unindexed")
        while batch := [number for (number,) in islice(due, BATCH)]:
            feed(db, batch, fresh)
        fresh.execute(vocabulary)
        db.execute(vocabulary)
        try:
            for one, other in zip_longest(db.execute(terms), fresh.execute(terms)):
                if one != other:
                    return str((one or other)[0])
            return None
        finally:
            db.execute("DROP TABLE temp.terms")
