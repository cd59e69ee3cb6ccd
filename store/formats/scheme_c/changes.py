"""What a directory has to be told: every record that it doesn't know as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...clock import now_ms
from ...kinds import TABLES
from ...records import Common
from ...store import Store
from . import payload as parts
from .directory import REWRITTEN
from .public import Public
from .rendering import Values, file_of, gone, lines_of
from .sync_state import Baseline, Synced


class News(NamedTuple):
    """Lines for a file about one record, and what the directory knows of it once it has them.

    `native_id` is the line of another program that the record was made of, None for none.
    """

    lines: list[Values]
    synced: Synced
    native_id: str | None = None
    is_gone: bool = False


def news(store: Store, directory: str) -> Iterator[list[News]]:
    """What there is to tell, a page at a time, kind by kind."""
    public, baseline = Public(store, directory), Baseline(store, directory)
    for kind in parts.KINDS:
        known = baseline.known(kind)
        for page in public.pages(kind):
            yield [
                one
                for record, values in page
                if (one := _told(store, directory, record, values, known.pop(record.uid, None)))
            ]
        yield list(_hidden(store, directory, kind, known))


def _told(
    store: Store,
    directory: str,
    record: Common,
    values: parts.Payload,
    known: tuple[str, str] | None,
) -> News | None:
    mark = parts.mark(values)
    if known is not None and known[1] == mark:
        return None
    file = known[0] if known and known[0] in REWRITTEN else file_of(record)
    native_id = foreign_line(store, directory, values["kind"], record, file)
    return News(lines_of(record, values), Synced(record.uid, values["kind"], file, mark), native_id)


def _hidden(
    store: Store, directory: str, kind: str, known: dict[str, tuple[str, str]]
) -> Iterator[News]:
    """What the directory knows, and nobody is to see any more."""
    for uid, (file, mark) in known.items():
        row = store.db.execute(
            f"SELECT id, deleted_at, hlc, editor FROM {TABLES[kind]} WHERE uid = ?", (uid,)
        ).fetchone()
        number, deleted_at, hlc, editor = row or (0, None, now_ms() << 16, store.machine_id)
        values = parts.tombstone(kind, uid, deleted_at or now_ms(), hlc, editor)
        if parts.mark(values) == mark:
            continue
        native_id = None
        if number:
            table = getattr(store, TABLES[kind])
            native_id = foreign_line(store, directory, kind, table.get(number), file)
        synced = Synced(uid, kind, file, parts.mark(values))
        yield News([gone(uid, values)], synced, native_id, is_gone=True)


def foreign_line(store: Store, directory: str, kind: str, record: Common, file: str) -> str | None:
    """The name of the line, by another program, that a file holds of a record."""
    if kind == "fact":
        found = store.db.execute(
            "SELECT native_id FROM fact_sources WHERE fact_id = ? AND source = ? "
            "AND native_id BETWEEN ? AND ? ORDER BY told_at DESC, native_id LIMIT 1",
            (record.id, directory, f"{file}#", f"{file}$"),
        ).get
        return None if found is None else str(found)
    if (
        kind != "session"
        and record.source == directory
        and record.native_id
        and "#" in record.native_id
    ):
        return record.native_id
    return None
