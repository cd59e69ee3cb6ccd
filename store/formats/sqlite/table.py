"""The tables of a foreign database: which columns each has, what its rows go by, and, where it is damaged,
every row that can be reached, and each hole by its rows' keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from typing import Any, Literal

import apsw

from ...platform.translation import _
from ...records.dataclasses import dataclass

LISTED = """
SELECT wr FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND name = ? COLLATE NOCASE
"""
INDEXED = "SELECT EXISTS (SELECT 1 FROM pragma_index_list(?) WHERE partial = 0)"
COLUMNS = 'SELECT lower(name), "notnull", pk FROM pragma_table_info(?)'


ROWIDS = ("rowid", "_rowid_", "oid")
"""The names by which a table's rows are numbered, unless columns of its own take them."""


@dataclass(frozen=True, slots=True)
class ForeignTable:
    """A table of a foreign database. Rows are read in the order of `key`; `native` is the column
    that names a row; `required` are the columns that can't be NULL in an undamaged row."""

    name: str
    columns: tuple[str, ...]
    key: str
    native: str
    required: frozenset[str]
    has_index: bool

    @property
    def quoted(self) -> list[str]:
        """The columns, quoted for SQL."""
        return ['"' + column.replace('"', '""') + '"' for column in self.columns]


def own_tables(db: apsw.Connection) -> list[str]:
    """Return the names of a database's tables, without those of SQLite's and of its modules."""
    sql = (
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    )
    return [str(name) for (name,) in db.execute(sql)]


def table(db: apsw.Connection, name: str) -> ForeignTable | None:
    """Return a table by its name, in any letter case; None when the database has none.

    A row goes by its `id`; by its rowid where the table has no `id`, or one that need not be
    unique.
    """
    result: Any = db.execute(LISTED, (name,)).fetchall()
    rows: Any = db.execute(COLUMNS, (name,)).fetchall()
    if not result or not rows:
        return None
    names = [column for column, _, _ in rows]
    keys = [column for column, _, place in sorted(rows, key=lambda row: row[2]) if place]
    has_rowid = not result[0][0]
    if (has_rowid and set(ROWIDS) <= set(names)) or not (has_rowid or keys):
        return None
    native = "id" if keys == ["id"] or (not has_rowid and not keys) else "rowid"
    if not has_rowid:
        native = native if native == "id" else keys[0]
    return ForeignTable(
        name,
        tuple(column for column, _, _ in rows),
        next(name for name in ROWIDS if name not in names)
        if has_rowid
        else '"' + keys[0].replace('"', '""') + '"',
        native,
        frozenset(column for column, required, place in rows if required and not place),
        bool(db.execute(INDEXED, (name,)).get),
    )


def undefined(db: apsw.Connection) -> list[str]:
    """Return the names of the tables that exist but whose definition is damaged; '' for any whose
    name is gone, too."""
    cursor = db.execute(
        "SELECT DISTINCT coalesce(name, '') FROM sqlite_schema "
        "WHERE type IS NULL OR name IS NULL OR (type = 'table' AND name NOT IN "
        "(SELECT name FROM pragma_table_list WHERE schema = 'main'))"
    )
    return [str(name) for (name,) in cursor]


def columns(db: apsw.Connection, name: str) -> tuple[str, ...]:
    """Return the names of a table's columns; () when there is no such table."""
    foreign_table = table(db, name)
    return foreign_table.columns if foreign_table else ()


def count(db: apsw.Connection, name: str) -> int:
    """Count a table's rows; 0 when it is missing, or too damaged to be counted."""
    if table(db, name) is None:
        return 0
    try:
        return int(db.execute(f"SELECT count(*) FROM {name}").get)
    except apsw.Error:
        return 0


Row = tuple[Any, ...]

DAMAGE = (apsw.Error, MemoryError)
"""What SQLite raises of a damaged page or value; MemoryError, since it believes the size that is
written."""

SURE = 1_000
"""After so many readable rows in a row, the table is scanned at full speed again."""

STEPS = 2_000
"""So many keys are tried one by one in a hole; after them the steps double."""

LAST = (1 << 63) - 1

TREE = re.compile(r"^Tree .*", re.MULTILINE)
"""What SQLite's check says of a damaged page; its other lines are about rows that break a rule."""

Lost = Callable[[str, str], None]
"""Called with the keys of rows that can't be read, and the reason."""


def rows_around(db: apsw.Connection, table: ForeignTable, lost: Lost) -> Iterator[Row]:
    """Yield the rows of a table in the order of their keys: the key, then each column.

    Text that is no UTF-8 comes as bytes. What can't be read is skipped, and `lost` is called with
    it.
    """
    return _Scan(db, table, lost).rows()


def damage_of(db: apsw.Connection, table: ForeignTable) -> str | None:
    """Return what SQLite's check finds wrong with the pages of a table; None when they are sound."""
    try:
        result = "\n".join(str(item) for (item,) in db.execute(f"PRAGMA quick_check('{table.name}')"))
    except DAMAGE as error:
        return str(error)
    found_damage = TREE.search(result)
    return found_damage[0] if found_damage else None


class _Scan:
    def __init__(self, db: apsw.Connection, table: ForeignTable, lost: Lost) -> None:
        self.db = db
        self.table = table
        self.lost = lost
        self.done: Any = None
        self.keys = 2 if table.native == "id" else 1
        self.key, name = table.key, table.name
        texts = (f"iif(typeof({text}) = 'text', CAST({text} AS BLOB), {text})" for text in table.quoted)
        self.scan = f"SELECT {self.key}, {', '.join(table.quoted)} FROM {name} NOT INDEXED"
        self.point = f"SELECT {self.key}, {', '.join(texts)} FROM {name} NOT INDEXED WHERE {self.key} = ?"
        self.past = f"SELECT {self.key} FROM {name} NOT INDEXED WHERE {self.key} >= ? ORDER BY 1 LIMIT 1"

    def rows(self) -> Iterator[Row]:
        while True:
            sure, reason = SURE, ""
            try:
                reason = yield from self._quickly()
            except UnicodeDecodeError:
                # SQLite gives no such row as text; one by one, as bytes, it does.
                sure = 1
            except DAMAGE as error:
                reason = str(error)
            if not (reason or sure == 1):
                return
            if self.key not in ROWIDS:
                self.lost(
                    "" if self.done is None else _("after {key}", key=self.done),
                    reason or _("no UTF-8"),
                )
                return
            if not (yield from self._one_by_one(sure, reason)):
                return

    def _quickly(self) -> Generator[Row, None, str]:
        """Yield the rows to the end, or to where they are in disorder; return what is wrong there."""
        condition = ""
        bindings: tuple[Any, ...] = ()
        if self.done is not None:
            condition, bindings = f" WHERE {self.key} > ?", (self.done,)
        held: Row | None = None
        for row in self.db.execute(f"{self.scan}{condition} ORDER BY {self.key}", bindings):
            # A row is sure to be in its place only when the next one is behind it.
            if held is not None:
                if self.key in ROWIDS and row[0] <= held[0]:
                    return _("its rows are in disorder")
                yield from self._whole(held)
            held = row
        if held is not None:
            yield from self._whole(held)
        return ""

    def _one_by_one(self, sure: int, reason: str) -> Generator[Row, None, bool]:
        """Yield rows by their keys, past a hole and until the table can be scanned again; return
        whether it can."""
        key = first = 1 if self.done is None else self.done + 1
        last, good, missed = self._last(), 0, 0
        hole = None
        while key <= last:
            row, is_damaged = self._at(key)
            if isinstance(row, tuple):
                self._tell(hole, key - 1, reason)
                hole, missed, good = None, 0, good + 1
                yield from self._whole(row)
                if good > sure:
                    return True
                key += 1
                continue
            if is_damaged:
                hole, good = hole or key, 0
            missed += 1
            key += 1
            if missed > STEPS:
                following = self._following(key)
                if not following:
                    break
                key, missed = following, 0
            elif not is_damaged and (following := self._past(key)):
                key = following if key + STEPS < following <= last else key
        if reason and hole is None and first == key:
            hole = first
        self._tell(hole, None, reason)
        return False

    def _whole(self, row: Row) -> Iterator[Row]:
        self.done = row[0]
        if len(row) - row.count(None) > self.keys:
            yield row
        else:
            self.lost(str(row[0]), _("nothing of it is left: its page is damaged"))

    def _tell(self, hole: int | None, last: int | None, reason: str) -> None:
        if hole is not None:
            keys = _("from {first} on", first=hole) if last is None else str(hole)
            between = _("{first} to {last}", first=hole, last=last)
            self.lost(keys if last in (None, hole) else between, reason)

    def _at(self, key: int) -> tuple[Row | None, bool]:
        """Return the row with a key, if it can be read, and whether it is damaged."""
        try:
            return self.db.execute(self.point, (key,)).fetchone(), False
        except DAMAGE:
            return None, True

    def _following(self, key: int) -> int | Literal[False] | None:
        """Return the first key from `key` on, beyond the hole where there is one; None behind the
        last one; False where it can't be found."""
        low, step = key - 1, 1
        while (past := self._past(key)) is False:
            low, key, step = key, key + step, step * 2
            if key > LAST:
                return False
        while past is not None and key - low > 1:
            middle = (low + key) // 2
            if (nearer := self._past(middle)) is False:
                low = middle
            else:
                past, key = nearer, middle
        return past

    def _past(self, key: int) -> int | Literal[False] | None:
        """Return the first key from `key` on; None behind the last one; False where there is a
        hole."""
        try:
            result: Any = self.db.execute(self.past, (key,)).get
        except DAMAGE:
            return False
        return result if result is None or result >= key else False

    def _last(self) -> int:
        """Return the greatest key that there may be."""
        result = 0
        for sql in (
            f"SELECT max({self.key}) FROM {self.table.name} NOT INDEXED",
            f"SELECT max(seq) FROM sqlite_sequence WHERE name = '{self.table.name}' COLLATE NOCASE",
        ):
            try:
                result = max(result, self.db.execute(sql).get or 0)
            except DAMAGE:
                continue
        return result or LAST
