"""What becomes of records here of which rows come in, beside taking their place.

Of records that two machines changed at the same time the later version wins, the texts of the other are
kept as a record of its own, which is offered to be merged, and lists and what each machine was told of a
fact add up. Records that two machines know by two uids, since each imported them from the same
transcripts, have the smaller uid everywhere. What another machine forgot for good is forgotten here.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import apsw

from ...formats.common.scope import OF_SESSIONS, RECORDS
from ...formats.jsonl.reading import ImportRow, reporting_errors
from ...formats.jsonl.upsert import RowUpsert, keys_here, said_here, same
from ...maintain.purge import purge_for_good
from ...platform.clock import TOUCH, now_ms
from ...platform.errors import InvalidRecordError
from ...records.dataclasses import replace
from ...records.rows import FactSource
from ...store import Store
from ...tables.base import Values, read_list, stable_uid
from ...tables.fact_sources import LISTS, NAMES, fact_columns, merge_repeated
from ...tables.facts import fact_key
from ...tables.removal.purge import fact_tombstone, note_tombstone, purged_session_id
from ...tables.removal.purge_selection import CONFLICT, Selection, lost_versions
from .channel import CITING, NAMING
from .rows import COPIED, UNKNOWN_THERE, Line, digest_of

ADDED_UP = ("tags", "concepts")
"""The lists of observations that add up."""


class Conflict(NamedTuple):
    """What follows of two versions of a record: changes to be made once the later one is stored, whether
    their texts differ, and whether what lost is a teammate's, who keeps it."""

    changes: list[Callable[[], object]]
    has_two_texts: bool
    is_teammates: bool = False


def conflict_of(
    store: Store, kind: str, names: Sequence[str], number: int, coming: Values, *, is_later: bool
) -> Conflict:
    """Compare the version here of a record of a table with these columns, by its id, with one that comes
    in, which is the later one or not."""
    changes: list[Callable[[], object]] = []
    if kind not in COPIED:
        return Conflict(changes, False)
    sql = f"SELECT {', '.join(names)} FROM {kind} WHERE id = ?"
    cells: Any = store.db.execute(sql, (number,)).fetchone()
    present = dict(zip(names, cells, strict=True))
    # Whom it belongs to is resolved later: until then it is the owner that the record has here.
    whole = {name: coming.get(name, cell) for name, cell in present.items()} | {"id": number}
    loser, winner = (present, whole) if is_later else (whole, present)
    has_two_texts = any(loser[name] != winner[name] for name in COPIED[kind])
    is_teammates = has_two_texts and _is_teammates(store.db, loser)
    if has_two_texts and not is_teammates:
        changes.append(partial(_copy, store.db, kind, loser))
    if kind == "observations":
        both = {
            name: [*dict.fromkeys(read_list(winner[name]) + read_list(loser[name]))] for name in ADDED_UP
        }
        more = {
            name: json.dumps(items, ensure_ascii=False)
            for name, items in both.items()
            if len(items) > len(read_list(winner[name]))
        }
        if more:
            changes.append(partial(_add_up, store, number, more))
    return Conflict(changes, has_two_texts, is_teammates)


def _is_teammates(db: apsw.Connection, version: Mapping[str, Any]) -> bool:
    sql = "SELECT 1 FROM team_machines WHERE machine = ?"
    return db.execute(sql, (version["editor"],)).get is not None


def keep_version(db: apsw.Connection, kind: str, uid: str, versions: Sequence[str]) -> None:
    """Keep what a record says here, as a record of its own, where that is one of these versions and no
    teammate's."""
    cursor = db.execute(f"SELECT * FROM {kind} WHERE uid = ? AND deleted_at IS NULL", (uid,))
    for cells in cursor.fetchall():
        present = dict(zip(_columns(db, kind), cells, strict=True))
        if f"{present['hlc']} {present['editor']}" in versions and not _is_teammates(db, present):
            _copy(db, kind, present)


def _columns(db: apsw.Connection, table: str) -> list[str]:
    return [str(name) for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]


def keep_unknown(
    store: Store, kind: str, number: int, texts: object, *, is_changed: bool
) -> Callable[[], object] | None:
    """Return the change that keeps what a record says here, which is deleted by someone who knew other
    texts, by the digest of those, or took back its first version; None where there is nothing to keep."""
    rows: Any = store.db.execute(f"SELECT * FROM {kind} WHERE id = ?", (number,)).fetchall()
    present = dict(zip(_columns(store.db, kind), rows[0], strict=True))
    known = digest_of(*(present[name] for name in COPIED.get(kind, ())))
    is_other = texts != known if isinstance(texts, int) else is_changed
    is_kept = kind in COPIED and present["deleted_at"] is None and is_other
    return partial(_copy, store.db, kind, present) if is_kept else None


def _add_up(store: Store, number: int, lists: dict[str, str]) -> None:
    assignments = ", ".join(f"{name} = :{name}" for name in lists)
    values = {**lists, "number": number, "now": now_ms(), "machine": store.machine_id}
    store.db.execute(f"UPDATE observations SET {assignments}, {TOUCH} WHERE id = :number", values)


def _copy(db: apsw.Connection, kind: str, loser: dict[str, Any]) -> None:
    """Keep a version that lost, unless its copy was purged; both machines make the same record of it."""
    version = f"{loser['hlc']}/{loser['editor']}"
    copy = loser | {
        "uid": stable_uid("conflict", str(loser["uid"]), version),
        "source": CONFLICT,
        "native_id": f"{loser['uid']}/{version}",
        "fingerprint": None,
    }
    del copy["id"]
    if "event_id" in copy:
        copy["event_id"] = None
    if kind == "facts":
        copy["statement"] = fact_key(copy["content"])
    if kind == "notes":
        # Nothing else may have the project and path of a note.
        path = PurePosixPath(copy["path"])
        copy["path"] = f"{path.with_suffix('')} (conflict {copy['uid'][:8]}){path.suffix}"
    names, marks = ", ".join(copy), ", ".join(f":{name}" for name in copy)
    is_purged = "SELECT 1 FROM purged WHERE uid = :uid"
    sql = (
        f"INSERT INTO {kind} ({names}) SELECT {marks} WHERE NOT EXISTS ({is_purged}) ON CONFLICT DO NOTHING"
    )
    db.execute(sql, copy)


def add_tellings(upsert: RowUpsert, rows: Sequence[ImportRow]) -> Counter[str]:
    """Add what other machines were told of facts to what this one was; how many are stored, and known.
    Those that are refused stand in the report."""
    counts: Counter[str] = Counter()
    sources = upsert.store.facts.sources
    upsert.links.look_up("fact_sources", rows)
    for row in rows:
        with reporting_errors(upsert.report, row):
            if row.values is None:
                raise InvalidRecordError(row.wrong)
            values = row.values
            upsert.links.resolve(row, values)
            lists = {name: read_list(values[name]) for name in LISTS}
            telling = FactSource(**{name: values[name] for name in NAMES} | lists)
            number = int(str(values["fact_id"]))
            known = [
                item
                for item in sources.of(number)
                if (item.source, item.native_id) == (telling.source, telling.native_id)
            ]
            if known:
                # Each side makes the same of the two.
                pair = sorted((known[0], telling), key=_what_differs, reverse=True)
                telling = merge_repeated(*pair)
            merged = _without_merged(upsert.store, telling)
            if known and merged == known[0]:
                counts["known"] += 1
                continue
            sources.upsert(number, merged)
            counts["stored"] += 1
    return counts


def _what_differs(telling: FactSource) -> list[tuple[bool, str]]:
    """Return what orders two versions of a telling, of which one is to stay: what `merge_repeated` takes
    from the first alone."""
    names = ("deleted_at", "vanished_at", "is_verdict", "witnesses", "session", "extra")
    values = [getattr(telling, name) for name in names]
    return [(value is not None, str(value)) for value in values]


def _without_merged(store: Store, telling: FactSource) -> FactSource:
    """Return a telling that cites what was merged as what it was merged into, as merging does; in the
    order that all machines give it."""
    sql = (
        "SELECT uid, into_uid FROM merged_records WHERE uid <> into_uid "
        "AND uid IN (SELECT value FROM json_each(?))"
    )
    into = dict(store.db.execute(sql, (json.dumps(telling.evidence),)))
    cited = {into.get(uid, uid) for uid in telling.evidence}
    return replace(telling, evidence=tuple(sorted(cited)))


def follow_tellings(store: Store, uids: Iterable[str]) -> None:
    """Bring facts to what all their tellings say, here and on other machines, as the same version."""
    sql = "SELECT id FROM facts WHERE uid IN (SELECT value FROM json_each(?))"
    for (number,) in store.db.execute(sql, (json.dumps([*uids]),)).fetchall():
        told = store.facts.sources.of(int(str(number)))
        if not told:
            continue
        columns = fact_columns(told)
        del columns["deleted_at"]
        if len(told) == 1:
            # What a person changed of a fact that was told once stays as the row has it.
            columns = {"created_at": columns["created_at"]}
        assignments = ", ".join(f"{name} = :{name}" for name in columns)
        differing = " OR ".join(f"{name} IS NOT :{name}" for name in columns)
        sql = f"UPDATE facts SET {assignments} WHERE id = :number AND ({differing})"
        store.db.execute(sql, columns | {"number": number})


CHANGED = """
SELECT kind, record_id FROM changed_rows
WHERE uid IN (SELECT value FROM json_each(?)) AND uid NOT IN (SELECT uid FROM purged)
"""
"""Also records whose adding was undone, of which the changes alone know."""


def purge_here(store: Store, lines: Sequence[Line]) -> None:
    """Purge what is here of the records that lines of `purged` name, and the versions of them that lost."""
    if not lines:
        return
    names = names_here(store.db, lines)
    chosen: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        kind = str(line.get("kind"))
        if kind not in RECORDS:
            continue
        uids = json.dumps([line.get("uid"), names.get(str(line.get("uid")))])
        sql = (
            f"SELECT id FROM {kind} WHERE (uid IN (SELECT value FROM json_each(?1)) "
            "OR (source = ?2 AND native_id = ?3)) "
            f"AND NOT EXISTS (SELECT 1 FROM purged p WHERE p.uid = {kind}.uid)"
        )
        rows = store.db.execute(sql, (uids, line.get("source"), line.get("native_id")))
        chosen[kind].update(number for (number,) in rows)
        chosen[kind] |= lost_versions(store.db, kind, filter(None, json.loads(uids)))
        store.db.execute(
            "DELETE FROM sync_tombstones WHERE kind = ? AND uid IN (SELECT value FROM json_each(?))",
            (kind, uids),
        )
    named = [*names.values(), *(line.get("uid") for line in lines)]
    for kind, number in store.db.execute(CHANGED, (json.dumps(named),)):
        if kind in RECORDS:
            chosen[str(kind)].add(int(str(number)))
    # What has the key and was made since, by whoever told of the purge before, is another record.
    _choose_by_key(store, _new_here(store.db, lines), chosen)
    if any(chosen.values()):
        purge_for_good(
            store, Selection({kind: tuple(sorted(some)) for kind, some in chosen.items() if some})
        )


def _new_here(db: apsw.Connection, lines: Sequence[Line]) -> list[Line]:
    sql = "SELECT uid FROM purged WHERE uid IN (SELECT value FROM json_each(?))"
    known = {uid for (uid,) in db.execute(sql, (json.dumps([line.get("uid") for line in lines]),))}
    return [line for line in lines if line.get("uid") not in known]


def _choose_by_key(store: Store, lines: Sequence[Line], chosen: dict[str, set[int]]) -> None:
    keys = {(line.get("kind"), line.get("key")) for line in lines if line.get("key")}
    asked = {
        "sessions": ("content_session_id", purged_session_id),
        "facts": ("kind, content", fact_tombstone),
        "notes": ("project, path", note_tombstone),
    }
    for kind, (columns, key_of) in asked.items():
        if not any(of == kind for of, _ in keys):
            continue
        rows: list[Any] = store.db.execute(f"SELECT id, {columns} FROM {kind}").fetchall()
        for number, *cells in rows:
            if (kind, key_of(*cells)) in keys:  # type: ignore[operator]
                chosen[kind].add(number)


CONSTRUCTED = """
UPDATE sessions SET
    prompt_counter = max(prompt_counter, coalesce(
        (SELECT max(prompt_number) FROM prompts p WHERE p.session_id = sessions.id), 0)),
    first_prompt = coalesce(first_prompt, (SELECT text FROM prompts p WHERE p.session_id = sessions.id
        AND ?2 AND p.private = 0 AND p.deleted_at IS NULL ORDER BY prompt_number, id LIMIT 1))
WHERE uid IN (SELECT value FROM json_each(?1))
"""
"""What sessions have of their prompts; what was asked first not of a teammate's."""
NAMED_ANEW = ("facts", "notes")
"""The tables of which a person may give a record another name, that what it says or where it lies is."""

PURGED_UNTOLD = (
    "SELECT 1 FROM purged p WHERE key = :key AND (EXISTS (SELECT 1 FROM unsynced_rows m "
    f"WHERE m.kind = 'purged' AND m.key = p.uid AND {UNKNOWN_THERE}) "
    "OR NOT EXISTS (SELECT 1 FROM sync_peers WHERE machine = :peer AND sent >= 0)) LIMIT 1"
)
CLOSED = (
    "SELECT uid, hlc, editor, deleted_at FROM sync_tombstones "
    "WHERE kind = 'sessions' AND uid IN (SELECT value FROM json_each(?))"
)
CLOSE_AGAIN = (
    "UPDATE sessions SET hlc = ?2, editor = ?3, deleted_at = ?4 WHERE uid = ?1 AND content_session_id = uid"
)
ASKED_IN = (
    "SELECT s.id, s.hlc FROM json_each(?) j LEFT JOIN prompts p ON p.uid = j.value ->> 0 "
    "JOIN sessions s ON s.id = p.session_id OR s.uid = j.value ->> 1"
)
"""The sessions of prompts, by the uids of both, and their clocks."""
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


def is_purged_untold(db: apsw.Connection, peer: str, key: str) -> bool:
    """Whether a record of this key was purged, and the peer not told: else it has made another since."""
    return db.execute(PURGED_UNTOLD, {"key": key, "peer": peer}).get is not None


def bury(db: apsw.Connection, kind: str, uid: str, line: Line) -> bool:
    """Note that a record is deleted that isn't here; return whether that is new."""
    before = db.total_changes()
    db.execute(
        "INSERT INTO sync_tombstones VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
        "hlc = excluded.hlc, editor = excluded.editor, deleted_at = excluded.deleted_at "
        "WHERE (hlc, editor) < (excluded.hlc, excluded.editor)",
        (kind, uid, line["hlc"], line["editor"], line["deleted_at"]),
    )
    return db.total_changes() > before


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


def rename(db: apsw.Connection, kind: str, renamed: Mapping[str, str], peer: str) -> None:
    """Have records of a table, by their uids, be known by others, as a peer says, and all that names them
    follow."""
    _unite(db, kind, renamed, peer)
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


def _unite(db: apsw.Connection, kind: str, renamed: Mapping[str, str], peer: str) -> None:
    """Where both records of a pair are here, such as two notes of which one was moved to the other's path,
    keep the later, with all that belongs to either; what the peer can't know of the other stays beside."""
    sql = f"SELECT * FROM {kind} WHERE uid IN (?, ?) ORDER BY hlc, editor"
    is_own = f"SELECT 1 FROM unsynced_rows m WHERE kind = :kind AND key = :uid AND {UNKNOWN_THERE}"
    for old, new in renamed.items():
        both = [dict(zip(_columns(db, kind), cells, strict=True)) for cells in db.execute(sql, (old, new))]
        if len(both) < 2:
            continue
        gone, kept = both
        for table, column in BELOW.get(kind, ()):
            sql_of_table = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} = ?"
            db.execute(sql_of_table, (kept["id"], gone["id"]))
        has_other_texts = any(gone[name] != kept[name] for name in COPIED.get(kind, ()))
        values = {"kind": kind, "uid": gone["uid"], "peer": peer}
        is_kept = has_other_texts and gone["deleted_at"] is None and db.execute(is_own, values).get
        db.execute(f"DELETE FROM {kind} WHERE id = ?", (gone["id"],))
        db.execute("DELETE FROM sync_tombstones WHERE kind = ? AND uid = ?", (kind, gone["uid"]))
        db.execute("DELETE FROM unsynced_rows WHERE kind = ? AND key = ?", (kind, gone["uid"]))
        if is_kept:
            _copy(db, kind, gone)


def _follow(db: apsw.Connection, table: str, column: str, renamed: Mapping[str, str]) -> None:
    sql = f"SELECT id, {column} FROM {table} WHERE {column} <> '[]'"
    rows: list[Any] = db.execute(sql).fetchall()
    for number, text in rows:
        items = json.loads(text)
        if any(item in renamed for item in items):
            named = json.dumps([*dict.fromkeys(renamed.get(item, item) for item in items)])
            db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (named, number))
