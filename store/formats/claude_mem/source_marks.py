"""Identify a database by marks in it, so that a copy, an upgraded or a damaged one is the same
source."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import apsw

from ...regular_file import open_regular
from ...store import Store
from ..common.report import Report
from ..sqlite.row import read_rows
from ..sqlite.table import columns, table
from .mapping import Program

HEAD = 1 << 20
"""Bytes of a file that identify it where nothing in it does."""


def source_of(store: Store, db: apsw.Connection, path: Path, program: Program) -> str:
    """Return the name of this very database as a source, wherever it lies: `program:hash`.

    It goes by the time when its schema was first made, else by its first session, else by its first
    bytes.
    """
    schema, session = _schema_made(db), _first_session(db, program)
    marks = {
        kind: f"{program.name}:{kind}:{_hash(mark)}"
        for kind, mark in (("schema", schema), ("session", session))
        if mark
    }
    with store.transaction():
        source = _known(store, marks) or f"{program.name}:{_hash(schema or session or _head(path))}"
        for mark in marks.values():
            sql = "INSERT INTO source_marks VALUES (?, ?) ON CONFLICT DO NOTHING"
            store.db.execute(sql, (mark, source))
    return source


def _known(store: Store, marks: dict[str, str]) -> str | None:
    sql = "SELECT source FROM source_marks WHERE mark = ?"
    results: dict[str, str | None] = {
        kind: store.db.execute(sql, (mark,)).get for kind, mark in marks.items()
    }
    same = results.get("schema") or results.get("session")
    if results.get("schema") or "schema" not in marks or same is None:
        return same
    # Another file may have the same first session; it is another source if it tells of its schema.
    kinds = "SELECT EXISTS (SELECT 1 FROM source_marks WHERE source = ? AND mark LIKE '%:schema:%')"
    return None if store.db.execute(kinds, (same,)).get else same


def _schema_made(db: apsw.Connection) -> bytes | None:
    with suppress(apsw.Error):
        if "applied_at" in columns(db, "schema_versions"):
            sql = "SELECT CAST(applied_at AS BLOB) FROM schema_versions ORDER BY rowid LIMIT 1"
            result: bytes | None = db.execute(sql).get
            return result if result and b"\0" not in result else None
    return None


def _first_session(db: apsw.Connection, program: Program) -> bytes | None:
    for sessions in program.sessions:
        foreign_table = table(db, sessions.table)
        first = next(read_rows(db, foreign_table, Report("")), None) if foreign_table else None
        if first is not None:
            names = sessions.names(first)
            return (names.content or names.memory or "").encode() or None
    return None


def _head(path: Path) -> bytes:
    with open_regular(path) as file:
        return file.read(HEAD)


def _hash(mark: bytes) -> str:
    return blake2b(mark, digest_size=4).hexdigest()
