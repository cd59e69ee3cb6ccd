"""What a timeline asks of the store, in one go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from store import ListRow, Scope, Session, Store, Window

NEAREST = 500


@dataclass(frozen=True, slots=True)
class TimelineView:
    """An anchor, what happened around it, and the sessions of all that by their ids."""

    anchor: ListRow
    window: Window
    sessions: dict[int, Session]


def timeline_view(
    store: Store, anchor: ListRow | None, *, steps: int = 0, minutes: float, scope: Scope
) -> TimelineView | None:
    """What happened around an anchor, or around the observation so many steps later (or earlier).

    Without an anchor it is the newest memory; None when there is none at all.
    """
    if anchor is None:
        newest = store.listing("", 0, 1)
        if not newest:
            return None
        anchor = newest[0]
    if steps:
        anchor = store.neighbour(anchor, steps, scope) or anchor
    # As it is now: it may have been pinned, edited or deleted since it was selected.
    anchor = store.list_row(store.record_of(anchor))
    window = store.timeline(anchor, minutes=minutes, scope=scope, limit=NEAREST)
    return TimelineView(anchor, window, sessions_of(store, window.rows))


def sessions_of(store: Store, entries: Iterable[ListRow]) -> dict[int, Session]:
    """The sessions that entries belong to, by their ids."""
    ids = {entry.session_id for entry in entries if entry.session_id is not None}
    return {session.id: session for session in store.sessions.by_ids(ids)}
