"""Import the memory of a program that keeps it in files: what it says is converted, and imported as lines
of scheme C are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ...config import mappings
from ...database.transaction import async_commit
from ...formats.common.report import ImportProgress, Report
from ...formats.common.upsert import Mapped
from ...formats.scheme_c import sessions
from ...formats.scheme_c.changes import Baseline, SyncedRecord
from ...formats.scheme_c.directory import Directory
from ...formats.scheme_c.directory_import import DirectoryImport, not_read
from ...formats.scheme_c.items import DirectoryReader, LineItem
from ...formats.scheme_c.lines import ObjectLine
from ...platform.errors import SourceError
from ...platform.translation import _
from ...store import Store
from ...tables.base import digest
from ...tables.fact_sources import dump_list
from ...text import clean
from . import basic_memory, beads, claude_mem, json_lines, mcp_memory, mem0
from .json_lines import FACTS, ITEMS, WRITTEN, Line, file_of


class Converter(NamedTuple):
    """How a program's memory is read: the file or folder that it is, or None where a path leads to none;
    and its lines."""

    place_of: Callable[[Path], Path | None]
    lines: Callable[[Path], Iterator[Line]]


CONVERTERS: Mapping[str, Converter] = {
    "mcp-memory": Converter(partial(file_of, mcp_memory.FILES, mcp_memory.recognizes), mcp_memory.lines),
    "mem0": Converter(partial(file_of, mem0.FILES, mem0.recognizes), mem0.lines),
    "beads": Converter(partial(file_of, beads.FILES, beads.recognizes), beads.lines),
    "basic-memory": Converter(basic_memory.place_of, basic_memory.lines),
}


FIRST_TIMES = """
SELECT native_id, told_at FROM fact_sources WHERE source = ?1
UNION ALL SELECT native_id, created_at FROM observations WHERE source = ?1
"""


def recognize(path: Path) -> str | None:
    """Return the program that a file, or one in a folder, is of, or else the mapping that it fits; None for
    any other. Raises OSError, and SourceError where it fits several mappings."""
    for name, converter in CONVERTERS.items():
        if converter.place_of(path):
            return name
    if claude_mem.is_export(path):
        return "claude-mem"
    if not path.is_file():
        return None
    fitting = [name for name, mapping in mappings().items() if json_lines.fits(mapping, path)]
    if len(fitting) > 1:
        raise SourceError(
            "{path} fits the mappings {mappings}. Name one: mem import {first} {path}.",
            path=path,
            mappings=_(" and ").join(fitting),
            first=fitting[0],
        )
    return fitting[0] if fitting else None


def converter_of(program: str) -> Converter:
    """Return how the memory of a program is read, or what a mapping of the settings' file is for. Raises
    SourceError where there is no such mapping."""
    if program in CONVERTERS:
        return CONVERTERS[program]
    mapping = mappings().get(program)
    if mapping is None or not mapping.keys() & {"title", "text"}:
        raise SourceError(
            "The mapping {program} says neither which field is a title nor which is a "
            "text. `mem config edit`, [mappings.{program}].",
            program=program,
        )
    return Converter(
        lambda path: path if path.is_file() else None, partial(json_lines.mapped_lines, mapping)
    )


def import_converted(
    store: Store, path: Path, program: str, progress: ImportProgress | None = None
) -> Report:
    """Import what a program remembers, and report what became of it, line by line.

    Nothing in it is touched. Doing it again imports what is new, changes what it says otherwise and
    marks what it lost. Raises SourceError where the path leads to no memory of that program.
    """
    try:
        converter = converter_of(program)
        place = converter.place_of(path)
        if place is None:
            raise SourceError(
                "{path} is not a store of {program}. Nothing was imported.", path=path, program=program
            )
        source = f"{program}:{digest(str(place.resolve()))[:8]}"
        reader = ConvertedReader(store, program, source, place, converter)
    except OSError as error:
        raise SourceError("{path} can't be read ({error}).", path=path, error=error.strerror) from error
    with async_commit(store.db):
        report = ConvertedImport(store, reader, source, progress).run()
    if path.is_dir():
        report.notes += not_read(program, _others(place))
    return report


def _others(place: Path) -> list[str]:
    """Return the files of a folder that are not read as its program's, without hidden ones."""
    folder, suffix = (place, ".md") if place.is_dir() else (place.parent, None)
    files = (item for item in sorted(folder.iterdir()) if item.name[0] != "." and item.is_file())
    return [clean(item.name) for item in files if item != place and item.suffix != suffix]


class ConvertedReader(DirectoryReader):
    """Gives the lines of a memory as if they stood in a directory of scheme C. A fact has the time of its
    first import, as has an observation that tells none: that of the file."""

    def __init__(self, store: Store, program: str, source: str, place: Path, converter: Converter) -> None:
        names = (ITEMS, FACTS)
        super().__init__(Directory(place.parent, (), names, (), ()), Report(source))
        known: list[Any] = store.db.execute(FIRST_TIMES, (source,)).fetchall()
        times: dict[str, int] = dict(known)
        written = int(place.stat().st_mtime * 1_000)
        self._lines: dict[str, list[Line]] = {name: [] for name in names}
        for line in converter.lines(place):
            file = line.file if line.file in names else ITEMS
            if isinstance(line, ObjectLine):
                told, first = (
                    line.values.pop(WRITTEN, None),
                    times.get(f"{file}#{line.values['id']}"),
                )
                line.values["timestamp"] = (told or first if file == ITEMS else first or told) or written
                line.values.setdefault("session", program)
                line.values["agent"] = program
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
        self.observation = _titled_observation


def _titled_observation(item: LineItem, source: str, session_id: int, project: str) -> Mapped | None:
    """Map a line to an observation, as of scheme C, with a title of its own and with tags."""
    title, tags = item.text("title"), item.items("tags")
    result = sessions.observation(item, source, session_id, project)
    if result is not None and title:
        result.values.update(title=title, narrative=item.content())
    if result is not None and tags:
        result.values["tags"] = dump_list(tags)
    return result


class _Unsynced(Baseline):
    """Stores nothing: no sync writes to another program's file."""

    def record(self, table: str, numbers: Iterable[int], *, only_new: bool = False) -> None:
        pass

    def put(self, synced: SyncedRecord) -> None:
        pass

    def lies_in(self, path: Path) -> None:
        pass
