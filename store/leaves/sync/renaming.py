"""Which lines of an exchange are no rows; and records that two machines know by two uids, since each
imported them from the same transcripts: the smaller uid is theirs everywhere, always in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import apsw

from ...formats.common.scope import OF_SESSIONS, RECORDS
from ...platform.translation import _
from ...text import clean
from .rows import ORDER

NAMING = (
    "session",
    "fact",
    "superseded_by",
    "uid",
    "into_uid",
    "other_uid",
    "observation",
    "summary",
)
"""The keys of lines that name a record."""
CITING = ("evidence", "witnesses")
"""Those that list some."""

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


STRINGS = (*NAMING, "editor", "kind", "source", "native_id", "agent", "name", "project", "author", "key")
REQUIRED = {
    "renamed_records": ("uid", "into_uid", "kind"),
    "purged": ("uid", "kind"),
    "fact_sources": ("uid", "fact"),
    "not_duplicates": ("uid", "other_uid"),
} | dict.fromkeys(RECORDS, ("uid",))
"""The texts that a line of a table can't do without."""
OF_GONE = {"deleted": ("updated_at", "deleted_at"), "hidden": ("updated_at",)}
"""The moments that a line has of a record that is gone, by how it is."""
LARGEST = 1 << 63


def fault_of(line: object) -> str | None:
    """Return why a line can't be looked at, None where it can."""
    if not isinstance(line, dict):
        return _("is not a row")
    table = line.get("table")
    if table not in ORDER:
        return _("is of a table that is not known here")
    for name in STRINGS:
        if (text := line.get(name)) is not None and not _is_text(text):
            return _("has no text for its {name}", name=name)
    for name in REQUIRED.get(table, ()):
        if not line.get(name):
            return _("has no {name!r}", name=name)
    for name in CITING:
        items = line.get(name)
        if items is not None and not (isinstance(items, list) and all(map(_is_text, items))):
            return _("has no list of texts for its {name}", name=name)
    if not _is_number(line.get("hlc", 0)):
        return _("has no number for its version")
    if "gone" in line:
        moments = OF_GONE.get(gone) if isinstance(gone := line["gone"], str) else None
        if table not in RECORDS or moments is None:
            return _("is gone in a way that is not known here")
        moments = (*moments, *(["deleted_at"] if line.get("deleted_at") is not None else []))
        if not line.get("editor") or not all(_is_number(line.get(it)) for it in ("hlc", *moments)):
            return _("is gone without a version")
    return None


def _is_text(item: object) -> bool:
    return isinstance(item, str) and (item.isascii() or clean(item) == item)


def _is_number(item: object) -> bool:
    return type(item) is int and 0 <= item < LARGEST
