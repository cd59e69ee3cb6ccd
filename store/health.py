"""Is the store sound: the file, the indexes against the rows, and what waits to be indexed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from . import migrations
from .search import index
from .search.documents import LETTERS, SHAPES

FULL_CHECK_DOCUMENTS = 50_000
"""Up to so many documents the indexes' terms are compared one by one without being asked to."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it is well, what was found, and what to do if not."""

    name: str
    ok: bool
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """All checks; `ok` when each of them is."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.ok for check in self.checks)


def examine(db: apsw.Connection, *, thorough: bool = False) -> Health:
    """Look at everything. `thorough` compares every indexed term whatever the store's size."""
    return Health(tuple(_checks(db, thorough)))


def _checks(db: apsw.Connection, thorough: bool) -> Iterator[Check]:
    yield Check("SQLite", True, f"{apsw.sqlite_lib_version()}, apsw {apsw.apsw_version()}")
    version = migrations.current_version(db)
    known = migrations.latest_version()
    yield Check(
        "schema", version <= known, f"version {version}", f"Upgrade memtui: it knows up to {known}."
    )
    problems = [row[0] for row in db.execute("PRAGMA integrity_check(5)")]
    yield Check(
        "file",
        problems == ["ok"],
        "; ".join(problems),
        "Make a copy of the file, then restore a backup.",
    )
    orphans = db.execute("PRAGMA foreign_key_check").fetchall()
    yield Check("references", not orphans, f"{len(orphans)} broken", "Restore a backup.")
    missing, extra = _documents(db)
    yield Check(
        "documents",
        not missing and not extra,
        f"{missing} missing, {extra} too many",
        "mem rebuild",
    )
    yield _labels(db)
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
    for table in index.tables(db):
        yield _index(db, table, thorough)


def _documents(db: apsw.Connection) -> tuple[int, int]:
    """Searchable rows that are no documents, and documents that are no searchable rows."""
    missing = extra = 0
    for letter in LETTERS.values():
        visible = f"SELECT id FROM {SHAPES[letter].table} WHERE private = 0 AND deleted_at IS NULL"
        listed = f"SELECT record_id FROM documents WHERE kind = '{letter}'"
        missing += int(db.execute(f"SELECT count(*) FROM ({visible} EXCEPT {listed})").get)
        extra += int(db.execute(f"SELECT count(*) FROM ({listed} EXCEPT {visible})").get)
    return missing, extra


def _labels(db: apsw.Connection) -> Check:
    lost = db.execute(
        "SELECT count(*) FROM label_uses WHERE document_id NOT IN (SELECT id FROM documents)"
    ).get
    unused = db.execute(
        "SELECT count(*) FROM label_names n WHERE NOT EXISTS "
        "(SELECT 1 FROM label_uses WHERE label_id = n.id)"
    ).get
    return Check("labels", not lost and not unused, f"{lost} lost, {unused} unused", "mem rebuild")


def _index(db: apsw.Connection, table: str, thorough: bool) -> Check:
    """The index holds the rows' documents and no other; where it is small, term by term."""
    remedy = "mem rebuild"
    name = f"index {table}"
    try:
        db.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
    except apsw.ReadOnlyError:
        pass
    except apsw.Error as error:
        return Check(name, False, f"damaged ({error})", remedy)
    held = f"SELECT id FROM {table}_docsize"
    due = "SELECT id FROM documents EXCEPT SELECT document_id FROM unindexed"
    missing = int(db.execute(f"SELECT count(*) FROM ({due} EXCEPT {held})").get)
    extra = int(db.execute(f"SELECT count(*) FROM ({held} EXCEPT {due})").get)
    if missing or extra:
        return Check(name, False, f"{missing} documents missing, {extra} too many", remedy)
    documents = int(db.execute("SELECT count(*) FROM documents").get)
    if not thorough and documents > FULL_CHECK_DOCUMENTS:
        return Check(name, True, f"{documents:,} documents; --thorough compares each term")
    wrong = index.first_difference(db, table)
    found = (
        f"{documents:,} documents, every term equal" if wrong is None else f"differs at {wrong!r}"
    )
    return Check(name, wrong is None, found, remedy)
