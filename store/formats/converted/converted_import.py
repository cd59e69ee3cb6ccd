"""Import the memory of a program that keeps it in files: what it says is converted, and imported as lines
of scheme C are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ...database.transaction import async_commit
from ...errors import SourceError
from ...store import Store
from ...tables.base import digest
from ..common.progress import ImportProgress
from ..common.report import Report
from ..scheme_c.directory import Directory
from ..scheme_c.directory_import import DirectoryImport
from ..scheme_c.items import DirectoryReader
from ..scheme_c.lines import ObjectLine
from ..scheme_c.sync_state import Baseline, SyncedRecord
from . import basic_memory, beads, mcp_memory, mem0
from .reading import FACTS, ITEMS, WRITTEN, Line, file_of


class Converter(NamedTuple):
    """How a program's memory is read: the file or folder that it is, or None where a path leads to none;
    and its lines."""

    place_of: Callable[[Path], Path | None]
    lines: Callable[[Path], Iterator[Line]]


CONVERTERS: Mapping[str, Converter] = {
    "mcp-memory": Converter(
        partial(file_of, mcp_memory.FILES, mcp_memory.recognizes), mcp_memory.lines
    ),
    "mem0": Converter(partial(file_of, mem0.FILES, mem0.recognizes), mem0.lines),
    "beads": Converter(partial(file_of, beads.FILES, beads.recognizes), beads.lines),
    "basic-memory": Converter(basic_memory.place_of, basic_memory.lines),
}


def recognize(path: Path) -> str | None:
    """Return the program that a file, or one in a folder, is of; None for any other. Raises OSError."""
    return next((name for name, converter in CONVERTERS.items() if converter.place_of(path)), None)


def import_converted(
    store: Store, path: Path, program: str, progress: ImportProgress | None = None
) -> Report:
    """Import what a program remembers, and report what became of it, line by line.

    Nothing in it is touched. Doing it again imports what is new, changes what it says otherwise and
    marks what it lost. Raises SourceError where the path leads to no memory of that program.
    """
    try:
        place = CONVERTERS[program].place_of(path)
        if place is None:
            raise SourceError(f"{path} is not a memory of {program}. Nothing was imported.")
        source = f"{program}:{digest(str(place.resolve()))[:8]}"
        reader = ConvertedReader(store, program, source, place)
    except OSError as error:
        raise SourceError(f"{path} can't be read ({error.strerror}).") from error
    with async_commit(store.db):
        return ConvertedImport(store, reader, source, progress).run()


class ConvertedReader(DirectoryReader):
    """Gives the lines of a memory as if they stood in a directory of scheme C. A fact has the time of its
    first import; what tells none that of the file."""

    def __init__(self, store: Store, program: str, source: str, place: Path) -> None:
        names = (ITEMS, FACTS)
        super().__init__(Directory(place.parent, (), names, (), ()), Report(source))
        known: list[Any] = store.db.execute(
            "SELECT native_id, told_at FROM fact_sources WHERE source = ?", (source,)
        ).fetchall()
        times: dict[str, int] = dict(known)
        written = int(place.stat().st_mtime * 1_000)
        self._lines: dict[str, list[Line]] = {name: [] for name in names}
        for line in CONVERTERS[program].lines(place):
            file = line.file if line.file in names else ITEMS
            if isinstance(line, ObjectLine):
                told = line.values.pop(WRITTEN, written)
                line.values["timestamp"] = times.get(f"{file}#{line.values['id']}", told)
                line.values["session"] = line.values["agent"] = program
            self._lines[file].append(line)

    def lines(self, file: str) -> Iterator[Line]:
        """Yield the lines that became one of the two files."""
        yield from self._lines[file]


class ConvertedImport(DirectoryImport):
    """The import of lines that stand in no directory."""

    def __init__(
        self, store: Store, reader: ConvertedReader, source: str, progress: ImportProgress | None
    ) -> None:
        super().__init__(store, reader.directory, source, progress)
        self.reading = reader
        self.baseline = _Unsynced(store, source)


class _Unsynced(Baseline):
    """Stores nothing: no sync writes to another program's file."""

    def record(self, table: str, numbers: Iterable[int], *, only_new: bool = False) -> None:
        pass

    def put(self, synced: SyncedRecord) -> None:
        pass

    def lies_in(self, path: Path) -> None:
        pass
