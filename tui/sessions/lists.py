"""Sessions, one a line, and the files of a session, one a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from store import SessionRow
from store.aio import AsyncStore

from ..lists.paged_list import PagedList
from ..text.ages import clock, day
from ..text.content import DIM, GAP, edges, fit, plain
from ..text.status import FAILED, LIVE, lasted, name, short_id, status
from .view import FileUse

NEARBY = 6 * 86_400_000
"""Within so many ms a day of the week can't be mistaken for another."""

TITLE = 26
WIDTHS = {
    "lasted": 6,
    "started": 12,
    "observations": 7,
    "id": 8,
    "project": 14,
    "summary": 22,
    "prompts": 11,
    "agent": 11,
}
"""The cells of each column, the most telling first; the title has what is left, `TITLE` at least."""
ORDER = "id title project started lasted agent prompts observations summary".split()


@dataclass(frozen=True, slots=True)
class SessionProvider:
    """The sessions of a project, or of an agent, newest first; of all where both are None."""

    store: AsyncStore
    project: str | None = None
    agent: str | None = None

    async def count(self) -> int:
        return await self.store.run(lambda store: store.sessions.count(self.project, self.agent))

    async def page(self, start: int, length: int) -> Sequence[SessionRow]:
        return await self.store.run(
            lambda store: store.sessions.list(self.project, self.agent, length, start)
        )


class SessionList(PagedList[SessionRow]):
    """Columns leave, the least telling first, where there is no room for them."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda row: row.session.id, id=id)
        self._now = now
        self.one_project = False
        """Whether all are of one project, which then needs no column."""

    def render_row(self, item: SessionRow, width: int, selected: bool) -> list[Content]:
        now, session = self._now(), item.session
        stands = status(item, now)
        told = (stands.word, stands.style) if stands in (LIVE, FAILED) else (lasted(item), DIM)
        title = name(session) or "untitled"
        cells = {
            "id": plain(short_id(session), DIM),
            "title": plain(title, "bold" if selected else ""),
            "project": plain(session.project or "no project"),
            "started": _right("started", started(session.started_at, now)),
            "lasted": _right("lasted", *told),
            "agent": plain(session.agent, DIM),
            "prompts": _right("prompts", f"{item.prompts} prompts"),
            "observations": _right("observations", f"{item.observations} obs"),
            "summary": plain(item.summary_line or "—", DIM),
        }
        symbol = Content.styled(f"{stands.symbol} ", stands.style)
        widths = columns(width - 2, without={"project"} if self.one_project else set())
        return [
            symbol + GAP.join(fit(cells[part], widths[part]) for part in ORDER if part in widths)
        ]


def columns(width: int, without: set[str]) -> dict[str, int]:
    """Return the columns that fit into `width` cells, with the cells of each, but those in `without`."""
    room = width - TITLE
    chosen = {}
    for column, cells in WIDTHS.items():
        if column in without:
            continue
        if room < cells + len(GAP):
            break
        chosen[column] = cells
        room -= cells + len(GAP)
    if "summary" in chosen:
        chosen["summary"] += max(0, room) // 2
        room -= max(0, room) // 2
    return {**chosen, "title": TITLE + room}


def started(ms: int, now: int) -> str:
    """Return a day and a time in at most 12 cells: `Tue 19:02`, `3 Feb 19:02`, or `3 Feb 2025`."""
    weekday, *date = day(ms, now).split()
    if len(date) != 2:
        return " ".join(date) or weekday
    return f"{weekday if 0 <= now - ms < NEARBY else ' '.join(date)} {clock(ms)}"


def _right(column: str, text: str, style: str = DIM) -> Content:
    return Content.styled(text.rjust(WIDTHS[column]), style)


class FileList(PagedList[FileUse]):
    """The most modified first."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(key=lambda use: use.path, id=id)

    def render_row(self, item: FileUse, width: int, selected: bool) -> list[Content]:
        mark = Content.styled("✎ ", "$text-warning") if item.modified else Content.styled("○ ", DIM)
        path = plain(item.path, "bold" if selected else "")
        uses = ((item.modified, "modified"), (item.read, "read"))
        counts = "  ".join(
            f"{many:>3} {done}" if many else " " * (4 + len(done)) for many, done in uses
        )
        return [mark + edges(path, Content.styled(counts, DIM), width - 2)]
