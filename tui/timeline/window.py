"""How far a timeline looks to either side: the sizes through which `[` and `]` step."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

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

    def wider(self) -> WindowSize:
        """Return the next larger size; the largest returns itself."""
        return LADDER[min(LADDER.index(self) + 1, len(LADDER) - 1)]

    def narrower(self) -> WindowSize:
        """Return the next smaller size; the smallest returns itself."""
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
