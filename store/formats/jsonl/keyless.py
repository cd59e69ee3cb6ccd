"""Import rows that have no uid: their key is what they are."""

from __future__ import annotations

import apsw

from ...records import FactSource
from ...store import Store
from ...tables.base import Values, read_list
from ...tables.fact_sources import LISTS, NAMES
from ...translation import N_
from ..common.report import Report
from ..common.tombstones import PURGED
from .layout import RECORD_TABLES, TABLES
from .lines import ImportRow
from .links import RowNumbers

ELSEWHERE = N_("speaks of another store's numbers")

MERGED = {
    "captured_events": "DO UPDATE SET channel = 'both' "
    "WHERE channel <> 'both' AND channel <> excluded.channel",
    "merged_records": "DO UPDATE SET into_uid = excluded.into_uid, session = excluded.session, "
    "key = excluded.key, at = excluded.at WHERE (at, into_uid) < (excluded.at, excluded.into_uid)",
    "project_aliases": "DO UPDATE SET project = excluded.project WHERE project < excluded.project",
    "renamed_records": "DO UPDATE SET into_uid = excluded.into_uid WHERE into_uid > excluded.into_uid",
    "agent_days": "DO UPDATE SET events = max(events, excluded.events), "
    "last_at = max(last_at, excluded.last_at) "
    "WHERE events < excluded.events OR last_at < excluded.last_at",
    "saved_searches": "DO UPDATE SET query = excluded.query, updated_at = excluded.updated_at "
    "WHERE updated_at < excluded.updated_at",
    "retention_policies": "DO UPDATE SET days = excluded.days, grace_days = excluded.grace_days, "
    "updated_at = excluded.updated_at WHERE updated_at < excluded.updated_at",
    "reports": "DO UPDATE SET verdict = excluded.verdict, reason = excluded.reason, at = excluded.at "
    "WHERE at < excluded.at",
    "recent_searches": "DO UPDATE SET used_at = excluded.used_at WHERE used_at < excluded.used_at",
}
"""What becomes of two rows with one key; in tables that aren't listed, ours stays."""


class Keyless:
    """Upserts rows of the tables without versions. `existing_facts` are the uids of the file's
    facts that were here before the import."""

    def __init__(self, store: Store, report: Report, numbers: RowNumbers) -> None:
        self.store = store
        self.db: apsw.Connection = store.db
        self.report = report
        self.numbers = numbers
        self.existing_facts: set[str] = set()

    def upsert(self, row: ImportRow, values: Values) -> None:
        """Upsert a row in the way of its table."""
        assert not TABLES[row.table].has_versions
        if row.table in RECORD_TABLES and self._is_purged(row.record.get("record")):
            self.report.of(row.table).skip(PURGED)
        elif row.table == "fact_sources":
            self._put_source(row, values)
        elif TABLES[row.table].by_numbers:
            self._put_by_numbers(row.table, values)
        else:
            self._put_plain(row.table, values)

    def _is_purged(self, uid: object) -> bool:
        sql = "SELECT 1 FROM purged WHERE uid = ?"
        return isinstance(uid, str) and self.db.execute(sql, (uid,)).get is not None

    def _put_plain(self, table: str, values: Values) -> None:
        before = self.db.total_changes()
        names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
        then = MERGED.get(table, "DO NOTHING")
        self.db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT {then}", values)
        counts = self.report.of(table)
        if self.db.total_changes() > before:
            counts.new += 1
        else:
            counts.unchanged += 1

    def _put_source(self, row: ImportRow, values: Values) -> None:
        """Insert a source of a fact. Where the fact was here before, it is added to its sources,
        and the fact's columns follow."""
        if row.record["fact"] not in self.existing_facts:
            (values["id"],) = self.numbers.free("fact_sources", [values["id"]])
            self._put_plain("fact_sources", values)
            return
        counts = self.report.of("fact_sources")
        lists = {name: read_list(values[name]) for name in LISTS}
        source = FactSource(**{name: values[name] for name in NAMES} | lists)
        fact = self.store.facts.get(values["fact_id"])
        known = {
            (fact_source.source, fact_source.native_id) for fact_source in self.store.facts.sources_of(fact)
        }
        if (source.source, source.native_id) in known:
            counts.unchanged += 1
        else:
            self.store.facts.add_source(fact, source)
            counts.new += 1

    def _put_by_numbers(self, table: str, values: Values) -> None:
        """Insert a row that names records by number, if every record has kept its number."""
        counts = self.report.of(table)
        key = {name: values[name] for name in TABLES[table].order}
        condition = " AND ".join(f"{name} = :{name}" for name in key)
        sql = f"SELECT {', '.join(values)} FROM {table} WHERE {condition}"
        result = self.db.execute(sql, key).fetchone()
        if result == tuple(values.values()):
            counts.unchanged += 1
        elif self.numbers.renumbered or not self.numbers.are_kept or result is not None:
            counts.skip(ELSEWHERE)
        else:
            self._put_plain(table, values)
