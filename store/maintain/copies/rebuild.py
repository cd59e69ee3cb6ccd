"""Make a memory anew from an export: all of it, or nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import apsw

from ...clock import now_ms
from ...database import file
from ...database.backup import damage
from ...database.files import temporary
from ...database.replace import keep_numbers
from ...errors import DatabaseError, StoreError
from ...formats.common.report import Report
from ...formats.jsonl.file_import import CUT, import_jsonl, is_selection
from ...formats.jsonl.late_rows import RowsAt, carry_over
from ...formats.jsonl.lines import BAD, NO_JSON, NO_OBJECT
from ...records.dataclasses import dataclass
from ...store import Store
from ...translation import _
from .replace import replace

STAYING = (
    "spool_segments", "spool_lines", "transcripts", "hook_runs", "quarantine", "directories",
    "synced_files", "synced_records", "hosts",
)  # fmt: skip
"""What of the old file is about this machine, and in no export."""


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
    store.vectors.take_over(old.db, old.path)
