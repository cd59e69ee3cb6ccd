"""The rows that were found in a list of any length: their ids at once, the rows page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

from .provider import Provider

T = TypeVar("T")
Id = TypeVar("Id", bound=Hashable)


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
