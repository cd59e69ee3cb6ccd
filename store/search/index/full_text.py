"""The full-text indexes: made, fed, compared with the rows, and made anew.

`words` ranks: English stems and Chinese bigrams in three columns. `grams` finds any substring: the
trigrams of the folded text, without positions, so its candidates are verified on the text. Both are
contentless, because SQL can't make their text; triggers take a document out in the same statement
that hides it, and `catch_up` puts new text in before the transaction commits.

`spellings` holds the words of visible documents as written: what a mistyped word may have meant. Each
names one document that holds it, so that none outlives the texts it came from. A word whose document
goes is adopted by another that holds it, or forgotten. Chinese words are pairs of characters, as in
`words`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any, Literal

import apsw

from ...database.background import Background
from ...database.schema import index_script
from ...database.transaction import CLOSED, try_write
from ...platform.errors import DatabaseError
from ...text.language.folding import CHINESE, fold, prepare
from .derived import derive
from .documents import SEPARATOR, Document, fetch

Tokenizer = Literal["trigram", "unicode61", "like"]
BATCH = 256
MOST_CAUGHT_UP = 2_000

BULK_HASH_SIZE = 32 << 20
"""Bytes that an index gathers in memory before it writes them, while very many rows come in."""

USUAL_HASH_SIZE = 1 << 20

MOST_REMEMBERED = 100_000
"""Pieces of text whose words are remembered to be kept already."""

STAGED = """
CREATE TEMP TABLE IF NOT EXISTS staged_documents (id, title, body, lists, grams);
CREATE TEMP TABLE IF NOT EXISTS staged_spellings (word, backwards, document_id);
"""
UNSTAGED = "DELETE FROM temp.staged_documents; DELETE FROM temp.staged_spellings"
FEEDS = {
    "words": "INSERT INTO words (rowid, title, body, lists) "
    "SELECT id, title, body, lists FROM temp.staged_documents",
    "grams": "INSERT INTO grams (rowid, text) SELECT id, grams FROM temp.staged_documents",
    "spellings": "INSERT INTO spellings SELECT * FROM temp.staged_spellings WHERE true "
    "ON CONFLICT DO NOTHING",
}

SHORTEST_SPELLING, LONGEST_SPELLING = 3, 24
"""Characters of a word that is kept; shorter ones are too near to everything."""
ASKED = 5
"""So many of the newest documents with a word's stem are read for the word itself, before its letters are
looked for too."""

WORD = re.compile(r"[^\W_]+")


def built(db: apsw.Connection) -> Tokenizer | None:
    """The tokenizer the file's indexes were made for; None before they are made."""
    result: Tokenizer | None = db.execute("SELECT value FROM meta WHERE key = 'tokenizer'").get
    return result


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
    # Nearly no process makes them.
    from ...database.schema.mending import drop_full_text

    drop_full_text(db)
    derive(db)
    for script in scripts(tokenizer):
        db.execute(script)
    db.execute(
        "INSERT INTO meta VALUES ('tokenizer', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        (tokenizer,),
    )
    if tables(db):
        _index_all(db)
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
    seen: set[str] = set()
    is_bulk = limit is None and waiting(db) > MOST_CAUGHT_UP
    if is_bulk:
        set_hash_size(db, BULK_HASH_SIZE)
    while left is None or left > 0:
        batch = [number for (number,) in db.execute("SELECT document_id FROM unindexed LIMIT ?", (BATCH,))]
        if not batch:
            break
        if len(seen) > MOST_REMEMBERED:
            seen.clear()
        feed(db, batch, seen=seen)
        db.execute("DELETE FROM unindexed WHERE document_id <= ?", (batch[-1],))
        left = None if left is None else left - len(batch)
    if is_bulk:
        set_hash_size(db, USUAL_HASH_SIZE)
    if tables(db):
        _adopt_spellings(db, limit)


def _index_all(db: apsw.Connection) -> None:
    """Index all documents, none of which is yet: while SQLite writes some, the texts of the next are
    made."""
    feeds = [FEEDS[name] for name in (*tables(db), "spellings")]
    sql = "SELECT document_id FROM unindexed WHERE document_id > ? ORDER BY 1 LIMIT ?"
    seen: set[str] = set()
    made: list[tuple[int, str, str, str, str]] = []
    words: list[tuple[str, int]] = []
    last = 0
    db.execute(STAGED)
    set_hash_size(db, BULK_HASH_SIZE)
    with Background(db) as background:
        while True:
            background.wait()
            ids = [number for (number,) in db.execute(sql, (last, BATCH))]
            documents = list(fetch(db, ids))
            _stage(db, made, words)
            background.run(lambda: [db.execute(feed) for feed in feeds])
            if not ids:
                break
            last = ids[-1]
            if len(seen) > MOST_REMEMBERED:
                seen.clear()
            made = [(document.id, *texts(document)) for document in documents]
            words = words_of(((row[0], row[1:4]) for row in made), seen)
    db.execute(UNSTAGED)
    db.execute("DELETE FROM unindexed")
    set_hash_size(db, USUAL_HASH_SIZE)


def _stage(
    db: apsw.Connection,
    made: list[tuple[int, str, str, str, str]],
    words: list[tuple[str, int]],
) -> None:
    db.execute(UNSTAGED)
    db.executemany("INSERT INTO temp.staged_documents VALUES (?, ?, ?, ?, ?)", made)
    spelled = ((word, word[::-1], number) for word, number in words)
    db.executemany("INSERT INTO temp.staged_spellings VALUES (?, ?, ?)", spelled)


def try_catch_up(db: apsw.Connection) -> None:
    """Index what other programs wrote, if that can be done now: a search reads what waits."""
    try:
        if db.in_transaction or not is_behind(db):
            return
    except apsw.ConnectionClosedError as error:
        raise DatabaseError(CLOSED) from error
    except (apsw.SQLError, apsw.CorruptError, apsw.IOError, apsw.FullError, apsw.BusyError):
        # Whatever reads next tells; a table that is missing here need not keep anybody from an answer.
        return
    try_write(db, lambda: catch_up(db, MOST_CAUGHT_UP))


def feed(
    db: apsw.Connection,
    ids: list[int],
    into: apsw.Connection | None = None,
    seen: set[str] | None = None,
) -> None:
    """Put the text of documents that no index holds yet into the indexes (of another file); `seen` as for
    `words_of`."""
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
    target.executemany("INSERT INTO words (rowid, title, body, lists) VALUES (?, ?, ?, ?)", word_rows)
    if gram_rows:
        target.executemany("INSERT INTO grams (rowid, text) VALUES (?, ?)", gram_rows)
    if into is None:
        documents = ((number, prepared) for number, *prepared in word_rows)
        _add_spellings(db, documents, set() if seen is None else seen)


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
    orphans = "SELECT EXISTS (SELECT 1 FROM spellings WHERE document_id = 0)"
    return waiting(db) > 0 or (bool(tables(db)) and bool(db.execute(orphans).get))


def tables(db: apsw.Connection) -> list[str]:
    """The index tables that the file has."""
    return {"trigram": ["words", "grams"], "unicode61": ["words"]}.get(built(db) or "", [])


def set_hash_size(db: apsw.Connection, size: int) -> None:
    """Let the indexes gather so many bytes in memory before they write them."""
    for table in tables(db):
        db.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('hashsize', ?)", (size,))


def words_of(documents: Iterable[tuple[int, Iterable[str]]], seen: set[str]) -> list[tuple[str, int]]:
    """The words of documents, given by id with their prepared texts, each with one that holds it.

    `seen` are pieces of text whose words are kept already, which are not looked at again; it gains
    the others.
    """
    words: dict[str, int] = {}
    for number, prepared in documents:
        pieces = set(" ".join(prepared).split()) - seen
        seen |= pieces
        for piece in pieces:
            words.update(dict.fromkeys(WORD.findall(piece.lower()), number))
    return [(word, words[word]) for word in sorted(filter(is_spelled, words))]


def spelled(prepared: Iterable[str]) -> set[str]:
    """The words of a document's prepared texts."""
    return set(filter(is_spelled, WORD.findall(" ".join(prepared).lower())))


def is_spelled(word: str) -> bool:
    """Whether a word is kept: of letters only, since ids and numbers have no spelling, or two Chinese
    characters."""
    is_pair = len(word) == 2 and not word.isascii() and CHINESE.fullmatch(word) is not None
    return word.isalpha() and (SHORTEST_SPELLING <= len(word) <= LONGEST_SPELLING or is_pair)


def _add_spellings(
    db: apsw.Connection, documents: Iterable[tuple[int, Iterable[str]]], seen: set[str]
) -> None:
    """Keep the words of documents, given by id with their prepared texts; `seen` as for `words_of`."""
    db.executemany(
        "INSERT INTO spellings VALUES (?, ?, ?) ON CONFLICT DO UPDATE "
        "SET document_id = excluded.document_id WHERE document_id = 0",
        ((word, word[::-1], number) for word, number in words_of(documents, seen)),
    )


def _adopt_spellings(db: apsw.Connection, limit: int | None = None) -> None:
    """Find another document for each word (at most `limit`) that has lost its own, or forget it."""
    orphans = db.execute(
        "SELECT word FROM spellings WHERE document_id = 0 LIMIT ?",
        (-1 if limit is None else limit,),
    ).fetchall()
    words = [str(item) for (item,) in orphans]
    holders = _newest_holders(db, {*words}) if len(words) > BATCH else {}
    for word in words:
        holder = holders.get(word) or _holder(db, word)
        if holder is None:
            db.execute("DELETE FROM spellings WHERE word = ?", (word,))
        else:
            db.execute("UPDATE spellings SET document_id = ? WHERE word = ?", (holder, word))


def _newest_holders(db: apsw.Connection, words: set[str]) -> dict[str, int]:
    """Return by word one of the newest documents that hold it, of many words for most: these documents are
    read as long as that takes less time than to ask for each word."""
    newest = db.execute("SELECT id FROM documents ORDER BY id DESC")
    holders: dict[str, int] = {}
    while True:
        known = len(holders)
        for document in fetch(db, [number for (number,) in islice(newest, BATCH)]):
            holders |= dict.fromkeys(_words_in(document) & words, document.id)
        if len(holders) - known < BATCH // 2:
            return holders


def _holder(db: apsw.Connection, word: str) -> int | None:
    """Return a document that holds a word as written, one of the newest; None where none does."""
    stem = "SELECT rowid FROM words WHERE words MATCH ?"
    newest: Any = db.execute(f"{stem} ORDER BY rowid DESC LIMIT ?", (f'"{word}"', ASKED)).fetchall()
    numbers = [number for (number,) in newest]
    if holder := _first_holder(db, numbers, word):
        return holder
    if len(numbers) < ASKED:
        return None
    # A stem may stand in half of all documents, and of its words most in nearly none.
    letters = "AND rowid IN (SELECT rowid FROM grams WHERE grams MATCH ?)"
    has_letters = "grams" in tables(db) and len(word) >= SHORTEST_SPELLING
    values = (f'"{word}"', numbers[-1], *([_trigrams(word)] if has_letters else []))
    others: Any = db.execute(
        f"{stem} AND rowid < ? {letters if has_letters else ''} ORDER BY rowid DESC", values
    ).fetchall()
    for begin in range(0, len(others), BATCH):
        some = [number for (number,) in others[begin : begin + BATCH]]
        if holder := _first_holder(db, some, word):
            return holder
    return None


def _first_holder(db: apsw.Connection, numbers: list[int], word: str) -> int | None:
    """Return the first of some documents that holds a word as written; None where none does."""
    return next((document.id for document in fetch(db, numbers) if word in _words_in(document)), None)


def _trigrams(word: str) -> str:
    """Return the FTS5 expression of the documents whose text has all trigrams of a word."""
    return " AND ".join(f'"{fold(word)[at : at + 3]}"' for at in range(len(fold(word)) - 2))


def _words_in(document: Document) -> set[str]:
    """Return the words of a document."""
    return spelled(map(prepare, document.parts()))
