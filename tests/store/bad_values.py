"""A memory as other programs and failing disks leave one: in each column of each table rows that hold
what none of ours does, beside good ones."""

from pathlib import Path

import apsw

from memtui.store import Store
from memtui.store.database.schema.shapes import TableColumn, TableShape, fresh_shapes
from tests.store.formats import fillings

TEXTS = {
    "no UTF-8": "CAST(x'61ff80c3' AS TEXT)",
    "half a letter": "CAST(x'e7bc' AS TEXT)",
    "NUL": "'a' || char(0) || 'b'",
    "nothing": "''",
}
NUMBERS = {
    "largest": "9223372036854775807",
    "smallest": "-9223372036854775808",
    "the year 10000": "253402300800000",
    "negative": "-1",
}
SHARES = {"huge": "1e308", "infinite": "9e999", "negative": "-5.0"}
LISTS = {
    "no JSON": "'{['",
    "an object": '\'{"a": [1, {"b": null}]}\'',
    "a number": "'7'",
    "null": "'null'",
    "mixed": '\'[1, null, true, ["x"], {"y": 2}, "good"]\'',
    "a lone surrogate": "'[\"\\ud800\"]'",
}
CLASSES = {
    "INTEGER": ("x'ff00'", "1.5", "'text'", "NULL"),
    "REAL": ("x'ff00'", "'text'", "NULL"),
    "TEXT": ("x'ff00'", "7", "1.5", "NULL"),
    "BLOB": ("'text'", "7", "NULL"),
}
GOOD = "A good neighbour"


def fill(path: Path, kinds: str = "texts numbers shares lists classes") -> int:
    """Make a memory with good rows and, for each column, rows with each bad value; how many of
    these there are."""
    with Store.open(path) as store:
        fillings.fill(store)
        for number in range(3):
            store.observations.add("c-1", title=f"{GOOD} {number}", project="atlas", tags=["t"])
        store.prompts.add("c-1", f"{GOOD} asked")
        store.summaries.add("c-1", request=f"{GOOD} in short")
        store.facts.add(f"{GOOD} is known", project="atlas")
        store.notes.upsert("GOOD.md", GOOD, project="atlas")
    shapes = fresh_shapes()
    db = apsw.Connection(str(path))
    made = 0
    for pragma in ("foreign_keys = off", "ignore_check_constraints = on", "writable_schema = on"):
        db.execute(f"PRAGMA {pragma}")
    if "classes" in kinds:
        _set_strict(db, False)
    for shape in shapes.values():
        for column in shape.columns:
            if column.name in ("uid", shape.rowid) or (shape.name, column.name) == ("meta", "key"):
                continue
            for value in _values(column, kinds):
                made += _insert(db, shape, column.name, value, made)
    if "classes" in kinds:
        _set_strict(db, True)
    db.close()
    return made


def _set_strict(db: apsw.Connection, on: bool) -> None:
    """Have the tables check the classes of values, and that none is missing, or not."""
    for rule, other in ((") STRICT", ") /*ST*/"), (" NOT NULL", " /*NN*/")):
        old, new = (other, rule) if on else (rule, other)
        sql = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table'"
        db.execute(sql, (old, new))
    version = int(str(db.pragma("schema_version")))
    db.execute("PRAGMA writable_schema = reset")
    db.pragma("schema_version", version + 1)
    db.execute("PRAGMA writable_schema = on")


def _values(column: TableColumn, kinds: str) -> list[str]:
    found: list[str] = []
    if "texts" in kinds and column.type == "TEXT":
        found += TEXTS.values()
    if "numbers" in kinds and column.type == "INTEGER":
        found += NUMBERS.values()
    if "shares" in kinds and column.type == "REAL":
        found += SHARES.values()
    if "lists" in kinds and column.is_json:
        found += LISTS.values()
    if "classes" in kinds:
        found += CLASSES[column.type]
    return found


def column_of(shape: TableShape, name: str) -> TableColumn:
    return next(column for column in shape.columns if column.name == name)


def _insert(db: apsw.Connection, shape: TableShape, name: str, value: str, number: int) -> int:
    """Insert a copy of a table's first row with another value in one column; whether that went."""
    cells: list[str] = []
    for column in shape.columns:
        if column.name == shape.rowid:
            cells.append("NULL")
        elif column.name in ("source", "native_id", "event_id", "memory_session_id"):
            cells.append("NULL" if not column.required else f"'bad-{number}'")
        elif column.name in ("uid", "content_session_id", "path", "content", "statement") or (
            column.name in shape.key and column.type == "TEXT"
        ):
            cells.append(f"'bad-{number}'")
        else:
            cells.append(column.name)
    names = ", ".join(column.name for column in shape.columns)
    order = shape.rowid or shape.key[0]
    sql = (
        f"INSERT INTO {shape.name} ({names}) SELECT {', '.join(cells)} FROM {shape.name} "
        f"ORDER BY {order} LIMIT 1"
    )
    keys = [key for key in shape.key if key != shape.rowid]
    which = (
        f"{shape.rowid} = last_insert_rowid()"
        if shape.rowid
        else " AND ".join(f"{key} = 'bad-{number}'" for key in keys if column_of(shape, key).type == "TEXT")
    )
    try:
        db.execute(sql)
        # A trigger of ours refuses some of them; damage asks none.
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        if which:
            db.execute(f"UPDATE {shape.name} SET {name} = {value} WHERE {which}")
    except apsw.Error:
        return 0
    finally:
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
    return db.changes()
