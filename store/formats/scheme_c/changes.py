"""Find what has to be written to a directory: every record that it doesn't have as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...platform.clock import now_ms
from ...records.kinds import TABLES
from ...records.rows import Common
from ...store import Store
from ..scheme_c import payload as parts
from .directory import REWRITTEN
from .public import Public
from .rendering import Values, file_of, gone, lines_of
from .sync_state import Baseline, SyncedRecord


class RecordChange(NamedTuple):
    """Lines about one record for a file, and what the directory has of the record once they are
    written.

    `native_id` is the line of another program that the record was made of, None for none.
    """

    lines: list[Values]
    synced: SyncedRecord
    native_id: str | None = None
    is_gone: bool = False


def changes(store: Store, directory: str) -> Iterator[list[RecordChange]]:
    """Yield the changes in lists, kind by kind."""
    public, baseline = Public(store, directory), Baseline(store, directory)
    for kind in parts.KINDS:
        known = baseline.known(kind)
        for page in public.pages(kind):
            yield [
                change
                for record, values in page
                if (change := _told(store, directory, record, values, known.pop(record.uid, None)))
            ]
        yield list(_hidden(store, directory, kind, known))


def _told(
    store: Store,
    directory: str,
    record: Common,
    values: parts.Payload,
    known: tuple[str, str] | None,
) -> RecordChange | None:
    mark = parts.payload_hash(values)
    if known is not None and known[1] == mark:
        return None
    file = known[0] if known and known[0] in REWRITTEN else file_of(record)
    native_id = foreign_line(store, directory, values["kind"], record, file)
    return RecordChange(
        lines_of(record, values), SyncedRecord(record.uid, values["kind"], file, mark), native_id
    )


def _hidden(
    store: Store, directory: str, kind: str, known: dict[str, tuple[str, str]]
) -> Iterator[RecordChange]:
    """Yield tombstones of what the directory has and nobody is to see any more."""
    for uid, (file, mark) in known.items():
        row = store.db.execute(
            f"SELECT id, deleted_at, hlc, editor FROM {TABLES[kind]} WHERE uid = ?", (uid,)
        ).fetchone()
        number, deleted_at, hlc, editor = row or (0, None, now_ms() << 16, store.machine_id)
        values = parts.tombstone(kind, uid, deleted_at or now_ms(), hlc, editor)
        if parts.payload_hash(values) == mark:
            continue
        native_id = None
        if number:
            table = getattr(store, TABLES[kind])
            native_id = foreign_line(store, directory, kind, table.get(number), file)
        synced = SyncedRecord(uid, kind, file, parts.payload_hash(values))
        yield RecordChange([gone(uid, values)], synced, native_id, is_gone=True)


def foreign_line(store: Store, directory: str, kind: str, record: Common, file: str) -> str | None:
    """Return the name of the line, by another program, that a file holds of a record; None for
    none."""
    if kind == "fact":
        result = store.db.execute(
            "SELECT native_id FROM fact_sources WHERE fact_id = ? AND source = ? "
            "AND native_id BETWEEN ? AND ? ORDER BY told_at DESC, native_id LIMIT 1",
            (record.id, directory, f"{file}#", f"{file}$"),
        ).get
        return None if result is None else str(result)
    if kind != "session" and record.source == directory and record.native_id and "#" in record.native_id:
        return record.native_id
    return None
