"""The shapes of the tables, as a fresh memory has them: what each column may hold, and the value in
its place where damage or another program left one that it may not."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import apsw

from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...text.late_pattern import late_pattern
from . import latest_version
from .comparison import fresh

DERIVED = frozenset(
    (
        *("schema_versions", "documents", "unindexed", "label_names", "label_uses", "spellings"),
        *("repositories", "file_commits", "gone_lines", "document_vectors", "unmerged_sessions"),
        *("document_counts", "span_counts", "value_counts", "time_counts", "token_counts"),
        *("fact_counts", "message_counts"),
    )
)
"""Tables that are made of the others, or with them."""

TABLES = """
SELECT l.name, l.wr, s.sql FROM pragma_table_list l JOIN sqlite_schema s ON s.name = l.name
WHERE l.schema = 'main' AND l.type = 'table' AND s.type = 'table' AND l.name NOT LIKE 'sqlite%'
"""
COLUMNS = 'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)'
REFERENCES = 'SELECT "from", "table" FROM pragma_foreign_key_list(?)'
CHOICES = late_pattern(r"CHECK \((\w+) IN \(([^)]*)\)\)")
JSON_VALID = late_pattern(r"json_valid\((\w+)\)")
SHARE = late_pattern(r"CHECK \((\w+) BETWEEN 0 AND 1\)")
CLASSES: dict[str, tuple[type[Any], ...]] = {
    "INTEGER": (int,), "TEXT": (str,), "REAL": (int, float), "BLOB": (bytes,),
}  # fmt: skip
LARGEST = (1 << 63) - 1

IS_TEXT = "is_utf8"
TYPEOF = {"INTEGER": "integer", "REAL": "real", "TEXT": "text", "BLOB": "blob"}


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its declared type, whether it is never NULL, its default, and what its CHECK says."""

    name: str
    type: str
    required: bool
    default: Any
    choices: tuple[Any, ...] = ()
    is_json: bool = False
    is_share: bool = False

    def fits(self, value: object) -> bool:
        """Whether a value may stand here."""
        if value is None:
            return not self.required
        if type(value) not in CLASSES[self.type]:
            return False
        if self.is_share:
            return 0 <= value <= 1  # type: ignore[operator]
        return not self.choices or value in self.choices

    def conformed(self, value: Any) -> Any:
        """The value that stands here in the place of one: the same where it fits, else as much of it
        as does, else the default."""
        if value is None and not self.required:
            return None
        if self.type == "INTEGER":
            value = _integer(value, self.default)
        elif self.type == "REAL":
            value = _share(value, 1.0 if self.default is None else self.default)
        elif self.type == "TEXT":
            value = _text(value, self.default or "")
        elif not isinstance(value, bytes):
            value = b""
        if self.is_json and not is_json(value):
            # A text that stood where a list should is kept as its only item.
            value = json.dumps([value] if value else [], ensure_ascii=False)
        if self.choices and value not in self.choices:
            # Whether a row is hidden is not guessed: whatever is no 0 hides it.
            return 1 if self.choices == (0, 1) else self.default or self.choices[-1]
        return value


@dataclass(frozen=True, slots=True)
class TableShape:
    """A table: its columns, those of its key, which of them is the rowid, and what it refers to
    (column to table)."""

    name: str
    columns: tuple[TableColumn, ...]
    key: tuple[str, ...]
    rowid: str | None
    references: Mapping[str, str]

    @property
    def has_uid(self) -> bool:
        """Whether its rows go by a uid wherever they are copied."""
        return self.rowid is not None and self.columns[1].name == "uid"


def shapes(db: apsw.Connection) -> dict[str, TableShape]:
    """Return the shapes of the tables that hold what is nowhere else, by name."""
    rows: Any = db.execute(TABLES).fetchall()
    return {
        name: _shape(db, name, bool(without_rowid), sql)
        for name, without_rowid, sql in rows
        if name not in DERIVED
    }


def fresh_shapes() -> dict[str, TableShape]:
    """Return the shapes of the tables of a new memory."""
    with fresh(latest_version()) as db:
        return shapes(db)


def is_json(value: object) -> bool:
    """Whether a text is JSON, as SQLite's CHECK sees it."""
    try:
        json.loads(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def odd_values_sentence(db: apsw.Connection) -> str | None:
    """Return what to say where a memory's own values may be what a command stumbled over; None where
    they are as they should be."""
    number = sum(odd_values(db).values())
    if not number:
        return None
    return _(
        "{number} rows of this store hold what no memtui writes, and this can't be done with "
        "them. `mem doctor --thorough` counts them; `mem store repair` makes a store without them.",
        number=f"{number:,}",
    )


def odd_values(db: apsw.Connection) -> Counter[str]:
    """Count the rows by table with a value that is of another class than its column, breaks a rule
    of it, or is a text that is no UTF-8."""
    db.create_scalar_function(IS_TEXT, _is_text, 1, deterministic=True)
    results: Counter[str] = Counter()
    for name, shape in shapes(db).items():
        number: Any = db.execute(f"SELECT count(*) FROM {name} WHERE {_is_odd(shape)}").get
        if number:
            results[name] = number
    return results


def _shape(db: apsw.Connection, name: str, without_rowid: bool, sql: str) -> TableShape:
    choices = {column: _listed(listed) for column, listed in CHOICES.findall(sql)}
    json_columns, shares = set(JSON_VALID.findall(sql)), set(SHARE.findall(sql))
    columns: list[TableColumn] = []
    keys: list[tuple[int, str]] = []
    rowid = None
    listed: Any = db.execute(COLUMNS, (name,)).fetchall()
    referred: Any = db.execute(REFERENCES, (name,)).fetchall()
    for column, kind, required, default, place in listed:
        value = None if default is None else db.execute(f"SELECT {default}").get
        if place:
            keys.append((place, column))
        if place and kind == "INTEGER" and not without_rowid:
            rowid = column
        columns.append(
            TableColumn(
                column,
                kind or "TEXT",
                bool(required or (place and column != rowid)),
                value,
                choices.get(column, ()),
                column in json_columns,
                column in shares,
            )
        )
    key = tuple(column for _, column in sorted(keys))
    return TableShape(name, tuple(columns), key, rowid, dict(referred))


def _listed(text: str) -> tuple[Any, ...]:
    return tuple(
        name.strip("'") if name.startswith("'") else int(name) for name in text.split(", ") if name
    )


def _integer(value: Any, default: Any) -> int:
    try:
        result = int(value)
    except (TypeError, ValueError, OverflowError):
        return int(default or 0)
    return max(-LARGEST - 1, min(result, LARGEST))


def _share(value: Any, default: float) -> float:
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        return default
    return max(0.0, min(result, 1.0)) if math.isfinite(result) else default


def _text(value: Any, default: str) -> str:
    if value is None:
        return default
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _is_odd(shape: TableShape) -> str:
    texts = " || x'0a' || ".join(
        f"coalesce({table_column.name}, '')"
        for table_column in shape.columns
        if table_column.type == "TEXT"
    )
    conditions = [
        condition
        for column in shape.columns
        if column.name != shape.rowid
        for condition in _conditions(column)
    ]
    if texts:
        conditions.append(f"NOT {IS_TEXT}(CAST({texts} AS BLOB))")
    return " OR ".join(conditions)


def _conditions(column: TableColumn) -> Iterator[str]:
    name = column.name
    nothing = "" if column.required else f"{name} IS NOT NULL AND "
    if column.type in TYPEOF:
        yield f"({nothing}typeof({name}) <> '{TYPEOF[column.type]}')"
    if column.choices:
        listed = ", ".join(repr(choice) for choice in column.choices)
        yield f"({nothing}{name} NOT IN ({listed}))"
    if column.is_json:
        yield f"({nothing}NOT json_valid({name}))"
    if column.is_share:
        yield f"({nothing}{name} NOT BETWEEN 0 AND 1)"


def _is_text(*values: Any) -> bool:
    try:
        bytes(values[0]).decode()
    except UnicodeDecodeError:
        return False
    return True
