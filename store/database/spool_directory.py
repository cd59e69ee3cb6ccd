"""The directories beside a memory's file: the spool, with events that wait, settings that hooks read, a
worker's lock and marker; and where a local model's command runs.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from ..paths import spool_path
from .atomic import make_directories


def make_spool_directory(database: Path) -> Path:
    """The spool of a memory, made when it is missing."""
    found = spool_directory(database)
    make_directories(found)
    return found


@cache
def spool_directory(database: Path) -> Path:
    """The spool of a memory, whether it is there or not."""
    return Path(os.fsdecode(spool_path(os.fsencode(database.resolve()))))


def observer_directory(database: Path) -> Path:
    """Return the directory in which a local model's command runs: what agents do there is no memory."""
    return Path(f"{database.absolute()}-observer")
