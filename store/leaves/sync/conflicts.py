"""What rows that come in do to records here, beside taking their place.

Of records that two machines changed at the same time the later version wins, the texts of the other are
kept as a record of its own, which is offered to be merged, and lists and what each machine was told of a
fact add up. What another machine forgot for good is forgotten here."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import apsw

from ...formats.common.scope import RECORDS
from ...formats.jsonl.reading import ImportRow, reporting_errors
from ...formats.jsonl.upsert import RowUpsert
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
from .renaming import names_here
from .rows import COPIED, Line, digest_of_texts

ADDED_UP = ("tags", "concepts")
"""The lists of observations that add up."""


class Conflict(NamedTuple):
    """What follows of two versions of a record: changes to be made once the later one is stored, and
    whether their texts differ."""

    changes: list[Callable[[], object]]
    has_two_texts: bool


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
    if has_two_texts:
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
    return Conflict(changes, has_two_texts)


def keep_unknown(store: Store, kind: str, number: int, texts: object) -> Callable[[], object] | None:
    """Return the change that keeps what a record says here, which is deleted by someone who knew other
    texts, by the digest of those; None where there is nothing to keep."""
    cursor = store.db.execute(f"SELECT * FROM {kind} WHERE id = ?", (number,))
    names = [name for name, *_ in cursor.get_description()]
    present = dict(zip(names, cursor.fetchall()[0], strict=True))
    known = digest_of_texts(*(present[name] for name in COPIED.get(kind, ())))
    is_kept = kind in COPIED and present["deleted_at"] is None and isinstance(texts, int) and texts != known
    return partial(_copy, store.db, kind, present) if is_kept else None


def _add_up(store: Store, number: int, lists: dict[str, str]) -> None:
    assignments = ", ".join(f"{name} = :{name}" for name in lists)
    values = {**lists, "number": number, "now": now_ms(), "machine": store.machine_id}
    store.db.execute(f"UPDATE observations SET {assignments}, {TOUCH} WHERE id = :number", values)


def _copy(db: apsw.Connection, kind: str, loser: dict[str, Any]) -> None:
    """Keep a version that lost; both machines make the same record of it."""
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
    names, marks = ", ".join(copy), ", ".join(f":{name}" for name in copy)
    db.execute(f"INSERT INTO {kind} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING", copy)


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
            merged = _without_merged(upsert.store, merge_repeated(known[0], telling) if known else telling)
            if known and merged == known[0]:
                counts["known"] += 1
                continue
            sources.upsert(number, merged)
            counts["stored"] += 1
    return counts


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
    _choose_by_key(store, lines, chosen)
    if any(chosen.values()):
        purge_for_good(
            store, Selection({kind: tuple(sorted(some)) for kind, some in chosen.items() if some})
        )


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
