"""What the archive has: of a session a line a version of a file, each with a hash of its own; and the
bytes in pieces, each once by its SHA-256, compressed: what grows gets one more.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Container
from contextlib import suppress
from pathlib import Path

from ...database.files import atomic
from ...platform.errors import SourceError
from ...records.dataclasses import asdict, dataclass

NAME = "manifest.jsonl"


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A version of a file: its path, bytes, mtime (ns) and mode as they were, the SHA-256 of all of it,
    when it was seen (ms), its lines, whether the last of these has no end, and its pieces."""

    path: str
    size: int
    mtime_ns: int
    mode: int
    sha256: str
    seen: int
    lines: int
    is_torn: bool
    chunks: tuple[Chunk, ...]


def read_manifest(folder: Path) -> list[ArchivedFile]:
    """Return the versions of a session's files, the oldest first; SourceError for a damaged manifest."""
    path = folder / NAME
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    if content and not content.endswith(b"\n"):
        raise SourceError("{path} is damaged: its last line has no end.", path=path)
    entries = []
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        text, _tab, check = line.rpartition(b"\t")
        if _check(text) != check:
            raise SourceError("{path} is damaged in line {number}.", path=path, number=number)
        try:
            values = json.loads(text)
            values["chunks"] = tuple(Chunk(**chunk) for chunk in values["chunks"])
            entries.append(_checked(ArchivedFile(**values)))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise SourceError("{path} is damaged in line {number}.", path=path, number=number) from error
    return entries


def write_manifest(folder: Path, entries: list[ArchivedFile]) -> None:
    """Write the versions of a session's files. Raises OSError."""
    atomic.make_directories(folder)
    lines = []
    for entry in entries:
        text = json.dumps(asdict(entry)).encode()
        lines.append(text + b"\t" + _check(text) + b"\n")
    atomic.write(folder / NAME, b"".join(lines))


def newest(entries: list[ArchivedFile]) -> dict[str, ArchivedFile]:
    """Return the last version of each file, by its path."""
    return {entry.path: entry for entry in entries}


LARGEST = 4 << 20
"""Bytes of a piece at most, before it is compressed."""
LEVEL = 6


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece: the SHA-256 of its bytes, how many there are, and the SHA-256 of what is stored."""

    sha256: str
    size: int
    stored: str


class ChunkFolder:
    """Where the pieces lie."""

    def __init__(self, folder: Path) -> None:
        self.path = folder

    def keep(self, content: bytes) -> Chunk:
        """Keep a piece. Raises OSError."""
        name = hashlib.sha256(content).hexdigest()
        place = self._place(name)
        if (stored := self._read(name)) is None:
            stored = zlib.compress(content, LEVEL)
            atomic.make_directories(place.parent)
            with atomic.draft(place) as made:
                made.write_bytes(stored)
                atomic.publish(made, place, replace=True)
        return Chunk(name, len(content), hashlib.sha256(stored).hexdigest())

    def read(self, chunk: Chunk) -> bytes:
        """Return a piece; SourceError where it is gone or not what it was."""
        stored = self._read(chunk.sha256)
        if stored is None:
            raise SourceError("The piece {id} of the archive is gone.", id=chunk.sha256[:12])
        with suppress(zlib.error):
            # What an archive of somebody else's says is a piece may be endless.
            content = zlib.decompressobj().decompress(stored, LARGEST + 1)
            if (
                hashlib.sha256(stored).hexdigest() == chunk.stored
                and hashlib.sha256(content).hexdigest() == chunk.sha256
            ):
                return content
        raise SourceError("The piece {id} of the archive is damaged.", id=chunk.sha256[:12])

    def stored_bytes(self, chunk: Chunk) -> int:
        """Return how many bytes a piece takes; 0 where it is gone."""
        try:
            return self._place(chunk.sha256).stat().st_size
        except OSError:
            return 0

    def drop_all_but(self, kept: Container[str], among: Container[str] | None = None) -> int:
        """Remove the pieces that are known by no name that is kept, be it only `among` some, and what a
        killed capture left of one; return how many."""
        gone = [
            place
            for place in self.path.glob("??/*")
            if place.name not in kept and (among is None or place.name in among)
        ]
        for place in gone:
            place.unlink(missing_ok=True)
        return len(gone)

    def _read(self, name: str) -> bytes | None:
        try:
            return self._place(name).read_bytes()
        except FileNotFoundError:
            return None

    def _place(self, name: str) -> Path:
        return self.path / name[:2] / name


DIGITS = 16


def _checked(entry: ArchivedFile) -> ArchivedFile:
    """Return an entry whose values are of their kinds, and whose path stays where it begins. ValueError."""
    texts = [entry.path, entry.sha256]
    texts += (text for chunk in entry.chunks for text in (chunk.sha256, chunk.stored))
    numbers = [entry.size, entry.mtime_ns, entry.mode, entry.seen, entry.lines]
    numbers += (chunk.size for chunk in entry.chunks)
    is_right = all(type(text) is str for text in texts) and all(type(number) is int for number in numbers)
    if not is_right or not entry.path.startswith("/") or ".." in entry.path.split("/"):
        raise ValueError(entry.path)
    return entry


def _check(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:DIGITS].encode()
