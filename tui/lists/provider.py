"""Where a list gets its rows: a provider says how many there are and gives any stretch of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar, runtime_checkable

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
T_contra = TypeVar("T_contra", contravariant=True)


class Provider(Protocol[T_co]):
    """Rows in a fixed order. Both methods may take their time: nobody paints or types meanwhile."""

    async def count(self) -> int:
        """How many rows there are now."""
        ...

    async def page(self, start: int, length: int) -> Sequence[T_co]:
        """The rows `[start, start + length)`; fewer where the provider ends, or has shrunk since."""
        ...


@runtime_checkable
class Locator(Protocol[T_contra]):
    """A provider that can also tell where a row went; without it only nearby pages are searched."""

    async def position(self, item: T_contra) -> int | None:
        """The index of `item` now, None when it is gone."""
        ...


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
        """The index of the row with the same key; None without a key, or when it is gone."""
        if self.key is None:
            return None
        wanted = self.key(item)
        return next((at for at, row in enumerate(self.items) if self.key(row) == wanted), None)
