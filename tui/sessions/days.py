"""The sessions as rows: a line for each day, under it those that began on it, and below the newest session
of a family its tree and its sub-agents."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import accumulate, groupby

from memtui.store import Family, SessionDay, SessionRow, Store, Subagent
from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import _

from ..text.ages import day


@dataclass(frozen=True, slots=True)
class DayLine:
    """The line above the sessions of a day; `at` is the newest start, ms since the epoch, UTC, 0 where
    the date is unknown."""

    at: int
    sessions: int


@dataclass(frozen=True, slots=True)
class FamilyLine:
    """A line below the session `head`, which unfolds it: a session of its family, or a sub-agent of that,
    so many steps to the right."""

    head: int
    row: SessionRow
    depth: int
    subagent: Subagent | None = None


Row = DayLine | SessionRow | FamilyLine
LOWEST = -1
"""Below the ids of all sessions."""


class SessionProvider:
    """The sessions of a project, or of an agent, newest first; of all where both are None. Of a family only
    the newest, and below it the others where it is `unfolded`, by its id.

    The days are known before any session is read, so that each row has its place however many there are.
    """

    def __init__(
        self,
        store: AsyncStore,
        project: str | None = None,
        agent: str | None = None,
        unfolded: Collection[int] = (),
    ) -> None:
        self._store = store
        self._project, self._agent = project, agent
        self._days: Sequence[SessionDay] = ()
        self._lines: list[int] = []
        self._wanted = unfolded
        self._unfolded = Unfolded({})
        self._folded: Collection[int] = ()
        self.families: Mapping[int, int] = {}
        """How many sessions a family has, by the id of its newest."""

    @property
    def sessions(self) -> int:
        """How many sessions there are, without the lines of the days, with those that are folded."""
        return sum(session_day.sessions for session_day in self._days) + len(self._folded)

    def is_session(self, index: int) -> bool:
        """Whether the row at an index is a session, or of one, and no day."""
        inner = self._unfolded.inner(index)
        if isinstance(inner, FamilyLine):
            return True
        day = bisect_right(self._lines, inner) - 1
        return day >= 0 and self._lines[day] != inner

    async def count(self) -> int:
        await self._read_families()
        self._days = await self._read_days()
        sizes = (session_day.sessions + 1 for session_day in self._days)
        *self._lines, count = accumulate(sizes, initial=0)
        self._unfolded = Unfolded({})
        self._unfolded = Unfolded(await self._read_unfolded())
        return count + self._unfolded.count

    async def page(self, start: int, length: int) -> Sequence[Row]:
        rows: list[Row] = []
        while len(rows) < length:
            inner = self._unfolded.inner(start + len(rows))
            if isinstance(inner, FamilyLine):
                rows.append(inner)
                continue
            # As many as there are before something is inserted again.
            wanted = 1
            while len(rows) + wanted < length and not isinstance(
                self._unfolded.inner(start + len(rows) + wanted), FamilyLine
            ):
                wanted += 1
            found = await self._plain_page(inner, wanted)
            rows += found
            if len(found) < wanted:
                break
        return rows

    async def _plain_page(self, start: int, length: int) -> Sequence[Row]:
        first = bisect_right(self._lines, start) - 1
        if first < 0:
            return []
        offset = max(0, start - self._lines[first] - 1)
        rows = await self._read(first, offset, length)
        skipped = start - self._lines[first]
        return [*_rows(self._days[first:], rows, skipped)][:length]

    async def position(self, item: Row) -> int | None:
        """Return the index of a session; None for the line of a day."""
        if isinstance(item, DayLine):
            return None
        if isinstance(item, FamilyLine):
            return self._unfolded.position(item)
        return self.index_of(await self._before(item.session.started_at, item.session.id))

    def index_of(self, session: int) -> int | None:
        """Return the index of the row of the session with so many before it; None beyond the last."""
        passed = 0
        for lines, session_day in enumerate(self._days, start=1):
            passed += session_day.sessions
            if session < passed:
                return self._unfolded.outer(session + lines)
        return None

    async def not_before(self, at: int) -> int:
        """Return the index of the first session that began before a moment (ms); where none did, how
        many rows there are."""
        place = self.index_of(await self._before(at, LOWEST))
        everything = sum(one.sessions + 1 for one in self._days) + self._unfolded.count
        return everything if place is None else place

    async def _read_families(self) -> None:
        """Read which sessions are folded below which."""
        project, agent = self._project, self._agent
        trees = await self._store.run(lambda store: store.sessions.families(project, agent))
        self.families = {head: len(tree) for head, tree in trees.items()}
        self._folded = [number for head, tree in trees.items() for number, _ in tree if number != head]

    async def _read_unfolded(self) -> dict[int, Sequence[FamilyLine]]:
        """Read what stands below the sessions that are unfolded, by the indexes of these."""
        wanted = [number for number in self._wanted if number not in self._folded]

        def read(store: Store) -> list[tuple[SessionRow, Family]]:
            return [(row, store.sessions.family(row.session)) for row in store.sessions.rows(wanted)]

        results: dict[int, Sequence[FamilyLine]] = {}
        for row, family in await self._store.run(read) if wanted else ():
            place = self.index_of(await self._before(row.session.started_at, row.session.id))
            if place is not None:
                results[place] = family_lines(family, row.session.id)
        return results

    async def _read_days(self) -> Sequence[SessionDay]:
        """Read the days of these sessions, the newest first."""
        project, agent, folded = self._project, self._agent, self._folded
        return await self._store.run(lambda store: store.sessions.days(project, agent, folded))

    async def _before(self, started_at: int, number: int) -> int:
        """How many sessions come before one that started then."""
        project, agent, folded = self._project, self._agent, self._folded
        return await self._store.run(
            lambda store: store.sessions.before(started_at, number, project, agent, folded)
        )

    async def _read(self, day: int, offset: int, length: int) -> Sequence[SessionRow]:
        """Read so many sessions from one of a day on."""
        before, project, agent = self._days[day].until, self._project, self._agent
        folded = self._folded
        return await self._store.run(
            lambda store: store.sessions.list(project, agent, length, offset, before, without=folded)
        )


class NarrowedSessions(SessionProvider):
    """Those of these sessions that hold some words, none of them folded; `complete` unless there may be
    more."""

    complete = True

    def __init__(self, store: AsyncStore, project: str | None, agent: str | None, words: str) -> None:
        super().__init__(store, project, agent)
        self._words = words
        self._ids: Sequence[int] = ()
        self._starts: Sequence[int] = ()

    async def _read_families(self) -> None:
        pass

    async def _read_days(self) -> Sequence[SessionDay]:
        words, project, agent = self._words, self._project, self._agent
        sessions = await self._store.run(lambda store: store.list_search.sessions(words, project, agent))
        self._ids, self._starts, self.complete = sessions.ids, sessions.starts, sessions.complete
        days = ((date, list(starts)) for date, starts in groupby(sessions.starts, _date))
        return [SessionDay(starts[0] if date else 0, len(starts), None) for date, starts in days]

    async def _before(self, started_at: int, number: int) -> int:
        places = zip(self._starts, self._ids, strict=True)
        return sum(1 for place in places if place > (started_at, number))

    async def _read(self, day: int, offset: int, length: int) -> Sequence[SessionRow]:
        start = sum(session_day.sessions for session_day in self._days[:day]) + offset
        ids = self._ids[start : start + length]
        return await self._store.run(lambda store: store.sessions.rows(ids))


def session_provider(
    store: AsyncStore,
    project: str | None,
    agent: str | None,
    words: str,
    unfolded: Collection[int] = (),
) -> SessionProvider:
    """Return the provider of the sessions of a project, or of an agent, that hold some words."""
    if words:
        return NarrowedSessions(store, project, agent, words)
    return SessionProvider(store, project, agent, unfolded)


def day_name(ms: int, now: int) -> str:
    """Return what a day is called: `Today`, `Yesterday`, `Tue 17 Feb`, with its year if it's another."""
    if ms <= 0:
        return _("No date")
    date, today = (datetime.fromtimestamp(at / 1000).date() for at in (ms, now))
    names = {today: _("Today"), today - timedelta(days=1): _("Yesterday")}
    return names.get(date) or day(ms, now)


def family_lines(family: Family, head: int) -> list[FamilyLine]:
    """Return the lines of a family: its whole tree, or the sub-agents of a session that is alone."""
    return [*_lines(family, head)]


class Unfolded:
    """Where lines are inserted into others: behind which of these, by its index, and which."""

    def __init__(self, lines: dict[int, Sequence[FamilyLine]]) -> None:
        self._at = sorted(lines)
        self._lines = [lines[at] for at in self._at]
        self._before = [0]
        for some in self._lines:
            self._before.append(self._before[-1] + len(some))

    @property
    def count(self) -> int:
        """How many lines are inserted."""
        return self._before[-1]

    def outer(self, inner: int) -> int:
        """Return the index among all of a line that nothing inserted."""
        return inner + self._before[bisect_left(self._at, inner)]

    def inner(self, outer: int) -> int | FamilyLine:
        """Return the index of a line without what is inserted; what was inserted itself."""
        for at, lines, before in zip(self._at, self._lines, self._before, strict=False):
            if outer <= at + before:
                return outer - before
            if outer <= at + before + len(lines):
                return lines[outer - at - before - 1]
        return outer - self.count

    def position(self, line: FamilyLine) -> int | None:
        """Return the index among all of a line that was inserted; None where it isn't any more."""
        for at, lines in zip(self._at, self._lines, strict=True):
            for place, own in enumerate(lines):
                if key_of(own) == key_of(line):
                    return self.outer(at) + place + 1
        return None


def key_of(line: FamilyLine) -> tuple[int, int, str]:
    """Return what a line is known again by."""
    return line.head, line.row.session.id, line.subagent.id if line.subagent else ""


def _date(ms: int) -> date | None:
    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(ms / 1000).date() if ms > 0 else None
    return None


def _rows(days: Sequence[SessionDay], rows: Sequence[SessionRow], skipped: int) -> Iterator[Row]:
    """Yield days with their sessions but for the rows skipped; `rows` are the sessions after these."""
    sessions = iter(rows)
    for session_day in days:
        if not skipped:
            yield DayLine(session_day.newest, session_day.sessions)
        for _row in range(session_day.sessions - max(0, skipped - 1)):
            if (row := next(sessions, None)) is None:
                return
            yield row
        skipped = 0


def _lines(family: Family, head: int) -> Iterator[FamilyLine]:
    is_tree = len(family.members) > 1
    for relative in family.members:
        if is_tree:
            yield FamilyLine(head, relative.row, relative.depth)
        for subagent in relative.subagents:
            yield FamilyLine(head, relative.row, relative.depth + is_tree, subagent)
