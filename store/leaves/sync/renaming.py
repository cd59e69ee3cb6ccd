"""Records that two machines know by two uids: which here is the same as one that comes in, and what becomes
of all that names them when they have the smaller uid everywhere."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import apsw

from ...formats.common.scope import OF_SESSIONS
from ...formats.jsonl.reading import ImportRow
from ...formats.jsonl.upsert import keys_here, said_here, same
from ...tables.base import Values
from ...tables.facts import fact_key
from .channel import CITING, NAMING
from .conflicts import columns_of, keep_copy
from .rows import COPIED, UNKNOWN_THERE

NAMED_ANEW = ("facts", "notes")
"""The tables of which a person may give a record another name, that what it says or where it lies is."""

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
BELOW = {
    "sessions": [(table, "session_id") for table in OF_SESSIONS],
    "facts": [("fact_sources", "fact_id")],
}
"""What belongs to records, by their tables: tables, and the columns that hold the records' ids."""
STONES = (
    "UPDATE OR IGNORE sync_tombstones SET uid = :new WHERE kind = :kind AND uid = :old",
    "UPDATE sync_tombstones SET (hlc, editor, deleted_at) = (SELECT o.hlc, o.editor, o.deleted_at "
    "FROM sync_tombstones o WHERE o.kind = :kind AND o.uid = :old) WHERE kind = :kind AND uid = :new "
    "AND (hlc, editor) < (SELECT hlc, editor FROM sync_tombstones WHERE kind = :kind AND uid = :old)",
    "DELETE FROM sync_tombstones WHERE kind = :kind AND uid = :old",
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
    db: apsw.Connection,
    kind: str,
    rows: Sequence[ImportRow],
    known: Collection[str],
    authors: Mapping[str, str],
) -> dict[int, int]:
    """Return, by the place of each row whose uid is not among the known ones, the id of the record here
    that is the same by the agents' own ids or name, or of the same event. `authors` are those of teammates'
    records, by uid."""
    unknown = [
        place
        for place, row in enumerate(rows)
        if row.values is not None and str(row.record.get("uid")) not in known
    ]
    alike = keys_here(db, kind, [rows[place] for place in unknown]) if unknown else None
    ours: dict[int, int] = {}
    own = [rows[place] for place in unknown if str(rows[place].record.get("uid")) not in authors]
    said = said_here(db, kind, own, {}) if own else {}
    for place in unknown:
        values = dict(rows[place].values or {})
        if (number := said.get(str(values["uid"]))) is not None:
            ours[place] = number
            continue
        if alike is not None and not any(
            tuple(values.get(name) for name in key) in some for key, some in alike.items()
        ):
            continue
        if kind == "facts":
            values["statement"] = fact_key(values["content"], authors.get(str(values["uid"]), ""))
        own = db.execute(f"SELECT id FROM {kind} WHERE uid = ?", (values["uid"],)).get
        result = same(db, kind, values)
        if result is not None and result[0] == own:
            result = same(db, kind, values | {"source": None})
        if result is not None and result[0] != own:
            ours[place] = result[0]
    return ours


def rename(
    db: apsw.Connection,
    kind: str,
    renamed: Mapping[str, str],
    peer: str,
    coming: Mapping[str, Values] | None = None,
) -> None:
    """Have records of a table, by their uids, be known by others, as a peer says, and all that names them
    follow. `coming` are the later versions, by the new uids, that take these records' places next."""
    _unite(db, kind, renamed, peer, coming or {})
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
    # Of two that are gone the later deletion counts; of one that is here, its own row says it.
    is_here = f"EXISTS (SELECT 1 FROM {kind} WHERE uid = :new)"
    # What is here by its new name is purged once that is told by whoever knew it so.
    for sql in (
        "INSERT OR IGNORE INTO purged SELECT :new, kind, source, native_id, at, key FROM purged ",
        "DELETE FROM purged ",
    ):
        db.executemany(f"{sql} WHERE uid = :old AND NOT {is_here}", pairs)
    for sql in (*STONES, f"DELETE FROM sync_tombstones WHERE kind = :kind AND uid = :new AND {is_here}"):
        db.executemany(sql, [pair | {"kind": kind} for pair in pairs])
    if kind == "sessions":
        db.executemany("UPDATE merged_records SET session = :new WHERE session = :old", pairs)
    for table, column in (
        ("facts", "evidence"),
        ("fact_sources", "evidence"),
        ("fact_sources", "witnesses"),
    ):
        _follow(db, table, column, renamed)


def _unite(
    db: apsw.Connection,
    kind: str,
    renamed: Mapping[str, str],
    peer: str,
    coming: Mapping[str, Values],
) -> None:
    """Where both records of a pair are here, such as two notes of which one was moved to the other's path,
    keep the later, with all that belongs to either; what the peer can't know of the other stays beside, but
    where what comes next says the same."""
    sql = f"SELECT * FROM {kind} WHERE uid IN (?, ?) ORDER BY hlc, editor"
    is_own = f"SELECT 1 FROM unsynced_rows m WHERE kind = :kind AND key = :uid AND {UNKNOWN_THERE}"
    for old, new in renamed.items():
        both = [
            dict(zip(columns_of(db, kind), cells, strict=True)) for cells in db.execute(sql, (old, new))
        ]
        if len(both) < 2:
            continue
        gone, kept = both
        for table, column in BELOW.get(kind, ()):
            sql_of_table = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} = ?"
            db.execute(sql_of_table, (kept["id"], gone["id"]))
        texts = COPIED.get(kind, ())
        has_other_texts = any(gone[name] != kept[name] for name in texts)
        if new in coming and not kept["private"]:
            has_other_texts &= any(gone[name] != coming[new][name] for name in texts)
        values = {"kind": kind, "uid": gone["uid"], "peer": peer}
        is_kept = has_other_texts and gone["deleted_at"] is None and db.execute(is_own, values).get
        db.execute(f"DELETE FROM {kind} WHERE id = ?", (gone["id"],))
        db.execute("DELETE FROM sync_tombstones WHERE kind = ? AND uid = ?", (kind, gone["uid"]))
        db.execute("DELETE FROM unsynced_rows WHERE kind = ? AND key = ?", (kind, gone["uid"]))
        if is_kept:
            keep_copy(db, kind, gone)


def _follow(db: apsw.Connection, table: str, column: str, renamed: Mapping[str, str]) -> None:
    sql = f"SELECT id, {column} FROM {table} WHERE {column} <> '[]'"
    rows: list[Any] = db.execute(sql).fetchall()
    for number, text in rows:
        items = json.loads(text)
        if any(item in renamed for item in items):
            named = json.dumps([*dict.fromkeys(renamed.get(item, item) for item in items)])
            db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (named, number))
