"""Keep a scheme C directory and the store in step: what is new in either comes to the other."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...database.files import atomic, temporary
from ...database.files.locks import FileLock
from ...database.transaction import async_commit, tried_out
from ...platform.errors import SourceError, StoreError
from ...platform.translation import _
from ...records.kinds import TABLES
from ...store import Store
from ..common.report import ImportProgress
from . import rendering as parts
from .changes import Baseline, SyncedFiles, SyncReport, changes
from .directory import (
    DAILY,
    NOTES,
    REWRITTEN,
    STATE,
    SYSTEM,
    files_below,
    find_files,
    kept_mark,
    source_of,
)
from .directory_import import DirectoryImport
from .export import DirectoryWriter
from .items import DirectoryReader
from .lines import ObjectLine, link_in, read_lines, write_in
from .notes import NoteFiles

LOCK = ".memtui.lock"
PATIENCE_SECONDS = 10.0


def sync(
    store: Store, path: Path, *, dry_run: bool = False, progress: ImportProgress | None = None
) -> SyncReport:
    """Import what is new in a directory, then write there what is new in the store.

    What is private never goes out. Days only grow; facts.jsonl, sessions.jsonl and notes.jsonl are
    written anew, whole or not at all, with every line of another program's as it was. Doing it
    again changes no byte, also after a kill. A `dry_run` reports what would be done and does
    nothing. Raises SourceError where the path can't be such a directory, StoreError where another
    sync is at it.
    """
    if path.exists() and not path.is_dir():
        raise SourceError("{path} is a file. Name a directory to keep in step with.", path=path)
    try:
        if dry_run and not path.exists():
            return _first_changes(store, path)
        if not dry_run:
            atomic.make_directories(path)
        if dry_run:
            with store.transaction(), tried_out(store.db):
                return _sync(store, path, True, progress)
        with lock(path), async_commit(store.db):
            return _sync(store, path, False, progress)
    except OSError as error:
        raise StoreError(
            "{path} can't be read or written ({error}). What was done by then stays; "
            "the same command goes on from there.",
            path=error.filename or path,
            error=error.strerror,
        ) from error


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Hold the lock of a directory. Raises StoreError where another process keeps it for ten
    seconds."""
    with FileLock(str(path / LOCK), PATIENCE_SECONDS) as is_held:
        if not is_held:
            raise StoreError(
                "Another sync of {path} is under way; nothing was done. Try again later.", path=path
            )
        yield


def _sync(store: Store, path: Path, dry_run: bool, progress: ImportProgress | None) -> SyncReport:
    directory = find_files(path, may_be_empty=True)
    _check_links(path)
    source = source_of(store, directory)
    if kept_mark(path) is None and not dry_run:
        mark = source.removeprefix(f"{SYSTEM}:")
        write_in(path, STATE, json.dumps({"directory": mark}).encode() + b"\n")
    files = SyncedFiles(store, path, source)
    changed = files.changed((*directory.daily, *directory.others))
    missing = bool(files.before.keys() - files.present.keys() - set(directory.notes))
    run = DirectoryImport(store, directory, source, progress, only=changed)
    report = SyncReport(source, run.report, is_dry_run=dry_run)
    baseline = Baseline(store, source)
    baseline.lies_in(path)
    # First which note each file is, then what notes.jsonl says of the notes.
    NoteFiles(store, path, files, baseline, report).sync()
    if changed or missing:
        run.run()
    report.notes += run.report.notes
    files.keep()
    writer = DirectoryWriter(store, path, files, baseline, report)
    for page in changes(store, source):
        writer.add(page)
    writer.finish()
    report.notes += hidden_lines(store, path, source)
    return report


def _check_links(path: Path) -> None:
    """Raise SourceError where a link stands in place of anything that a sync writes."""
    for name in (STATE, LOCK, DAILY, *REWRITTEN, *NOTES, *files_below(path, DAILY)):
        if link_in(path, name):
            raise SourceError(
                "{path} is a link, and a sync writes through none. Nothing was done. Put a "
                "file or a folder of its own in its place.",
                path=path / name,
            )
    for name in (*REWRITTEN, *NOTES):
        if (path / name).exists() and not (path / name).is_file():
            raise SourceError(
                "{path} is not a plain file. Nothing was done. Move it away.", path=path / name
            )


def _first_changes(store: Store, path: Path) -> SyncReport:
    """Return the report of a sync with a directory that isn't there yet."""
    with temporary.directory("memtui-") as empty, store.transaction(), tried_out(store.db):
        report = _sync(store, Path(empty), True, None)
    report.notes.append(_("{path} would be made.", path=path))
    return report


SHOWN = 5
"""A sentence names so many lines of a file."""


def hidden_lines(store: Store, path: Path, directory: str) -> Iterator[str]:
    """Yield a sentence for each file with lines about what was hidden or purged after they were
    written."""
    uids, lines = _hidden(store, directory)
    for file in sorted({*uids, *lines}):
        numbers = list(_still_there(path, file, uids[file], lines[file]))
        if numbers:
            more = len(numbers) - SHOWN
            named = _(", ").join(map(str, numbers[:SHOWN]))
            if more > 0:
                named = _("{items} and {number} more", items=named, number=f"{more:,}")
            yield _(
                "{file} still tells what is private or purged here (line {lines}). A sync never "
                "takes such a line away: delete it by hand.",
                file=file,
                lines=named,
            )


def _hidden(store: Store, directory: str) -> tuple[defaultdict[str, set[str]], defaultdict[str, set[str]]]:
    """Return the uids, and the names of other programs' lines, that are hidden, by the files they
    may be in."""
    uids: defaultdict[str, set[str]] = defaultdict(set)
    lines: defaultdict[str, set[str]] = defaultdict(set)
    for kind, table in TABLES.items():
        rows: Any = store.db.execute(
            "SELECT r.uid, r.file, t.id, iif(t.source = r.directory, t.native_id, NULL) "
            f"FROM synced_records r LEFT JOIN {table} t ON t.uid = r.uid "
            "WHERE r.directory = ? AND r.kind = ? AND (t.id IS NULL OR t.private)",
            (directory, kind),
        ).fetchall()
        names = [name for *_, name in rows]
        if kind == "fact":
            sql = "SELECT native_id FROM fact_sources WHERE fact_id = ? AND source = ?"
            for _, _, number, _ in rows:
                names += [name for (name,) in store.db.execute(sql, (number, directory))]
        for uid, file, *_ in rows:
            uids[file].add(uid)
        for name in names:
            _put(lines, name)
    for (name,) in store.db.execute("SELECT native_id FROM purged WHERE source = ?", (directory,)):
        _put(lines, name)
    return uids, lines


def _put(lines: defaultdict[str, set[str]], name: str | None) -> None:
    if name and "#" in name:
        lines[name.split("#", 1)[0]].add(name)


def _still_there(path: Path, file: str, uids: set[str], names: set[str]) -> Iterator[int]:
    """Yield the numbers of the lines that say more of these records than that they are gone."""
    if not (path / file).is_file():
        return
    times: Counter[str] = Counter()
    for line in read_lines(path, file):
        if not isinstance(line, ObjectLine):
            continue
        if DirectoryReader.is_ours(line):
            ours = line.values[parts.KEY]
            if ours.get("uid") in uids and "is_gone" not in ours:
                yield line.number
        elif DirectoryReader.name(line, times) in names:
            yield line.number
