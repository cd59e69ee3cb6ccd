"""All that the screen of one session shows, asked of the store in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from store import ListRow, Observation, SessionRow, Store, Summary

MOST = 2_000
"""A session's newest memories that are shown; few sessions have a tenth of it."""


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session, its summaries and its rows in time order, and the files they name."""

    row: SessionRow
    summaries: list[Summary]
    rows: list[ListRow]
    files: list[FileUse]


def session_view(store: Store, session_id: int) -> SessionView:
    """Return a session by its number with its rows and files. Raises NotFoundError."""
    session = store.sessions.get(session_id)
    return SessionView(
        store.sessions.row(session),
        store.summaries.of_session(session),
        store.listing(f"session:@{session_id}", 0, MOST)[::-1],
        file_uses(store.observations.of_session(session)),
    )


@dataclass(frozen=True, slots=True)
class FileUse:
    """A path, and in how many observations it was modified and read."""

    path: str
    modified: int
    read: int


def file_uses(observations: Iterable[Observation]) -> list[FileUse]:
    """Return every file of some observations, the most modified first, then the most read."""
    modified: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for observation in observations:
        modified.update(observation.files_modified)
        read.update(observation.files_read)
    uses = [FileUse(path, modified[path], read[path]) for path in modified | read]
    return sorted(uses, key=lambda use: (-use.modified, -use.read, use.path))
