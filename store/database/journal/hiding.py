"""Which records people hid by themselves, and not with their session."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

import apsw

from ..recording import column_names

HIDING = """
SELECT r.record_id, r.change_id FROM changed_rows r JOIN changes c ON c.id = r.change_id
WHERE r.kind = ? AND r.record_id IN (SELECT value FROM json_each(?)) AND c.undone_at IS NULL
ORDER BY r.change_id DESC
"""


def hidden_apart(
    db: apsw.Connection, table: str, numbers: Collection[int], sessions: Iterable[int]
) -> set[int]:
    """Return which of a table's records were hidden by a change that hid none of these sessions."""

    @cache
    def hidden_by(change: int) -> set[tuple[str, int]]:
        results: set[tuple[str, int]] = set()
        changeset: Any = db.execute("SELECT changeset FROM changes WHERE id = ?", (change,)).get
        for item in apsw.Changeset.iter(changeset):
            new: Any = item.new
            names = column_names(db, item.name)
            if new and "private" in names and new[names.index("private")] == 1:
                row: Any = item.old or new
                results.add((item.name, row[0]))
        return results

    whole = {("sessions", number) for number in sessions}
    apart: dict[int, bool] = {}
    rows: list[Any] = db.execute(HIDING, (table, json.dumps([*numbers]))).fetchall()
    for number, change in rows:
        if number not in apart and (table, number) in (hidden := hidden_by(change)):
            apart[number] = not hidden & whole
    return {number for number, is_apart in apart.items() if is_apart}
