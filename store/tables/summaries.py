"""Summaries: what a session came to; a session may have many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..platform.clock import common_columns
from ..platform.errors import InvalidRecordError
from ..records.kinds import VISIBLE
from ..records.rows import Session, Summary, SummaryLevel
from .base import insert, new_columns, write_list, write_text
from .new_rows import insert_statement
from .removal.purge import all_levels
from .session_table import SessionTable

INSERT = insert_statement("summaries", new_columns(Summary))

OF_OBSERVER = """
session_id = ?1 AND level = ?2
AND iif(json_valid(extra), json_extract(extra, '$.observer'), NULL) IS NOT NULL
ORDER BY id DESC LIMIT 1
"""


# The session is asked for, as there is an index by it.
BRIEF_LEVELS = "id IN (SELECT brief_id FROM summary_levels WHERE session_id = ? AND detailed_id = ?)"


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
            raise InvalidRecordError("A summary is brief or detailed, not {level!r}.", level=level)
        with self.transaction:
            owner = self.sessions.resolve(session, agent=agent, project=project or "")
            values = common_columns(self.machine, at=at, **origin)
            values |= {
                "session_id": owner.id,
                "private": values["private"] or self.hides(owner),
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

    def recent(self, project: str | None = None, limit: int = 50) -> list[Summary]:
        """Return the newest visible summaries of a project (of all when None), newest first, each
        followed by its brief level, if it has one."""
        summaries: list[Summary] = []
        for summary in super().recent(project, limit):
            summaries += [summary, *self.brief_levels(summary)]
        return summaries

    def of_session(self, session: Session | int) -> list[Summary]:
        """Return the visible ones of a session, in time order: both levels of each."""
        number = session if isinstance(session, int) else session.id
        summaries = self.where(f"session_id = ? AND {VISIBLE}", (number,))
        return sorted(summaries, key=lambda summary: (summary.created_at, summary.id))

    def brief_levels(self, summary: Summary) -> list[Summary]:
        """Return the visible brief levels of a detailed summary, which lists and searches leave to it;
        nearly always one or none."""
        if summary.level == "brief":
            return []
        return self.where(f"{BRIEF_LEVELS} AND {VISIBLE}", (summary.session_id, summary.id))

    def with_levels(self, session: Session | int) -> list[tuple[Summary, list[Summary]]]:
        """Return the visible summaries of a session, in time order, each once, with its brief levels."""
        results = [(summary, self.brief_levels(summary)) for summary in self.of_session(session)]
        second = {brief.id for _, briefs in results for brief in briefs}
        return [(item, briefs) for item, briefs in results if item.id not in second]

    def whole(self, ids: Iterable[int]) -> list[int]:
        """Return the ids of summaries with those of their other levels."""
        return all_levels(self.db, ids)

    def latest(self, project: str | None = None) -> Summary | None:
        """Return the newest visible summary of a project (of any when None); None when there is none."""
        return next(iter(self.recent(project, 1)), None)

    def of_observer(self, session: Session, level: SummaryLevel) -> Summary | None:
        """The newest summary of a session and level that an observer made, hidden ones too; None where
        there is none."""
        summaries = self.where(OF_OBSERVER, (session.id, level))
        return summaries[0] if summaries else None
