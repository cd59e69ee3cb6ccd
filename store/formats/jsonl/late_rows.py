"""What was written to a memory since a moment, carried over into one that takes its place."""

from __future__ import annotations

import json
from collections import defaultdict
from hashlib import blake2b
from itertools import count, islice
from typing import Any

from ...database.transaction import snapshot
from ...search.index.bulk import Bulk, bulk_hash_size
from ...store import Store
from ..common.report import Report
from ..common.scope import ALL
from .columns import Columns
from .export import rows
from .layout import TABLES
from .lines import ImportRow
from .reading import read_row, table_columns
from .upsert import RowUpsert

BATCH = 2_000

Line = dict[str, Any]


class RowsAt:
    """All rows of a memory at a moment, none where there is none: a mark of each, and the uids, by
    table. What was written `from_ms` on counts as later even so."""

    def __init__(self, store: Store | None = None, from_ms: int = 0) -> None:
        self.from_ms = from_ms
        self.marks: dict[str, set[bytes]] = defaultdict(set)
        self.uids: dict[str, set[str]] = defaultdict(set)
        if store is not None:
            with snapshot(store.db):
                for table in TABLES:
                    for line in rows(store.db, table, TABLES[table], ALL):
                        self.note(table, line)

    def note(self, table: str, line: Line) -> bytes:
        """Take a row in, and return its mark."""
        mark = blake2b(json.dumps(line).encode(), digest_size=16).digest()
        self.marks[table].add(mark)
        if "uid" in line:
            self.uids[table].add(str(line["uid"]))
        return mark


def carry_over(old: Store, since: RowsAt, new: Store) -> Report:
    """Bring into `new` what was written to `old` since a moment, and take out what was taken out.

    Nobody else may be writing to either. Rows keep their uids; of a row that both have, the newer
    version stays.
    """
    report = Report("jsonl")
    with snapshot(old.db):
        late, here = _late_rows(old, since)
        with new.transaction(), bulk_hash_size(new.db), Bulk(new.db) as bulk:
            columns = table_columns(new.db)
            upsert = RowUpsert(new, report, columns, bulk)
            numbers = count(1)
            for table, lines in late.items():
                own = Columns(table, TABLES[table], columns[table], is_accepted=True)
                given = (read_row(own, ImportRow(next(numbers), table, line)) for line in lines)
                while batch := list(islice(given, BATCH)):
                    upsert.apply(table, batch)
            upsert.settle()
            for table, uids in since.uids.items():
                gone = json.dumps([*(uids - here.uids[table])])
                column = "uid IN (SELECT value FROM json_each(?))"
                new.db.execute(f"DELETE FROM {table} WHERE {column}", (gone,))
    return report


def _late_rows(old: Store, since: RowsAt) -> tuple[dict[str, list[Line]], RowsAt]:
    """The rows that are not as they were, each behind those that it names, by table; and all."""
    here = RowsAt()
    late: dict[str, list[Line]] = {}
    needed: dict[str, set[str]] = defaultdict(set)
    # What a row names comes before it, and is looked at after it.
    for table in reversed(TABLES):
        layout = TABLES[table]
        late[table] = []
        for line in rows(old.db, table, layout, ALL):
            mark = here.note(table, line)
            is_late = mark not in since.marks[table] or _is_since(line, since.from_ms)
            if is_late or line.get("uid") in needed[table]:
                late[table].append(line)
                for parent in layout.references:
                    needed[parent.table].add(str(line.get(parent.key)))
    return {table: late[table] for table in TABLES}, here


def _is_since(line: Line, moment: int) -> bool:
    written = line.get("updated_at")
    return isinstance(written, int) and written >= moment
