"""Upsert the rows of an export: new ones are inserted, of two versions the newer stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import apsw

from ...platform.errors import InvalidRecordError
from ...platform.translation import N_, _
from ...records.events import OTHER_CHANNEL_MS, stored_event_id, stored_event_key
from ...search.index.bulk import Bulk, IndexTexts
from ...store import Store
from ...tables.base import Values
from ...tables.facts import fact_key
from ...tables.merges import fact_merged_into
from ...tables.removal.purge import fact_tombstone, is_purged_key, note_tombstone, purged_session_id
from ..common.report import Report
from ..common.upsert import PURGED, Column, is_purged
from .layout import TABLES, Columns
from .links import Keyless, Links, RowNumbers
from .reading import REFUSED, ImportRow, reporting_errors, warn

ORIGIN = ("uid", "source", "native_id")
SAID_ONCE = ("prompts", "summaries")
"""The tables of which two stores make rows of one event that nothing names: by what was said, and when."""
SAID = """
SELECT r.value ->> 'uid', t.id FROM json_each(?1) r
CROSS JOIN {0} t ON t.session_id = coalesce(
    r.value ->> 'session_id', (SELECT id FROM sessions WHERE uid = r.value ->> 'session')
) AND t.text = r.value ->> 'text' AND t.source IS NULL
    AND (t.origin <> r.value ->> 'origin' OR t.hlc = r.value ->> 'hlc')
    AND (t.created_at = r.value ->> 'created_at' OR t.prompt_number IS r.value ->> 'prompt_number'
        AND abs(t.created_at - r.value ->> 'created_at') <= ?2)
WHERE t.uid NOT IN (SELECT value ->> 'uid' FROM json_each(?1))
ORDER BY abs(t.created_at - r.value ->> 'created_at'), t.id
"""
OLDER = N_("older than what is here")
MERGED = N_("merged into another here")


class FreshRows(NamedTuple):
    """New rows of a table that were inserted at once: each with its values, what was here under the uids
    of their batch, the numbers that they had and those that they have."""

    table: str
    rows: list[tuple[ImportRow, Values]]
    known: dict[str, Any]
    wanted: list[Any]
    made: list[int]


class RowUpsert:
    """Upserts rows into all tables of a store, and counts what became of them.

    What `apply` leaves under way is whole after `settle`, before which nobody else may use the
    connection.
    """

    def __init__(self, store: Store, report: Report, columns: dict[str, list[Column]], bulk: Bulk) -> None:
        self.store = store
        self.db = store.db
        self.report = report
        self.bulk = bulk
        self.fresh: FreshRows | None = None
        self.columns = {name: Columns(name, lines, columns[name]) for name, lines in TABLES.items()}
        self.numbers = RowNumbers(self.db)
        self.links = Links(self.db, report, self.numbers)
        self.keyless = Keyless(store, report, self.numbers)
        self.is_purged_key: Callable[[str], bool] = partial(is_purged_key, self.db)
        """Returns whether a record of this key was purged, and its giver has made no other since."""
        self.takes_restored = False
        """Whether a row of a record that was merged here brings it back, as its giver restored it."""
        self.authors: Mapping[str, str] = {}
        """Whose the teammates' records are that are upserted, by uid: no fact of theirs is one of here."""

    def apply(self, table: str, rows: Sequence[ImportRow], texts: IndexTexts | None = None) -> None:
        """Upsert rows of one table, in the transaction at hand. `texts` are those of all these rows, where
        they were made before."""
        self.settle()
        self.report.of(table).read += len(rows)
        self.links.look_up(table, rows)
        has_versions = TABLES[table].has_versions
        known = by_uid(self.db, table, rows) if has_versions else {}
        self.alike = keys_here(self.db, table, rows)
        unknown = [row for row in rows if row.record.get("uid") not in known]
        self.said = said_here(self.db, table, unknown, self.links.renamed)
        self.has_purged = bool(self.db.execute("SELECT EXISTS (SELECT 1 FROM purged)").get)
        fresh: dict[str, tuple[ImportRow, Values]] = {}
        for row in rows:
            with reporting_errors(self.report, row):
                if has_versions and self._is_purged_row(row):
                    self.report.of(table).skip(PURGED)
                    continue
                values = self._values(row)
                if not has_versions:
                    self.keyless.upsert(row, values)
                elif self._is_new(row, values, known, fresh):
                    fresh[values["uid"]] = row, values
                else:
                    self._put(row, values, known)
        self._put_fresh(table, fresh, known, texts if len(fresh) == len(rows) else None)
        if table == "facts":
            self.settle()
            self._supersede_by_uids_here()

    def _supersede_by_uids_here(self) -> None:
        """Have facts be superseded by those of the file that are here under another uid."""
        self.db.execute(
            "UPDATE facts SET superseded_by = here.uid FROM json_each(?) renamed "
            "JOIN facts here ON here.id = renamed.value WHERE facts.superseded_by = renamed.key",
            (json.dumps(self.links.renamed),),
        )

    def _values(self, row: ImportRow) -> Values:
        columns = self.columns[row.table]
        if row.wrong:
            raise InvalidRecordError(row.wrong)
        values = columns.read(row.record)[0] if row.values is None else row.values
        for key in row.record.keys() - columns.keys:
            message = _("has a {key!r} that is not known here; left out", key=key[:40])
            warn(self.report, row.number, message)
        self.links.resolve(row, values)
        if row.table == "facts":
            values["statement"] = fact_key(values["content"], self.authors.get(values["uid"], ""))
        # Exports of older versions have keys that hold text.
        if row.table == "captured_events":
            values["key"] = stored_event_key(values["kind"], values["key"])
        elif values.get("event_id"):
            values["event_id"] = stored_event_id(values["event_id"])
        return values

    def _is_new(self, row: ImportRow, values: Values, known: dict[str, Any], fresh: dict[str, Any]) -> bool:
        """Return whether nothing of a row is here yet, as far as is known before others come in."""
        uid = values["uid"]
        if uid in known or uid in fresh or self._same(row.table, values) is not None:
            return False
        if self._is_purged(row.table, values) or self._merged_into(row.table, values):
            return False
        if row.table == "sessions":
            self._free_memory_id(row, values, None)
        return True

    def _put_fresh(
        self,
        table: str,
        fresh: dict[str, tuple[ImportRow, Values]],
        known: dict[str, Any],
        texts: IndexTexts | None,
    ) -> None:
        """Insert many new rows at once; `settle` sees to those of which one is refused."""
        if not fresh:
            return
        names = [column.name for column in self.columns[table].kept]
        names += ["statement"] if table == "facts" else []
        marks = ", ".join(f":{name}" for name in names)
        insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks}) RETURNING id"
        wanted = [values.get("id") for _, values in fresh.values()]
        given = self.numbers.free(table, wanted)
        rows = [values | {"id": number} for (_, values), number in zip(fresh.values(), given, strict=True)]
        self.fresh = FreshRows(table, [*fresh.values()], known, wanted, [])
        self.db.execute("SAVEPOINT fresh")
        try:
            self.fresh.made.extend(self.bulk.insert(table, insert, rows, texts))
        except REFUSED:
            self._put_one_by_one(self.fresh)

    def settle(self) -> None:
        """Finish what was begun of the last rows; where one of them is refused, insert each by itself."""
        fresh = self.fresh
        if fresh is None:
            return
        try:
            self.bulk.finish()
        except REFUSED:
            self._put_one_by_one(fresh)
            return
        self.fresh = None
        self.db.execute("RELEASE fresh")
        self.report.of(fresh.table).new += len(fresh.made)
        self.numbers.note(fresh.wanted, fresh.made)

    def _put_one_by_one(self, fresh: FreshRows) -> None:
        self.fresh = None
        self.db.execute("ROLLBACK TO fresh")
        self.db.execute("RELEASE fresh")
        self.alike = None
        for row, values in fresh.rows:
            with reporting_errors(self.report, row):
                self._put(row, values, fresh.known)

    def _put(self, row: ImportRow, values: Values, known: dict[str, Any]) -> None:
        """Insert a row, or update the record here where the row is the newer version."""
        table, uid = row.table, values["uid"]
        counts = self.report.of(table)
        theirs = [values[name] for name in TABLES[table].stamp]
        ours = known.get(uid) or self._same(table, values)
        # What is written now may be the same as a later row.
        self.alike = None
        if table == "sessions":
            self._free_memory_id(row, values, ours)
        if ours is None and self._is_purged(row.table, values):
            counts.skip(PURGED)
            return
        if ours is None and (number := self._merged_into(table, values)) is not None:
            # Its sources, which follow, are those of the fact that says it here.
            self.numbers.note([values.get("id")], [number])
            self.links.renamed[uid] = number
            self.keyless.existing_facts.add(uid)
            counts.skip(MERGED)
            return
        if ours is None:
            known[uid] = (self._insert(table, values), *theirs)
            counts.new += 1
            return
        number, *stamp = ours
        self.numbers.note([values.get("id")], [number])
        if uid not in known:
            self.links.renamed[uid] = number
        if table == "facts":
            self.keyless.existing_facts.add(uid)
        if theirs == stamp:
            counts.unchanged += 1
        elif theirs < stamp:
            counts.skip(OLDER)
        else:
            self._update(table, values, number)
            counts.changed += 1

    def _insert(self, table: str, values: Values) -> int:
        wanted = values.pop("id", None)
        (values["id"],) = self.numbers.free(table, [wanted])
        names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
        sql = f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING id"
        number = self.db.execute(sql, values).get
        assert isinstance(number, int)
        self.numbers.note([wanted], [number])
        return number

    def _update(self, table: str, values: Values, number: int) -> None:
        # The uid under which it is known here stays.
        changes = ", ".join(f"{name} = :{name}" for name in values if name not in ("id", "uid"))
        sql = f"UPDATE {table} SET {changes} WHERE id = :here"
        self.db.execute(sql, values | {"here": number})

    def _same(self, table: str, values: Values) -> Any:
        """Return what `same` does, and ask SQLite only where one of the keys may be here; or the row of the
        same event."""
        if (number := self.said.get(values["uid"])) is not None:
            sql = f"SELECT id, {', '.join(TABLES[table].stamp)} FROM {table} WHERE id = ?"
            return self.db.execute(sql, (number,)).fetchone()
        if self.alike is not None and not any(
            tuple(values.get(name) for name in key) in here for key, here in self.alike.items()
        ):
            return None
        return same(self.db, table, values)

    def _is_purged_row(self, row: ImportRow) -> bool:
        """Whether a row is a purged record's, before it makes anything that it names."""
        if not self.has_purged:
            return False
        record = row.record
        names = tuple(item if isinstance(item := record.get(name), str) else None for name in ORIGIN)
        if is_purged(self.db, row.table, names[0] or "", names[1], names[2]):
            return True
        key = None
        if row.table == "facts":
            key = fact_tombstone(str(record.get("kind")), str(record.get("content")))
        elif row.table == "notes":
            key = note_tombstone(str(record.get("project", "")), str(record.get("path")))
        elif row.table == "sessions":
            key = purged_session_id(str(record.get("content_session_id")))
        return (
            key is not None
            and self.is_purged_key(key)
            and same(self.db, row.table, {"deleted_at": None, **record, "statement": _key(row)}) is None
        )

    def _is_purged(self, table: str, values: Values) -> bool:
        return self.has_purged and is_purged(
            self.db, table, values["uid"], values["source"], values["native_id"]
        )

    def _merged_into(self, table: str, values: Values) -> int | None:
        """Return the id of the fact here into which one that says the same was merged; None for none."""
        if table != "facts" or values["deleted_at"] is not None:
            return None
        sql = "SELECT 1 FROM merged_records WHERE uid = ? AND into_uid <> uid"
        if self.takes_restored and self.db.execute(sql, (values["uid"],)).get:
            return None
        return fact_merged_into(self.db, values["kind"], values["statement"], values.get("project") or "")

    def _free_memory_id(self, row: ImportRow, values: Values, ours: Any) -> None:
        """Drop a memory id that another session here has."""
        memory = values["memory_session_id"]
        sql = "SELECT id FROM sessions WHERE memory_session_id = ?"
        holder = self.db.execute(sql, (memory,)).get
        if holder is not None and (ours is None or holder != ours[0]):
            message = _("memory session {memory} is another session's here", memory=memory)
            warn(self.report, row.number, message)
            values["memory_session_id"] = None


def _key(row: ImportRow) -> str | None:
    return fact_key(str(row.record.get("content"))) if row.table == "facts" else None


def by_uid(db: apsw.Connection, table: str, rows: Sequence[ImportRow]) -> dict[str, Any]:
    """Return number and stamp of each row that is here under its uid."""
    stamp = ", ".join(TABLES[table].stamp)
    uids = [row.record.get("uid") for row in rows]
    sql = f"SELECT uid, id, {stamp} FROM {table} WHERE uid IN (SELECT value FROM json_each(?))"
    return {row[0]: row[1:] for row in db.execute(sql, (json.dumps(uids),))}


def keys_here(
    db: apsw.Connection, table: str, rows: Sequence[ImportRow]
) -> dict[tuple[str, ...], set[tuple[Any, ...]]] | None:
    """Return those of the rows' natural keys that are here; None where they can't be looked up at once."""
    results: dict[tuple[str, ...], set[tuple[Any, ...]]] = {}
    read = [row.values for row in rows if row.values is not None]
    if len(read) < len(rows):
        return None
    for key in TABLES[table].natural:
        named = ([_named(values, name) for name in key] for values in read)
        wanted = [values for values in named if None not in values]
        if "statement" in key or not all(isinstance(item, str) for some in wanted for item in some):
            return None
        met = " AND ".join(
            f"t.{name} = json_extract(j.value, '$[{place}]')" for place, name in enumerate(key)
        )
        names = ", ".join(f"t.{name}" for name in key)
        sql = f"SELECT {names} FROM json_each(?) j CROSS JOIN {table} t ON {met}"
        results[key] = set(db.execute(sql, (json.dumps(wanted),)))
    return results


def said_here(
    db: apsw.Connection, table: str, rows: Sequence[ImportRow], sessions: Mapping[str, int]
) -> dict[str, int]:
    """Return, by the uids of rows that are not here, the ids of the rows here that another machine made of
    the same event, as of a prompt in a transcript that both read. `sessions` are the numbers of those that
    have other uids here."""
    if table not in SAID_ONCE:
        return {}
    names = ("uid", "origin", "hlc", "session", "text", "prompt_number", "created_at")
    wanted = [
        {name: row.record.get(name) for name in names}
        | {"session_id": sessions.get(str(row.record.get("session")))}
        for row in rows
        if not row.record.get("source")
    ]
    results: dict[str, int] = {}
    taken: set[int] = set()
    for uid, number in db.execute(SAID.format(table), (json.dumps(wanted), OTHER_CHANNEL_MS)):
        if uid not in results and number not in taken:
            results[str(uid)] = number
            taken.add(number)
    return results


def _named(values: Values, name: str) -> Any:
    value = values.get(name)
    return stored_event_id(value) if name == "event_id" and value else value


def same(db: apsw.Connection, table: str, values: Values) -> Any:
    """Return number and stamp of the row here that one of its natural keys says to be the same;
    None for none."""
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
        result = db.execute(sql, wanted).fetchone()
        if result is not None:
            return result
    return None
