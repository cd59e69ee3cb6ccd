"""Put lines of one kind into a table of ours, each once however often its directory is read."""

from __future__ import annotations

from collections.abc import Sequence

from ... import observations, sessions, summaries
from ...store import Store
from ..landing import Landing
from ..mapping import Mapped as Mapped
from ..report import Report

INSERTS = {
    "sessions": sessions.INSERT,
    "observations": observations.INSERT,
    "summaries": summaries.INSERT,
}


def land(store: Store, report: Report, table: str, rows: Sequence[Mapped]) -> list[int]:
    """Insert the new rows, update the changed ones; the numbers of those that are either.

    A record that was edited here stays as it is, and the difference is told.
    """
    counts = report.of(table)
    landing = Landing(store, report.source, table, INSERTS[table], counts, report)
    landing.put(rows)
    return landing.touched
