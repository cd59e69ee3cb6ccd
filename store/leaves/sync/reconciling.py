"""What becomes of records here of which rows come in, beside taking their place: what each machine was told
of a fact adds up, and what another machine forgot for good is forgotten here."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from ...formats.common.scope import RECORDS
from ...formats.jsonl.reading import ImportRow, reporting_errors
from ...formats.jsonl.upsert import RowUpsert
from ...maintain.purge import purge_for_good
from ...platform.errors import InvalidRecordError
from ...records.dataclasses import replace
from ...records.rows import FactSource
from ...store import Store
from ...tables.fact_sources import LISTS, NAMES, fact_columns, merge_repeated
from ...tables.lists import read_list
from ...tables.removal.purge import fact_tombstone, note_tombstone, purged_session_id
from ...tables.removal.purge_selection import Selection, lost_versions
from .renaming import names_here, translated
from .rows import UNKNOWN_THERE, Line


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
PENDING = """
SELECT m.came_from, m.was_sent, m.kind, m.key FROM (
    SELECT DISTINCT 'sessions' AS kind, s.uid AS key FROM json_each(?1) j
    LEFT JOIN prompts p ON p.uid = j.value ->> 0
    JOIN sessions s ON s.id = p.session_id OR s.uid = j.value ->> 1
    UNION SELECT 'facts', value FROM json_each(?2)
) o JOIN unsynced_rows m USING (kind, key)
WHERE m.key NOT IN (SELECT value FROM json_each(?3)) AND m.came_from IS NOT ?4
"""
"""The marks of sessions of prompts, by the uids of both, and of facts, but those of some records and what a
peer gave."""


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


def pending_owners(db: apsw.Connection, lines: list[Line], peer: str) -> list[tuple[Any, ...]]:
    """Return where the marks come from of sessions and facts that lines belong to, and whether they were
    sent: what is made of what comes in is no version that the peer gave, and it still has to be given the
    one that is here."""
    names = names_here(db, lines)
    named = [translated(line, names) for line in lines if line["table"] in ("prompts", "fact_sources")]
    asked = json.dumps([(line.get("uid"), line.get("session")) for line in named if "fact" not in line])
    facts = json.dumps([line["fact"] for line in named if "fact" in line])
    given = json.dumps([line.get("uid") for line in lines])
    return db.execute(PENDING, (asked, facts, given, peer)).fetchall()
