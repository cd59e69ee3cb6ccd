"""What a timeline shows: how far it looks to either side, and what it asks of the store, in one
go.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from memtui.store import ListRow, Scope, Store, Window
from memtui.store.platform.translation import N_, _

from ..text.records import short_id
from .moments import NamedSession

NEAREST = 500

_HOUR = 60
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY


@dataclass(frozen=True, slots=True)
class WindowSize:
    """How many minutes a window reaches before and after its anchor, and its name, `±2h`."""

    minutes: float
    label: str

    @property
    def in_days(self) -> bool:
        """Whether its ends are labelled with their day rather than with their time of day."""
        return self.minutes >= _DAY

    @classmethod
    def for_minutes(cls, minutes: float) -> WindowSize:
        """Return the smallest size that shows so many minutes; the largest where none does."""
        place = bisect_left(LADDER, minutes, key=lambda size: size.minutes)
        return LADDER[min(place, len(LADDER) - 1)]

    @classmethod
    def named(cls, name: str) -> WindowSize:
        """Return the size that the settings call so, `2h` for `±2h`."""
        return next(size for size in LADDER if size.label == f"±{name}")

    def wider(self) -> WindowSize:
        """Return the next larger size; the largest returns itself."""
        return LADDER[min(LADDER.index(self) + 1, len(LADDER) - 1)]

    def narrower(self) -> WindowSize:
        """Return the next smaller size; the smallest returns itself."""
        return LADDER[max(LADDER.index(self) - 1, 0)]


LADDER = (
    WindowSize(1, N_("±1m")),
    WindowSize(5, N_("±5m")),
    WindowSize(15, N_("±15m")),
    WindowSize(30, N_("±30m")),
    WindowSize(_HOUR, N_("±1h")),
    WindowSize(2 * _HOUR, N_("±2h")),
    WindowSize(6 * _HOUR, N_("±6h")),
    WindowSize(12 * _HOUR, N_("±12h")),
    WindowSize(_DAY, N_("±1d")),
    WindowSize(3 * _DAY, N_("±3d")),
    WindowSize(7 * _DAY, N_("±1w")),
    WindowSize(30 * _DAY, N_("±1mo")),
    WindowSize(91 * _DAY, N_("±3mo")),
    WindowSize(_YEAR, N_("±1y")),
    WindowSize(3 * _YEAR, N_("±3y")),
    WindowSize(10 * _YEAR, N_("±10y")),
)
USUAL = WindowSize.named("2h")


@dataclass(frozen=True, slots=True)
class TimelineView:
    """An anchor, what happened around it, and the sessions of all that by their ids."""

    anchor: ListRow
    window: Window
    sessions: dict[int, NamedSession]

    @property
    def extent(self) -> str:
        """Of what the window is, and how much of it there is, in words."""
        window, anchor = self.window, self.anchor
        own = self.sessions.get(anchor.session_id or 0)
        of = {
            "session": _("session {id}", id=short_id(own.session)) if own else _("no session"),
            "project": _("project {name}", name=anchor.project) if anchor.project else _("no project"),
            "all": _("everything"),
        }
        many = str(len(window.rows))
        if window.truncated:
            many = _("nearest {count} shown", count=many)
        return f"{of[window.scope]} · {many}"


def timeline_view(
    store: Store, anchor: ListRow | None, *, steps: int = 0, minutes: float, scope: Scope
) -> TimelineView | None:
    """Return what happened around an anchor, or around the observation so many steps later.

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


def filling_size(store: Store, anchor: ListRow, scope: Scope, rows: int) -> WindowSize:
    """Return the smallest size, of two hours at least, whose window holds so many rows, or all of them."""
    near = store.timeline(anchor, minutes=LADDER[-1].minutes, scope=scope, limit=2 * rows).rows
    far = sorted(abs(row.created_at - anchor.created_at) for row in near)[:rows]
    return WindowSize.for_minutes(max(USUAL.minutes, far[-1] / 60_000))


def sessions_of(store: Store, rows: Iterable[ListRow]) -> dict[int, NamedSession]:
    """Return the sessions that rows belong to, by their ids."""
    ids = {row.session_id for row in rows if row.session_id is not None}
    titles = store.sessions.titles(ids)
    return {session.id: NamedSession(session, titles[session.id]) for session in store.sessions.by_ids(ids)}
