"""Make a memory anew from an export, and carry over what was written to the old one meanwhile: all of it,
or nothing is changed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import Any

import apsw

from ..database import file
from ..database.backup import damage
from ..database.files import temporary
from ..database.replace import keep_numbers
from ..database.transaction import snapshot
from ..formats.common.report import Report
from ..formats.common.scope import ALL
from ..formats.jsonl.export import rows
from ..formats.jsonl.file_import import CUT, import_jsonl, is_selection
from ..formats.jsonl.layout import TABLES, Columns
from ..formats.jsonl.reading import BAD, NO_JSON, NO_OBJECT, ImportRow, read_row, table_columns
from ..formats.jsonl.upsert import RowUpsert
from ..platform.clock import now_ms
from ..platform.errors import DatabaseError, StoreError
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..search.index.bulk import Bulk, bulk_hash_size
from ..store import Store
from .backups import replace


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What came of an export, and where the memory that was there before is now, if there was one."""

    report: Report
    before: Path | None


def rebuild_from(
    path: Path,
    export: Path,
    *,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Rebuilt:
    """Have the memory at `path` hold what an export holds, and nothing else.

    It is made in a file of its own and found sound first; then its pages take the place of the old
    ones in one transaction, so that whoever has the memory open goes on with the new one. What was
    there is kept beside it, and what others write meanwhile is in the new one too. Raises
    StoreError, and changes nothing, where a line of the export is bad (unless `force`).
    """
    if not force and is_selection(export):
        raise StoreError(
            "{export} holds chosen memories only, and all others would be gone. Nothing "
            "was changed; `mem import {export}` adds them to the store.",
            export=export,
        )
    began = now_ms()
    file.check_sqlite()
    place = _parent(path) / path.name
    with temporary.directory(".rebuild.", place.parent) as directory:
        made = directory / path.name
        with Store.open(made) as store:
            since = _look_at(path, store, began)
            report = import_jsonl(store, export, progress)
            if since is None:
                report.notes.append(
                    _(
                        "{path} could not be read before, so that what was written to it meanwhile "
                        "is in its copy only",
                        path=path,
                    )
                )
            _check(report, export, force=force)
            health = store.doctor()
            if not health.ok:
                wrong = next(check for check in health.checks if not check.ok)
                raise DatabaseError(
                    "What {export} gives is not sound ({name}: {found}). Nothing was changed.",
                    export=export,
                    name=wrong.name,
                    found=wrong.found,
                )

        def keep_late(old: Store) -> None:
            with Store.open(made) as store:
                try:
                    if since is not None:
                        carry_over(old, since, store)
                    _take_over(store, old)
                except (StoreError, apsw.Error):
                    if not damage(old.db):
                        raise
                    # What can't be read of it can't be kept; what is beside it says so.

        return Rebuilt(report, replace(path, made, keep_late))


BATCH = 2_000

Line = dict[str, Any]


class RowsAt:
    """All rows of a memory at a moment, none where there is none: a mark of each, and the uids, by
    table. What was written `from_ms` on counts as later even so."""

    def __init__(self, store: Store | None = None, from_ms: int = 0) -> None:
        self.from_ms = from_ms
        self.marks: dict[str, set[bytes]] = defaultdict(set)
        self.uids: dict[str, set[str]] = defaultdict(set)
        if store is not None:
            with snapshot(store.db):
                for table in TABLES:
                    for line in rows(store.db, table, TABLES[table], ALL):
                        self.note(table, line)

    def note(self, table: str, line: Line) -> bytes:
        """Take a row in, and return its mark."""
        mark = blake2b(json.dumps(line).encode(), digest_size=16).digest()
        self.marks[table].add(mark)
        if "uid" in line:
            self.uids[table].add(str(line["uid"]))
        return mark


def carry_over(old: Store, since: RowsAt, new: Store) -> Report:
    """Bring into `new` what was written to `old` since a moment, and take out what was taken out.

    Nobody else may be writing to either. Rows keep their uids; of a row that both have, the newer
    version stays.
    """
    report = Report("jsonl")
    with snapshot(old.db):
        late, here = _late_rows(old, since)
        with new.transaction(), bulk_hash_size(new.db), Bulk(new.db) as bulk:
            columns = table_columns(new.db)
            upsert = RowUpsert(new, report, columns, bulk)
            numbers = count(1)
            for table, lines in late.items():
                own = Columns(table, TABLES[table], columns[table], is_accepted=True)
                given = (read_row(own, ImportRow(next(numbers), table, line)) for line in lines)
                while batch := list(islice(given, BATCH)):
                    upsert.apply(table, batch)
            upsert.settle()
            for table, uids in since.uids.items():
                gone = json.dumps([*(uids - here.uids[table])])
                column = "uid IN (SELECT value FROM json_each(?))"
                new.db.execute(f"DELETE FROM {table} WHERE {column}", (gone,))
    return report


STAYING = (
    "spool_segments", "spool_lines", "transcripts", "hook_runs", "quarantine", "directories",
    "synced_files", "synced_records", "hosts",
)  # fmt: skip
"""What of the old file is about this machine, and in no export."""


def _parent(path: Path) -> Path:
    for directory in reversed(path.absolute().parents):
        directory.mkdir(mode=0o700, exist_ok=True)
    return path.absolute().parent


def _check(report: Report, export: Path, *, force: bool) -> None:
    bad = sum(counts.skipped.get(BAD, 0) for counts in report.counts.values())
    wrong = bad + sum(warning.message in (NO_JSON, NO_OBJECT) for warning in report.warnings)
    is_cut = CUT in report.notes
    if not force and (wrong or is_cut):
        raise StoreError(
            (
                "{export} is not whole: {number} bad lines, and its end is missing. Nothing was "
                "changed; --force takes what is good of it."
            )
            if is_cut
            else (
                "{export} is not whole: {number} bad lines. Nothing was changed; --force takes what "
                "is good of it."
            ),
            export=export,
            number=wrong,
        )


def _look_at(path: Path, store: Store, began: int) -> RowsAt | None:
    """Note which rows the memory has now, and make the new one this machine's. None where it can't be
    read: any of its rows would be taken for a later one then."""
    if not path.exists():
        return RowsAt(None, began)
    with suppress(StoreError, apsw.Error), Store.open(path, read_only=True) as old, store.db:
        machine = (old.machine_id,)
        store.db.execute("UPDATE meta SET value = ? WHERE key = 'machine_id'", machine)
        purged = old.db.execute("SELECT * FROM purged").fetchall()
        # What was purged stays purged, though the export is older.
        store.db.executemany("INSERT INTO purged VALUES (?, ?, ?, ?, ?, ?)", purged)
        return RowsAt(old, began)
    return None


def _take_over(store: Store, old: Store) -> None:
    """Copy what is about this machine from the old file."""
    db = store.db
    with db:
        for table in STAYING:
            rows = old.db.execute(f"SELECT * FROM {table}").fetchall()
            for row in rows:
                marks = ", ".join("?" * len(row))
                db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
    keep_numbers(old.db, db)


def _late_rows(old: Store, since: RowsAt) -> tuple[dict[str, list[Line]], RowsAt]:
    """The rows that are not as they were, each behind those that it names, by table; and all."""
    here = RowsAt()
    late: dict[str, list[Line]] = {}
    needed: dict[str, set[str]] = defaultdict(set)
    # What a row names comes before it, and is looked at after it.
    for table in reversed(TABLES):
        layout = TABLES[table]
        late[table] = []
        for line in rows(old.db, table, layout, ALL):
            mark = here.note(table, line)
            is_late = mark not in since.marks[table] or _is_since(line, since.from_ms)
            if is_late or line.get("uid") in needed[table]:
                late[table].append(line)
                for parent in layout.references:
                    needed[parent.table].add(str(line.get(parent.key)))
    return {table: late[table] for table in TABLES}, here


def _is_since(line: Line, moment: int) -> bool:
    written = line.get("updated_at")
    return isinstance(written, int) and written >= moment
