"""Take a memory's copy back to what it was at a moment: what was made later is deleted, and what people
changed later is inverted by the journal.

Only for a copy: it consumes the journal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

import apsw

from ...records.dataclasses import dataclass
from ...records.kinds import TABLES
from . import bounds
from .reversal import Reversal

LEFT_OUT = (
    "pending_messages", "captured_events", "token_usage", "subagents", "spool_segments", "spool_lines",
    "quarantine", "hook_runs", "agent_days", "observer_days", "transcripts", "transcript_records",
    "recent_searches", "agent_files", "memory_uses",
)  # fmt: skip
"""The tables of capture's state and of what was looked for, which keep no past."""

RECORDS = ("observations", "prompts", "summaries", "facts", "notes")
UID, CREATED_AT = 1, 2
"""The places of these columns in every table of records."""
OF_SESSIONS = ("prompts", "observations", "summaries")

LATER = "SELECT id FROM documents WHERE created_at > ?"
UNUSED_SESSIONS = "DELETE FROM sessions WHERE created_at > ? AND " + " AND ".join(
    f"NOT EXISTS (SELECT 1 FROM {table} WHERE session_id = sessions.id)" for table in OF_SESSIONS
)
RECOUNT = """
UPDATE sessions SET prompt_counter = coalesce(
    (SELECT max(prompt_number) FROM prompts WHERE session_id = sessions.id), 0
) WHERE id IN (SELECT value FROM json_each(?))
"""
REOPEN = "UPDATE sessions SET status = 'active', completed_at = NULL WHERE completed_at > ?"
UNNOTED = """
SELECT count(*) FROM {table} r WHERE created_at <= ?1 AND updated_at > ?1
AND NOT EXISTS (
    SELECT 1 FROM changed_rows c JOIN changes j ON j.id = c.change_id
    WHERE c.kind = '{table}' AND c.record_id = r.id AND (j.at > ?1 OR j.undone_at > ?1)
)
"""
EVENTS = """
SELECT at AS moment, id AS number, 0 AS step, id, 'changes', 'changeset' FROM changes WHERE at > ?1
UNION ALL SELECT undone_at, undone_after, 1, id, 'changes', 'undo_changeset' FROM changes
    WHERE undone_at > ?1 AND undo_changeset <> x''
UNION ALL SELECT undone_at, change_id, 1, id, 'redone_changes', 'undo_changeset'
    FROM redone_changes WHERE undone_at > ?1
UNION ALL SELECT redone_at, change_id, 2, id, 'redone_changes', 'redo_changeset'
    FROM redone_changes WHERE redone_at > ?1
ORDER BY 1 DESC, 3 DESC, 2 DESC, 4
"""
CHANGE_OF = {
    "changes": "SELECT id, coalesce(part_of, id), {column} FROM changes WHERE id = ?",
    "redone_changes": "SELECT change_id, change_id, {column} FROM redone_changes WHERE id = ?",
}
STANDING_AGAIN = """
UPDATE changes SET undone_at = NULL, undone_via = NULL, undone_after = NULL, undo_changeset = NULL
WHERE undone_at > ?1;
"""
UNDONE_AGAIN = """
UPDATE changes SET undone_at = r.undone_at, undo_changeset = r.undo_changeset
FROM redone_changes r WHERE r.change_id = changes.id AND r.undone_at <= ?1 AND r.redone_at > ?1
"""
AFTER = (
    "DELETE FROM redone_changes WHERE redone_at > ?",
    "DELETE FROM changes WHERE at > ?",
    "DELETE FROM given_contexts WHERE at > ?",
    "DELETE FROM saved_searches WHERE created_at > ?",
    "DELETE FROM retention_policies WHERE created_at > ?",
)

Progress = Callable[[int, int], None]
"""Called with the number of changes that are inverted, and of all that are to be."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """What a rebuilt memory can't tell. `begins_at` is the oldest change of the journal (ms) where older
    ones that would be needed are no longer kept; `changed` is how many memories are shown as they are
    now: brought in later with an earlier date, or changed later by what the journal doesn't note;
    `purged` is how many were purged later."""

    begins_at: int | None
    changed: int
    purged: int


def take_back(
    db: apsw.Connection,
    at: int,
    machine: str,
    drop_documents: Callable[[apsw.Connection, Collection[int]], object],
    forget_later_sources: Callable[[int], object],
    progress: Progress,
) -> Unknown:
    """Take a copy back to a moment (ms), and return what stays unknown; inside a transaction.

    `drop_documents` takes documents, by their ids, out of lists and indexes; `forget_later_sources`
    brings facts to what had been said of them by then. A row counts from the time that it bears,
    also where it was brought in later. What is private now stays so, whatever it was then: who hides a
    memory doesn't mean it to be told by its past.
    """
    for table in LEFT_OUT:
        db.execute(f"DELETE FROM {table}")
    hidden = _hidden(db)
    begins_at, changed, purged_since = _unknown(db, at)
    sessions = _leave_out_later(db, at, drop_documents)
    changed += _invert(db, at, machine, progress)
    sessions |= _leave_out_later(db, at, drop_documents)
    purged = "uid IN (SELECT uid FROM purged)"
    for table in RECORDS:
        db.execute(f"DELETE FROM {table} WHERE {purged}")
    db.execute(RECOUNT, (json.dumps([*sessions]),))
    _hide(db, hidden)
    db.execute(REOPEN, (at,))
    forget_later_sources(at)
    for table in TABLES.values():
        db.execute(f"UPDATE {table} SET updated_at = ?1 WHERE updated_at > ?1", (at,))
    return Unknown(begins_at, changed, purged_since)


def _hidden(db: apsw.Connection) -> dict[str, str]:
    """Return the uids of what is private, as JSON, by table."""
    return {
        table: db.execute(f"SELECT json_group_array(uid) FROM {table} WHERE private = 1").get
        for table in TABLES.values()
    }


def _hide(db: apsw.Connection, uids: dict[str, str]) -> None:
    for table, result in uids.items():
        named = "uid IN (SELECT value FROM json_each(?))"
        db.execute(f"UPDATE {table} SET private = 1 WHERE private = 0 AND {named}", (result,))


def _unknown(db: apsw.Connection, at: int) -> tuple[int | None, int, int]:
    begins_at = None
    if bounds.dropped_until(db) > at:
        begins_at = db.execute("SELECT min(at) FROM changes").get
        begins_at = bounds.dropped_until(db) if begins_at is None else begins_at
    changed = sum(int(db.execute(UNNOTED.format(table=table), (at,)).get) for table in RECORDS)
    purged = int(db.execute("SELECT count(*) FROM purged WHERE at > ?", (at,)).get)
    return begins_at, changed, purged


def _leave_out_later(
    db: apsw.Connection,
    at: int,
    drop_documents: Callable[[apsw.Connection, Collection[int]], object],
) -> set[int]:
    """Delete what is dated later, and return the ids of the sessions whose prompts were deleted."""
    drop_documents(db, [number for (number,) in db.execute(LATER, (at,))])
    asked: set[int] = set()
    for table in RECORDS:
        returned = " RETURNING session_id" if table == "prompts" else ""
        rows: list[Any] = db.execute(
            f"DELETE FROM {table} WHERE created_at > ?{returned}", (at,)
        ).fetchall()
        asked.update(number for (number,) in rows)
    db.execute(UNUSED_SESSIONS, (at,))
    return asked


def _invert(db: apsw.Connection, at: int, machine: str, progress: Progress) -> int:
    """Invert what people changed later, what undoing and redoing it changed too, the newest first;
    return how many memories only bear an earlier date, and stay."""
    events: list[Any] = db.execute(EVENTS, (at,)).fetchall()
    added: dict[int, int] = {}
    for done, (*_, row, table, column) in enumerate(events):
        progress(done, len(events))
        sql = CHANGE_OF[table].format(column=column)
        rows: list[Any] = db.execute(sql, (row,)).fetchall()
        number, first, changeset = rows[0]
        if first not in added:
            added[first] = _dated_back(db, first, at)
        if changeset and not added[first]:
            Reversal(db, machine).run("", at, [(number, changeset)])
    db.execute(STANDING_AGAIN, (at,))
    db.execute(UNDONE_AGAIN, (at,))
    for sql in AFTER:
        db.execute(sql, (at,))
    return sum(added.values())


def _dated_back(db: apsw.Connection, number: int, at: int) -> int:
    """Return how many memories an action added that was done later, if it did nothing else and they
    bear an earlier time: these count from that, like what an import brings in. 0 for any other."""
    sql = "SELECT changeset FROM changes WHERE (id = ?1 OR part_of = ?1) AND at > ?2"
    parts: list[Any] = db.execute(sql, (number, at)).fetchall()
    many = 0
    for (changeset,) in parts:
        for change in apsw.Changeset.iter(changeset):
            if change.name not in RECORDS:
                continue
            row: Any = change.new
            # Uid and time are columns of all records; what came back has the uid that it had.
            if change.op != "INSERT" or row[CREATED_AT] > at or not is_made_after(row[UID], at):
                return 0
            many += 1
    return many


def is_made_after(uid: str, at: int) -> bool:
    """Return whether a uid tells that it was made after a moment (ms): one of version 7 does."""
    digits = uid.replace("-", "")
    if len(digits) != 32 or digits[12] != "7":
        return False
    try:
        return int(digits[:12], 16) > at
    except ValueError:
        return False
