"""The journal: each edit and delete as a changeset that can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import apsw

from .clock import now_ms

JOURNALED = ("sessions", "prompts", "observations", "summaries", "facts", "notes")


class Journal:
    """Writes to `changes`; always inside a unit of work."""

    def __init__(self, db: apsw.Connection, machine: str) -> None:
        self.db = db
        self.machine = machine

    @contextmanager
    def recording(self, what: str) -> Iterator[None]:
        """Record what the block changes under a sentence such as "observation 12 deleted"."""
        with closing(apsw.Session(self.db, "main")) as session:
            for table in JOURNALED:
                session.attach(table)
            yield
            changeset = session.changeset()
        if changeset:
            self.db.execute(
                "INSERT INTO changes (at, actor, what, changeset) VALUES (?, ?, ?, ?)",
                (now_ms(), self.machine, what, changeset),
            )

    def undo(self) -> str | None:
        """Take back the newest change that still stands and say which; None when there is none."""
        newest = self.db.execute(
            "SELECT id, what, changeset FROM changes WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if newest is None:
            return None
        number, what, changeset = newest
        apsw.Changeset.apply(
            apsw.Changeset.invert(changeset),
            self.db,
            conflict=lambda *_: apsw.SQLITE_CHANGESET_ABORT,
        )
        now = now_ms()
        for change in apsw.Changeset.iter(changeset):
            # The clock must not go back with the row, or another machine would bring the change again.
            row = change.new if change.old is None else change.old
            self.db.execute(
                f"UPDATE {change.name} SET updated_at = ?1, hlc = max(?1 << 16, hlc + 2) "
                "WHERE id = ?2",
                (now, row[0] if row else None),
            )
        self.db.execute("UPDATE changes SET undone_at = ? WHERE id = ?", (now, number))
        return str(what)
