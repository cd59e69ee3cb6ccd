"""What was found to be alike, kept so that only projects with changes are looked through again.

One row of `meta`, which is no change of the journal. It holds no word of a memory.
"""

from __future__ import annotations

import json
from typing import Any

import apsw

from ..database.transaction import snapshot, try_write
from ..kinds import KINDS, ref
from ..records.dataclasses import dataclass

KEY = "merge_candidates"
PATIENCE_SECONDS = 0.1

LOOKED = """
SELECT json_object(
    'at', :now,
    'change', (SELECT coalesce(max(id), 0) FROM changes),
    'observation', (SELECT coalesce(max(id), 0) FROM observations),
    'fact', (SELECT coalesce(max(id), 0) FROM facts)
)
"""
CHANGED = """
SELECT kind, record_id, project FROM documents WHERE kind = 'o' AND record_id > :observation
UNION SELECT kind, record_id, project FROM documents WHERE kind = 'f' AND record_id > :fact
UNION SELECT d.kind, d.record_id, d.project FROM changes c
CROSS JOIN changed_rows r ON r.change_id = c.id AND r.kind IN ('observations', 'facts')
CROSS JOIN documents d ON d.kind = substr(r.kind, 1, 1) AND d.record_id = r.record_id
WHERE c.id > :change OR c.undone_at >= :at OR coalesce(c.part_of, c.id) IN (
    SELECT change_id FROM redone_changes WHERE redone_at >= :at
)
"""
KEEP = "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"


@dataclass(frozen=True, slots=True)
class KeptCandidates:
    """What was found when all was looked through last, `at` a time (ms), as it was given to
    `keep_candidates`; None where that never was. `changed` has the projects by the refs of what people
    changed and what came since; `mark` is up to where the memory is known now."""

    found: list[Any] | None
    at: int
    changed: dict[str, str]
    mark: dict[str, int]


def kept_candidates(db: apsw.Connection, now: int) -> KeptCandidates:
    """Return what is kept at `now` (ms)."""
    with snapshot(db):
        mark = json.loads(db.execute(LOOKED, {"now": now}).get)
        text: Any = db.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).get
        if text is None:
            return KeptCandidates(None, 0, {}, mark)
        kept = json.loads(text)
        rows: list[Any] = db.execute(CHANGED, kept["mark"]).fetchall()
    changed = {ref(KINDS[kind], number): str(project) for kind, number, project in rows}
    return KeptCandidates(kept["found"], kept["mark"]["at"], changed, mark)


def keep_candidates(db: apsw.Connection, mark: dict[str, int], candidates: list[Any]) -> None:
    """Keep what was found up to a mark; left undone where it can't be done soon."""
    text = json.dumps({"mark": mark, "found": candidates})
    try_write(db, lambda: db.execute(KEEP, (KEY, text)), PATIENCE_SECONDS)
