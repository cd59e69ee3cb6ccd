"""What the archive has of a session: a line a version of a file, each with a hash of its own."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ..database.files import atomic
from ..errors import SourceError
from ..records.dataclasses import asdict, dataclass
from .chunks import Chunk

NAME = "manifest.jsonl"
DIGITS = 16


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


def _checked(entry: ArchivedFile) -> ArchivedFile:
    """Return an entry whose values are of their kinds, and whose path stays where it begins. ValueError."""
    texts = [
        entry.path,
        entry.sha256,
        *(text for chunk in entry.chunks for text in (chunk.sha256, chunk.stored)),
    ]
    numbers = [
        entry.size,
        entry.mtime_ns,
        entry.mode,
        entry.seen,
        entry.lines,
        *(chunk.size for chunk in entry.chunks),
    ]
    is_right = all(type(text) is str for text in texts) and all(type(number) is int for number in numbers)
    if not is_right or not entry.path.startswith("/") or ".." in entry.path.split("/"):
        raise ValueError(entry.path)
    return entry


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


def _check(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:DIGITS].encode()
