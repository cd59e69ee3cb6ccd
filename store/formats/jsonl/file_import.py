"""Import our own JSON lines, written by `mem export jsonl`, into any memory.

A row is known by its uid, else by whatever key of its table makes it the same. Where both sides
have it, the newer version stays, by the hybrid logical clock.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from ...database.transaction import async_commit
from ...errors import SourceError
from ...regular_file import open_regular
from ...search.bulk import bulk_hash_size
from ...store import Store
from ..common.progress import ImportProgress
from ..common.report import Report
from .layout import FORMAT, SELECTION, TABLES, VERSION
from .lines import ImportRow, NumberedLine, batches, read_lines, warn
from .upsert import RowUpsert

LARGE = 8 << 20
"""Bytes of a file from which on the indexes gather more in memory."""

LONGEST_HEAD = 4_096
"""Bytes of a first line that are read to see what it says."""


def import_jsonl(store: Store, path: Path, progress: ImportProgress | None = None) -> Report:
    """Import what a file of JSON lines holds, and report what became of each line.

    Lines come in by the thousands, each batch whole: after a kill, doing it again goes on where it
    stopped, and again after that changes nothing. A bad line is a warning by its number, and all
    good ones come in. `progress` is called with the bytes read and the bytes there are. Raises
    SourceError for a file in which no line is one of ours.
    """
    with _opened(path) as file:
        if not is_ours(path):
            raise SourceError(f"{path} is no export of `mem export jsonl`. Nothing was imported.")
        with async_commit(store.db):
            return _FileImport(store, file, progress).run()


def is_ours(path: Path) -> bool:
    """Return whether a file is an export of ours, by the first 50 lines."""
    try:
        with open_regular(path) as file:
            for line in read_lines(file):
                if line.number > 50:
                    return False
                if line.record and (line.record.get("table") in (FORMAT, *TABLES)):
                    return True
    except OSError:
        return False
    return False


class _FileImport:
    """One run over one file."""

    def __init__(self, store: Store, file: BinaryIO, progress: ImportProgress | None) -> None:
        self.store = store
        self.file = file
        self.progress = progress
        self.report = Report("jsonl")
        self.upsert = RowUpsert(store, self.report)
        self.is_whole = False

    def run(self) -> Report:
        size = os.fstat(self.file.fileno()).st_size
        with bulk_hash_size(self.store.db) if size > LARGE else nullcontext():
            for batch in batches(read_lines(self.file)):
                rows = list(self._rows(batch))
                with self.store.transaction():
                    for table, some in groupby(rows, key=lambda row: row.table):
                        self.upsert.apply(table, list(some))
                if self.progress:
                    self.progress(min(self.file.tell(), size), size)
        if not self.is_whole:
            self.report.notes.append("The file's last line is missing: it may have been cut.")
        return self.report

    def _rows(self, batch: list[NumberedLine]) -> Iterator[ImportRow]:
        """Yield the lines that are rows of a table of ours; report the others."""
        for line in batch:
            if line.wrong:
                warn(self.report, line.number, line.wrong)
            if line.record is None:
                continue
            table = line.record.pop("table", None)
            if table == FORMAT:
                self._check(line, line.record)
            elif table == "end":
                self.is_whole = True
            elif isinstance(table, str) and table in TABLES:
                yield ImportRow(line.number, table, line.record)
            else:
                warn(
                    self.report, line.number, f"is of no table that is known ({str(table)[:40]!r})"
                )

    def _check(self, line: NumberedLine, head: dict[str, Any]) -> None:
        version = head.get("version")
        if version != VERSION:
            warn(
                self.report,
                line.number,
                f"tells of version {version!r}; this memtui knows {VERSION}",
            )


def is_selection(path: Path) -> bool:
    """Return whether a file says that it holds chosen memories only. Raises SourceError."""
    with _opened(path) as file:
        try:
            head = json.loads(file.readline(LONGEST_HEAD))
        except (ValueError, RecursionError):
            return False
    return isinstance(head, dict) and head.get(SELECTION) is True


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        file = open_regular(path)
    except OSError as error:
        raise SourceError(f"{path} can't be read ({error.strerror}). Check the path.") from error
    with file:
        yield file
