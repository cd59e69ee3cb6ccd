"""Lists with lines between their items, such as days or sections, over which the cursor passes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from .paged_list import PagedList
from .provider import ListProvider

T = TypeVar("T")


class HeadedList(PagedList[T]):
    """Rows of which some are headings. Subclasses say which, whether they are loaded or not."""

    def is_item_at(self, index: int) -> bool:
        """Whether the cursor can stand on the row at an index."""
        raise NotImplementedError

    def is_heading_at(self, index: int) -> bool:
        """Whether a row belongs to the item below it, and is scrolled into view with it."""
        return not self.is_item_at(index)

    def validate_cursor(self, cursor: int) -> int:
        cursor, count = super().validate_cursor(cursor), self._pages.count
        onwards, back = range(cursor, count), range(min(cursor, count - 1), -1, -1)
        ways = (onwards, back) if cursor >= self.cursor else (back, onwards)
        return next((at for way in ways for at in way if self.is_item_at(at)), cursor)

    def scroll_to_cursor(self) -> None:
        super().scroll_to_cursor()
        above = self.cursor - 1
        if (
            self.first_row > above >= 0
            and self.is_heading_at(above)
            and self.row_layout.showing(self.cursor, above) == above
        ):
            self.scroll_to_row(above)


class GroupedList(HeadedList[T]):
    """Rows in memory. Subclasses say which rows are items; `key` identifies a row."""

    def __init__(self, key: Callable[[T], Hashable], *, id: str | None = None) -> None:
        super().__init__(key=key, id=id)

    def is_item(self, row: T) -> bool:
        """Whether the cursor can stand on a row."""
        raise NotImplementedError

    def is_heading(self, row: T) -> bool:
        """Whether a row belongs to the item below it, and is scrolled into view with it."""
        return not self.is_item(row)

    def is_item_at(self, index: int) -> bool:
        return self.is_item(self.rows[index])

    def is_heading_at(self, index: int) -> bool:
        return self.is_heading(self.rows[index])

    @property
    def rows(self) -> Sequence[T]:
        """All rows: items, and the lines between them."""
        provider = self._pages.provider
        return provider.items if isinstance(provider, ListProvider) else ()

    @property
    def how_many(self) -> int:
        return sum(1 for row in self.rows if self.is_item(row))

    @property
    def current(self) -> T | None:
        """The item under the cursor; None where there is none."""
        row = self.rows[self.cursor] if self.cursor < len(self.rows) else None
        return row if row is not None and self.is_item(row) else None

    async def set_rows(self, rows: Sequence[T], *, hold: bool = False) -> None:
        """Show other rows; with `hold` the cursor stays with the row that has the same key."""
        provider = ListProvider(rows, key=self.key)
        await self.set_provider(provider, keep=self.key if hold else None)
