"""The eight searches of the field, each one call: what an agent's memory server answers with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .kinds import Kind
from .records import Hit, Observation, Prompt, Session, Summary

if TYPE_CHECKING:
    from .store import Store


@dataclass(frozen=True, slots=True)
class SessionContext:
    """A session as recent context: its last summary, its prompts, its observations in time order."""

    session: Session
    summary: Summary | None
    prompts: list[Prompt]
    observations: list[Observation]


class Recall:
    """Each search takes the query language where it takes a query, and filters as values."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def observations(self, query: str, limit: int = 20) -> list[Hit]:
        """Observations that match a query, best first."""
        return self._of("observation", query, limit)

    def summaries(self, query: str, limit: int = 20) -> list[Hit]:
        """Session summaries that match a query, best first."""
        return self._of("summary", query, limit)

    def prompts(self, query: str, limit: int = 20) -> list[Hit]:
        """Prompts that match a query, best first."""
        return self._of("prompt", query, limit)

    def by_concept(self, concept: str, query: str = "", limit: int = 20) -> list[Hit]:
        """Whatever carries a concept, newest first (best first when there is a query too)."""
        return self._filtered("concept", concept, query, limit)

    def by_file(self, path: str, query: str = "", limit: int = 20) -> list[Hit]:
        """Observations and summaries that read or modified a file; a part of its path will do."""
        return self._filtered("file", path, query, limit)

    def by_type(self, type: str, query: str = "", limit: int = 20) -> list[Hit]:
        """Observations of a type, newest first."""
        return self._filtered("type", type, query, limit)

    def recent_context(self, project: str | None = None, sessions: int = 3) -> list[SessionContext]:
        """A project's last sessions, newest first, each with what it asked, did and came to."""
        store = self._store
        found = []
        for row in store.sessions.list(project=project, limit=sessions):
            summaries = store.summaries.of_session(row.session)
            found.append(
                SessionContext(
                    row.session,
                    summaries[-1] if summaries else None,
                    store.prompts.of_session(row.session),
                    store.observations.of_session(row.session),
                )
            )
        return found

    def everything(self, query: str, limit: int = 20) -> list[Hit]:
        """Observations, prompts, summaries and facts that match, in one list, best first."""
        return self._store.search(query, limit=limit)

    def _of(self, kind: Kind, query: str, limit: int) -> list[Hit]:
        return self._store.search(f"kind:{kind} {query}", limit=limit)

    def _filtered(self, name: str, value: str, query: str, limit: int) -> list[Hit]:
        quoted = value.replace('"', "")
        return self._store.search(f'{name}:"{quoted}" {query}', limit=limit)
