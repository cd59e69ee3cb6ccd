"""Sources and an app for the tests of lists."""

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual.app import App, ComposeResult
from textual.content import Content
from textual.message import Message
from textual.pilot import Pilot

from memtui.tui.lists.paged_list import PagedList, RowRenderer
from memtui.tui.lists.provider import Provider
from memtui.tui.style import DARK
from memtui.tui.text.content import fit, plain
from tests.tui.patience import idle

MILLION = 1_000_000


@dataclass(frozen=True)
class Row:
    id: int
    title: str


class Numbers:
    """`total` rows, made when asked for; `open` holds pages back until it is set."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.asked: list[int] = []
        self.open = asyncio.Event()
        self.open.set()

    async def count(self) -> int:
        return self.total

    async def page(self, start: int, length: int) -> list[Row]:
        self.asked.append(start)
        await self.open.wait()
        return [Row(n, f"row {n}") for n in range(start, min(start + length, self.total))]


class Newest:
    """Rows with the newest first, that more can be put on top of."""

    def __init__(self, total: int) -> None:
        self.rows = [Row(n, f"memory {n}") for n in reversed(range(total))]

    def arrive(self, many: int) -> None:
        newest = len(self.rows)
        self.rows[:0] = [Row(n, f"memory {n}") for n in reversed(range(newest, newest + many))]

    async def count(self) -> int:
        return len(self.rows)

    async def page(self, start: int, length: int) -> list[Row]:
        await asyncio.sleep(0)  # Lets other tasks in, as a real store does.
        return self.rows[start : start + length]


class Findable(Newest):
    """The same, and it tells where a row went."""

    async def position(self, item: Row) -> int | None:
        return next((at for at, row in enumerate(self.rows) if row.id == item.id), None)


def row_id(row: Row) -> Hashable:
    return row.id


def title_row(row: Row, width: int, selected: bool) -> list[Content]:
    return [fit(plain(row.title, "bold" if selected else ""), width), fit(plain("below"), width)]


class ListApp(App[None]):
    """One list that fills the screen, and what it has posted."""

    def __init__(
        self,
        widget: PagedList[Row] | None = None,
        *,
        row: RowRenderer[Row] = title_row,
        row_height: int = 1,
        key: Callable[[Row], Hashable] | None = None,
    ) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name
        self.list = widget or PagedList(row, row_height=row_height, key=key)
        self.posted: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.list

    def on_paged_list_highlighted(self, message: PagedList.Highlighted) -> None:
        self.posted.append(message)

    def on_paged_list_selected(self, message: PagedList.Selected) -> None:
        self.posted.append(message)

    def on_paged_list_failed(self, message: PagedList.Failed) -> None:
        self.posted.append(message)

    @property
    def highlighted(self) -> list[int]:
        """The indexes of the rows highlighted so far."""
        return [m.index for m in self.posted if isinstance(m, PagedList.Highlighted)]

    @property
    def selected(self) -> list[int]:
        """The indexes of the rows opened so far."""
        return [m.index for m in self.posted if isinstance(m, PagedList.Selected)]

    @property
    def lines(self) -> list[str]:
        """What the list shows, line by line."""
        return [strip.text.rstrip() for strip in self.list.render_lines(self.list.size.region)]


@asynccontextmanager
async def shown(app: ListApp, provider: Provider[Row]) -> AsyncIterator[Pilot[None]]:
    """The app running on 80 by 24, with `provider` in its list."""
    async with app.run_test(size=(80, 24)) as pilot:
        await app.list.set_provider(provider)
        await idle(pilot)
        yield pilot
