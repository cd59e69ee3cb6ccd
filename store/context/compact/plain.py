"""What all answers share: plain values without nulls, ages and times and cursors."""

from __future__ import annotations

from ...platform.clock import DAY_MS, local_time, now_ms
from ...platform.errors import InvalidRecordError
from ...records.dataclasses import dataclass, replace

MINUTE_MS, HOUR_MS = 60_000, 3_600_000
RECENT_DAYS = 60
"""What is older is told by its date."""
FURTHEST = 100_000
"""Beyond so many hits no page begins."""

Json = dict[str, object]


def without_nulls(values: Json) -> Json:
    """Return what of the values says something: no None, no empty text or list, nothing that is False."""
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value not in ("", [], (), {})
    }


@dataclass(frozen=True, slots=True)
class CompactEntry:
    """A memory in a list; every text is one line that may stand in a fence. `at` is ms since the epoch."""

    id: str
    type: str
    title: str
    at: int
    project: str = ""
    is_stale: bool = False
    is_superseded: bool = False
    is_wrong: bool = False
    """Reported as wrong by a user or an agent."""
    author: str = ""
    """The teammate who shared it, "" for one's own."""

    @property
    def marks(self) -> list[str]:
        """The reasons not to rely on it, a word each: superseded, stale, reported-wrong."""
        named = {
            "superseded": self.is_superseded,
            "stale": self.is_stale,
            "reported-wrong": self.is_wrong,
        }
        by = [f"by-{one_word(self.author)}"] if self.author else []
        return [*by, *(name for name, is_so in named.items() if is_so)]

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        texts: Json = {"id": self.id, "type": self.type, "title": self.title}
        texts |= {"at": local_time(self.at), "project": self.project}
        marks = {mark.replace("-", "_"): True for mark in replace(self, author="").marks}
        return without_nulls(texts | {"author": self.author}) | marks


def one_word(name: str) -> str:
    """Return a name as a word that can be a mark."""
    return "".join(letter if letter.isalnum() else "-" for letter in name)


def age(at: int) -> str:
    """Return how long ago a moment (ms) was, `5m`, `3h` or `12d`; of long ago, or ahead, its date."""
    past = now_ms() - at
    if past < -DAY_MS or past >= RECENT_DAYS * DAY_MS:
        return date(at)
    if past < HOUR_MS:
        return f"{max(0, past // MINUTE_MS)}m"
    return f"{past // HOUR_MS}h" if past < 2 * DAY_MS else f"{past // DAY_MS}d"


def date(at: int) -> str:
    """Return the local date of a moment (ms), its number where no calendar has it."""
    return local_time(at, "%Y-%m-%d")


def time_of_day(at: int) -> str:
    """Return the local time of a moment (ms)."""
    return local_time(at, "%H:%M")


def start_of(cursor: str | None) -> int:
    """Return where a page begins by the cursor of the one before; InvalidRecordError where it is none."""
    if not cursor:
        return 0
    if cursor.isascii() and cursor.isdecimal() and len(cursor) <= 6 and int(cursor) <= FURTHEST:
        return int(cursor)
    raise InvalidRecordError(
        f"{cursor[:40]!r} is no cursor that an answer gave. Leave it out to begin with the best hit."
    )
