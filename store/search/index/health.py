"""Examine a memory: the file, the references, and the indexes compared with the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice, zip_longest

import apsw

from ...database.health import (  # fmt: skip
    RESTORE,
    Check,
    Health,
    file_checks,
    guarded,
    schema_checks,
    value_checks,
)
from ...database.transaction import snapshot
from ...platform.clock import horizon_ms
from ...platform.errors import StoreError
from ...platform.translation import N_, _
from ...text.language.folding import prepare
from ...text.plural import count_noun
from ..index import derived, documents
from ..index import full_text as index
from .documents import fetch

REBUILD = "mem store rebuild"
FEW_DOCUMENTS = 5_000
"""Up to so many documents the words that may be meant are compared without being asked to."""

FULL_CHECK_DOCUMENTS = 50_000
"""Up to so many documents the indexes' terms are compared one by one without being asked to."""


def examine(db: apsw.Connection, *, thorough: bool = False) -> Health:
    """Look at everything. `thorough` compares every indexed term whatever the store's size."""
    checks: list[Check] = []
    try:
        with snapshot(db):
            _refresh_indexes(db)
            for examination in file_checks(db):
                checks.extend(guarded("file", examination, RESTORE))
            is_sound = all(check.ok for check in checks if check.name == "file")
            for name, item in _examinations(db, thorough, is_sound):
                checks.extend(guarded(name, item, REBUILD))
    except StoreError as error:
        checks.append(Check("reading", False, str(error), RESTORE))
    return Health(tuple(checks))


def _refresh_indexes(db: apsw.Connection) -> None:
    """Have FTS5 read how its indexes are now: SQLite's check goes by what this connection knew last, and
    takes for damage what another one has written since."""
    for table in index.tables(db):
        with suppress(apsw.Error):
            db.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH 'any' LIMIT 1").fetchall()


def _examinations(
    db: apsw.Connection, thorough: bool, is_sound: bool
) -> Iterator[tuple[str, Callable[[], Iterator[Check]]]]:
    yield "tables", lambda: schema_checks(db, index.scripts(index.built(db) or index.wanted(db)))
    yield N_("documents"), lambda: _derived(db, "documents", derived.DOCUMENTS)
    yield N_("labels"), lambda: _derived(db, "labels", derived.LABELS)
    yield N_("counts"), lambda: _counts(db)
    yield N_("tokenizer"), lambda: _tokenizer(db)
    yield N_("indexes"), lambda: _indexes(db, thorough, is_sound)
    if thorough:
        yield "values", lambda: value_checks(db)
    yield N_("times"), lambda: _times(db)


def _tokenizer(db: apsw.Connection) -> Iterator[Check]:
    tokenizer = index.built(db)
    finds = {
        "trigram": _("any substring"),
        "unicode61": _("whole words and beginnings of words only"),
        "like": _("any substring, by reading every row"),
    }
    result = _("{tokenizer}: finds {what}", tokenizer=tokenizer, what=finds.get(tokenizer or "", "-"))
    yield Check("tokenizer", tokenizer is not None, result, REBUILD)
    yield Check(N_("waiting to be indexed"), True, str(index.waiting(db)))


def _indexes(db: apsw.Connection, thorough: bool, is_sound: bool) -> Iterator[Check]:
    tables = index.tables(db)
    for table in tables:
        item = partial(_full_text, db, table, is_sound, thorough)
        yield from guarded(f"index {table}", item, REBUILD)
    if tables:
        yield from guarded(N_("spellings"), lambda: _spellings(db, thorough), REBUILD)


def _full_text(db: apsw.Connection, table: str, is_sound: bool, thorough: bool) -> Iterator[Check]:
    if not is_sound and (damaged := _damage(db, table)):
        yield Check(f"index {table}", False, _("damaged ({error})", error=damaged), REBUILD)
    else:
        yield _index(db, table, thorough)


def _spellings(db: apsw.Connection, thorough: bool) -> Iterator[Check]:
    documents = int(db.execute("SELECT count(*) FROM documents").get)
    if not thorough and documents > FEW_DOCUMENTS:
        return
    wrong = _wrong_spellings(db)
    missing = _missing_spellings(db)
    yield Check(
        "spellings",
        not wrong and not missing,
        _(
            "{number} of words that no memory holds, {missing} missing",
            number=wrong,
            missing=missing,
        ),
        REBUILD,
    )


def _times(db: apsw.Connection) -> Iterator[Check]:
    """Rows of a clock that was wrong are told; sources hold such too, and nothing is broken by them."""
    late = "SELECT count(*) FROM documents WHERE created_at > ?"
    count = int(db.execute(late, (horizon_ms(),)).get)
    yield Check(
        "times",
        True,
        _("{memories} of the future", memories=count_noun(count, "memories"))
        if count
        else _("none in the future"),
    )


def _derived(db: apsw.Connection, name: str, pair: derived.Derived) -> Iterator[Check]:
    """Whether what triggers made of the rows is what the rows say."""
    missing, extra = derived.differences(db, pair)
    content = _("{missing} missing, {extra} too many", missing=missing, extra=extra)
    yield Check(name, not missing and not extra, content, REBUILD)


def _counts(db: apsw.Connection) -> Iterator[Check]:
    """Whether the numbers that are kept are those of the rows."""
    wrong = documents.differences(db)
    yield Check("counts", not wrong, _("{number} wrong", number=wrong), REBUILD)


def _damage(db: apsw.Connection, table: str) -> str | None:
    """What FTS5 says is wrong with an index's own structure; None where it is sound.

    Where the file is sound so is each index: SQLite's check of the file asks FTS5 about them all.
    """
    try:
        problems = [str(row[0]) for row in db.execute(f"PRAGMA integrity_check({table})")]
    except (apsw.CorruptError, apsw.SQLError) as error:
        return str(error)
    return None if problems == ["ok"] else "; ".join(problems)


def _index(db: apsw.Connection, table: str, thorough: bool) -> Check:
    """The index holds the rows' documents and no other; where it is small, term by term."""
    name = f"index {table}"
    held = f"SELECT id FROM {table}_docsize"
    due = "SELECT id FROM documents WHERE id NOT IN (SELECT document_id FROM unindexed)"
    missing = int(db.execute(f"SELECT count(*) FROM ({due} EXCEPT {held})").get)
    extra = int(db.execute(f"SELECT count(*) FROM ({held} EXCEPT {due})").get)
    if missing or extra:
        content = _("{missing} documents missing, {extra} too many", missing=missing, extra=extra)
        return Check(name, False, content, REBUILD)
    documents = int(db.execute("SELECT count(*) FROM documents").get)
    if not thorough and documents > FULL_CHECK_DOCUMENTS:
        content = _("{number} documents; --thorough compares each term", number=f"{documents:,}")
        return Check(name, True, content)
    wrong = _first_difference(db, table)
    result = (
        _("{number} documents, every term equal", number=f"{documents:,}")
        if wrong is None
        else _("differs at {term!r}", term=wrong)
    )
    return Check(name, wrong is None, result, REBUILD)


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
            for item, other in zip_longest(db.execute(terms), fresh.execute(terms)):
                if item != other:
                    return str((item or other)[0])
            return None
        finally:
            db.execute("DROP TABLE temp.terms")


def _wrong_spellings(db: apsw.Connection) -> int:
    """How many words name a document that doesn't hold them."""
    count = 0
    rows = db.execute("SELECT document_id, word FROM spellings WHERE document_id > 0 ORDER BY document_id")
    held: tuple[int, set[str]] = (0, set())
    for number, word in rows:
        if number != held[0]:
            texts = [part for document in fetch(db, [number]) for part in document.parts()]
            held = (number, index.spelled(map(prepare, texts)))
        count += word not in held[1]
    return count


def _missing_spellings(db: apsw.Connection) -> int:
    """How many words of indexed documents are not kept."""
    due = db.execute("SELECT id FROM documents EXCEPT SELECT document_id FROM unindexed")
    kept = {str(word) for (word,) in db.execute("SELECT word FROM spellings")}
    missing: set[str] = set()
    while batch := [number for (number,) in islice(due, index.BATCH)]:
        for document in fetch(db, batch):
            missing |= index.spelled(map(prepare, document.parts())) - kept
    return len(missing)
