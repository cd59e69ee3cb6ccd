"""Examine a memory: the file, the references, and the indexes compared with the rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice, zip_longest

import apsw

from ..database.health import RESTORE, Check, Health, file_checks
from ..database.transaction import snapshot, translate_errors
from ..errors import StoreError
from . import derived, index
from .documents import fetch
from .folding import prepare

FULL_CHECK_DOCUMENTS = 50_000
"""Up to so many documents the indexes' terms are compared one by one without being asked to."""


def examine(db: apsw.Connection, *, thorough: bool = False) -> Health:
    """Look at everything. `thorough` compares every indexed term whatever the store's size."""
    found: list[Check] = []
    try:
        with translate_errors(db, writing=False):
            damage = {table: _damage(db, table) for table in index.tables(db)}
        with snapshot(db):
            found.extend(_checks(db, thorough, damage))
    except StoreError as error:
        found.append(Check("reading", False, str(error), RESTORE))
    return Health(tuple(found))


def _checks(db: apsw.Connection, thorough: bool, damage: dict[str, str | None]) -> Iterator[Check]:
    yield from file_checks(db)
    yield _derived(db, "documents", derived.DOCUMENTS)
    yield _derived(db, "labels", derived.LABELS)
    tokenizer = index.built(db)
    finds = {
        "trigram": "any substring",
        "unicode61": "whole words and beginnings of words only",
        "like": "any substring, by reading every row",
    }
    yield Check(
        "tokenizer", tokenizer is not None, f"{tokenizer}: finds {finds.get(tokenizer or '', '-')}"
    )
    waiting = index.waiting(db)
    yield Check("waiting to be indexed", True, str(waiting))
    for table, damaged in damage.items():
        if damaged:
            yield Check(f"index {table}", False, f"damaged ({damaged})", "mem rebuild")
        else:
            yield _index(db, table, thorough)
    if thorough and index.tables(db):
        wrong = _wrong_spellings(db)
        yield Check("spellings", not wrong, f"{wrong} of words that no memory holds", "mem rebuild")


def _derived(db: apsw.Connection, name: str, pair: tuple[str, str]) -> Check:
    """Whether what triggers made of the rows is what the rows say."""
    missing, extra = derived.differences(db, pair)
    return Check(
        name, not missing and not extra, f"{missing} missing, {extra} too many", "mem rebuild"
    )


def _damage(db: apsw.Connection, table: str) -> str | None:
    """What FTS5 says is wrong with an index's own structure; where nothing may be written it isn't
    asked."""
    try:
        db.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
    except apsw.ReadOnlyError:
        return None
    except apsw.CorruptError as error:
        return str(error)
    return None


def _index(db: apsw.Connection, table: str, thorough: bool) -> Check:
    """The index holds the rows' documents and no other; where it is small, term by term."""
    remedy = "mem rebuild"
    name = f"index {table}"
    held = f"SELECT id FROM {table}_docsize"
    due = "SELECT id FROM documents WHERE id NOT IN (SELECT document_id FROM unindexed)"
    missing = int(db.execute(f"SELECT count(*) FROM ({due} EXCEPT {held})").get)
    extra = int(db.execute(f"SELECT count(*) FROM ({held} EXCEPT {due})").get)
    if missing or extra:
        return Check(name, False, f"{missing} documents missing, {extra} too many", remedy)
    documents = int(db.execute("SELECT count(*) FROM documents").get)
    if not thorough and documents > FULL_CHECK_DOCUMENTS:
        return Check(name, True, f"{documents:,} documents; --thorough compares each term")
    wrong = _first_difference(db, table)
    found = (
        f"{documents:,} documents, every term equal" if wrong is None else f"differs at {wrong!r}"
    )
    return Check(name, wrong is None, found, remedy)


def _first_difference(db: apsw.Connection, table: str) -> str | None:
    """The first term at which an index and one made anew from the rows part; None when equal.

    The fresh index is built in a temporary file, and both are read term by term in step, so that
    memory stays flat.
    """
    vocabulary = f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, {table}, instance)"
    terms = "SELECT term, doc, col, offset FROM temp.terms"
    with closing(apsw.Connection("")) as fresh:
        for script in index.scripts(index.built(db) or "like"):
            fresh.execute(script[: script.index(";") + 1])
        due = db.execute("SELECT id FROM documents EXCEPT SELECT document_id FROM unindexed")
        while batch := [number for (number,) in islice(due, index.BATCH)]:
            index.feed(db, batch, fresh)
        fresh.execute(vocabulary)
        db.execute(vocabulary)
        try:
            for one, other in zip_longest(db.execute(terms), fresh.execute(terms)):
                if one != other:
                    return str((one or other)[0])
            return None
        finally:
            db.execute("DROP TABLE temp.terms")


def _wrong_spellings(db: apsw.Connection) -> int:
    """How many words name a document that doesn't hold them."""
    count = 0
    rows = db.execute(
        "SELECT document_id, word FROM spellings WHERE document_id > 0 ORDER BY document_id"
    )
    held: tuple[int, set[str]] = (0, set())
    for number, word in rows:
        if number != held[0]:
            texts = [one for document in fetch(db, [number]) for one in document.parts()]
            held = (number, index.spelled(map(prepare, texts)))
        count += word not in held[1]
    return count
