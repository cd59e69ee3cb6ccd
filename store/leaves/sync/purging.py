"""Forgetting for good what was forgotten on another machine."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ...formats.common.scope import RECORDS
from ...maintain.purge import purge_for_good
from ...store import Store
from ...tables.removal.purge import fact_tombstone, note_tombstone, purged_session_id
from ...tables.removal.purge_selection import Selection, lost_versions
from .renaming import names_here
from .rows import Line


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
