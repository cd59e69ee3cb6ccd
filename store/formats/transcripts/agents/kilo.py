"""Kilo's sessions: a database as OpenCode's, of which Kilo was made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ....records.dataclasses import replace
from ....records.events import Event
from .opencode import OpenCodeDatabase, has_opencode_tables


def recognizes_file(path: Path) -> bool:
    """Return whether a SQLite database is Kilo's: it differs from OpenCode's by its name alone."""
    return path.name.startswith("kilo") and has_opencode_tables(path)


class KiloDatabase(OpenCodeDatabase):
    """Reads `kilo.db`."""

    def events(self) -> Iterator[Event]:
        """Yield all its events, as OpenCode's."""
        for event in super().events():
            yield replace(event, agent="kilo")
