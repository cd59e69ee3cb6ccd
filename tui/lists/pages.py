"""What a list holds of its provider: a bounded number of pages, whatever the provider's length."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from .provider import Locator, Provider

PAGE = 128
KEPT = 32

T = TypeVar("T")


class Pages(Generic[T]):
    """One reading of a provider: its length, and the `KEPT` most recently used of its pages.

    Only `fetch` and `find` ask the provider for anything, so that painting never waits.
    """

    def __init__(self, provider: Provider[T], count: int) -> None:
        self.provider = provider
        self.count = count
        self._pages: OrderedDict[int, Sequence[T]] = OrderedDict()

    @classmethod
    async def read(cls, provider: Provider[T]) -> Pages[T]:
        """A new reading of `provider`, with no page yet."""
        return cls(provider, await provider.count())

    def __len__(self) -> int:
        """How many pages are held."""
        return len(self._pages)

    def get(self, index: int) -> T | None:
        """The row at `index`, None while its page isn't here."""
        number, offset = divmod(index, PAGE)
        page = self._pages.get(number)
        if page is None or offset >= len(page):
            return None
        self._pages.move_to_end(number)
        return page[offset]

    def missing(self, start: int, stop: int) -> int | None:
        """The first page of the rows `[start, stop)` that isn't here; None when all are."""
        start, stop = max(0, start), min(stop, self.count)
        if start >= stop:
            return None
        numbers = range(start // PAGE, (stop - 1) // PAGE + 1)
        return next((number for number in numbers if number not in self._pages), None)

    async def fetch(self, number: int) -> Sequence[T]:
        """Page `number`, asked of the provider unless it is here, and kept."""
        if number not in self._pages:
            self._pages[number] = await self.provider.page(number * PAGE, PAGE)
        self._pages.move_to_end(number)
        if len(self._pages) > KEPT:
            self._pages.popitem(last=False)
        return self._pages[number]

    async def load(self, start: int, stop: int) -> None:
        """Have the rows `[start, stop)` here."""
        while (number := self.missing(start, stop)) is not None:
            await self.fetch(number)

    async def find(self, item: T, key: Callable[[T], Hashable], near: int) -> int | None:
        """The index of the row with `item`'s key: as the provider says, else looked for near by."""
        if isinstance(self.provider, Locator):
            position = await self.provider.position(item)
            if position is not None and position < self.count:
                return int(position)
        wanted, last = key(item), (self.count - 1) // PAGE
        for number in dict.fromkeys((near // PAGE, near // PAGE + 1, 0)):
            if number <= last:
                for offset, row in enumerate(await self.fetch(number)):
                    if key(row) == wanted:
                        return number * PAGE + offset
        return None
