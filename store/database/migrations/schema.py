"""The schema that a memory should have, compared with the one it has, and mended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from typing import Any, Literal

import apsw

from ...clock import uuid7
from ...records.dataclasses import dataclass
from ...text.late_pattern import late_pattern
from .. import migrations
from ..transaction import roll_back

Kind = Literal["missing", "changed", "foreign"]
Key = tuple[str, str]
"""What something in a schema is (table, index, view or trigger), and its name."""

ITEMS = (
    "SELECT type, name, tbl_name, sql FROM sqlite_schema "
    "WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"
)
SHADOWS = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
COLUMNS = (
    'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1'
)
DROPPED = late_pattern(r"\bDROP (TRIGGER|VIEW|INDEX|TABLE) IF EXISTS (\w+)")
COMMENT = late_pattern(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
BLANKS = late_pattern(r"\s*([(),;=<>|+-])\s*|\s+")
QUOTED = late_pattern(r'"(\w+)"|`(\w+)`|\[(\w+)\]')

SPELLING_INDEXES = ("spellings_backwards", "spellings_by_document")

Column = tuple[str, str, int, str | None, int]
"""A column's name, type, whether it is never NULL, its default as SQL, and its place in the key."""


@dataclass(frozen=True, slots=True)
class SchemaItem:
    """Something in a schema, with the table that it belongs to and the SQL that made it."""

    type: str
    name: str
    table: str
    sql: str


@dataclass(frozen=True, slots=True)
class SchemaDifference:
    """Something in which a schema isn't as it should be; `detail` says how it was changed."""

    kind: Kind
    type: str
    name: str
    table: str
    detail: str = ""

    def __str__(self) -> str:
        told = {"missing": "missing", "changed": "changed", "foreign": "not ours"}[self.kind]
        on = f" on {self.table}" if self.kind == "foreign" and self.table != self.name else ""
        return f"{self.type} {self.name}{on}: {told}{f' ({self.detail})' if self.detail else ''}"


def differences(
    db: apsw.Connection, version: int, index_scripts: Sequence[str] | None = None
) -> list[SchemaDifference]:
    """Compare a memory's schema with that of a fresh one of a version.

    `index_scripts` make the full-text indexes that it should have; without them these are not
    looked at. What is foreign comes last.
    """
    with fresh(version, index_scripts or ()) as right:
        return list(_differences(db, right, index_scripts is None))


def are_wrong(found: Sequence[SchemaDifference]) -> bool:
    """Return whether anything is missing or changed."""
    return any(one.kind != "foreign" for one in found)


def is_ahead(found: Sequence[SchemaDifference]) -> bool:
    """Return whether what is foreign to a version is of a later one, which its steps can't make again."""
    scripts = [script for _, script in migrations.scripts()]
    former = {name for script in scripts for _, name in DROPPED.findall(script)}
    try:
        with fresh(migrations.latest_version()) as right:
            later = {(kind, name) for kind, name in items(right) if name not in former}
    except apsw.SQLError:
        # A step that can't be made tells so when it is taken.
        return False
    return any(one.kind == "foreign" and (one.type, one.name) in later for one in found)


@contextmanager
def fresh(version: int, index_scripts: Sequence[str] = ()) -> Iterator[apsw.Connection]:
    """Have an empty memory of a version, in RAM."""
    steps = [script for number, script in migrations.scripts() if number <= version]
    db = apsw.Connection(":memory:")
    try:
        db.deserialize("main", _made_by(tuple(steps), tuple(index_scripts)))
        yield db
    finally:
        db.close()


@lru_cache(maxsize=4)
def _made_by(steps: tuple[str, ...], index_scripts: tuple[str, ...]) -> bytes:
    """The file that these scripts make: one examination asks for it several times."""
    db = apsw.Connection(":memory:")
    try:
        for script in steps:
            migrations.apply_script(db, script)
        for script in index_scripts:
            db.execute(script)
        return db.serialize("main")
    finally:
        db.close()


@cache
def full_text() -> tuple[str, ...]:
    """Return what the full-text indexes are made of, but for indexes on it; triggers come first."""
    return tuple(name for _, name in DROPPED.findall(migrations.index_script("drop")))


def _differences(
    db: apsw.Connection, right: apsw.Connection, without_indexes: bool
) -> Iterator[SchemaDifference]:
    should, has = items(right), items(db)
    shadows = {name for (name,) in [*right.execute(SHADOWS), *db.execute(SHADOWS)]}
    ours = {name for _, name in should}
    of_index = {*full_text(), *SPELLING_INDEXES}
    for key, item in should.items():
        found = has.get(key)
        if found is None:
            yield SchemaDifference("missing", item.type, item.name, item.table)
        elif item.name not in shadows and not _is_same(found, item):
            detail = _detail(db, right, item.name) if item.type == "table" else ""
            if detail is not None:
                yield SchemaDifference("changed", item.type, item.name, item.table, detail)
    for key, item in has.items():
        is_known = item.name in shadows or (without_indexes and item.name in of_index)
        if key not in should and not is_known:
            yield SchemaDifference("foreign", item.type, item.name, item.table)
        elif item.type == "table" and item.name in ours and item.name not in shadows:
            for column in _extra_columns(db, right, item.name):
                yield SchemaDifference("foreign", "column", f"{item.name}.{column}", item.name)


def items(db: apsw.Connection) -> dict[Key, SchemaItem]:
    """Return what a schema holds, but for SQLite's own."""
    rows = db.execute(ITEMS).fetchall()
    return {
        (str(kind), str(name)): SchemaItem(str(kind), str(name), str(table), str(sql))
        for kind, name, table, sql in rows
    }


def _is_same(one: SchemaItem, other: SchemaItem) -> bool:
    return one.sql == other.sql or _normal(one.sql) == _normal(other.sql)


def _normal(sql: str) -> str:
    """SQL without comments, needless blanks and quotes of names."""
    text = QUOTED.sub(lambda match: next(filter(None, match.groups())), COMMENT.sub(" ", sql))
    return BLANKS.sub(lambda match: match[1] or " ", text).strip()


def _columns(db: apsw.Connection, table: str) -> list[Column]:
    rows: list[Any] = db.execute(COLUMNS, (table,)).fetchall()
    return rows


def _extra_columns(db: apsw.Connection, right: apsw.Connection, table: str) -> list[str]:
    due = {column[0] for column in _columns(right, table)}
    return [column[0] for column in _columns(db, table) if column[0] not in due]


def _detail(db: apsw.Connection, right: apsw.Connection, table: str) -> str | None:
    """How a table differs; None where it only has columns of somebody else behind its own."""
    due, held = _columns(right, table), _columns(db, table)
    names = [column[0] for column in held]
    if missing := [column[0] for column in due if column[0] not in names]:
        return f"without {', '.join(missing)}"
    if len(held) > len(due) and held[: len(due)] == due:
        return None
    if wrong := [column[0] for column in due if column not in held]:
        return f"{', '.join(wrong)} of another kind"
    return "its columns or rules are others"


def mend_where_wrong(db: apsw.Connection, *, now: int) -> list[SchemaDifference]:
    """Mend a memory of the newest schema, if anything is missing or changed; return what was."""
    found = differences(db, migrations.latest_version())
    lacks_machine = (
        any(item == ("table", "meta") for item in items(db))
        and db.execute("SELECT 1 FROM meta WHERE key = 'machine_id'").get is None
    )
    return mend(db, now=now) if are_wrong(found) or lacks_machine else []


def mend(db: apsw.Connection, *, now: int) -> list[SchemaDifference]:
    """Give a memory the newest schema, whatever it has; return what was missing or changed.

    Tables keep their rows, and columns that aren't ours; a table that is missing is made empty. A
    table or index that the rows don't allow stays as it is. The full-text indexes are left to be
    made anew: the row `tokenizer` of `meta` is gone. All of it is one transaction; `now` in ms.
    """
    overwrites = db.pragma("secure_delete")
    db.pragma("secure_delete", True)
    db.pragma("foreign_keys", False)
    db.pragma("legacy_alter_table", True)
    try:
        db.execute("BEGIN IMMEDIATE")
        version = migrations.latest_version()
        with fresh(version) as right:
            found = [one for one in _differences(db, right, True) if one.kind != "foreign"]
            _drop_outdated(db, right)
            _mend_tables(db, right, now)
            for kind in ("index", "view", "trigger"):
                _make_anew(db, right, kind)
        migrations.change_rows(db)
        _stamp(db, version, now)
        db.execute("COMMIT")
        return found
    finally:
        roll_back(db)
        with suppress(apsw.ConnectionClosedError):
            db.pragma("secure_delete", overwrites)
            db.pragma("legacy_alter_table", False)
            db.pragma("foreign_keys", True)


def remove(db: apsw.Connection, name: str) -> None:
    """Drop whatever has a name, also an index whose own tables are damaged."""
    rows = db.execute("SELECT type FROM sqlite_schema WHERE name = ?", (name,)).fetchall()
    for (kind,) in rows:
        try:
            db.execute(f"DROP {kind} IF EXISTS {_quoted(name)}")
        except apsw.SQLError:
            # Its module refuses to open it; what it kept lies in tables named after it.
            _forget(db, name)


def _forget(db: apsw.Connection, name: str) -> None:
    parts = [f"{name}_{part}" for part in ("data", "idx", "content", "docsize", "config")]
    db.pragma("writable_schema", True)
    try:
        db.execute("DELETE FROM sqlite_schema WHERE name = ?", (name,))
        db.pragma("writable_schema", "RESET")
    finally:
        db.pragma("writable_schema", False)
    for part in parts:
        db.execute(f"DROP TABLE IF EXISTS {_quoted(part)}")


def _drop_outdated(db: apsw.Connection, right: apsw.Connection) -> None:
    """Drop the views and triggers of ours that are not as they should be, or are no more."""
    should = items(right)
    former = {name for _, script in migrations.scripts() for _, name in DROPPED.findall(script)}
    ours = {name for _, name in should}
    for (kind, name), item in items(db).items():
        due = should.get((kind, name))
        is_right = due is not None and _is_same(due, item)
        if kind in ("view", "trigger") and not is_right and name in ours | former:
            db.execute(f"DROP {kind} {_quoted(name)}")


def _mend_tables(db: apsw.Connection, right: apsw.Connection, now: int) -> None:
    has = items(db)
    for (kind, name), item in items(right).items():
        if kind != "table":
            continue
        found = has.get((kind, name))
        if found is None:
            _clear_name(db, name)
            db.execute(item.sql)
        elif not _is_same(found, item) and _detail(db, right, name) is not None:
            with _savepoint(db):
                _rewrite(db, right, item, now)


def _clear_name(db: apsw.Connection, name: str) -> None:
    rows = db.execute(
        "SELECT type FROM sqlite_schema WHERE name = ? AND type <> 'trigger'", (name,)
    )
    for (kind,) in rows.fetchall():
        db.execute(f"DROP {kind} {_quoted(name)}")


@contextmanager
def _savepoint(db: apsw.Connection) -> Iterator[None]:
    """Take back what is done inside where the rows don't allow it."""
    db.execute("SAVEPOINT mending")
    try:
        yield
    except (apsw.ConstraintError, apsw.MismatchError, apsw.SQLError):
        db.execute("ROLLBACK TO mending")
    db.execute("RELEASE mending")


def _rewrite(db: apsw.Connection, right: apsw.Connection, item: SchemaItem, now: int) -> None:
    """Make a table anew with the columns that it should have, those of somebody else behind them."""
    name, old = item.name, f"{item.name} before"
    held = _columns(db, name)
    names = {column[0] for column in held}
    belongings = db.execute(
        "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') "
        "AND sql IS NOT NULL",
        (name,),
    ).fetchall()
    due = _columns(right, name)
    unique = _unique_columns(right, name)
    extra = [column for column in held if column[0] not in {one[0] for one in due}]
    db.execute(f"ALTER TABLE {_quoted(name)} RENAME TO {_quoted(old)}")
    db.execute(item.sql)
    for column, kind, *_ in extra:
        db.execute(f"ALTER TABLE {_quoted(name)} ADD COLUMN {_quoted(column)} {kind or 'ANY'}")
    into = [column[0] for column in (*due, *extra)]
    values = [
        _value(column, column[0] in names, column[0] in unique, now) for column in (*due, *extra)
    ]
    db.execute(
        f"INSERT INTO {_quoted(name)} ({', '.join(map(_quoted, into))}) "
        f"SELECT {', '.join(values)} FROM {_quoted(old)}"
    )
    db.execute(f"DROP TABLE {_quoted(old)}")
    for (sql,) in belongings:
        # One that names a column that is gone, or breaks a rule, is made as it should be later.
        with suppress(apsw.SQLError, apsw.ConstraintError):
            db.execute(str(sql))


def _value(column: Column, is_held: bool, is_unique: bool, now: int) -> str:
    """The SQL of a column's value, of a row that has it or not."""
    name, kind, is_required, default, place = column
    if is_held:
        fallback = default or ("0" if kind in ("INTEGER", "REAL") else "''")
        is_plain = not is_required or place
        return _quoted(name) if is_plain else f"coalesce({_quoted(name)}, {fallback})"
    if default is not None:
        return default
    if is_unique and kind == "TEXT" and is_required:
        return "lower(hex(randomblob(16)))"
    if not is_required:
        return "NULL"
    if name.endswith("_at"):
        return str(now)
    return "0" if kind in ("INTEGER", "REAL") else "''"


def _unique_columns(db: apsw.Connection, table: str) -> set[str]:
    sql = (
        "SELECT min(i.name) FROM pragma_index_list(?) l, pragma_index_info(l.name) i "
        'WHERE l."unique" GROUP BY l.name HAVING count(*) = 1'
    )
    return {str(name) for (name,) in db.execute(sql, (table,))}


def _make_anew(db: apsw.Connection, right: apsw.Connection, kind: str) -> None:
    has = items(db)
    for (of, name), item in items(right).items():
        found = has.get((of, name))
        if of != kind or (found is not None and _is_same(found, item)):
            continue
        with _savepoint(db):
            if found is not None:
                db.execute(f"DROP {kind} {_quoted(name)}")
            db.execute(item.sql)


def _stamp(db: apsw.Connection, version: int, now: int) -> None:
    """Say what was done: the versions, whose machine this is, and that the indexes are to be made."""
    for number, _ in migrations.scripts():
        db.execute("INSERT OR IGNORE INTO schema_versions VALUES (?, ?)", (number, now))
    db.pragma("user_version", version)
    db.execute("DELETE FROM meta WHERE key = 'tokenizer'")
    db.execute("INSERT OR IGNORE INTO meta VALUES ('machine_id', ?)", (uuid7(now),))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
