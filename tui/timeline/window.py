"""How far a timeline looks to either side: the ladder that `[` and `]` climb."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

_HOUR = 60
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY


@dataclass(frozen=True, slots=True)
class WindowSize:
    """A window of so many minutes before and after its anchor, and its name, `±2h`."""

    minutes: float
    label: str

    @property
    def in_days(self) -> bool:
        """Whether its ends are better told by their day than by their time of day."""
        return self.minutes >= _DAY

    def wider(self) -> WindowSize:
        """The next rung up; the widest is its own."""
        return LADDER[min(LADDER.index(self) + 1, len(LADDER) - 1)]

    def narrower(self) -> WindowSize:
        """The next rung down; the narrowest is its own."""
        return LADDER[max(LADDER.index(self) - 1, 0)]


LADDER = (
    WindowSize(1, "±1m"),
    WindowSize(5, "±5m"),
    WindowSize(15, "±15m"),
    WindowSize(30, "±30m"),
    WindowSize(_HOUR, "±1h"),
    WindowSize(2 * _HOUR, "±2h"),
    WindowSize(6 * _HOUR, "±6h"),
    WindowSize(12 * _HOUR, "±12h"),
    WindowSize(_DAY, "±1d"),
    WindowSize(3 * _DAY, "±3d"),
    WindowSize(7 * _DAY, "±1w"),
    WindowSize(30 * _DAY, "±1mo"),
    WindowSize(91 * _DAY, "±3mo"),
    WindowSize(_YEAR, "±1y"),
    WindowSize(3 * _YEAR, "±3y"),
    WindowSize(10 * _YEAR, "±10y"),
)


def window_size(minutes: float) -> WindowSize:
    """The narrowest rung that shows so many minutes."""
    place = bisect_left(LADDER, minutes, key=lambda rung: rung.minutes)
    return LADDER[min(place, len(LADDER) - 1)]
