"""Where a list gets its rows: a provider says how many there are and gives any stretch of them."""

from __future__ import annotations

from collections.abc import Sequence
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
    """A provider over rows that are in memory already."""

    def __init__(self, items: Sequence[T]) -> None:
        self.items = items

    async def count(self) -> int:
        return len(self.items)

    async def page(self, start: int, length: int) -> Sequence[T]:
        return self.items[start : start + length]
