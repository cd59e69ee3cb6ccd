"""Places to go to: where a text leads, for whoever offers it (the query line, the palette and `g`), and
dates in rows that are listed by time. Screens that only may be asked for a date import it, so nothing that
reads one is imported here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from textual.content import Content

from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun

from ..lists.paged_list import PagedList
from ..protocol import Browser
from ..text.ages import clock, day
from ..text.content import plain

if TYPE_CHECKING:
    # It knows the language of dates, which the first paint can do without.
    from memtui.store.links.destinations import Destination


KINDS = N_("file"), N_("commit"), N_("date")
"""Of what memories are listed, where no id leads to one."""


async def find_destinations(app: Browser, text: str) -> list[Destination]:
    """Return where a text leads."""
    from memtui.store.links.destinations import destinations

    now = datetime.fromtimestamp(app.now() / 1000)
    return await app.side.run(lambda store: destinations(store, text, now))


def name_of(destination: Destination) -> Content:
    """Return what a destination is called, on a line: its id, or what it is of, and its title."""
    id = destination.ref or _(destination.kind)
    return Content.assemble((id, "bold"), " ", plain(destination.title))


def many_of(destination: Destination) -> str:
    """Return how many memories are there, `` for what is one."""
    return count_noun(destination.count, "memories") if destination.query else ""


@dataclass(frozen=True, slots=True)
class Dates:
    """A day, or what else was typed, from `since` to before `until`, ms since the epoch, UTC."""

    since: int
    until: int

    def named(self, now: int) -> str:
        """Return what it is called as of `now`: its day, its days, or a time of a day."""
        from memtui.store.search.query.dates import INSTANT_MS

        first, last = day(self.since, now), day(self.until - 1, now)
        if self.until - self.since <= INSTANT_MS:
            return f"{first} {clock(self.since)}"
        return first if first == last else _("{first} to {last}", first=first, last=last)


@dataclass(frozen=True, slots=True)
class ByTime:
    """Rows that are listed by time, the newest first: how many begin at or after a moment (ms), and the
    time of a row."""

    rows: PagedList[Any]
    not_before: Callable[[int], Awaitable[int]]
    time_of: Callable[[Any], int | None]

    async def go_to(self, dates: Dates, now: int) -> str:
        """Select the newest row of some dates, else the nearest older one; return what is to be told."""
        if not self.rows.count:
            return _("There is nothing to go to.")
        place = await self.not_before(dates.until)
        if place >= self.rows.count:
            self.rows.action_last()
            return _("Nothing is as old as {date}: this is the oldest.", date=dates.named(now))
        self.rows.cursor = place
        results = await self.rows.items(self.rows.cursor, 1)
        at = self.time_of(results[0]) if results else None
        if at is None or at >= dates.since:
            return ""
        if place == 0:
            return _("Nothing since {date}: this is the newest.", date=dates.named(now))
        return _("Nothing on {date}: this is the one before.", date=dates.named(now))
