"""The store for an event loop: the same methods, run on the connection's own thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar, cast

import apsw.aio

from .database import file
from .errors import DatabaseError
from .store import Store

T = TypeVar("T")

STEPS_BETWEEN_CHECKS = 2_000
"""SQLite steps between looks at whether the caller still wants the answer: well under a ms."""


class AsyncStore:
    """A `Store` behind `await`. Cancelling the awaiting task stops the query it waits for."""

    def __init__(self, connection: apsw.AsyncConnection, store: Store) -> None:
        self._connection = connection
        self.path = store.path
        self.read_only = store.read_only
        self._store = store

    @classmethod
    async def open(cls, path: str | Path, *, read_only: bool = False) -> Self:
        """Like `Store.open`, with the same errors."""
        place = Path(path)
        with file.translate_open_errors(place, read_only=read_only):
            name, flags = file.ready(place, read_only=read_only)
            before = apsw.aio.check_progress_steps.set(STEPS_BETWEEN_CHECKS)
            try:
                connection = await apsw.Connection.as_async(name, flags=flags)
            finally:
                apsw.aio.check_progress_steps.reset(before)
            # On its own thread an async connection answers like a plain one.
            plain = cast(apsw.Connection, connection)

            def prepared() -> Store:
                file.prepare(plain, place, read_only=read_only)
                return Store(plain, place, read_only=read_only)

            try:
                return cls(connection, await connection.async_run(prepared))
            except BaseException:
                await connection.aclose()
                raise

    async def run(self, call: Callable[[Store], T]) -> T:
        """Call a function with the store, on its thread, and give what it gives."""
        try:
            answer: T = await self._connection.async_run(call, self._store)
        except apsw.ConnectionClosedError as error:
            raise DatabaseError("This memory is closed; open it again.") from error
        return answer

    async def close(self) -> None:
        """Close the file and end the thread."""
        await self._connection.aclose()
