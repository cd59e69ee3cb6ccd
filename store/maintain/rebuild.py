"""Make a memory anew from an export: all of it, or nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import apsw

from ..clock import now_ms
from ..database import file
from ..database.backup import damage
from ..database.files import temporary
from ..database.replace import keep_numbers
from ..errors import DatabaseError, StoreError
from ..formats.common.report import Report
from ..formats.jsonl.file_import import import_jsonl, is_selection
from ..formats.jsonl.late_rows import RowsAt, carry_over
from ..records.dataclasses import dataclass
from ..store import Store
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
            f"{export} holds chosen memories only, and all others would be gone. Nothing was changed; "
            f"`mem import {export}` adds them to the store."
        )
    began = now_ms()
    file.check_sqlite()
    place = _parent(path) / path.name
    with temporary.directory(".rebuild.", place.parent) as directory:
        made = directory / path.name
        with Store.open(made) as store:
            since = _look_at(path, store, began)
            report = import_jsonl(store, export, progress)
            _check(report, export, force=force)
            health = store.doctor()
            if not health.ok:
                wrong = next(check for check in health.checks if not check.ok)
                raise DatabaseError(
                    f"What {export} gives is not sound ({wrong.name}: {wrong.found}). Nothing was changed."
                )

        def keep_late(old: Store) -> None:
            with Store.open(made) as store:
                try:
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
    bad = sum(counts.skipped.get("bad line", 0) for counts in report.counts.values())
    wrong = bad + sum("JSON" in warning.message for warning in report.warnings)
    is_cut = any("cut" in note for note in report.notes)
    if not force and (wrong or is_cut):
        raise StoreError(
            f"{export} is not whole: {wrong} bad lines{', and its end is missing' if is_cut else ''}. "
            "Nothing was changed; --force takes what is good of it."
        )


def _look_at(path: Path, store: Store, began: int) -> RowsAt:
    """Note which rows the memory has now, where it can be read, and make the new one this machine's."""
    if path.exists():
        with suppress(StoreError, apsw.Error), Store.open(path, read_only=True) as old, store.db:
            machine = (old.machine_id,)
            store.db.execute("UPDATE meta SET value = ? WHERE key = 'machine_id'", machine)
            return RowsAt(old, began)
    return RowsAt(None, began)


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
