"""Whether the files of memories have changed since, on the command line.

The lean search imports this: what runs git is imported where it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...platform.clock import local_time
from ...text.plural import count_noun

if TYPE_CHECKING:
    from ... import ChangedFile, Observation, Store

LISTING_SECONDS, SHOWING_SECONDS = 5.0, 3.0
"""Seconds that a command waits for git which lists memories, and one which shows a memory."""


def refresh_for(store: Store, query: str) -> None:
    """Ask git before a query that asks which memories' files have changed."""
    if store.parse(query).names_state("stale"):
        from ...links.changed_files import refresh
        from ...links.git import Limit

        refresh(store, Limit(LISTING_SECONDS))


def refreshed_files(store: Store, record: Observation) -> list[ChangedFile]:
    """Ask git, and return the files of an observation that have changed since."""
    from ...tables.changed_files import has_repositories

    if (record.files_read or record.files_modified) and has_repositories(store.db):
        from ...links.changed_files import refresh
        from ...links.git import Limit

        refresh(store, Limit(SHOWING_SECONDS), store.sessions.get(record.session_id).project)
    return store.changed_files(record)


def changed_lines(files: list[ChangedFile]) -> tuple[str, ...]:
    """Return a line for each file: its name, when it has changed last, and in how many commits."""
    return tuple(
        f"{file.path} ({file.change}, {local_time(file.changed_at)}, {count_noun(file.commits, 'commits')})"
        for file in files
    )
