"""Records that two machines know by two uids, since each imported them from the same transcripts: the
smaller uid is theirs everywhere, always in one transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import apsw

from ...formats.common.scope import OF_SESSIONS
from ...formats.jsonl.reading import ImportRow
from ...formats.jsonl.upsert import keys_here, same
from ...tables.facts import fact_key
from .channel import CITING, NAMING

BY_INDEX = (
    "UPDATE OR REPLACE merged_records SET uid = :new WHERE uid = :old",
    "UPDATE merged_records SET into_uid = :new WHERE into_uid = :old",
    "UPDATE OR REPLACE reports SET uid = :new WHERE uid = :old",
    "UPDATE facts SET superseded_by = :new WHERE superseded_by = :old",
    "INSERT OR IGNORE INTO not_duplicates SELECT min(:new, other_uid), max(:new, other_uid), at "
    "FROM not_duplicates WHERE uid = :old AND other_uid <> :new",
    "INSERT OR IGNORE INTO not_duplicates SELECT min(:new, uid), max(:new, uid), at "
    "FROM not_duplicates WHERE other_uid = :old AND uid <> :new",
    "DELETE FROM not_duplicates WHERE uid = :old",
    "DELETE FROM not_duplicates WHERE other_uid = :old",
    "UPDATE renamed_records SET into_uid = :new WHERE into_uid = :old",
)
ALIAS = """
INSERT INTO renamed_records (uid, into_uid, kind) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET into_uid = excluded.into_uid WHERE into_uid > excluded.into_uid
"""


def names_here(db: apsw.Connection, lines: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return, of all uids that lines name, those by which the records are known now where they differ."""
    if not db.execute("SELECT EXISTS (SELECT 1 FROM renamed_records)").get:
        return {}
    uids = {
        item
        for line in lines
        for name in (*NAMING, *CITING)
        for item in ([line.get(name)] if name in NAMING else line.get(name) or ())
        if isinstance(item, str)
    }
    sql = "SELECT uid, into_uid FROM renamed_records WHERE uid IN (SELECT value FROM json_each(?))"
    return dict(db.execute(sql, (json.dumps([*uids]),)))


def translated(line: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a line that names records as they are known here."""
    if not names or line.get("table") == "renamed_records":
        return line
    changed: dict[str, Any] = {name: names[line[name]] for name in NAMING if line.get(name) in names}
    for name in CITING:
        items = line.get(name)
        if isinstance(items, list) and any(item in names for item in items if isinstance(item, str)):
            changed[name] = [*dict.fromkeys(names.get(item, item) for item in items)]
    if line.get("table") == "not_duplicates":
        pair = sorted(changed.get(name, line[name]) for name in ("uid", "other_uid"))
        changed |= dict(zip(("uid", "other_uid"), pair, strict=True))
    return line | changed if changed else line


def alike_here(
    db: apsw.Connection, kind: str, rows: Sequence[ImportRow], known: Collection[str]
) -> dict[int, int]:
    """Return, by the place of each row whose uid is not among the known ones, the id of the record here
    that is the same by the agents' own ids."""
    unknown = [
        place
        for place, row in enumerate(rows)
        if row.values is not None and str(row.record.get("uid")) not in known
    ]
    alike = keys_here(db, kind, [rows[place] for place in unknown]) if unknown else None
    ours: dict[int, int] = {}
    for place in unknown:
        values = dict(rows[place].values or {})
        if alike is not None and not any(
            tuple(values.get(name) for name in key) in some for key, some in alike.items()
        ):
            continue
        if kind == "facts":
            values["statement"] = fact_key(values["content"])
        if (result := same(db, kind, values)) is not None:
            ours[place] = result[0]
    return ours


def rename(db: apsw.Connection, kind: str, renamed: Mapping[str, str]) -> None:
    """Have records of a table, by their uids, be known by others, and all that names them follow."""
    if kind == "sessions":
        _unite(db, renamed)
    pairs = [{"old": old, "new": new} for old, new in renamed.items()]
    sql = f"UPDATE OR IGNORE {kind} SET uid = :new WHERE uid = :old"
    db.executemany(sql, pairs)
    for sql in BY_INDEX:
        db.executemany(sql, pairs)
    db.executemany(ALIAS, [(old, new, kind) for old, new in renamed.items()])
    db.executemany(
        "UPDATE changed_rows SET uid = :new WHERE uid = :old AND (kind, record_id) IN "
        f"(SELECT '{kind}', id FROM {kind} WHERE uid = :new)",
        pairs,
    )
    db.executemany(
        f"UPDATE OR REPLACE unsynced_rows SET key = :new WHERE kind = '{kind}' AND key = :old",
        pairs,
    )
    if kind == "sessions":
        db.executemany("UPDATE merged_records SET session = :new WHERE session = :old", pairs)
    for table, column in (
        ("facts", "evidence"),
        ("fact_sources", "evidence"),
        ("fact_sources", "witnesses"),
    ):
        _follow(db, table, column, renamed)


def _unite(db: apsw.Connection, renamed: Mapping[str, str]) -> None:
    """Where both sessions of a pair are here, such as one that was made for a row before its own came, give
    one all that the other has."""
    for old, new in renamed.items():
        sql = "SELECT id FROM sessions WHERE uid = ?"
        gone, kept = db.execute(sql, (old,)).get, db.execute(sql, (new,)).get
        if gone is None or kept is None:
            continue
        for table in OF_SESSIONS:
            sql = f"UPDATE OR IGNORE {table} SET session_id = ? WHERE session_id = ?"
            db.execute(sql, (kept, gone))
        db.execute("DELETE FROM sessions WHERE id = ?", (gone,))
        db.execute("DELETE FROM sync_tombstones WHERE kind = 'sessions' AND uid = ?", (old,))
        db.execute("DELETE FROM unsynced_rows WHERE kind = 'sessions' AND key = ?", (old,))


def _follow(db: apsw.Connection, table: str, column: str, renamed: Mapping[str, str]) -> None:
    sql = f"SELECT id, {column} FROM {table} WHERE {column} <> '[]'"
    rows: list[Any] = db.execute(sql).fetchall()
    for number, text in rows:
        items = json.loads(text)
        if any(item in renamed for item in items):
            named = json.dumps([*dict.fromkeys(renamed.get(item, item) for item in items)])
            db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (named, number))
