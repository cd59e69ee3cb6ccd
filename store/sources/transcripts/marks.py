"""How a transcript is known again: the same file gone on, another in its place, or nothing new."""

from __future__ import annotations

import json
import os
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from ..foreign import stamp

HEAD = 1_024


def mark(file: BinaryIO) -> str:
    """Which file this is, however it grows: its place on the disk and a hash of its first bytes."""
    status = os.fstat(file.fileno())
    return _mark(file, status, min(status.st_size, HEAD))


def is_same(file: BinaryIO, marked: str) -> bool:
    """Whether a file is the one that was marked, as it was then or with more at its end."""
    try:
        head = int(marked.split(" ")[2])
    except (IndexError, ValueError):
        return False
    return _mark(file, os.fstat(file.fileno()), head) == marked


def mark_of_state(path: Path) -> str:
    """What a file that is rewritten as a whole is at this moment, with those that belong to it."""
    return json.dumps([path.stat().st_ino, *stamp(path)])


def _mark(file: BinaryIO, status: os.stat_result, head: int) -> str:
    file.seek(0)
    first = blake2b(file.read(head), digest_size=8).hexdigest()
    return f"{status.st_dev} {status.st_ino} {head} {first}"
