"""Which rows of an export are here already, whatever the uid they have here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from ...exports.lines import TABLES
from ...rows import Values
from .rows import Row


def by_uid(db: apsw.Connection, table: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Number and stamp of each row that is here under its uid."""
    stamp = ", ".join(TABLES[table].stamp)
    uids = [row.record.get("uid") for row in rows]
    sql = f"SELECT uid, id, {stamp} FROM {table} WHERE uid IN (SELECT value FROM json_each(?))"
    return {row[0]: row[1:] for row in db.execute(sql, (json.dumps(uids),))}


def same(db: apsw.Connection, table: str, values: Values) -> Any:
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
        found = db.execute(sql, wanted).fetchone()
        if found is not None:
            return found
    return None


def is_purged(db: apsw.Connection, values: Values) -> bool:
    """Whether the record was purged here."""
    sql = "SELECT 1 FROM purged WHERE uid = :uid OR (source = :source AND native_id = :native_id)"
    return db.execute(sql, values).get is not None
