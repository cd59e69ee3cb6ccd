"""Where a list gets its rows: a provider says how many there are and returns any stretch of them,
and pages hold what a list has read of it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, Protocol, TypeVar, runtime_checkable

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)

PAGE = 128
KEPT = 8

Id = TypeVar("Id", bound=Hashable)


class Provider(Protocol[T_co]):
    """Rows in a fixed order. Both methods may take their time: nobody paints or types meanwhile."""

    async def count(self) -> int:
        """Return how many rows there are now."""

    async def page(self, start: int, length: int) -> Sequence[T_co]:
        """Return the rows `[start, start + length)`; fewer where the provider ends, or has shrunk since."""


@runtime_checkable
class Locator(Protocol[T_contra]):
    """A provider that can also tell where a row went; without it only nearby pages are searched."""

    async def position(self, item: T_contra) -> int | None:
        """Return the index of `item` now, None when it is gone."""


class ListProvider(Provider[T]):
    """A provider over rows that are in memory already; with `key` it finds a row again."""

    def __init__(self, items: Sequence[T], key: Callable[[T], Hashable] | None = None) -> None:
        self.items = items
        self.key = key

    async def count(self) -> int:
        return len(self.items)

    async def page(self, start: int, length: int) -> Sequence[T]:
        return self.items[start : start + length]

    async def position(self, item: T) -> int | None:
        """Return the index of the row with the same key; None without a key, or when it is gone."""
        if self.key is None:
            return None
        wanted = self.key(item)
        return next((at for at, row in enumerate(self.items) if self.key(row) == wanted), None)


class Pages(Generic[T]):
    """One reading of a provider: its length, and the `KEPT` most recently used of its pages.

    Only `read_page`, `fetch` and `find` ask the provider for anything, so that painting never waits.
    """

    def __init__(self, provider: Provider[T], count: int) -> None:
        self.provider = provider
        self.count = count
        self._pages: OrderedDict[int, Sequence[T]] = OrderedDict()

    @classmethod
    async def read(cls, provider: Provider[T]) -> Pages[T]:
        """Return a new reading of `provider`, with no page yet."""
        return cls(provider, await provider.count())

    def __len__(self) -> int:
        """How many pages are held."""
        return len(self._pages)

    def get(self, index: int) -> T | None:
        """Return the row at `index`, None while its page isn't here."""
        number, offset = divmod(index, PAGE)
        page = self._pages.get(number)
        if page is None or offset >= len(page):
            return None
        self._pages.move_to_end(number)
        return page[offset]

    def missing(self, start: int, stop: int) -> int | None:
        """Return the first page of the rows `[start, stop)` that isn't here; None when all are."""
        start, stop = max(0, start), min(stop, self.count)
        if start >= stop:
            return None
        numbers = range(start // PAGE, (stop - 1) // PAGE + 1)
        return next((number for number in numbers if number not in self._pages), None)

    async def fetch(self, number: int) -> Sequence[T]:
        """Page `number`, asked of the provider unless it is here, and kept."""
        if number not in self._pages:
            self.keep(number, await self.read_page(number))
        self._pages.move_to_end(number)
        return self._pages[number]

    async def read_page(self, number: int) -> Sequence[T]:
        """Return a page as the provider has it now, without keeping it."""
        return await self.provider.page(number * PAGE, PAGE)

    def keep(self, number: int, page: Sequence[T]) -> None:
        """Keep a page, in the place of the one that was least recently used."""
        self._pages[number] = page
        self._pages.move_to_end(number)
        if len(self._pages) > KEPT:
            self._pages.popitem(last=False)

    def keep_around(self, *indexes: int) -> None:
        """Keep the pages of these rows only."""
        wanted = {index // PAGE for index in indexes}
        for number in self._pages.keys() - wanted:
            del self._pages[number]

    async def load(self, start: int, stop: int) -> None:
        """Have the rows `[start, stop)` here."""
        while (number := self.missing(start, stop)) is not None:
            await self.fetch(number)

    async def find(self, item: T, key: Callable[[T], Hashable], near: int) -> int | None:
        """Return the index of the row with `item`'s key: as the provider says, else looked for near by."""
        if isinstance(self.provider, Locator):
            position = await self.provider.position(item)
            if position is not None and position < self.count:
                return int(position)
        wanted = key(item)
        return await self.search(lambda row: key(row) == wanted, near)

    async def search(self, is_wanted: Callable[[T], bool], near: int) -> int | None:
        """Return the index of the first row that is wanted on the pages around `near`, and on the first."""
        last = (self.count - 1) // PAGE
        for number in dict.fromkeys((near // PAGE, near // PAGE + 1, 0)):
            if number <= last:
                for offset, row in enumerate(await self.fetch(number)):
                    if is_wanted(row):
                        return number * PAGE + offset
        return None


class FoundRows(Provider[T], Generic[T, Id]):
    """`find` returns the ids of all that was found, in order, and whether that is all there are;
    `read` returns the rows of some of them, and `id_of` the id of a row."""

    def __init__(
        self,
        find: Callable[[], Awaitable[tuple[Sequence[Id], bool]]],
        read: Callable[[Sequence[Id]], Awaitable[Sequence[T]]],
        id_of: Callable[[T], Id],
    ) -> None:
        self._find = find
        self._read = read
        self._id_of = id_of
        self._ids: Sequence[Id] = ()
        self.complete = True

    async def count(self) -> int:
        self._ids, self.complete = await self._find()
        return len(self._ids)

    async def page(self, start: int, length: int) -> Sequence[T]:
        return await self._read(self._ids[start : start + length])

    async def position(self, item: T) -> int | None:
        """Return the index of a row; None where it wasn't found."""
        wanted = self._id_of(item)
        return next((at for at, entry in enumerate(self._ids) if entry == wanted), None)
