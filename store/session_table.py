"""What prompts, observations and summaries share: each belongs to a session and has a moment."""

from __future__ import annotations

from typing import TypeVar

import apsw

from .records import Observation, Prompt, Session, Summary
from .sessions import Sessions
from .table import Table
from .unit import Unit

S = TypeVar("S", Prompt, Observation, Summary)

NEWEST = """
id IN (
    SELECT record_id FROM documents
    WHERE kind = :kind AND (:project IS NULL OR project = :project)
    ORDER BY created_at DESC, id DESC LIMIT :limit
) ORDER BY created_at DESC, id DESC
"""


class SessionTable(Table[S]):
    """A table whose rows belong to sessions."""

    def __init__(self, db: apsw.Connection, unit: Unit, machine: str, sessions: Sessions) -> None:
        super().__init__(db, unit, machine)
        self.sessions = sessions

    def recent(self, project: str | None = None, limit: int = 50) -> list[S]:
        """The newest visible ones of a project (of all when None), newest first."""
        condition = NEWEST if project is None else NEWEST.replace(EITHER, "project = :project")
        kind = self.letter or "o"
        return self.where(condition, {"kind": kind, "project": project, "limit": limit})

    def of_session(self, session: Session | int) -> list[S]:
        """The visible ones of a session, in time order."""
        number = session if isinstance(session, int) else session.id
        return self.where(
            "id IN (SELECT record_id FROM documents WHERE session_id = ? AND kind = ?) "
            "ORDER BY created_at, id",
            (number, self.letter or "o"),
        )


EITHER = "(:project IS NULL OR project = :project)"
