"""The directory beside a memory's file: events that wait, settings that hooks read, a worker's
lock and marker.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from ..paths import spool_path


def make_spool_directory(database: Path) -> Path:
    """The spool of a memory, made when it is missing."""
    found = spool_directory(database)
    for directory in reversed((found, *found.parents)):
        directory.mkdir(mode=0o700, exist_ok=True)
    return found


@cache
def spool_directory(database: Path) -> Path:
    return Path(os.fsdecode(spool_path(os.fsencode(database.resolve()))))
