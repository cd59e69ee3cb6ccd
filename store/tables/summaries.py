"""Summaries: what a session came to; a session may have many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..clock import common_columns
from ..errors import InvalidRecordError
from ..records import Session, Summary, SummaryLevel
from .base import insert, new_columns, write_list, write_text
from .new_rows import insert_statement
from .session_table import SessionTable

INSERT = insert_statement("summaries", new_columns(Summary))

# The visible by their documents, which know the session; of the hidden there are few.
OF_OBSERVER = """
id IN (
    SELECT record_id FROM documents WHERE session_id = ?1 AND kind = 's'
    UNION ALL
    SELECT id FROM summaries WHERE (private = 1 OR deleted_at IS NOT NULL) AND session_id = ?1
) AND level = ?2 AND json_extract(extra, '$.observer') IS NOT NULL ORDER BY id DESC LIMIT 1
"""


class Summaries(SessionTable[Summary]):
    """The summaries table."""

    record = Summary
    name = "summaries"

    def add(
        self,
        session: Session | int | str | None,
        *,
        level: SummaryLevel = "detailed",
        request: str | None = None,
        investigated: str | None = None,
        learned: str | None = None,
        completed: str | None = None,
        next_steps: str | None = None,
        notes: str | None = None,
        text: str | None = None,
        files_read: Iterable[str] = (),
        files_edited: Iterable[str] = (),
        project: str | None = None,
        agent: str = "manual",
        prompt_number: int | None = None,
        discovery_tokens: int = 0,
        at: int | None = None,
        **origin: Any,
    ) -> Summary:
        """Store a summary of a session, which is made when it is unknown."""
        if level not in ("brief", "detailed"):
            raise InvalidRecordError(f"A summary is brief or detailed, not {level!r}.")
        with self.transaction:
            owner = self.sessions.resolve(session, agent=agent, project=project or "")
            values = common_columns(self.machine, at=at, **origin)
            values |= {
                "session_id": owner.id,
                "project": write_text(owner.project if project is None else project),
                "level": level,
                "request": write_text(request),
                "investigated": write_text(investigated),
                "learned": write_text(learned),
                "completed": write_text(completed),
                "next_steps": write_text(next_steps),
                "notes": write_text(notes),
                "text": write_text(text),
                "files_read": write_list(files_read),
                "files_edited": write_list(files_edited),
                "prompt_number": prompt_number,
                "discovery_tokens": discovery_tokens,
            }
            return self.get(insert(self.db, INSERT, values))

    def latest(self, project: str | None = None) -> Summary | None:
        """Return the newest visible summary of a project (of any when None); None when there is none."""
        return next(iter(self.recent(project, 1)), None)

    def of_observer(self, session: Session, level: SummaryLevel) -> Summary | None:
        """The newest summary of a session and level that an observer made, hidden ones too; None where
        there is none."""
        found = self.where(OF_OBSERVER, (session.id, level))
        return found[0] if found else None
