"""What prompts, observations and summaries share: each belongs to a session and has a moment."""

from __future__ import annotations

from typing import Any, TypeVar

import apsw

from ..database.transaction import Transaction
from ..records.fields import LISTS
from ..records.kinds import LETTERS
from ..records.rows import Observation, Prompt, Session, Summary
from .base import Table, write_json, write_list, write_text
from .sessions import Sessions

S = TypeVar("S", Prompt, Observation, Summary)

NEWEST = """
id IN (
    SELECT record_id FROM documents WHERE kind = :kind AND {condition}
    ORDER BY created_at DESC, id DESC LIMIT :limit
) ORDER BY created_at DESC, id DESC
"""


def hide_with_sessions(db: apsw.Connection) -> None:
    """Hide what hidden sessions hold, where only their own row says so: another machine's does. It is no
    change of this machine."""
    for table in ("prompts", "observations", "summaries"):
        db.execute(
            f"UPDATE {table} SET private = 1 WHERE private = 0 "
            "AND session_id IN (SELECT id FROM sessions WHERE private = 1)"
        )


class SessionTable(Table[S]):
    """A table whose rows belong to sessions."""

    def __init__(
        self, db: apsw.Connection, transaction: Transaction, machine: str, sessions: Sessions
    ) -> None:
        super().__init__(db, transaction, machine)
        self.sessions = sessions

    def hides(self, session: Session) -> bool:
        """Whether a session is hidden by now: what comes into it is hidden too."""
        return bool(self.db.execute("SELECT private FROM sessions WHERE id = ?", (session.id,)).get)

    def recent(self, project: str | None = None, limit: int = 50) -> list[S]:
        """Return the newest visible ones of a project (of all when None), newest first."""
        values = {"kind": LETTERS[self.title], "type": self.title, "limit": limit}
        if project is not None:
            condition = "project = :project"
        elif self.name == "observations":
            condition = "true"
        else:
            # All have the type of their kind, by which an index orders them.
            condition = "type = :type"
        return self.where(NEWEST.format(condition=condition), values | {"project": project})

    def of_session(self, session: Session | int) -> list[S]:
        """Return the visible ones of a session, in time order."""
        number = session if isinstance(session, int) else session.id
        return self.where(
            "id IN (SELECT record_id FROM documents WHERE session_id = ? AND kind = ?) "
            "ORDER BY created_at, id",
            (number, LETTERS[self.title]),
        )

    def all_of_session(self, number: int) -> list[S]:
        """Return those of a session in time order, hidden and deleted ones and noise among them."""
        return self.where("session_id = ? ORDER BY created_at, id", (number,))

    def revise(self, number: int, **fields: Any) -> S:
        """Give a record other texts and lists: those named, by their columns; NotFoundError.

        For what comes to be known later of the same event; a user's own edits are the journal's.
        """
        values = {name: _written(name, value) for name, value in fields.items()}
        with self.transaction:
            self.write_columns([number], values)
            return self.get(number)


def _written(name: str, value: Any) -> Any:
    if name in LISTS:
        return write_list(value)
    if name == "extra":
        return write_json(value)
    return write_text(value) if isinstance(value, str) else value
