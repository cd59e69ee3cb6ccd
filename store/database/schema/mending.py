"""A memory given the schema that it should have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import apsw

from ...platform.clock import uuid7
from ..schema import BASELINE, comparison, latest_version
from ..transaction import roll_back
from .comparison import Column, SchemaDifference, SchemaItem


def mend_where_wrong(db: apsw.Connection, *, now: int) -> list[SchemaDifference]:
    """Mend a memory of the newest schema, if anything is missing or changed; return what was."""
    version = latest_version()
    differences = comparison.differences(db, version)
    lacks_machine = (
        any(item == ("table", "meta") for item in comparison.items(db))
        and db.execute("SELECT 1 FROM meta WHERE key = 'machine_id'").get is None
    )
    return mend(db, version, now=now) if comparison.are_wrong(differences) or lacks_machine else []


def mend(db: apsw.Connection, version: int, *, now: int) -> list[SchemaDifference]:
    """Give a memory the schema of a version, whatever it has, in one transaction; `now` in ms. Return what
    was missing or changed."""
    with changing(db):
        return give(db, version, now=now)


@contextmanager
def changing(db: apsw.Connection) -> Iterator[None]:
    """Have a transaction in which tables can be made anew; what goes is overwritten."""
    overwrites = db.pragma("secure_delete")
    db.pragma("secure_delete", True)
    db.pragma("foreign_keys", False)
    db.pragma("legacy_alter_table", True)
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("COMMIT")
    finally:
        roll_back(db)
        with suppress(apsw.ConnectionClosedError):
            db.pragma("secure_delete", overwrites)
            db.pragma("legacy_alter_table", False)
            db.pragma("foreign_keys", True)


def give(db: apsw.Connection, version: int, *, now: int) -> list[SchemaDifference]:
    """Give a memory the schema of a version; inside `changing`. Return what was missing or changed.

    Tables keep their rows, and columns that aren't ours; a table that is missing is made empty. A
    table or index that the rows don't allow stays as it is. The full-text indexes are left to be
    made anew: the row `tokenizer` of `meta` is gone.
    """
    with comparison.fresh(version) as right:
        differences = [
            difference for difference in comparison.compare(db, right, True) if difference.kind != "foreign"
        ]
        _drop_outdated(db, right)
        _mend_tables(db, right, now)
        for kind in ("index", "view", "trigger"):
            _make_anew(db, right, kind)
    _stamp(db, version, now)
    return differences


def drop_full_text(db: apsw.Connection) -> None:
    """Drop the full-text indexes, also one whose own tables are damaged."""
    for name in comparison.full_text():
        _drop(db, name)


def _drop(db: apsw.Connection, name: str) -> None:
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
    should = comparison.items(right)
    former = comparison.dropped()
    ours = {name for _, name in should}
    for (kind, name), item in comparison.items(db).items():
        due = should.get((kind, name))
        is_right = due is not None and comparison.is_same(due, item)
        if kind in ("view", "trigger") and not is_right and name in ours | former:
            db.execute(f"DROP {kind} {_quoted(name)}")


def _mend_tables(db: apsw.Connection, right: apsw.Connection, now: int) -> None:
    has = comparison.items(db)
    for (kind, name), item in comparison.items(right).items():
        if kind != "table":
            continue
        schema_item = has.get((kind, name))
        if schema_item is None:
            _clear_name(db, name)
            db.execute(item.sql)
        elif (
            not comparison.is_same(schema_item, item)
            and comparison.table_detail(db, right, name) is not None
        ):
            with _savepoint(db):
                _rewrite(db, right, item, now)


def _clear_name(db: apsw.Connection, name: str) -> None:
    rows = db.execute("SELECT type FROM sqlite_schema WHERE name = ? AND type <> 'trigger'", (name,))
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
    held = comparison.columns(db, name)
    names = {column[0] for column in held}
    belongings = db.execute(
        "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') "
        "AND sql IS NOT NULL",
        (name,),
    ).fetchall()
    due = comparison.columns(right, name)
    unique = _unique(right, name)
    extra = [column for column in held if column[0] not in {row[0] for row in due}]
    db.execute(f"ALTER TABLE {_quoted(name)} RENAME TO {_quoted(old)}")
    db.execute(item.sql)
    for column, kind, *_ in extra:
        db.execute(f"ALTER TABLE {_quoted(name)} ADD COLUMN {_quoted(column)} {kind or 'ANY'}")
    into = [column[0] for column in (*due, *extra)]
    values = [_value(column, column[0] in names, column[0] in unique, now) for column in (*due, *extra)]
    db.execute(
        f"INSERT INTO {_quoted(name)} ({', '.join(map(_quoted, into))}) "
        f"SELECT {', '.join(values)} FROM {_quoted(old)}"
    )
    if "AUTOINCREMENT" in item.sql:
        db.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        db.execute("UPDATE sqlite_sequence SET name = ? WHERE name = ?", (name, old))
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


def _unique(db: apsw.Connection, table: str) -> set[str]:
    sql = (
        "SELECT min(i.name) FROM pragma_index_list(?) l, pragma_index_info(l.name) i "
        'WHERE l."unique" GROUP BY l.name HAVING count(*) = 1'
    )
    return {str(name) for (name,) in db.execute(sql, (table,))}


def _make_anew(db: apsw.Connection, right: apsw.Connection, kind: str) -> None:
    has = comparison.items(db)
    for (of, name), item in comparison.items(right).items():
        schema_item = has.get((of, name))
        if of != kind or (schema_item is not None and comparison.is_same(schema_item, item)):
            continue
        with _savepoint(db):
            if schema_item is not None:
                db.execute(f"DROP {kind} {_quoted(name)}")
            db.execute(item.sql)


def _stamp(db: apsw.Connection, version: int, now: int) -> None:
    """Say what was done: the versions, whose machine this is, and that the indexes are to be made."""
    for number in range(BASELINE, version + 1):
        db.execute("INSERT OR IGNORE INTO schema_versions VALUES (?, ?)", (number, now))
    db.pragma("user_version", version)
    db.execute("DELETE FROM meta WHERE key = 'tokenizer'")
    db.execute("INSERT OR IGNORE INTO meta VALUES ('machine_id', ?)", (uuid7(now),))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
