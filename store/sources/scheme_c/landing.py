"""Put lines of one kind into a table of ours, each once however often its directory is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from ... import observations, sessions, summaries
from ...rows import Values, common
from ...store import Store
from ..report import Difference, Report

EDITED = "edited here since it was imported"
INSERTS = {
    "sessions": sessions.INSERT,
    "observations": observations.INSERT,
    "summaries": summaries.INSERT,
}


class Mapped(NamedTuple):
    """A line as one of our tables holds it.

    `values` follow the directory; `initial` are set once and may go their own way.
    """

    native_id: str
    values: Values
    initial: Values


def land(store: Store, report: Report, table: str, rows: Sequence[Mapped]) -> list[int]:
    """Insert the new rows, update the changed ones; the numbers of those that are either.

    A record that was edited here stays as it is, and the difference is told.
    """
    counts = report.of(table)
    touched: list[int] = []
    with store.unit():
        known = _known(store, report.source, table, [row.native_id for row in rows])
        for row in rows:
            if row.native_id not in known:
                values = _record(store, report.source, row)
                number = store.db.execute(INSERTS[table], values).get
                touched.append(int(number))
                counts.new += 1
            elif _follow(store, report, table, row, *known[row.native_id]):
                touched.append(known[row.native_id][0])
    return touched


def fingerprint(values: Values) -> str:
    """A short hash of what a line says, whatever the order in which it says it."""
    return blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=8).hexdigest()


def _known(
    store: Store, source: str, table: str, native_ids: Sequence[str]
) -> dict[str, tuple[int, str]]:
    found = store.db.execute(
        f"SELECT native_id, id, fingerprint FROM {table} WHERE source = ? "
        "AND native_id IN (SELECT value FROM json_each(?))",
        (source, json.dumps(native_ids)),
    )
    return {native_id: (number, mark or "") for native_id, number, mark in found}


def _record(store: Store, source: str, row: Mapped) -> Values:
    values = common(
        store.machine_id,
        at=row.values["created_at"],
        source=source,
        native_id=row.native_id,
        fingerprint=fingerprint(row.values),
    )
    return values | row.values | row.initial


def _follow(store: Store, report: Report, table: str, row: Mapped, number: int, mark: str) -> bool:
    """Whether the record was changed to what its line says now."""
    counts = report.of(table)
    wanted = fingerprint(row.values)
    if wanted == mark:
        counts.unchanged += 1
        return False
    names = ", ".join(row.values)
    sql = f"SELECT {names} FROM {table} WHERE id = ?"
    present = dict(zip(row.values, store.db.execute(sql, (number,)).fetchall()[0], strict=True))
    if fingerprint(present) != mark:
        fields = tuple(name for name in row.values if present[name] != row.values[name])
        if fields:
            counts.skip(EDITED)
            report.differ(Difference(table, number, row.native_id, fields))
        else:
            counts.unchanged += 1
        return False
    changes = ", ".join(f"{name} = :{name}" for name in row.values)
    store.db.execute(
        f"UPDATE {table} SET {changes}, fingerprint = :fingerprint, updated_at = :updated_at, "
        "editor = :editor, hlc = hlc + 1 WHERE id = :id",
        _record(store, report.source, row) | {"id": number},
    )
    counts.changed += 1
    return True
