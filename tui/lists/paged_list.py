"""The one widget for every list that the store can grow: as quick at a million rows as at ten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import work
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.worker import Worker

from memtui.store import StoreError
from memtui.store.config import BrowserSettings
from memtui.store.platform.translation import _

from ..protocol import browser
from ..text.content import fit
from ..text.rows import NEAR, shared_beginning
from ..text.team_mark import mark_cell, mark_width
from .provider import ListProvider, Pages, Provider
from .rows import COMPONENTS, CSS, FollowingView, paint_heads, paint_row, seen_as_new

if TYPE_CHECKING:
    from memtui.store.records.sharing import TeamMark

PAINTED_ROWS = 64

T = TypeVar("T")
RowRenderer = Callable[[T, int, bool], list[Content]]


class PagedList(FollowingView, Generic[T]):
    """The rows of a `Provider`, loaded and painted only where they are in view.

    A subclass overrides `render_row`, or a callable is passed as `row`. `key` tells which item is
    the same after a refresh. Rows that aren't loaded show a dim placeholder until a worker has
    them; it loads one page at a time and asks again what is in view, so nothing queues up.
    """

    COMPONENT_CLASSES = COMPONENTS
    DEFAULT_CSS = CSS

    may_have_marks: ClassVar[bool] = False
    """Whether its rows are memories, which in a team have an author and readers."""

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
        self._marks: Collection[str] = ()
        self._wanted: Provider[T] = ListProvider(())
        self._pages = Pages(self._wanted, 0)
        self._strips: LRUCache[tuple[int, bool, bool], list[Strip]] = LRUCache(PAINTED_ROWS)
        self._heads: Strip | None = None
        self._lines: list[tuple[int, int]] = []
        self._painted_width = 0
        self._reading = asyncio.Lock()
        self._fetcher: Worker[None] | None = None
        self._announced: tuple[int, T] | None = None
        self._items_name = ""
        self.shared = 0
        """With so many characters the title of the row that is painted begins as one near by does."""
        self.above: T | None = None
        """The item above the one that is painted."""
        self.found_words = ""
        """What the rows are narrowed to, which the title says."""

    def render_row(self, item: T, width: int, selected: bool) -> list[Content]:
        """Return the lines of `item`, `width` cells each; the bar comes before them. Of more than
        `lines_for` says only the first are shown."""
        if self._row is None:
            raise NotImplementedError(f"{type(self).__name__} needs render_row or a row callable")
        return self._row(item, width, selected)

    def title_of(self, item: T) -> str:  # noqa: ARG002
        """Return what an item is told from others by, `` where that is not to be cut."""
        return ""

    def lines_for(self, item: T) -> int:  # noqa: ARG002
        """Return how many lines an item takes where rows may have as many as `row_height`."""
        return self.row_height

    def render_heads(self, width: int) -> Content:  # noqa: ARG002
        """Return the heads of the columns that `render_row` makes in that width, where `has_heads`."""
        return Content()

    def height_of(self, index: int) -> int:
        most = self.most_lines
        if most == 1 or (item := self.item_at(index)) is None:
            return most
        return min(most, self.lines_for(item))

    def name_items(self, name: str) -> None:
        """Have a title line that says what the rows are, and from now on how many."""
        self._items_name = name
        self.count_items()

    def count_items(self) -> None:
        """Have the title line say how many rows there are."""
        if self._items_name:
            result = f" · “{self.found_words}”" if self.found_words else ""
            self.entitle(self._items_name, f"{self.how_many:,}{self.more}{result}")

    @property
    def more(self) -> str:
        """`+` where there are more than are counted."""
        return "" if getattr(self._pages.provider, "complete", True) else "+"

    @property
    def how_many(self) -> int:
        """What the title line counts."""
        return self.count

    def ref_of(self, item: T) -> str | None:  # noqa: ARG002
        """Return the ref that an item is marked by; None where it can't be marked."""
        return None

    def arrival_of(self, item: T) -> str | None:
        """Return the ref by which an item is new or not; None where it is never marked as new."""
        return self.ref_of(item)

    def shared_ref_of(self, item: T) -> str | None:
        """Return the ref of the memory whose author and readers an item shows; None where it has none."""
        return self.arrival_of(item)

    def mark_of(self, item: T) -> TeamMark | None:
        """Return an item's mark in a team, as far as it is known."""
        ref = self.shared_ref_of(item)
        return None if ref is None else browser(self).team_marks.of(self.app, ref)

    @property
    def has_marks(self) -> bool:
        """Whether its rows end with whose they are, and who may read them."""
        marks = getattr(self.app, "team_marks", None)
        return self.may_have_marks and marks is not None and bool(marks.is_on)

    def show_marks(self, refs: Collection[str]) -> None:
        """Show which rows are marked."""
        self._marks = refs
        self.repaint_rows()

    @property
    def as_dates(self) -> bool:
        """Whether times are shown as dates, as the settings say."""
        return browser(self).settings.times == "dates"

    @property
    def item(self) -> T | None:
        """The item under the cursor; None when there is none or its page isn't loaded."""
        return self.item_at(self.cursor)

    def item_at(self, index: int) -> T | None:
        """Return the item of a row, None where it isn't loaded."""
        return self._pages.get(index)

    async def items(self, start: int, length: int) -> Sequence[T]:
        """Return the items of so many rows from `start` on, in view or not."""
        return await self._pages.provider.page(start, length)

    async def place_of(self, item: T) -> int | None:
        """Return the index that an item has now; None where it isn't found."""
        return None if self.key is None else await self._pages.find(item, self.key, self.cursor)

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

    async def move_to(self, is_wanted: Callable[[T], bool]) -> bool:
        """Move the cursor to the first of the rows near by that is wanted; return whether one is. To be
        awaited in a worker."""
        async with self._reading:
            pages = self._pages
            result = await pages.search(is_wanted, self.cursor)
        if result is not None and pages is self._pages:
            self.cursor = result
        return result is not None

    def on_mount(self) -> None:
        # Lists are tried without a browser around them too.
        if hasattr(self.app, "settings"):
            self.watch(self.app, "settings", self._use_settings)

    def _use_settings(self, settings: BrowserSettings) -> None:
        self.set_compact(settings.density == "compact")
        self.repaint_rows()

    def repaint_rows(self) -> None:
        """Paint all rows anew, when what a renderer looks at beside the item (the time) changed."""
        self._clear_painted()
        self.refresh()

    def forget_row(self, index: int) -> None:
        """Paint one row anew when it is next in view."""
        for selected in (False, True):
            for focused in (False, True):
                self._strips.discard((index, selected, focused))

    def forget_unseen(self) -> None:
        """Keep the rows in view, and none of them painted: each takes some ten KB then."""
        self._clear_painted()
        self._pages.keep_around(self.cursor, self.first_row, self.first_row + self.rows_in_view)

    def render_lines(self, crop: Region) -> list[Strip]:
        # Here, because a new size is painted once before the resize event comes.
        width = self.scrollable_content_region.width
        if width != self._painted_width:
            self._clear_painted()
            self._painted_width = width
        self._lines = self.row_layout.lines(self.first_row)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        if not self._lines:
            self._lines = self.row_layout.lines(self.first_row)
        if (line := y - self.head_height) < 0:
            if self._heads is None:
                self._heads = paint_heads(self, self._with_mark_head())
            return self._heads
        if line >= len(self._lines):
            return Strip.blank(self.size.width, self.visual_style.rich_style)
        index, part = self._lines[line]
        strips = self._strips.get((index, index == self.cursor, self.has_focus))
        return (self._paint(index) if strips is None else strips)[part]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._clear_painted()

    def set_compact(self, compact: bool) -> None:
        if compact != self.is_compact:
            super().set_compact(compact)
            self.repaint_rows()
            self._fetch_missing()

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

    @property
    def row_width(self) -> int:
        """The cells of a row behind the bar or the sign of a mark; one before the scrollbar is blank."""
        room = max(0, self.scrollable_content_region.width - 2)
        return max(0, room - mark_width(room) - 1) if self.has_marks else room

    def _clear_painted(self) -> None:
        self._strips.clear()
        self._heads = None

    def _with_mark_head(self) -> Content:
        heads = self.render_heads(self.row_width)
        return fit(heads, self.row_width) + " " + _("Team") if self.has_marks else heads

    def _with_mark(self, item: T, lines: list[Content]) -> list[Content]:
        """Return the lines of a row, the first with whose it is behind it."""
        mark = self.mark_of(item)
        if not lines or mark is None:
            return lines
        width = mark_width(max(0, self.scrollable_content_region.width - 2))
        return [fit(lines[0], self.row_width) + " " + mark_cell(mark, width), *lines[1:]]

    def _paint(self, index: int) -> list[Strip]:
        selected = index == self.cursor
        height = self.row_layout.lines_of(index)
        if index >= self.count:
            return [Strip.blank(self.size.width, self.visual_style.rich_style)] * height
        item = self.item_at(index)
        if item is None:
            return paint_row(self, None, height, selected)
        self.above = self.item_at(index - 1) if index else None
        if title := self.title_of(item):
            near = map(self.item_at, range(max(0, index - NEAR), min(self.count, index + NEAR + 1)))
            self.shared = shared_beginning(title, (self.title_of(other) for other in near if other))
        lines = self.render_row(item, self.row_width, selected)
        if self.has_marks:
            lines = self._with_mark(item, lines)
        strips = paint_row(
            self,
            lines,
            height,
            selected,
            is_new=seen_as_new(self, self.arrival_of(item)),
            is_marked=bool(self._marks) and self.ref_of(item) in self._marks,
        )
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
        if self.holds_newest and not self.newest_is_last:
            first = 0
        first = max(0, min(first, pages.count - self.rows_in_view))
        await pages.load(first, first + self.rows_in_view + 1)
        # No await from here: keys pressed meanwhile moved the cursor, and the shift still holds.
        cursor = 0 if restart else self.cursor + shift
        top = 0 if restart else self.first_row + shift
        line = None if restart else self.cursor_line
        is_at_top = self.first_row == 0
        if self.holds_newest and not self.newest_is_last:
            cursor, top, line, is_at_top = 0, 0, None, True
        if self._announced:
            place, item = self._announced
            # After an empty list even the same item is news.
            self._announced = (place + shift, item) if pages.count else None
        self._pages = pages
        self._clear_painted()
        self.count = pages.count
        self.measure()
        self.count_items()
        self.cursor = cursor
        layout = self.row_layout
        if reveal and is_at_top and layout.showing(self.cursor, 0) == 0:
            top = 0
        elif line is not None:
            # Of the rows above some may take another number of lines now.
            top = layout.with_line(self.cursor, line)
        self.scroll_to_row(top)
        self.refresh()
        self._announce()
        self._fetch_missing()

    async def _shift(self, pages: Pages[T], key: Callable[[T], Hashable] | None) -> int:
        """By how many rows the item under the cursor has moved; 0 where that can't be told."""
        before, item = self.cursor, self.item
        if key is None or item is None:
            return 0
        result = await pages.find(item, key, before)
        return 0 if result is None else result - before

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
                rows = await pages.read_page(number)
            except StoreError as error:
                self.post_message(self.Failed(self, error))
                return
            # Before the rows are there, as they take another number of lines than their placeholders.
            line = self.cursor_line
            pages.keep(number, rows)
            if pages is self._pages:
                self.measure()
                self.put_cursor(line)
                self.refresh()
                self._announce()
