"""Mark the records whose rows a database has lost, and unmark those whose rows are back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from ...clock import now_ms
from ...store import Store
from ...translation import _
from ..common.report import Report
from ..common.tombstones import mark_vanished, unmark_vanished
from .mapping import Target

VANISHED = _("its row is gone from the source; the record stays")


class Tombstones:
    """The native ids of the rows that an import has seen, by our table for them, in a temporary
    file; and the marks that follow from them."""

    def __init__(self) -> None:
        self.db = apsw.Connection("")
        self.db.execute("PRAGMA journal_mode = off; PRAGMA synchronous = off")
        self.db.execute("CREATE TABLE seen (kind TEXT, id TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID")

    def see(self, table: str, native_ids: Iterable[str]) -> None:
        """Note rows that the source has."""
        with self.db:
            self.db.executemany(
                "INSERT INTO seen VALUES (?, ?) ON CONFLICT DO NOTHING",
                ((table, text) for text in native_ids),
            )

    def mark(self, store: Store, kind: Target, report: Report, prefixes: dict[str, bool]) -> None:
        """Mark the records of a source whose rows were not seen, and unmark those whose rows are back.

        `prefixes` are those of the native ids of each table that the kind is read from, and whether
        the source has that table: of one that is missing nothing can be said.
        """
        counts = report.of(kind.name)
        now = now_ms()
        with store.transaction():
            for number, native_id, is_marked in self._changed(store, kind, report.source):
                prefix = native_id[: native_id.find(":") + 1]
                if not prefixes.get(prefix, prefixes.get("", False)):
                    continue
                if is_marked:
                    unmark_vanished(store.db, kind.table, number)
                    counts.returned += 1
                else:
                    mark_vanished(store.db, kind.table, number, now)
                    counts.vanished += 1
                    report.warn(kind.table, native_id, VANISHED)

    def _changed(self, store: Store, kind: Target, source: str) -> Iterator[tuple[int, str, bool]]:
        """Id and native id of a source's records that are marked and were seen, or neither; and
        whether each is marked."""
        ours = store.db.execute(
            "SELECT r.id, r.native_id, v.at IS NOT NULL "
            f"FROM {kind.table} r LEFT JOIN vanished v ON v.kind = ? AND v.record_id = r.id "
            "WHERE r.source = ? AND r.native_id NOT LIKE 'stub:%' ORDER BY r.native_id",
            (kind.table, source),
        )
        theirs = self.db.execute("SELECT id FROM seen WHERE kind = ? ORDER BY id", (kind.table,))
        there: Any = theirs.fetchone()
        for number, native_id, is_marked in ours:
            while there is not None and there[0] < native_id:
                there = theirs.fetchone()
            is_there = there is not None and there[0] == native_id
            if is_there == bool(is_marked):
                yield number, native_id, bool(is_marked)
