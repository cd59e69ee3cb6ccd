"""Identify a database by marks in it, so that a copy, an upgraded or a damaged one is the same source.
source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw

from ....formats.common.report import Report
from ....formats.common.upsert import mark_vanished, unmark_vanished
from ....formats.sqlite.row import read_rows
from ....formats.sqlite.table import columns, table
from ....platform.clock import now_ms
from ....platform.regular_file import open_regular
from ....platform.translation import _
from ....store import Store
from .mapping import Program, Target

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


VANISHED = _("its row is gone from the source; the record stays")


class Tombstones:
    """The native ids of the rows that an import has seen, by our table for them, in a temporary
    file; and the marks that follow from them."""

    def __init__(self) -> None:
        self.db = apsw.Connection("")
        self.db.execute("PRAGMA journal_mode = off; PRAGMA synchronous = off")
        self.db.execute("CREATE TABLE seen (kind TEXT, id TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID")

    def see(self, table: str, native_ids: Iterable[str]) -> None:
        """Note rows that the source has."""
        with self.db:
            self.db.executemany(
                "INSERT INTO seen VALUES (?, ?) ON CONFLICT DO NOTHING",
                ((table, text) for text in native_ids),
            )

    def mark(self, store: Store, kind: Target, report: Report, prefixes: dict[str, bool]) -> None:
        """Mark the records of a source whose rows were not seen, and unmark those whose rows are back.

        `prefixes` are those of the native ids of each table that the kind is read from, and whether
        the source has that table: of one that is missing nothing can be said.
        """
        counts = report.of(kind.name)
        now = now_ms()
        with store.transaction():
            for number, native_id, is_marked in self._changed(store, kind, report.source):
                prefix = native_id[: native_id.find(":") + 1]
                if not prefixes.get(prefix, prefixes.get("", False)):
                    continue
                if is_marked:
                    unmark_vanished(store.db, kind.table, number)
                    counts.returned += 1
                else:
                    mark_vanished(store.db, kind.table, number, now)
                    counts.vanished += 1
                    report.warn(kind.table, native_id, VANISHED)

    def _changed(self, store: Store, kind: Target, source: str) -> Iterator[tuple[int, str, bool]]:
        """Id and native id of a source's records that are marked and were seen, or neither; and
        whether each is marked."""
        ours = store.db.execute(
            "SELECT r.id, r.native_id, v.at IS NOT NULL "
            f"FROM {kind.table} r LEFT JOIN vanished v ON v.kind = ? AND v.record_id = r.id "
            "WHERE r.source = ? AND r.native_id NOT LIKE 'stub:%' ORDER BY r.native_id",
            (kind.table, source),
        )
        theirs = self.db.execute("SELECT id FROM seen WHERE kind = ? ORDER BY id", (kind.table,))
        there: Any = theirs.fetchone()
        for number, native_id, is_marked in ours:
            while there is not None and there[0] < native_id:
                there = theirs.fetchone()
            is_there = there is not None and there[0] == native_id
            if is_there == bool(is_marked):
                yield number, native_id, bool(is_marked)
