"""Make a memory anew from an export: all of it, or nothing is changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from ..clock import now_ms
from ..database import file
from ..database.connection import set_up
from ..errors import DatabaseError, StoreError
from ..formats.common.report import Report
from ..formats.jsonl.file_import import import_jsonl
from ..records.dataclasses import dataclass
from ..store import Store

STAYING = (
    "spool_segments", "transcripts", "hook_runs", "quarantine", "directories", "synced_files",
    "synced_records",
)  # fmt: skip
"""What of the old file is about this machine, and in no export."""

BESIDE = ("-wal", "-shm", "-journal")


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
    there is kept beside it. Raises StoreError, and changes nothing, where a line of the export is
    bad (unless `force`).
    """
    file.check_sqlite()
    with TemporaryDirectory(prefix=".rebuild.", dir=_parent(path)) as directory:
        made = Path(directory) / path.name
        with Store.open(made) as store:
            _take_over(store.db, path)
            report = import_jsonl(store, export, progress)
            _check(report, export, force=force)
            health = store.doctor()
            if not health.ok:
                wrong = next(check for check in health.checks if not check.ok)
                raise DatabaseError(
                    f"What {export} gives is not sound ({wrong.name}: {wrong.found}). Nothing was changed."
                )
            store.db.pragma("journal_mode", "delete")
        return Rebuilt(report, _replace(path, made))


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


def _take_over(db: apsw.Connection, path: Path) -> None:
    """Copy what is about this machine from the old file, where that can be read."""
    if not path.exists():
        return
    with suppress(StoreError, apsw.Error), Store.open(path, read_only=True) as old, db:
        machine = (old.machine_id,)
        db.execute("UPDATE meta SET value = ? WHERE key = 'machine_id'", machine)
        for table in STAYING:
            rows = old.db.execute(f"SELECT * FROM {table}").fetchall()
            for row in rows:
                marks = ", ".join("?" * len(row))
                db.execute(f"INSERT INTO {table} VALUES ({marks})", row)


def _replace(path: Path, made: Path) -> Path | None:
    """Put the new memory in the place of the old one; where the old one is now."""
    if not path.exists():
        os.link(made, path)
        return None
    before = _free(path)
    if not _is_damaged(path):
        with Store.open(path) as old:
            old.backup(before)
            _overwrite(old.db, made)
        return before
    # Nobody can go on with it, so it is set aside as it is, with what belongs to it.
    for suffix in ("", *BESIDE):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(before.with_name(before.name + suffix))
    os.link(made, path)
    return before


def _free(path: Path) -> Path:
    """Return a name for the old memory that nothing has."""
    stamp = datetime.fromtimestamp(now_ms() / 1000, UTC).strftime("%Y%m%d-%H%M%S")
    marks = chain(("",), (f"-{number}" for number in count(2)))
    places = (path.with_name(f"{path.stem}-before-{stamp}{mark}{path.suffix}") for mark in marks)
    return next(place for place in places if not place.exists())


def _is_damaged(path: Path) -> bool:
    """Return whether a memory can't be read or is not sound; StoreError where it is something else."""
    if path.stat().st_size == 0:
        return True
    try:
        with Store.open(path) as old:
            return bool(old.db.execute("PRAGMA integrity_check(1)").get != "ok")
    except (apsw.CorruptError, apsw.NotADBError):
        return True
    except StoreError as error:
        if isinstance(error.__cause__, apsw.CorruptError | apsw.NotADBError):
            return True
        raise


def _overwrite(db: apsw.Connection, made: Path) -> None:
    with closing(apsw.Connection(str(made), flags=apsw.SQLITE_OPEN_READONLY)) as new:
        set_up(new)
        try:
            with db.backup("main", new, "main") as job:
                job.step(-1)
        except apsw.Error as error:
            raise DatabaseError(
                f"The memory could not be replaced ({error}); it is as it was. Close other programs "
                "that use it, and try again."
            ) from error
