"""What a directory or a store holds."""

import hashlib
import json
from pathlib import Path
from typing import Any

from memtui.store import Observation, Session, Store, Summary


def contents(directory: Path) -> dict[str, tuple[str, int]]:
    """A hash of each file in a directory, and when it was written (ns)."""
    return {
        str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in directory.rglob("*")
        if path.is_file()
    }


def dump(store: Store) -> dict[str, list[Any]]:
    """Every row of every table."""
    names = store.db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%USING%'"
    )
    return {name: store.db.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names}


def observation(store: Store, native_id: str) -> Observation:
    """The observation that a row of the source became."""
    return store.observations.where("native_id = ?", (native_id,))[0]


def extra(record: Observation | Session | Summary) -> dict[str, object]:
    """What a record carries beside its columns."""
    found: dict[str, object] = json.loads(record.extra or "{}")
    return found


def said(store: Store) -> dict[str, list[Any]]:
    """What a store's rows say, but for what every import makes anew."""
    made = ("id", "fact_id", "uid", "updated_at", "origin", "editor", "hlc")
    found = {}
    for table in TABLES:
        names = [str(name) for (name,) in store.db.execute(NAMES, (table,))]
        columns = ", ".join(name for name in names if name not in made)
        found[table] = store.db.execute(f"SELECT {columns} FROM {table} ORDER BY id").fetchall()
    return found


NAMES = "SELECT name FROM pragma_table_info(?)"
TABLES = (
    *("sessions", "prompts", "observations", "summaries", "pending_messages"),
    *("facts", "fact_sources", "notes"),
)
