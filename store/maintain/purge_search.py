"""Looking for purged texts, byte by byte: in the memory's own files, which SQLite may have open, its
backups, and what it was made of."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from ..capture.ingest import spool
from ..database.backup import known_backups
from ..database.files.leftovers import set_aside_files
from ..platform.system import posix
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..store import Store
from ..tables.removal.purge_selection import said_by
from ..text.occurrences import Occurrences

COMPANIONS = ("-wal", "-shm", "-journal")
MOST_SOURCE_BYTES = 1_000_000_000
"""So much of what agents and other programs wrote is looked through, the newest first."""

Progress = Callable[[int, int, str], object]


@dataclass(frozen=True, slots=True)
class Leftover:
    """A file that still holds a purged text, and how many of the texts it holds."""

    path: Path
    texts: int


@dataclass(slots=True)
class Looked:
    """How many files of how many bytes were looked through, and what was found in them."""

    files: int = 0
    bytes: int = 0
    found: tuple[Leftover, ...] = ()


class Search:
    """Looks for texts in files. What a living memory says as well is no leftover."""

    def __init__(
        self,
        store: Store,
        texts: Occurrences,
        progress: Progress | None = None,
        quotes: Iterable[str] = (),
    ) -> None:
        """`quotes` are those texts of which it is noted who else says them."""
        self.store = store
        self.quotes = frozenset(quotes)
        self.texts = texts
        self.progress = progress
        self.also: dict[str, None] = {}
        """The refs of records that say one of the texts as well, one for each."""
        self._alive: dict[bytes, bool] = {}

    def own_files(self) -> Looked:
        """Look through all files of the memory but its backups."""
        path = self.store.path
        places = [*_open_files(path)]
        folders = [*spool.folders(path), *_drafts(path)]
        for folder in folders:
            places += sorted(folder.rglob("*")) if folder.is_dir() else [folder]
        return self._look(_("looking through the store's files"), places)

    def backups(self) -> Looked:
        """Look through the memory's own backups, and what was left beside them."""
        copies = dict.fromkeys([*known_backups(self.store.path), *_copies(self.store.path)])
        places = [
            place
            for backup in copies
            for place in (backup, *(Path(f"{backup}{end}") for end in COMPANIONS))
        ]
        return self._look(_("looking through its backups"), places) if self.texts else Looked()

    def sources(self) -> Looked:
        """Look through what the memory was made of or was written to, as far as it knows where that lies:
        agents' transcripts and files, and directories that are kept in step."""
        left = MOST_SOURCE_BYTES
        places = []
        for size, place in _newest_first(_sources(self.store)):
            if (left := left - size) >= 0:
                places.append(place)
        return self._look(_("looking through transcripts"), places) if self.texts else Looked()

    def has_traces(self, traces: Iterable[str]) -> bool:
        """Return whether the memory's file holds any of these where no record says it: pages that
        were freed keep what was written before."""
        needles = Occurrences(traces).needles_in_chunks(chunks_of(self.store.path))[0]
        return bool(needles.keys() - said_by(self.store.db, needles).keys())

    def _look(self, what: str, places: Iterable[Path]) -> Looked:
        looked = Looked()
        sizes = {}
        for place in places:
            with suppress(OSError):
                if place.is_file():
                    sizes[place] = place.stat().st_size
        whole = max(1, sum(sizes.values()))
        are_open = {*_open_files(self.store.path)}

        def report(size: int) -> None:
            if self.progress:
                self.progress(min(99, (looked.bytes + size) * 100 // whole), 100, what)

        report(0)
        for place in sizes:
            with suppress(OSError):
                if place in are_open:
                    needles, size = self.texts.needles_in_chunks(chunks_of(place), report)
                else:
                    needles, size = self.texts.needles_in_file(place, report)
                looked.files += 1
                looked.bytes += size
                left = {needles[needle] for needle in self._dead(needles)}
                if left:
                    looked.found = (*looked.found, Leftover(place, len(left)))
        return looked

    def _dead(self, needles: Mapping[bytes, str]) -> set[bytes]:
        """Return those of the pieces, each with the text that it is of, that nothing says any more."""
        unknown = needles.keys() - self._alive.keys()
        by = said_by(self.store.db, unknown)
        self._alive |= {needle: needle in by for needle in unknown}
        self.also |= {text: None for needle, text in by.items() if text and needles[needle] in self.quotes}
        return {needle for needle in needles if not self._alive[needle]}


def _open_files(path: Path) -> Iterator[Path]:
    """Yield the files that SQLite has open for a memory."""
    yield path
    for end in COMPANIONS:
        yield Path(f"{path}{end}")


def _drafts(path: Path) -> Iterator[Path]:
    """Yield what a killed command may have left beside the memory."""
    for name in (f".{glob.escape(path.name)}.*", ".rebuild.*", ".restore.*", ".repair.*"):
        yield from path.parent.glob(name)


def _copies(path: Path) -> Iterator[Path]:
    """Yield what was moved aside, and what was repaired."""
    yield from sorted(path.parent.glob(f"{glob.escape(path.stem)}-repaired*{path.suffix}"))
    yield from set_aside_files(path)


def _sources(store: Store) -> Iterator[Path]:
    for (path,) in store.db.execute("SELECT path FROM transcripts"):
        yield Path(str(path))
    for (path,) in store.db.execute("SELECT path FROM agent_files"):
        yield Path(os.fsdecode(path))
    for (path,) in store.db.execute("SELECT path FROM directories"):
        with suppress(OSError):
            yield from Path(str(path)).glob("*.md")
            yield from Path(str(path)).glob("*.jsonl")
            yield from Path(str(path)).glob("daily/*.jsonl")


def _newest_first(places: Iterable[Path]) -> list[tuple[int, Path]]:
    results: list[tuple[float, int, Path]] = []
    for place in dict.fromkeys(places):
        with suppress(OSError):
            status = place.stat()
            results.append((-status.st_mtime, status.st_size, place))
    return [(size, place) for _, size, place in sorted(results)]


_held: dict[tuple[int, int], int] = {}
CHUNK = 4 << 20


def chunks_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file. Raises OSError."""
    status = path.stat()
    place = (status.st_dev, status.st_ino)
    if place not in _held:
        _held[place] = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    offset = 0
    while chunk := posix.pread(_held[place], CHUNK, offset):
        yield chunk
        offset += len(chunk)
