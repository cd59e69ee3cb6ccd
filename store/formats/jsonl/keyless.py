"""Rows of an export without an identity of their own: their key is what they are."""

from __future__ import annotations

import apsw

from ...records import FactSource
from ...store import Store
from ...tables.fact_sources import LISTS, NAMES
from ...tables.rows import Values, read_list
from ..common.report import Report
from .layout import TABLES
from .lines import Row
from .links import Numbers

ELSEWHERE = "speaks of another memory's numbers"

MERGED = {
    "captured_events": "DO UPDATE SET channel = 'both' "
    "WHERE channel <> 'both' AND channel <> excluded.channel",
    "agent_days": "DO UPDATE SET events = max(events, excluded.events), "
    "last_at = max(last_at, excluded.last_at) "
    "WHERE events < excluded.events OR last_at < excluded.last_at",
    "saved_searches": "DO UPDATE SET query = excluded.query, updated_at = excluded.updated_at "
    "WHERE updated_at < excluded.updated_at",
    "retention_policies": "DO UPDATE SET days = excluded.days, grace_days = excluded.grace_days, "
    "updated_at = excluded.updated_at WHERE updated_at < excluded.updated_at",
    "recent_searches": "DO UPDATE SET used_at = excluded.used_at WHERE used_at < excluded.used_at",
}
"""What becomes of two rows with one key; where nothing is said, ours stays."""


class Keyless:
    """Takes rows of the tables without versions. `met` are the facts of the file that were here before."""

    def __init__(self, store: Store, report: Report, numbers: Numbers) -> None:
        self.store = store
        self.db: apsw.Connection = store.db
        self.report = report
        self.numbers = numbers
        self.met: set[str] = set()

    def put(self, row: Row, values: Values) -> None:
        """Put a row to those of its table, whatever that means there."""
        assert not TABLES[row.table].has_versions
        if row.table == "fact_sources":
            self._put_telling(row, values)
        elif TABLES[row.table].by_numbers:
            self._put_by_numbers(row.table, values)
        else:
            self._put_plain(row.table, values)

    def _put_plain(self, table: str, values: Values) -> None:
        before = self.db.total_changes()
        names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
        then = MERGED.get(table, "DO NOTHING")
        self.db.execute(
            f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT {then}", values
        )
        counts = self.report.of(table)
        if self.db.total_changes() > before:
            counts.new += 1
        else:
            counts.unchanged += 1

    def _put_telling(self, row: Row, values: Values) -> None:
        """Who told a fact. To a fact that was here on its own it is news, and its columns follow."""
        if row.record["fact"] not in self.met:
            (values["id"],) = self.numbers.free("fact_sources", [values["id"]])
            self._put_plain("fact_sources", values)
            return
        counts = self.report.of("fact_sources")
        lists = {name: read_list(values[name]) for name in LISTS}
        told = FactSource(**{name: values[name] for name in NAMES} | lists)
        fact = self.store.facts.get(values["fact_id"])
        known = {(one.source, one.native_id) for one in self.store.facts.sources_of(fact)}
        if (told.source, told.native_id) in known:
            counts.unchanged += 1
        else:
            self.store.facts.add_source(fact, told)
            counts.new += 1

    def _put_by_numbers(self, table: str, values: Values) -> None:
        """It comes along only where every record kept the number that it speaks of."""
        counts = self.report.of(table)
        key = {name: values[name] for name in TABLES[table].order}
        condition = " AND ".join(f"{name} = :{name}" for name in key)
        sql = f"SELECT {', '.join(values)} FROM {table} WHERE {condition}"
        found = self.db.execute(sql, key).fetchone()
        if found == tuple(values.values()):
            counts.unchanged += 1
        elif self.numbers.renumbered or not self.numbers.are_kept or found is not None:
            counts.skip(ELSEWHERE)
        else:
            self._put_plain(table, values)
