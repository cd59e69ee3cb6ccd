"""Kilo's sessions: a database as OpenCode's, of which Kilo was made."""

from __future__ import annotations

from collections.abc import Iterator

from ....records.dataclasses import replace
from ....records.events import Event
from .opencode import OpenCodeDatabase


class KiloDatabase(OpenCodeDatabase):
    """Reads `kilo.db`."""

    agent = "kilo"

    def events(self) -> Iterator[Event]:
        """Yield all its events, as OpenCode's."""
        for event in super().events():
            yield replace(event, agent="kilo")
