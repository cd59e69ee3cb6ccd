"""All that the screen of one session shows, asked of the store in one go."""

from __future__ import annotations

from dataclasses import dataclass

from store import Entry, SessionRow, Store, Summary

from .widgets.file_list import FileUse, file_uses

MOST = 2_000
"""A session's newest memories that are shown; few sessions have a tenth of it."""


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session, its summaries and its entries in time order, and the files they name."""

    row: SessionRow
    summaries: list[Summary]
    entries: list[Entry]
    files: list[FileUse]


def session_view(store: Store, session_id: int) -> SessionView:
    """A session by its number; NotFoundError."""
    session = store.sessions.get(session_id)
    return SessionView(
        store.sessions.row(session),
        store.summaries.of_session(session),
        store.entries(f"session:@{session_id}", 0, MOST)[::-1],
        file_uses(store.observations.of_session(session)),
    )
