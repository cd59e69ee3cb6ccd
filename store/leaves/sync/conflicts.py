"""What becomes of two versions of a record: the later wins, the texts of the other are kept as a record of
its own, which is offered to be merged, and lists add up."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import apsw

from ...platform.clock import TOUCH, now_ms
from ...store import Store
from ...tables.base import Values, stable_uid
from ...tables.facts import fact_key
from ...tables.lists import read_list
from ...tables.removal.purge_selection import CONFLICT
from .rows import COPIED, digest_of

ADDED_UP = {"observations": ("tags", "concepts"), "sessions": ("tags",)}
"""The lists that add up, by table."""


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
    if kind not in COPIED and kind not in ADDED_UP:
        return Conflict(changes, False)
    sql = f"SELECT {', '.join(names)} FROM {kind} WHERE id = ?"
    cells: Any = store.db.execute(sql, (number,)).fetchone()
    present = dict(zip(names, cells, strict=True))
    # Whom it belongs to is resolved later: until then it is the owner that the record has here.
    whole = {name: coming.get(name, cell) for name, cell in present.items()} | {"id": number}
    loser, winner = (present, whole) if is_later else (whole, present)
    has_two_texts = any(loser[name] != winner[name] for name in COPIED.get(kind, ()))
    is_teammates = has_two_texts and _is_teammates(store.db, loser)
    if has_two_texts and not is_teammates:
        changes.append(partial(keep_copy, store.db, kind, loser))
    both = {
        name: [*dict.fromkeys(read_list(winner[name]) + read_list(loser[name]))]
        for name in ADDED_UP.get(kind, ())
    }
    more = {
        name: json.dumps(items, ensure_ascii=False)
        for name, items in both.items()
        if len(items) > len(read_list(winner[name]))
    }
    if more:
        changes.append(partial(_add_up, store, kind, number, more))
    return Conflict(changes, has_two_texts, is_teammates)


def _is_teammates(db: apsw.Connection, version: Mapping[str, Any]) -> bool:
    sql = "SELECT 1 FROM team_machines WHERE machine = ?"
    return db.execute(sql, (version["editor"],)).get is not None


def keep_version(db: apsw.Connection, kind: str, uid: str, versions: Sequence[str]) -> None:
    """Keep what a record says here, as a record of its own, where that is one of these versions and no
    teammate's."""
    cursor = db.execute(f"SELECT * FROM {kind} WHERE uid = ? AND deleted_at IS NULL", (uid,))
    for cells in cursor.fetchall():
        present = dict(zip(columns_of(db, kind), cells, strict=True))
        if f"{present['hlc']} {present['editor']}" in versions and not _is_teammates(db, present):
            keep_copy(db, kind, present)


def columns_of(db: apsw.Connection, table: str) -> list[str]:
    return [str(name) for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]


def keep_unknown(
    store: Store, kind: str, number: int, texts: object, *, is_changed: bool
) -> Callable[[], object] | None:
    """Return the change that keeps what a record says here, which is deleted by someone who knew other
    texts, by the digest of those, or took back its first version; None where there is nothing to keep."""
    rows: Any = store.db.execute(f"SELECT * FROM {kind} WHERE id = ?", (number,)).fetchall()
    present = dict(zip(columns_of(store.db, kind), rows[0], strict=True))
    known = digest_of(*(present[name] for name in COPIED.get(kind, ())))
    is_other = texts != known if isinstance(texts, int) else is_changed
    is_kept = kind in COPIED and present["deleted_at"] is None and is_other
    return partial(keep_copy, store.db, kind, present) if is_kept else None


def _add_up(store: Store, kind: str, number: int, lists: dict[str, str]) -> None:
    assignments = ", ".join(f"{name} = :{name}" for name in lists)
    values = {**lists, "number": number, "now": now_ms(), "machine": store.machine_id}
    store.db.execute(f"UPDATE {kind} SET {assignments}, {TOUCH} WHERE id = :number", values)


def keep_copy(db: apsw.Connection, kind: str, loser: dict[str, Any]) -> None:
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
