"""The bytes of the archive in pieces, each once by its SHA-256, compressed: what grows gets one more."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Container
from contextlib import suppress
from pathlib import Path

from ..database.files import atomic
from ..errors import SourceError
from ..records.dataclasses import dataclass

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
