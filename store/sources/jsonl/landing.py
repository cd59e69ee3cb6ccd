"""Where the rows of an export come down: what is new is inserted, of two versions the newer stays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import apsw

from ..bulk import insert_all
from ..errors import InvalidRecordError
from ..exports.lines import RECORD_OF, TABLES, Parent
from ..fact_sources import LISTS, NAMES, FactSource
from ..privacy import clean
from ..rows import Values, read_list
from ..statements import normalised
from ..store import Store
from .jsonl_row import Columns
from .report import Report, SourceWarning

OLDER = "older than what is here"
PURGED = "purged here"
REFUSED = (apsw.ConstraintError, apsw.MismatchError)
ELSEWHERE = "the journal of another memory"


class Row(NamedTuple):
    """A line: its number, its table, and the rest of what it says."""

    number: int
    table: str
    record: dict[str, Any]


class Landing:
    """The memory that takes the rows, and what becomes of them."""

    def __init__(self, store: Store, report: Report) -> None:
        self.store = store
        self.db = store.db
        self.report = report
        self.columns = {name: Columns(self.db, name, lines) for name, lines in TABLES.items()}
        # A number that was used here may stand in the journal, and an undo would change its row.
        self.keeps_numbers = not self._any("changes")
        self.renumbered = False
        self.others: dict[str, int] = {}
        """Records that are here under another uid than in the file."""
        self.met: set[str] = set()
        """Facts of the file that were here before."""

    def take(self, table: str, rows: Sequence[Row]) -> None:
        """Bring rows of one table in, in the unit of work at hand."""
        self.report.of(table).read += len(rows)
        lines = TABLES[table]
        parents = self._parents(rows, lines.parent) if lines.parent else {}
        records = self._records(rows, RECORD_OF[table]) if table in RECORD_OF else {}
        known = self._known(table, rows) if lines.has_versions else {}
        fresh: dict[str, tuple[Row, Values]] = {}
        for row in rows:
            with self._naming(row):
                values = self._values(row, parents, records)
                if lines.has_versions and self._is_new(row, values, known, fresh):
                    fresh[values["uid"]] = row, values
                elif lines.has_versions:
                    self._put_record(row, values, known)
                elif table == "fact_sources":
                    self._put_telling(row, values)
                elif table == "changes":
                    self._put_change(values)
                else:
                    self._put_plain(table, values)
        self._put_fresh(table, fresh, known)

    def _is_new(
        self, row: Row, values: Values, known: dict[str, Any], fresh: dict[str, Any]
    ) -> bool:
        """Whether nothing of a row is here yet, as far as can be told before others come in."""
        uid = values["uid"]
        if uid in known or uid in fresh or self._same(row.table, values) is not None:
            return False
        if self._is_purged(values):
            return False
        if row.table == "sessions":
            self._free_memory_id(row, values, None)
        return True

    def _put_fresh(
        self, table: str, fresh: dict[str, tuple[Row, Values]], known: dict[str, Any]
    ) -> None:
        """Insert many new rows at once; where one of them can't be, each by itself."""
        if not fresh:
            return
        names = [column.name for column in self.columns[table].kept]
        names += ["statement"] if table == "facts" else []
        marks = ", ".join(f":{name}" for name in names)
        insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks}) RETURNING id"
        wanted = [values.get("id") for _, values in fresh.values()]
        given = self._numbers(table, wanted)
        rows = [
            values | {"id": number}
            for (_, values), number in zip(fresh.values(), given, strict=True)
        ]
        self.db.execute("SAVEPOINT fresh")
        try:
            made = insert_all(self.db, table, insert, rows)
        except REFUSED:
            self.db.execute("ROLLBACK TO fresh")
            self.db.execute("RELEASE fresh")
            for row, values in fresh.values():
                with self._naming(row):
                    self._put_record(row, values, known)
            return
        self.db.execute("RELEASE fresh")
        self.report.of(table).new += len(made)
        self.renumbered = self.renumbered or made != wanted

    def _numbers(self, table: str, wanted: list[Any]) -> list[int | None]:
        """The numbers that rows can keep; None where SQLite has to give one."""
        if not self.keeps_numbers:
            return [None] * len(wanted)
        sql = f"SELECT id FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        taken = {number for (number,) in self.db.execute(sql, (json.dumps(wanted),))}
        return [None if number in taken else number for number in wanted]

    @contextmanager
    def _naming(self, row: Row) -> Iterator[None]:
        """Tell a row that can't be taken by the number of its line."""
        try:
            yield
        except InvalidRecordError as error:
            self._skip(row, str(error))
        except REFUSED as error:
            self._skip(row, f"breaks a rule of its table ({error})")

    def _values(self, row: Row, parents: dict[str, int], records: dict[str, int]) -> Values:
        columns = self.columns[row.table]
        values = columns.read(row.record)
        for key in row.record.keys() - columns.keys:
            self._warn(row, f"has a {key[:40]!r} that is not known here; left out")
        if parent := columns.lines.parent:
            uid = row.record.get(parent.key)
            if not isinstance(uid, str) or not uid:
                raise InvalidRecordError(f"has no {parent.key!r}")
            uid = clean(uid)
            if uid not in parents:
                parents[uid] = self._stub(row, uid, values, parent)
            values[parent.column] = parents[uid]
        if row.table in RECORD_OF:
            values["record_id"] = records.get(str(row.record.get("record")))
        if row.table == "facts":
            values["statement"] = normalised(values["content"])
        return values

    def _put_record(self, row: Row, values: Values, known: dict[str, Any]) -> None:
        table, uid = row.table, values["uid"]
        counts = self.report.of(table)
        theirs = [values[name] for name in TABLES[table].stamp]
        ours = known.get(uid) or self._same(table, values)
        if table == "sessions":
            self._free_memory_id(row, values, ours)
        if ours is None and self._is_purged(values):
            counts.skip(PURGED)
            return
        if ours is None:
            known[uid] = (self._insert(table, values), *theirs)
            counts.new += 1
            return
        number, *stamp = ours
        self.renumbered = self.renumbered or number != values.get("id")
        if uid not in known:
            self.others[uid] = number
        if table == "facts":
            self.met.add(uid)
        if theirs == stamp:
            counts.unchanged += 1
        elif theirs < stamp:
            counts.skip(OLDER)
        else:
            self._update(table, values, number)
            counts.changed += 1

    def _insert(self, table: str, values: Values) -> int:
        wanted = values.pop("id", None)
        taken = f"SELECT 1 FROM {table} WHERE id = ?"
        if self.keeps_numbers and wanted and not self.db.execute(taken, (wanted,)).get:
            values["id"] = wanted
        names = ", ".join(values)
        marks = ", ".join(f":{name}" for name in values)
        sql = f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING id"
        number = self.db.execute(sql, values).get
        assert isinstance(number, int)
        self.renumbered = self.renumbered or number != wanted
        return number

    def _free_memory_id(self, row: Row, values: Values, ours: Any) -> None:
        """Of two sessions one can have a memory id: the one here keeps it."""
        sql = "SELECT id FROM sessions WHERE memory_session_id = ?"
        holder = self.db.execute(sql, (values["memory_session_id"],)).get
        if holder is not None and (ours is None or holder != ours[0]):
            self._warn(
                row, f"memory session {values['memory_session_id']} is another session's here"
            )
            values["memory_session_id"] = None

    def _update(self, table: str, values: Values, number: int) -> None:
        # The uid under which it is known here stays.
        changes = ", ".join(f"{name} = :{name}" for name in values if name not in ("id", "uid"))
        sql = f"UPDATE {table} SET {changes} WHERE id = :here"
        self.db.execute(sql, values | {"here": number})

    def _put_plain(self, table: str, values: Values) -> None:
        """A row without an identity of its own: its key is what it is."""
        before = self.db.total_changes()
        names = ", ".join(values)
        marks = ", ".join(f":{name}" for name in values)
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
            taken = "SELECT 1 FROM fact_sources WHERE id = ?"
            if not self.keeps_numbers or self.db.execute(taken, (values["id"],)).get:
                values["id"] = None
            self._put_plain("fact_sources", values)
            return
        counts = self.report.of("fact_sources")
        lists = {name: read_list(values[name]) for name in LISTS}
        told = FactSource(**{name: values[name] for name in NAMES} | lists)
        fact = self.store.facts.get(values["fact_id"])
        known = {(one.source, one.native_id) for one in self.store.facts.told(fact)}
        if (told.source, told.native_id) in known:
            counts.unchanged += 1
        else:
            self.store.facts.tell(fact, told)
            counts.new += 1

    def _put_change(self, values: Values) -> None:
        """The journal comes along only where every record kept the number that it speaks of."""
        counts = self.report.of("changes")
        found = self.db.execute("SELECT at, what FROM changes WHERE id = ?", (values["id"],)).get
        if found == (values["at"], values["what"]):
            counts.unchanged += 1
        elif self.renumbered or not self.keeps_numbers or found is not None:
            counts.skip(ELSEWHERE)
        else:
            self._insert("changes", values)
            counts.new += 1

    def _known(self, table: str, rows: Sequence[Row]) -> dict[str, Any]:
        """Number and stamp of each row that is here under its uid."""
        stamp = ", ".join(TABLES[table].stamp)
        uids = [row.record.get("uid") for row in rows]
        sql = f"SELECT uid, id, {stamp} FROM {table} WHERE uid IN (SELECT value FROM json_each(?))"
        return {row[0]: row[1:] for row in self.db.execute(sql, (json.dumps(uids),))}

    def _same(self, table: str, values: Values) -> Any:
        """Number and stamp of the row here that says itself to be the same, if any."""
        stamp = ", ".join(TABLES[table].stamp)
        for key in TABLES[table].natural:
            wanted = tuple(values.get(name) for name in key)
            if None in wanted:
                continue
            condition = " AND ".join(f"{name} = ?" for name in key)
            if "statement" in key:
                if values["deleted_at"] is not None:
                    continue
                condition += " AND deleted_at IS NULL"
            sql = f"SELECT id, {stamp} FROM {table} WHERE {condition}"
            found = self.db.execute(sql, wanted).fetchone()
            if found is not None:
                return found
        return None

    def _is_purged(self, values: Values) -> bool:
        sql = (
            "SELECT 1 FROM purged WHERE uid = :uid OR (source = :source AND native_id = :native_id)"
        )
        return self.db.execute(sql, values).get is not None

    def _parents(self, rows: Sequence[Row], parent: Parent) -> dict[str, int]:
        """Our numbers of the sessions, or facts, that rows name."""
        named = {str(row.record.get(parent.key)) for row in rows}
        sql = f"SELECT uid, id FROM {parent.table} WHERE uid IN (SELECT value FROM json_each(?))"
        found = dict(self.db.execute(sql, (json.dumps([*named]),)))
        return {uid: self.others[uid] for uid in named if uid in self.others} | found

    def _records(self, rows: Sequence[Row], tables: dict[str, str]) -> dict[str, int]:
        """Our numbers of the records that rows name."""
        found: dict[str, int] = {}
        for kind, table in tables.items():
            uids = [row.record.get("record") for row in rows if row.record.get("kind") == kind]
            sql = f"SELECT uid, id FROM {table} WHERE uid IN (SELECT value FROM json_each(?))"
            found |= dict(self.db.execute(sql, (json.dumps(uids),)))
        return found

    def _stub(self, row: Row, uid: str, values: Values, parent: Parent) -> int:
        """A session for a row whose own line is missing or bad; that line, once mended, fills it in."""
        if parent.table != "sessions":
            raise InvalidRecordError(f"names a {parent.key} that is not here")
        self._warn(row, f"its session {uid[:40]} is missing; one was made for it")
        self.report.stubs += 1
        at = values.get("created_at") or 0
        found = self.db.execute(
            "INSERT INTO sessions (uid, created_at, updated_at, agent, content_session_id, project, "
            "started_at) VALUES (?1, ?2, ?2, 'unknown', ?1, ?3, ?2) RETURNING id",
            (uid, at, values.get("project") or ""),
        ).get
        assert isinstance(found, int)
        self.renumbered = True
        return found

    def _any(self, table: str) -> bool:
        return self.db.execute(f"SELECT 1 FROM {table} LIMIT 1").get is not None

    def _skip(self, row: Row, why: str) -> None:
        self.report.of(row.table).skip("bad line")
        self._warn(row, why)

    def _warn(self, row: Row, message: str) -> None:
        self.report.warnings.append(SourceWarning("line", str(row.number), message))


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
