"""Read files that SQLite may have open in this process.

When a process closes a file, POSIX takes all of its locks on that file from it, SQLite's too: others
would then take a memory for one that nobody has open, and empty its log under it. So what is opened here
stays open.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_held: dict[tuple[int, int], int] = {}
CHUNK = 4 << 20


def chunks_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file. Raises OSError."""
    status = path.stat()
    place = (status.st_dev, status.st_ino)
    if place not in _held:
        _held[place] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    offset = 0
    while chunk := os.pread(_held[place], CHUNK, offset):
        yield chunk
        offset += len(chunk)
