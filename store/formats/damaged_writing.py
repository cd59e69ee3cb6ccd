"""Choose the best of each damaged row's copies, and write them into a new memory: with the ids that people
know as far as they are free, and every reference to a row that is there."""

from __future__ import annotations

from collections import Counter
from typing import Any

import apsw

from ..database.schema.shapes import TableShape
from ..platform.translation import _
from ..records.dataclasses import dataclass, field
from ..records.kinds import KINDS, TABLES
from ..tables.base import stable_uid
from .damaged_records import Copy, Found

ORDER = ("sessions", "prompts", "observations", "summaries", "facts", "fact_sources", "notes",
    "pending_messages")  # fmt: skip
"""Tables whose rows others refer to, before those."""

UNIQUE = ("source", "native_id", "event_id", "memory_session_id")
"""Columns that a row can do without where another one has the same there."""

REQUIRED = ("session_id", "fact_id")
"""Columns without which a row says nothing."""

LETTERS = {TABLES[kind]: letter for letter, kind in KINDS.items()}

STUB_TITLE = "A session that was lost"


@dataclass(slots=True)
class Written:
    """What was written: rows by table and copy, sessions made for rows that had lost theirs, and what
    could not be written, by table with its reason."""

    rows: dict[str, Counter[str]] = field(default_factory=dict)
    stubs: int = 0
    hidden: int = 0
    """Rows of an older copy that were visible then, and hidden or deleted since."""
    cut: int = 0
    """Rows of which only a part could be read."""
    refused: list[tuple[str, str, str]] = field(default_factory=list)


def write_rows(db: apsw.Connection, chosen: Chosen, shapes: dict[str, TableShape]) -> Written:
    """Insert what was chosen into a new memory, whose triggers are set aside; inside a transaction."""
    return _Writer(db, chosen, shapes).write()


class _Writer:
    def __init__(self, db: apsw.Connection, chosen: Chosen, shapes: dict[str, TableShape]) -> None:
        self.db = db
        self.chosen = chosen
        self.shapes = shapes
        self.written = Written()
        self.uids: dict[tuple[int, str, int], str] = {}
        """The uid of each row by the copy it stands in, its table and its id there."""
        self.ids: dict[tuple[str, str], int] = {}
        """The id of each row here, by table and uid."""
        self.taken: dict[str, set[int]] = {name: set() for name in shapes}
        self.stubs: dict[tuple[int, int], int] = {}

    def write(self) -> Written:
        for number, copy in enumerate(self.chosen.copies):
            for row in copy.rows:
                if self.shapes[row.table].has_uid and "id" in row.values:
                    uid = str(row.values.get("uid"))
                    self.uids[number, row.table, row.values["id"]] = uid
        rest = [name for name in self.shapes if name not in ORDER]
        names = [*ORDER, *sorted(rest, key=lambda name: bool(self.shapes[name].references))]
        for name in names:
            self._number(name)
        for name in names:
            for number, row in self.chosen.of(name):
                self._write(number, row, self.shapes[name])
        return self.written

    def _number(self, name: str) -> None:
        """Give each row of a table the id that it had, unless another has that."""
        shape = self.shapes[name]
        if not shape.has_uid:
            return
        late: list[str] = []
        for _table, row in self.chosen.of(name):
            uid, wanted = str(row.values.get("uid")), row.values["id"]
            if wanted in self.taken[name]:
                late.append(uid)
            else:
                self._take(name, uid, wanted)
        for uid in late:
            self._take(name, uid, self._free(name))

    def _take(self, name: str, uid: str, number: int) -> None:
        self.taken[name].add(number)
        self.ids[name, uid] = number

    def _free(self, name: str) -> int:
        number = max((value for value in self.taken[name] if value < 1 << 62), default=0) + 1
        while number in self.taken[name]:
            number += 1
        return number

    def _write(self, number: int, row: Found, shape: TableShape) -> None:
        if shape.name == "meta" and row.values.get("key") == "tokenizer":
            return
        values = {
            column.name: column.conformed(row.values[column.name])
            if row.values.get(column.name) is not None
            else column.conformed(column.default)
            for column in shape.columns
            if column.name != shape.rowid
        }
        if shape.rowid is not None:
            values[shape.rowid] = row.values[shape.rowid]
        if shape.has_uid:
            values["uid"] = str(row.values.get("uid"))
            values[shape.rowid or "id"] = self.ids[shape.name, values["uid"]]
        for column, table in shape.references.items():
            if not self._refer(number, values, column, table):
                # Of bookkeeping nothing is left to say without the row it is about.
                return
        self._keep_hidden(number, row, shape, values)
        if self._insert(shape.name, values):
            self.written.cut += not row.is_whole
            label = self.chosen.copies[number].label
            self.written.rows.setdefault(shape.name, Counter())[label] += 1

    def _refer(self, number: int, values: dict[str, Any], column: str, table: str) -> bool:
        """Have a row refer to the row here that it referred to in its copy; whether it can."""
        wanted = values[column]
        if wanted is None:
            return True
        parent = self.shapes[table]
        if not parent.has_uid:
            return (wanted,) in self.chosen.rows[table]
        uid = self.uids.get((number, table, wanted))
        stub = self.ids.get((table, uid)) if uid is not None else None
        if stub is None and uid is None and wanted in self.taken[table]:
            stub = wanted
        if stub is None and table == "sessions" and "uid" in values:
            stub = self._stub(number, wanted, values)
        is_needed = column in REQUIRED
        if stub is None and is_needed:
            if "uid" in values:
                self._refuse("fact_sources", values, _("its fact is lost"))
            return False
        values[column] = stub
        return True

    def _stub(self, number: int, wanted: int, values: dict[str, Any]) -> int:
        """A session in the place of one that is lost, for a row that belonged to it."""
        if (number, wanted) in self.stubs:
            return self.stubs[number, wanted]
        made = wanted if wanted not in self.taken["sessions"] else self._free("sessions")
        uid = stable_uid("lost session", str(number), str(wanted), str(values["uid"]))
        at = values.get("created_at", 0)
        session = {
            "id": made, "uid": uid, "created_at": at, "updated_at": at, "started_at": at,
            "agent": "unknown", "content_session_id": f"lost-{wanted}-{uid[:8]}",
            "project": values.get("project", ""), "title": STUB_TITLE, "status": "completed",
        }  # fmt: skip
        self._take("sessions", uid, made)
        self._insert("sessions", session)
        self.stubs[number, wanted] = made
        self.written.stubs += 1
        return made

    def _keep_hidden(self, number: int, row: Found, shape: TableShape, values: dict[str, Any]) -> None:
        """Hide a row of an older copy that was lost in the first one, and not visible there any more."""
        shown = self.chosen.copies[0].documents
        letter = LETTERS.get(shape.name)
        if self.chosen.copies[number].is_own or shown is None or letter is None:
            return
        is_shown = not values["private"] and values["deleted_at"] is None
        if is_shown and values.get("type") != "noise" and (letter, row.values["id"]) not in shown:
            values["private"] = 1
            self.written.hidden += 1

    def _insert(self, table: str, values: dict[str, Any]) -> bool:
        names = ", ".join(values)
        marks = ", ".join(f":{name}" for name in values)
        verb = "INSERT" if table in TABLES.values() else "INSERT OR REPLACE"
        sql = f"{verb} INTO {table} ({names}) VALUES ({marks})"
        try:
            self.db.execute(sql, values)
        except apsw.ConstraintError as error:
            without = values | {name: None for name in UNIQUE if name in values}
            if without == values or table not in TABLES.values():
                return self._refuse(table, values, str(error))
            try:
                self.db.execute(sql, without)
            except apsw.ConstraintError:
                return self._refuse(table, values, str(error))
        return True

    def _refuse(self, table: str, values: dict[str, Any], reason: str) -> bool:
        name = values.get("id", next(iter(values.values())))
        self.written.refused.append((table, str(name), reason))
        return False


Key = tuple[Any, ...]


class Chosen:
    """The rows that are kept, by table and key, each with the number of the copy it came from.

    Rows with a uid go by it, and the greater (hlc, editor) wins; others go by their table's key, and
    the first copy's stands. What was purged in any copy stays away.
    """

    def __init__(self, copies: list[Copy], shapes: dict[str, TableShape]) -> None:
        self.copies = copies
        self.rows: dict[str, dict[Key, tuple[int, Found]]] = {name: {} for name in shapes}
        rows = [(number, row) for number, copy in enumerate(copies) for row in copy.rows]
        purged = [row.values for _, row in rows if row.table == "purged"]
        self.purged_uids = {item.get("uid") for item in purged}
        self.purged_sources = {
            (entry["source"], entry["native_id"])
            for entry in purged
            if None not in (entry.get("source"), entry.get("native_id"))
        }
        for number, row in rows:
            if not self._is_purged(row) and self._is_due(number, row):
                self._consider(number, row, shapes[row.table])

    def of(self, table: str) -> list[tuple[int, Found]]:
        """Return the rows of a table, those of the first copies first."""
        return sorted(self.rows[table].values(), key=lambda row: row[0])

    def _consider(self, number: int, row: Found, shape: TableShape) -> None:
        key = _key(row, shape)
        before = self.rows[shape.name].get(key)
        if before is None:
            self.rows[shape.name][key] = (number, row)
            return
        first, kept = before
        # Of two that say the same the whole one; the parts of a newer one stand in an older one.
        newer, older = (row, kept) if _clock(row) > _clock(kept) else (kept, row)
        if newer.is_whole or not older.is_whole:
            chosen = newer
        else:
            chosen = Found(newer.table, older.values | newer.values, True)
        self.rows[shape.name][key] = (number if chosen is row else first, chosen)

    def _is_purged(self, row: Found) -> bool:
        values = row.values
        return row.table != "purged" and (
            (values.get("uid") in self.purged_uids and "uid" in values)
            or (values.get("source"), values.get("native_id")) in self.purged_sources
        )

    def _is_due(self, number: int, row: Found) -> bool:
        """Whether a row of another copy may stand here: the first one has it too, or lost it. What is
        just gone from there was purged, or replaced."""
        if self.copies[number].is_own or row.table == "purged":
            return True
        first = self.copies[0]
        if "id" in row.values:
            return first.is_lost(row.table, row.values["id"])
        return bool(first.holes.get(row.table))


def _key(row: Found, shape: TableShape) -> Key:
    names = ("uid",) if shape.has_uid else shape.key
    return tuple(row.values.get(name) for name in names)


def _clock(row: Found) -> tuple[int, str]:
    values = row.values
    clock = values.get("hlc", values.get("updated_at", values.get("told_at", 0)))
    return (clock if isinstance(clock, int) else 0, str(values.get("editor", "")))
