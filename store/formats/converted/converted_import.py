"""Import a file of a program whose memory is JSON: what it says is converted, and imported as lines
of scheme C are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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
from . import beads, mcp_memory, mem0
from .reading import FACTS, ITEMS, Line


class Converter(NamedTuple):
    """How a program's file is read: the names it has in a folder, whether a file is one, its lines."""

    files: tuple[str, ...]
    recognizes: Callable[[Path], bool]
    lines: Callable[[Path], Iterator[Line]]


CONVERTERS: Mapping[str, Converter] = {
    "mcp-memory": Converter(mcp_memory.FILES, mcp_memory.recognizes, mcp_memory.lines),
    "mem0": Converter(mem0.FILES, mem0.recognizes, mem0.lines),
    "beads": Converter(beads.FILES, beads.recognizes, beads.lines),
}


def recognize(path: Path) -> str | None:
    """Return the program that a file, or one in a folder, is of; None for any other. Raises OSError."""
    return next((name for name in CONVERTERS if _file_of(name, path)), None)


def import_converted(
    store: Store, path: Path, program: str, progress: ImportProgress | None = None
) -> Report:
    """Import what a program's file holds, and report what became of it, line by line.

    Nothing in it is touched. Doing it again imports what is new, changes what it says otherwise and
    marks what it lost. Raises SourceError where the file is none of that program's.
    """
    try:
        file = _file_of(program, path)
        if file is None:
            raise SourceError(f"{path} is not a memory of {program}. Nothing was imported.")
        source = f"{program}:{digest(str(file.resolve()))[:8]}"
        reader = ConvertedReader(store, program, source, file)
    except OSError as error:
        raise SourceError(f"{path} can't be read ({error.strerror}).") from error
    with async_commit(store.db):
        return ConvertedImport(store, reader, source, progress).run()


class ConvertedReader(DirectoryReader):
    """Gives the lines of a file as if they stood in a directory of scheme C. What tells no time gets
    that of its first import, or of the file."""

    def __init__(self, store: Store, program: str, source: str, file: Path) -> None:
        names = (ITEMS, FACTS)
        super().__init__(Directory(file.parent, (), names, (), ()), Report(source))
        known: list[Any] = store.db.execute(
            "SELECT native_id, told_at FROM fact_sources WHERE source = ?", (source,)
        ).fetchall()
        times: dict[str, int] = dict(known)
        written = int(file.stat().st_mtime * 1_000)
        self._lines: dict[str, list[Line]] = {name: [] for name in names}
        for line in CONVERTERS[program].lines(file):
            place = line.file if line.file in names else ITEMS
            if isinstance(line, ObjectLine):
                time = "created_at" if place == FACTS else "timestamp"
                line.values.setdefault(time, times.get(f"{place}#{line.values['id']}", written))
                line.values["session"] = line.values["agent"] = program
            self._lines[place].append(line)

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


def _file_of(program: str, path: Path) -> Path | None:
    converter = CONVERTERS[program]
    places = [path / name for name in converter.files] if path.is_dir() else [path]
    return next(
        (place for place in places if place.is_file() and converter.recognizes(place)), None
    )
