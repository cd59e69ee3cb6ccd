"""Capture of what agents left on this machine, where the user's configuration asks for it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from ..config import archives
from ..errors import StoreError
from ..files.homes import AgentHomes
from .archive import LOCK, Archive
from .sources import units

LEAST_SECONDS = 600
"""So far do two captures lie apart that nobody asked for."""


def capture_if_on(database: Path) -> None:
    """Capture what is new into a memory's archive, where that is on and the last time is ten minutes ago.
    Not for where an agent waits; what can't be done now is done after the next session."""
    if not archives():
        return
    archive = Archive(database)
    lock = archive.path / LOCK
    with suppress(OSError, StoreError):
        if lock.exists() and time.time() - lock.stat().st_mtime < LEAST_SECONDS:
            return
        archive.capture(units(AgentHomes.own()))
        os.utime(lock)
