"""Resolve the rows that lines name: they have a uid there, columns have its number here; and import rows
that have no uid: their key is what they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from ...platform.errors import InvalidRecordError
from ...platform.translation import N_, _
from ...records.rows import FactSource
from ...store import Store
from ...tables.base import Values
from ...tables.fact_sources import LISTS, NAMES
from ...tables.lists import read_list
from ...text import clean
from ..common.report import Report
from ..common.upsert import PURGED
from .layout import RECORD_TABLES, TABLES, Parent
from .reading import ImportRow, warn

ELSEWHERE = N_("speaks of another store's numbers")

MERGED = {
    "captured_events": "DO UPDATE SET channel = 'both' "
    "WHERE channel <> 'both' AND channel <> excluded.channel",
    "merged_records": "DO UPDATE SET into_uid = excluded.into_uid, session = excluded.session, "
    "key = excluded.key, at = excluded.at WHERE (at, into_uid, coalesce(session, ''), coalesce(key, '')) < "
    "(excluded.at, excluded.into_uid, coalesce(excluded.session, ''), coalesce(excluded.key, ''))",
    "project_aliases": "DO UPDATE SET project = excluded.project WHERE project < excluded.project",
    "renamed_records": "DO UPDATE SET into_uid = excluded.into_uid WHERE into_uid > excluded.into_uid",
    "agent_days": "DO UPDATE SET events = max(events, excluded.events), "
    "last_at = max(last_at, excluded.last_at) "
    "WHERE events < excluded.events OR last_at < excluded.last_at",
    "recent_searches": "DO UPDATE SET used_at = excluded.used_at WHERE used_at < excluded.used_at",
}
"""What becomes of two rows with one key, where neither the newer by its stamp nor else ours stays."""


class Keyless:
    """Upserts rows of the tables without versions. `existing_facts` are the uids of the file's
    facts that were here before the import."""

    def __init__(self, store: Store, report: Report, numbers: RowNumbers) -> None:
        self.store = store
        self.db = store.db
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
        then = MERGED.get(table) or _newer_by_stamp(table, values)
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


def _newer_by_stamp(table: str, values: Values) -> str:
    """Return what becomes of two rows with one key: the newer stays where the table has a stamp, and of two
    of the same moment the one that says more, so that two stores keep the same."""
    stamp = TABLES[table].stamp
    if not stamp:
        return "DO NOTHING"
    names = [*stamp, *(name for name in values if name not in (*stamp, *TABLES[table].order))]
    changed = ", ".join(f"{name} = excluded.{name}" for name in names)
    ours, theirs = (", ".join(f"{side}{name}" for name in names) for side in ("", "excluded."))
    return f"DO UPDATE SET {changed} WHERE ({ours}) < ({theirs})"


class Links:
    """Finds parents, and the records that rows are about. `renamed` are the numbers of those that
    are here under another uid than in the file."""

    def __init__(self, db: apsw.Connection, report: Report, numbers: RowNumbers) -> None:
        self.db = db
        self.report = report
        self.numbers = numbers
        self.renamed: dict[str, int] = {}
        self._parents: dict[str, int] = {}
        self._records: dict[str, int] = {}
        self._linked: dict[str, dict[str, int]] = {}

    def look_up(self, table: str, rows: Sequence[ImportRow]) -> None:
        """Look up at once all that rows of a table name."""
        parent = TABLES[table].parent
        self._parents = self._parents_of(rows, parent) if parent else {}
        self._records = self._records_of(rows, RECORD_TABLES[table]) if table in RECORD_TABLES else {}
        self._linked = {link.key: self._parents_of(rows, link) for link in TABLES[table].links}

    def resolve(self, row: ImportRow, values: Values) -> None:
        """Put the numbers of what a row names among its values. Raises InvalidRecordError."""
        if parent := TABLES[row.table].parent:
            uid = row.record.get(parent.key)
            if not isinstance(uid, str) or not uid:
                raise InvalidRecordError("has no {key!r}", key=parent.key)
            uid = clean(uid)
            if uid not in self._parents:
                self._parents[uid] = self._stub(row, uid, values, parent)
            values[parent.column] = self._parents[uid]
        for link in TABLES[row.table].links:
            values[link.column] = self._linked[link.key].get(str(row.record.get(link.key)))
        if row.table in RECORD_TABLES:
            values["record_id"] = self._records.get(str(row.record.get("record")))

    def _parents_of(self, rows: Sequence[ImportRow], parent: Parent) -> dict[str, int]:
        named = {str(row.record.get(parent.key)) for row in rows}
        numbers = self._numbers(parent.table, [*named])
        return {uid: self.renamed[uid] for uid in named if uid in self.renamed} | numbers

    def _records_of(self, rows: Sequence[ImportRow], tables: dict[str, str]) -> dict[str, int]:
        records: dict[str, int] = {}
        for kind, table in tables.items():
            uids = [row.record.get("record") for row in rows if row.record.get("kind") == kind]
            records |= self._numbers(table, uids)
        return records

    def _numbers(self, table: str, uids: list[object]) -> dict[str, int]:
        sql = f"SELECT uid, id FROM {table} WHERE uid IN (SELECT value FROM json_each(?))"
        return dict(self.db.execute(sql, (json.dumps(uids),)))

    def _stub(self, row: ImportRow, uid: str, values: Values, parent: Parent) -> int:
        """Make a session for a row whose own line is missing or bad; that line, once mended, fills
        it in."""
        if parent.table != "sessions":
            raise InvalidRecordError("names a {key} that is not here", key=parent.key)
        warn(
            self.report,
            row.number,
            _("its session {uid} is missing; one was made for it", uid=uid[:40]),
        )
        self.report.stubs += 1
        at = values.get("created_at") or 0
        result = self.db.execute(
            "INSERT INTO sessions (uid, created_at, updated_at, agent, content_session_id, project, "
            "started_at) VALUES (?1, ?2, ?2, 'unknown', ?1, ?3, ?2) RETURNING id",
            (uid, at, values.get("project") or ""),
        ).get
        assert isinstance(result, int)
        self.numbers.renumbered = True
        return result


class RowNumbers:
    """Which numbers of an export its rows can keep here. `renumbered`: some row has another one."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        # A number that was used here may stand in the journal, and an undo would change its row.
        self.are_kept = db.execute("SELECT 1 FROM changes LIMIT 1").get is None
        self.renumbered = False

    def free(self, table: str, wanted: Sequence[Any]) -> list[int | None]:
        """Return the numbers that rows can keep; None where SQLite has to give one."""
        if not self.are_kept:
            return [None] * len(wanted)
        sql = f"SELECT id FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        taken = {number for (number,) in self.db.execute(sql, (json.dumps(list(wanted)),))}
        return [None if number in taken else number for number in wanted]

    def note(self, wanted: Sequence[Any], got: Sequence[int]) -> None:
        """Note that rows which wanted these numbers got those."""
        self.renumbered = self.renumbered or list(wanted) != list(got)
