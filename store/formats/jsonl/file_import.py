"""Import our own JSON lines, written by `mem export jsonl`, into any memory.

A row is known by its uid, else by whatever key of its table makes it the same. Where both sides
have it, the newer version stays, by the hybrid logical clock.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from ...database.transaction import async_commit
from ...platform.clock import DAY_MS, now_ms
from ...platform.errors import SourceError
from ...platform.regular_file import open_regular
from ...platform.translation import _
from ...search.index.bulk import Bulk, bulk_hash_size
from ...store import Store
from ...text.plural import count_noun
from ..common.report import ImportProgress, Report
from ..common.second_process import working_ahead
from .export import is_own_export
from .layout import FORMAT, SELECTION, TABLES
from .reading import LineBatch, RowGroup, read_ahead, read_batches, read_lines, table_columns
from .upsert import RowUpsert, by_uid

LARGE = 8 << 20
"""Bytes of a file from which on the indexes gather more in memory, and a second process reads ahead."""

CUT = _("The file's last line is missing: it may have been cut.")

OTHER = "file"
"""The machine of rows of which a file says that it is this one."""

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
            raise SourceError("{path} is not from `mem export jsonl`. Nothing was imported.", path=path)
        is_accepted = is_own_export(file)
        taking = _FileImport(store, file, progress, is_accepted=is_accepted)
        with async_commit(store.db), _reading(path, file, taking, is_accepted) as batches:
            return taking.run(batches)


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

    def __init__(
        self, store: Store, file: BinaryIO, progress: ImportProgress | None, *, is_accepted: bool
    ) -> None:
        self.store = store
        self.is_accepted = is_accepted
        self.progress = progress
        self.size = os.fstat(file.fileno()).st_size
        self.columns = table_columns(store.db)
        self.report = Report("jsonl")
        self.bulk = Bulk(store.db)
        self.upsert = RowUpsert(store, self.report, self.columns, self.bulk)
        self.is_whole = False
        self.changed = 0

    def run(self, batches: Iterator[LineBatch]) -> Report:
        """Bring rows in, each batch whole. While SQLite writes one, the next is read."""
        with ExitStack() as stack:
            if self.size > LARGE:
                stack.enter_context(bulk_hash_size(self.store.db))
            at_hand = stack.enter_context(ExitStack())
            stack.enter_context(self.bulk)
            for batch in batches:
                self.upsert.settle()
                at_hand.close()
                at_hand.enter_context(self.store.transaction())
                self.report.take_over(batch.report)
                self.is_whole = self.is_whole or batch.is_end
                for group in batch.groups:
                    self.changed += sum(row.is_changed for row in group.rows)
                    if not self.is_accepted and TABLES[group.table].has_versions:
                        self._bound(group)
                    if not self.is_accepted and group.table == "shared_files":
                        # Nobody else says what agents are told here.
                        continue
                    self.upsert.apply(group.table, group.rows, group.texts)
                if self.progress:
                    self.progress(batch.read, self.size)
            self.upsert.settle()
        if not self.is_whole:
            self.report.notes.append(CUT)
        if self.changed:
            text = _(
                "{rows} held secrets or private passages, which were left out",
                rows=count_noun(self.changed, "rows"),
            )
            self.report.notes.append(text)
        return self.report

    def _bound(self, group: RowGroup) -> None:
        """Have the rows of somebody else's file claim neither that this machine made or changed what isn't
        here so, nor a version of the future."""
        machine, now = self.store.machine_id, now_ms()
        known = by_uid(self.store.db, group.table, group.rows)
        for values in (row.values for row in group.rows if row.values is not None):
            here = known.get(values["uid"])
            if values.get("origin") == machine and here is None:
                values["origin"] = OTHER
            if values.get("editor") == machine and (here is None or values.get("hlc") not in here):
                values["editor"] = OTHER
            if isinstance(hlc := values.get("hlc"), int) and hlc >> 16 > now + DAY_MS:
                values["hlc"] = now << 16


@contextmanager
def _reading(
    path: Path, file: BinaryIO, taking: _FileImport, is_accepted: bool
) -> Iterator[Iterator[LineBatch]]:
    """Give the batches of a file; a second process reads a large one ahead."""

    def here() -> Iterator[LineBatch]:
        return read_batches(file, taking.columns, is_accepted)

    if taking.size > LARGE:
        with working_ahead(here, read_ahead, path.absolute(), taking.columns, is_accepted) as batches:
            yield batches
    else:
        yield here()


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
        raise SourceError(
            "{path} can't be read ({error}). Check the path.", path=path, error=error.strerror
        ) from error
    with file:
        yield file
