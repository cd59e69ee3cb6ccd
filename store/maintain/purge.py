"""Purge: what was deleted goes for good, and no byte of it stays in the file or its log.

What is left is a row in `purged` without a word of what it said, so that no import brings it back,
and the event's own in `captured_events`, so that no transcript does.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import apsw

from ..clock import now_ms
from ..database.journal import JOURNALED
from ..database.transaction import translate_errors
from ..search import index
from ..store import Store

KINDS = {"prompts": "prompt", "observations": "tool", "summaries": "compaction"}
"""The tables that are purged, and the kind of event that each is made of."""


def purge(store: Store, table: str, numbers: Sequence[int]) -> int:
    """Purge records of a table that are deleted, by their numbers; how many there were. One unit of
    work; `finish` afterwards makes it final on the disk."""
    if table not in KINDS:
        raise ValueError(f"{table} is not purged")
    db = store.db
    values = {"ids": json.dumps(list(numbers)), "now": now_ms(), "kind": KINDS[table]}
    chosen = "id IN (SELECT value FROM json_each(:ids)) AND deleted_at IS NOT NULL"
    with store.transaction():
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
        _forget_changes(db, table, set(json.loads(str(values["ids"]))))
    return gone


def finish(store: Store) -> None:
    """Overwrite what was purged: merge the indexes' segments, and empty the log into the file."""
    with translate_errors(store.db):
        for table in index.tables(store.db):
            with store.transaction():
                store.db.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        with suppress(apsw.BusyError):
            store.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def erasing(store: Store) -> None:
    """Have this connection overwrite what it deletes, from now on."""
    store.db.pragma("secure_delete", True)


def _forget_quotes(db: apsw.Connection, values: dict[str, Any]) -> None:
    """A prompt also stands in its session, as the first one, and in messages that quote it."""
    said = "SELECT session_id, text FROM prompts WHERE id IN (SELECT value FROM json_each(:ids))"
    db.execute(
        "UPDATE sessions SET first_prompt = NULL "
        f"WHERE (id, first_prompt) IN ({said}) AND first_prompt IS NOT NULL",
        values,
    )
    db.execute(
        f"DELETE FROM pending_messages WHERE (session_id, last_user_message) IN ({said})", values
    )


def _forget_changes(db: apsw.Connection, table: str, numbers: set[int]) -> None:
    """The journal's changes that hold a purged row; they could not be taken back anyway."""
    assert table in JOURNALED
    found: list[Any] = db.execute("SELECT id FROM changes").fetchall()
    for (number,) in found:
        # One at a time: a merge or a retention run may have changed thousands of rows.
        changeset: Any = db.execute("SELECT changeset FROM changes WHERE id = ?", (number,)).get
        for change in apsw.Changeset.iter(changeset):
            row: Any = (change.old or change.new or (None,))[0]
            if change.name == table and row in numbers:
                db.execute("DELETE FROM changes WHERE id = ?", (number,))
                break
