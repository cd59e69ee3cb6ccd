"""The one widget for every list that the store can grow: as quick at a million rows as at ten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from textual import work
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.worker import Worker

from store import StoreError

from .provider import ListProvider, Pages, Provider
from .rows import COMPONENTS, CSS, RowView, paint_row

PAINTED_ROWS = 256

T = TypeVar("T")
RowRenderer = Callable[[T, int, bool], list[Content]]


class PagedList(RowView, Generic[T]):
    """The rows of a `Provider`, loaded and painted only where they are in view.

    A subclass overrides `render_row`, or a callable is passed as `row`. `key` tells which item is
    the same after a refresh. Rows that aren't loaded show a dim placeholder until a worker has
    them; it loads one page at a time and asks again what is in view, so nothing queues up.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENTS
    DEFAULT_CSS = CSS

    @dataclass
    class _Message(Message):
        list: PagedList[Any]

        @property
        def control(self) -> PagedList[Any]:
            return self.list

    @dataclass
    class Highlighted(_Message):
        """Another item is under the cursor, and loaded. Replaces an older one still queued."""

        index: int
        item: Any

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, PagedList.Highlighted) and message.list is self.list

    @dataclass
    class Selected(_Message):
        """The item was opened: Enter, a double click, or a click on the row of the cursor."""

        index: int
        item: Any

    @dataclass
    class Failed(_Message):
        """Rows in view could not be loaded; scrolling tries again."""

        error: StoreError

    def __init__(
        self,
        row: RowRenderer[T] | None = None,
        *,
        row_height: int | None = None,
        key: Callable[[T], Hashable] | None = None,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.row_height = row_height or self.row_height
        self.key = key
        self._row = row
        self._wanted: Provider[T] = ListProvider(())
        self._pages = Pages(self._wanted, 0)
        self._strips: LRUCache[tuple[int, bool, bool], list[Strip]] = LRUCache(PAINTED_ROWS)
        self._painted_width = 0
        self._reading = asyncio.Lock()
        self._fetcher: Worker[None] | None = None
        self._announced: tuple[int, T] | None = None

    def render_row(self, item: T, width: int, selected: bool) -> list[Content]:
        """Return the `row_height` lines of `item`, `width` cells each; the bar comes before them."""
        if self._row is None:
            raise NotImplementedError(f"{type(self).__name__} needs render_row or a row callable")
        return self._row(item, width, selected)

    @property
    def item(self) -> T | None:
        """The item under the cursor; None when there is none or its page isn't loaded."""
        return self.item_at(self.cursor)

    def item_at(self, index: int) -> T | None:
        """Return the item of a row, None where it isn't loaded."""
        return self._pages.get(index)

    async def set_provider(
        self, provider: Provider[T], keep: Callable[[T], Hashable] | None = None
    ) -> None:
        """Show `provider`: swapped in when its first view is loaded, so that nothing flickers.

        The cursor goes to the first row; with `keep` it stays, on the same line of the screen,
        with the item that has the same key. To be awaited in a worker: it takes the provider's time.
        """
        self._wanted = provider
        async with self._reading:
            if provider is self._wanted:
                await self._read(provider, keep, restart=keep is None)

    async def reload(self, *, reveal: bool = False) -> None:
        """Read the provider again; the selection stays where it is, with the item that `key` tells.

        With `reveal`, a list at its top stays at its top: what arrives above the selection shows,
        and pushes it down. To be awaited in a worker.
        """
        async with self._reading:
            await self._read(self._pages.provider, self.key, reveal=reveal)

    def repaint_rows(self) -> None:
        """Paint all rows anew, when what a renderer looks at beside the item (the time) changed."""
        self._strips.clear()
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        # Here, because a new size is painted once before the resize event comes.
        width = self.scrollable_content_region.width
        if width != self._painted_width:
            self._strips.clear()
            self._painted_width = width
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        index, part = divmod(self.scroll_offset.y + y, self.row_height)
        strips = self._strips.get((index, index == self.cursor, self.has_focus))
        return (self._paint(index) if strips is None else strips)[part]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def on_resize(self) -> None:
        super().on_resize()
        self._fetch_missing()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._fetch_missing()

    def watch_cursor(self, old: int, new: int) -> None:
        super().watch_cursor(old, new)
        self._announce()

    def action_select(self) -> None:
        if (item := self.item) is not None:
            self.post_message(self.Selected(self, self.cursor, item))

    def _announce(self) -> None:
        item = self.item
        if item is not None and self._announced != (self.cursor, item):
            self._announced = self.cursor, item
            self.post_message(self.Highlighted(self, self.cursor, item))

    def _paint(self, index: int) -> list[Strip]:
        selected = index == self.cursor
        if index >= self.count:
            return [Strip.blank(self.size.width, self.visual_style.rich_style)] * self.row_height
        item = self.item_at(index)
        if item is None:
            return paint_row(self, None, selected)
        lines = self.render_row(item, max(0, self._painted_width - 1), selected)
        strips = paint_row(self, lines, selected)
        self._strips[index, selected, self.has_focus] = strips
        return strips

    async def _read(
        self,
        provider: Provider[T],
        key: Callable[[T], Hashable] | None,
        *,
        restart: bool = False,
        reveal: bool = False,
    ) -> None:
        pages = await Pages.read(provider)
        shift = 0 if restart else await self._shift(pages, key)
        first = 0 if restart else self.first_row + shift
        first = max(0, min(first, pages.count - self.rows_in_view))
        await pages.load(first, first + self.rows_in_view + 1)
        # No await from here: keys pressed meanwhile moved the cursor, and the shift still holds.
        cursor = 0 if restart else self.cursor + shift
        top = 0 if restart else self.scroll_offset.y + shift * self.row_height
        if reveal and self.scroll_offset.y == 0 and cursor < self.rows_in_view:
            top = 0
        if self._announced:
            place, item = self._announced
            # After an empty list even the same item is news.
            self._announced = (place + shift, item) if pages.count else None
        self._pages = pages
        self._strips.clear()
        self.count = pages.count
        self.cursor = cursor
        self.scroll_to(y=top, animate=False, force=True)
        self.refresh()
        self._announce()
        self._fetch_missing()

    async def _shift(self, pages: Pages[T], key: Callable[[T], Hashable] | None) -> int:
        """By how many rows the item under the cursor has moved; 0 where that can't be told."""
        before, item = self.cursor, self.item
        if key is None or item is None:
            return 0
        found = await pages.find(item, key, before)
        return 0 if found is None else found - before

    def _fetch_missing(self) -> None:
        if self._next_page() is not None and (self._fetcher is None or self._fetcher.is_finished):
            self._fetcher = self._fetch_pages()

    def _next_page(self) -> int | None:
        """The page to load next: what is in view before what is a screenful below or above."""
        first, rows = self.first_row, self.rows_in_view
        for start in (first, first + rows, first - rows):
            if (number := self._pages.missing(start, start + rows + 1)) is not None:
                return number
        return None

    @work(group="pages")
    async def _fetch_pages(self) -> None:
        while (number := self._next_page()) is not None:
            pages = self._pages
            try:
                await pages.fetch(number)
            except StoreError as error:
                self.post_message(self.Failed(self, error))
                return
            if pages is self._pages:
                self.refresh()
                self._announce()
