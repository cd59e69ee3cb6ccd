"""How far a timeline looks to either side: the ladder that `[` and `]` climb."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

_HOUR = 60
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY


@dataclass(frozen=True, slots=True)
class Zoom:
    """A window of so many minutes before and after its anchor, and its name, `±2h`."""

    minutes: float
    label: str

    @property
    def in_days(self) -> bool:
        """Whether its ends are better told by their day than by their time of day."""
        return self.minutes >= _DAY

    def wider(self) -> Zoom:
        """The next rung up; the widest is its own."""
        return LADDER[min(LADDER.index(self) + 1, len(LADDER) - 1)]

    def narrower(self) -> Zoom:
        """The next rung down; the narrowest is its own."""
        return LADDER[max(LADDER.index(self) - 1, 0)]


LADDER = (
    Zoom(1, "±1m"),
    Zoom(5, "±5m"),
    Zoom(15, "±15m"),
    Zoom(30, "±30m"),
    Zoom(_HOUR, "±1h"),
    Zoom(2 * _HOUR, "±2h"),
    Zoom(6 * _HOUR, "±6h"),
    Zoom(12 * _HOUR, "±12h"),
    Zoom(_DAY, "±1d"),
    Zoom(3 * _DAY, "±3d"),
    Zoom(7 * _DAY, "±1w"),
    Zoom(30 * _DAY, "±1mo"),
    Zoom(91 * _DAY, "±3mo"),
    Zoom(_YEAR, "±1y"),
    Zoom(3 * _YEAR, "±3y"),
    Zoom(10 * _YEAR, "±10y"),
)


def zoom(minutes: float) -> Zoom:
    """The narrowest rung that shows so many minutes."""
    place = bisect_left(LADDER, minutes, key=lambda rung: rung.minutes)
    return LADDER[min(place, len(LADDER) - 1)]
