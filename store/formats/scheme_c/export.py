"""Write a scheme C directory: an export is what a first sync with an empty one writes."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...database.transaction import snapshot
from ...platform.system import posix
from ...platform.translation import N_, _
from ...records.kinds import TABLES
from ...records.rows import Note
from ...store import Store
from ...text.plural import count_noun
from ..common.drafts import make_directories
from ..common.report import FormatResult, Progress, ProgressCounter
from ..common.scope import RECORDS, Scope
from .changes import Baseline, Public, PublicRecord, RecordChange, SyncedFiles, SyncReport, file_in
from .directory import REWRITTEN, STATE, SYSTEM
from .items import DirectoryReader
from .lines import FILE_MODE, BadLine, ObjectLine, appending, read_in, read_line, write_in
from .rendering import KEY, KINDS, LineValues, file_of, iso, lines_of

UNHELD = {
    N_("messages for an observer"): "pending_messages",
    N_("ids of events"): "captured_events",
    N_("counts of tokens"): "token_usage",
    N_("searches under a name"): "saved_searches",
}
OF_SESSIONS = ("captured_events", "token_usage")
"""Those that chosen sessions would take along."""


def export_scheme_c(
    store: Store, directory: Path, scope: Scope | None = None, progress: Progress | None = None
) -> FormatResult:
    """Write a memory into an empty directory, as of one moment; return the records by table and what is
    left out.

    The memory goes on as if it had never met the directory. Private records are left out. Raises
    OSError.
    """
    with snapshot(store.db):
        return _Export(store, directory, scope, progress).run()


class _Export:
    """One run."""

    def __init__(
        self, store: Store, directory: Path, scope: Scope | None, progress: Progress | None
    ) -> None:
        self.db = store.db
        self.directory = directory
        # The shape has no mark for hidden records, whatever the scope says of them.
        self.scope = Scope(waiting=False, chosen=None if scope is None else scope.chosen)
        self.mark = os.urandom(4).hex()
        self.public = Public(store, f"{SYSTEM}:{self.mark}", self.scope)
        total = sum(self._count(f"{table} t", self.scope.shown("t", table)) for table in RECORDS)
        self.counter = ProgressCounter(total, progress)
        self.counter.counts |= dict.fromkeys(RECORDS, 0)

    def run(self) -> FormatResult:
        self._append(STATE, json.dumps({"directory": self.mark}).encode() + b"\n")
        for kind in KINDS:
            for page in self.public.pages(kind):
                self._write(page)
                for _record in page:
                    self.counter.count(TABLES[kind])
        return FormatResult(self.counter.counts, tuple(self._unheld()))

    def _write(self, page: list[PublicRecord]) -> None:
        """Write some records: each is rendered once, and each file of theirs opened once."""
        files: dict[str, list[bytes]] = {}
        for record, values in page:
            if isinstance(record, Note) and (note := file_in(record, self.public.directory)):
                self._append(note, record.text.encode(errors="replace"))
            lines = files.setdefault(file_of(record), [])
            lines += (dumped(line) + b"\n" for line in lines_of(record, values))
        for file, lines in files.items():
            self._append(file, b"".join(lines))

    def _append(self, file: str, content: bytes) -> None:
        path = self.directory / file
        make_directories(path.parent)
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW
        with os.fdopen(posix.open(path, flags, FILE_MODE), "wb") as stream:
            stream.write(content)

    def _unheld(self) -> Iterator[str]:
        is_chosen = self.scope.chosen is not None
        owned = f"session_id IN (SELECT id FROM sessions t WHERE {self.scope.condition('sessions')})"
        for what, table in UNHELD.items():
            if is_chosen and table not in OF_SESSIONS:
                continue
            if count := self._count(table, owned if is_chosen else "true"):
                yield _("{rows} left out.", rows=count_noun(count, what))
        hidden = 0 if is_chosen else sum(self.scope.left_out(self.db).values())
        if hidden:
            records = count_noun(hidden, "records")
            yield _("{records} left out, being private, deleted or pending.", records=records)

    def _count(self, table: str, condition: str) -> int:
        result: Any = self.db.execute(f"SELECT count(*) FROM {table} WHERE {condition}").get
        return int(result)


_encode = json.JSONEncoder(ensure_ascii=False).encode
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


class DirectoryWriter:
    """Writes to one directory, and stores what it has then."""

    def __init__(
        self, store: Store, path: Path, files: SyncedFiles, baseline: Baseline, report: SyncReport
    ) -> None:
        self.store = store
        self.path = path
        self.files = files
        self.baseline = baseline
        self.report = report
        self._rewritten: dict[str, list[RecordChange]] = {file: [] for file in REWRITTEN}
        self._sizes: dict[str, int] = {}

    def add(self, page: list[RecordChange]) -> None:
        """Write a list of changes; those for a file that is written anew wait for `finish`.

        First the file, then the store: a line that the store doesn't know of is read the next time,
        and changes nothing.
        """
        days: dict[str, list[bytes]] = {}
        appended: list[RecordChange] = []
        for change in page:
            self.report.gone += change.is_gone
            if change.synced.file in self._rewritten:
                self._rewritten[change.synced.file].append(change)
                continue
            appended.append(change)
            for line in change.lines:
                self.report.wrote(change.synced.kind, change.synced.file)
                days.setdefault(change.synced.file, []).append(dumped(_superseding(line, change)))
        if self.report.is_dry_run:
            return
        for file, lines in days.items():
            self._append(file, b"".join(line + b"\n" for line in lines))
        self._remember(appended)

    def finish(self) -> None:
        """Write the files that are written anew, those of them that have changes."""
        for file, changes in self._rewritten.items():
            for change in changes:
                self.report.wrote(change.synced.kind, file)
            if changes and not self.report.is_dry_run:
                self._rewrite(file, changes)
        for file, size in self._sizes.items():
            self.files.keep_longer(file, size)

    def _append(self, file: str, data: bytes) -> None:
        was = self.files.was(file)
        expected = self._sizes.get(file, was.bytes if was else 0)
        size, after = append(self.path, file, data)
        # Where others have added to it since it was read, it has to be read again.
        self._sizes[file] = after if size == expected else -1

    def _rewrite(self, file: str, changes: list[RecordChange]) -> None:
        while True:
            before = self._content(file)
            after = rewritten(before, file, changes)
            if before == self._content(file):
                break
        if after != before:
            write_in(self.path, file, after)
        was = self.files.was(file)
        if (was.bytes if was else 0) == len(before):
            self.files.keep_own(file, after)
        self._remember(changes)

    def _content(self, file: str) -> bytes:
        try:
            return read_in(self.path, file)
        except FileNotFoundError:
            return b""

    def _remember(self, changes: list[RecordChange]) -> None:
        with self.store.transaction():
            for change in changes:
                self.baseline.put(change.synced)


def append(directory: Path, name: str, data: bytes) -> tuple[int, int]:
    """Append lines to a file of a directory, and wait until they are on the disk; return its bytes
    before and after.

    They begin on a line of their own. Should only some of them find room, none stays. Raises
    OSError.
    """
    with appending(directory, name) as descriptor:
        size = os.fstat(descriptor).st_size
        if size and posix.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, size)
            raise
        return size, size + len(data)


def rewritten(before: bytes, file: str, changes: list[RecordChange]) -> bytes:
    """Return a file with changes in the places of what they are about, or at its end; all else byte
    for byte."""
    own = {change.synced.uid: change for change in changes}
    foreign = {
        record_change.native_id: record_change for record_change in changes if record_change.native_id
    }
    kept: list[bytes] = []
    times: Counter[str] = Counter()
    written: set[str] = set()
    for number, raw in enumerate(_LINE.findall(before), start=1):
        line = read_line(raw, file, number)
        if isinstance(line, BadLine):
            kept.append(raw)
            continue
        row = own.get(_uid(line))
        if row is None and KEY not in line.values:
            row = foreign.get(DirectoryReader.name(line, times))
        elif KEY in line.values and not DirectoryReader.is_ours(line):
            DirectoryReader.name(line, times)
        if row is None:
            kept.append(raw)
        elif row.synced.uid not in written:
            written.add(row.synced.uid)
            kept.append(_in_place(line, row) + _break(raw))
    new = [entry for entry in changes if entry.synced.uid not in written]
    if kept and new and not kept[-1].endswith(b"\n"):
        kept.append(b"\n")
    kept += [dumped(line) + b"\n" for item in new for line in item.lines]
    return b"".join(kept)


def dumped(line: LineValues) -> bytes:
    """Return a line as it is written."""
    return _encode(line).encode(errors="replace")


def _superseding(line: LineValues, change: RecordChange) -> LineValues:
    """Return a line that supersedes another program's, under the same id, so that its tools see it."""
    if change.native_id is None:
        return line
    name = change.native_id.split("#", 1)[1]
    values = line[KEY] | {"of": change.native_id}
    return line | {"id": name.rsplit("~", 1)[0]} | {KEY: values}


def _in_place(line: ObjectLine, change: RecordChange) -> bytes:
    """Return what replaces a line: a line of ours anew, or another program's with our part in it."""
    if DirectoryReader.is_ours(line):
        return dumped(change.lines[0])
    values = line.values | {KEY: change.lines[0][KEY]}
    if change.is_gone:
        values["deleted_at"] = iso(change.lines[0][KEY]["deleted_at"])
    elif KEY in line.values and line.values[KEY].get("is_gone"):
        values.pop("deleted_at", None)
    return dumped(values)


def _uid(line: ObjectLine) -> str:
    result = line.values.get(KEY)
    return str(result.get("uid")) if isinstance(result, dict) else ""


def _break(raw: bytes) -> bytes:
    return raw[len(raw.rstrip(b"\r\n")) :]
