"""Purging rows: what is left is a row in `purged` without a word of what it said, so that no import
brings it back, and the event's own in `captured_events`, so that no transcript does.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from ..clock import now_ms
from ..database.journal import forget_changes

EVENT_KINDS = {"prompts": "prompt", "observations": "tool", "summaries": "compaction"}
"""The tables that are purged, and the kind of event that each is made of."""


def purge_rows(db: apsw.Connection, table: str, numbers: Sequence[int]) -> int:
    """Purge the records of a table with these ids that are deleted, and all that quotes them; return
    how many there were. Inside a transaction."""
    if table not in EVENT_KINDS:
        raise ValueError(f"{table} is not purged")
    values = {"ids": json.dumps(list(numbers)), "now": now_ms(), "kind": EVENT_KINDS[table]}
    chosen = "id IN (SELECT value FROM json_each(:ids)) AND deleted_at IS NOT NULL"
    values["ids"] = json.dumps(
        [number for (number,) in db.execute(f"SELECT id FROM {table} WHERE {chosen}", values)]
    )
    db.execute(
        "INSERT INTO purged (uid, kind, source, native_id, at) "
        f"SELECT uid, '{table}', source, native_id, :now FROM {table} WHERE {chosen} "
        "ON CONFLICT DO NOTHING",
        values,
    )
    if table == "prompts":
        _forget_quotes(db, values)
    if table == "observations":
        db.execute(
            "DELETE FROM pending_messages WHERE event_id IN "
            f"(SELECT event_id FROM observations WHERE {chosen})",
            values,
        )
    db.execute(
        "UPDATE captured_events SET record_id = NULL WHERE kind = :kind "
        "AND record_id IN (SELECT value FROM json_each(:ids))",
        values,
    )
    db.execute(f"DELETE FROM {table} WHERE {chosen}", values)
    gone = db.changes()
    forget_changes(db, table, set(json.loads(str(values["ids"]))))
    return gone


def _forget_quotes(db: apsw.Connection, values: dict[str, Any]) -> None:
    """Take prompts out of their sessions, whose first they are, and delete messages that quote them."""
    said = "SELECT session_id, text FROM prompts WHERE id IN (SELECT value FROM json_each(:ids))"
    db.execute(
        "UPDATE sessions SET first_prompt = NULL "
        f"WHERE (id, first_prompt) IN ({said}) AND first_prompt IS NOT NULL",
        values,
    )
    db.execute(
        f"DELETE FROM pending_messages WHERE (session_id, last_user_message) IN ({said})", values
    )
