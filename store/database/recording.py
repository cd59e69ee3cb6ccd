"""Record what is changed, row by row, for the journal.

Next to nothing is imported: the lean `mem add` records what it adds.
"""

from __future__ import annotations

import os

import apsw

from ..platform.clock import now_ms
from ..platform.errors import InvalidRecordError
from ..platform.translation import source_of
from ..records.kinds import KIND_OF, REVIEWED, TABLES, WRITTEN_BY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RECORDS = (*TABLES.values(), "fact_sources", "agent_files")
"""The journaled tables whose rows have an id and a uid, as their first columns."""

JOURNALED = (
    *RECORDS, "project_places", "project_aliases", "context_profiles", "given_contexts",
    "merged_records", "not_duplicates", "saved_searches", "reports", "team_choices", "team_reviews",
)  # fmt: skip
"""The tables whose changes can be taken back."""

CLOCKS = ("updated_at", "editor", "hlc")
"""Columns that every change of a record sets: they only ever go on."""

INSERT = """
INSERT INTO changes (at, actor, what, changeset, part_of, via, agent, host)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""
INSERT_HOST = """
INSERT INTO hosts VALUES (lower(hex(randomblob(8))), ?) ON CONFLICT (name) DO NOTHING
"""
INSERT_ROW = "INSERT INTO changed_rows VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"


class Recorder:
    """Notes what changes in the journaled tables from its making on, until it is closed. `what` is
    what the journal says of it, such as "observation 12 deleted", `via` the command or key that made
    the change, `agent` the agent that ran it."""

    __slots__ = ("agent", "change_id", "db", "machine", "part_of", "session", "via", "what")

    def __init__(
        self,
        db: apsw.Connection,
        machine: str,
        what: str = "",
        part_of: int | None = None,
        *,
        via: str = "",
        agent: str | None = None,
    ) -> None:
        self.db = db
        self.machine = machine
        self.what = what
        self.part_of = part_of
        self.via = via
        self.agent = agent
        self.change_id: int | None = None
        """The change that was written, if any: what the next part of the same action names."""
        self.session = apsw.Session(db, "main")
        for table in JOURNALED:
            self.session.attach(table)

    def write(self) -> None:
        """Write a change of the journal, unless nothing but clocks has changed. Inside the
        transaction of what was recorded."""
        changeset = self.session.changeset()
        rows = changed_records(self.db, changeset)
        if rows is None:
            return
        change_id: Any = self.db.execute(
            INSERT,
            (
                now_ms(), self.machine, stored(self.what), changeset, self.part_of, self.via, self.agent,
                host_id(self.db),
            ),
        ).get  # fmt: skip
        self.db.executemany(INSERT_ROW, [(change_id, *row) for row in rows])
        self.change_id = change_id

    def hold(self) -> int:
        """Have the memories that were added wait for their user's word, as written by the agent; return
        how many there are. A prompt can't: InvalidRecordError. Inside the transaction."""
        added: list[Any] = [
            (change.name, change.new[0])
            for change in apsw.Changeset.iter(self.session.changeset())
            if change.op == "INSERT" and change.new
        ]
        if any(table == "prompts" for table, _number in added):
            raise InvalidRecordError("Only what the user types is a prompt: run it in a terminal of yours.")
        memories = [row for row in added if KIND_OF.get(row[0]) in REVIEWED]
        extra = f"json_set(coalesce(extra, '{{}}'), '$.{WRITTEN_BY}', ?)"
        for table, number in memories:
            sql = f"UPDATE {table} SET unreviewed = 1, extra = {extra} WHERE id = ?"
            self.db.execute(sql, (self.agent, number))
        return len(memories)

    def close(self) -> None:
        """Stop noting."""
        self.session.close()


def stored(what: str) -> str:
    """Return how the journal keeps what was done: a sentence of the catalogue by what it was made of, so
    that it is shown in the language of who reads it."""
    source = source_of(what)
    if source is what:
        return what
    import json

    return json.dumps(source, ensure_ascii=False, default=str)


def host_name() -> str:
    """Return what this machine is called."""
    return os.uname().nodename.encode("utf-8", "replace").decode()[:80]


def host_id(db: apsw.Connection) -> str:
    """Return the id that this machine has in the journal; inside a transaction."""
    name = host_name()
    sql = "SELECT id FROM hosts WHERE name = ?"
    result = db.execute(sql, (name,)).get
    if result is None:
        db.execute(INSERT_HOST, (name,))
        result = db.execute(sql, (name,)).get
    return str(result)


def changed_records(db: apsw.Connection, changeset: bytes) -> list[tuple[str, int, str]] | None:
    """Return table, id and uid of each record that a changeset is about; None where it changes
    nothing but clocks."""
    results: list[tuple[str, int, str]] = []
    changes_anything = False
    clocks: dict[str, set[int]] = {}
    for change in apsw.Changeset.iter(changeset):
        table = change.name
        old: Any = change.old
        new: Any = change.new
        if change.op == "UPDATE":
            if table not in clocks:
                clocks[table] = {
                    place for place, name in enumerate(column_names(db, table)) if name in CLOCKS
                }
            if all(item is apsw.no_change or place in clocks[table] for place, item in enumerate(new)):
                continue
        changes_anything = True
        if table in RECORDS:
            row = old or new
            uid = row[1]
            if uid is apsw.no_change:
                uid = db.execute(f"SELECT uid FROM {table} WHERE id = ?", (row[0],)).get
            results.append((table, row[0], uid))
    return results if changes_anything else None


def column_names(db: apsw.Connection, table: str) -> tuple[str, ...]:
    """Return the columns of a table, in the order that changesets have them."""
    rows: list[Any] = db.execute(f"PRAGMA table_info({table})").fetchall()
    return tuple(str(row[1]) for row in rows)
