"""The store for an event loop: the same methods, run on the connection's own thread."""

from __future__ import annotations

import asyncio
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from pathlib import Path
from typing import Self, TypeVar, cast

import apsw.aio

from .database import file
from .database.files.disk import is_unwritable
from .database.schema.shapes import odd_values_sentence
from .database.transaction import CLOSED
from .platform.errors import DatabaseError, ReadOnlyError, StoreError
from .store import Store

T = TypeVar("T")

STEPS_BETWEEN_CHECKS = 2_000
"""SQLite steps between looks at whether the caller still wants the answer: well under a ms."""

CACHED_KB = 512
"""Pages of the file that one connection holds. Four times as many make no search quicker, as the system
holds them too, and the browser has four connections."""

RETRY_SECONDS = 1.0
"""Seconds between two tries to open for writing a memory that could only be read."""


class AsyncStore:
    """A `Store` behind `await`. Cancelling the awaiting task stops the query it waits for."""

    def __init__(self, connection: apsw.AsyncConnection, store: Store, *, read_only: bool = False) -> None:
        self._connection = connection
        self.path = store.path
        self.read_only = read_only
        self._store = store
        self._trouble: StoreError | None = None
        self._tried_at = 0.0
        self._is_lost = False
        self._is_over = False
        self._opening = asyncio.Lock()
        self._changing = asyncio.Lock()

    @classmethod
    async def open(cls, path: str | Path, *, read_only: bool = False) -> Self:
        """Like `Store.open`, with the same errors; where the disk is full, or can't be written now, it
        is only read until it can."""
        place = Path(path)
        try:
            return cls(*await _opened(place, read_only=read_only), read_only=read_only)
        except DatabaseError as error:
            if read_only or not is_unwritable(error):
                raise
            self = cls(*await _opened(place, read_only=True))
            self._trouble, self._tried_at = error, time.monotonic()
            return self

    async def run(self, call: Callable[[Store], T]) -> T:
        """Call a function with the store, on its thread, and give what it gives.

        An error of the disk closes the file: that call fails, the next one finds it open again, and
        only to be read while it can't be written.
        """
        if self._is_over:
            raise DatabaseError(CLOSED)
        await self._reopen_where_lost()
        store = self._store

        def called() -> T:
            try:
                return call(store)
            except BaseException as error:
                _empty_frames(error)
                raise
            finally:
                self._note_whether_lost(store)

        try:
            # A call keeps the context it was made in, and one that is cancelled while it waits for its turn
            # may keep it for good: not the caller's, which holds the screen that asked.
            answer: T = await Context().run(self._connection.async_run, called)
        except apsw.ConnectionClosedError as error:
            self._is_lost = True
            raise DatabaseError(CLOSED) from error
        except ReadOnlyError as error:
            if self._trouble is None or self._store is not store:
                raise
            # Nothing was written: there may be room by now.
            self._tried_at = 0.0
            await self._reopen_where_lost()
            if self._trouble is not None:
                raise self._trouble from error
            return await self.run(call)
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
            content = await self._connection.async_run(odd_values_sentence, store.db)
            if content is None:
                raise
            raise DatabaseError(content) from error
        return answer

    async def run_beside(self, call: Callable[[Store], T]) -> T:
        """Call a function with a store of its own, on another thread, and give what it gives: for what
        takes long, such as a change of thousands, while `run` goes on answering. Cancelling it stops
        the function, which takes back what it did not commit, and waits for that; where it was through
        by then, it is not cancelled."""
        if self._is_over:
            raise DatabaseError(CLOSED)
        maker = self._store.maker
        stop = threading.Event()

        def called() -> T:
            with Store.open(self.path, read_only=self.read_only) as store:
                store.made_by(*maker)
                store.db.set_progress_handler(stop.is_set, STEPS_BETWEEN_CHECKS)
                return call(store)

        running = asyncio.ensure_future(asyncio.to_thread(called))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            stop.set()
            await asyncio.wait([running])
            if running.exception() is None:
                # It was through by then.
                return running.result()
            raise

    async def change_beside(self, call: Callable[[Store], T]) -> T:
        """Like `run_beside`, for what writes: after all that was asked of `run` and of this before, so
        that an undo takes back the change that was made last."""
        async with self._changing:
            await self.run(lambda _: None)
            return await self.run_beside(call)

    def _note_whether_lost(self, store: Store) -> None:
        try:
            _ = store.db.filename
        except apsw.ConnectionClosedError:
            self._is_lost = True

    async def _reopen_where_lost(self) -> None:
        async with self._opening:
            is_due = time.monotonic() - self._tried_at >= RETRY_SECONDS or not self._tried_at
            if not self._is_lost and (self._trouble is None or not is_due):
                return
            self._tried_at = time.monotonic()
            if not self._is_lost:
                # It may be one that keeps others out, us too.
                self._is_lost = True
                await self._connection.aclose()
            try:
                connection, store = await _opened(self.path, read_only=self.read_only)
                self._trouble = None
            except DatabaseError as error:
                if self.read_only or not is_unwritable(error):
                    raise
                self._trouble = error
                connection, store = await _opened(self.path, read_only=True)
            store.made_by(*self._store.maker)
            before, self._connection, self._store = self._connection, connection, store
            self._is_lost = False
            with suppress(apsw.Error):
                await before.aclose()

    async def release_memory(self) -> None:
        """Give up the pages of the file that are held in memory; whatever needs them reads them again."""
        await self.run(lambda store: store.db.release_memory())

    async def close(self) -> None:
        """Close the file and end the thread."""
        self._is_over = True
        await self._connection.aclose()


def _empty_frames(error: BaseException | None) -> None:
    """Have what an error's frames hold end here, on the connection's thread.

    Whoever cancelled a query lets go of its error while the next one runs. A cursor in it can't be closed
    then: it would stay, and what it reads of the file with it, until the connection is closed.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__


async def _opened(place: Path, *, read_only: bool) -> tuple[apsw.AsyncConnection, Store]:
    with file.translate_open_errors(place, read_only=read_only):
        name, flags = file.ready(place, read_only=read_only)
        try:
            return await _connected(place, name, flags, read_only=read_only)
        except (apsw.FullError, apsw.IOError, apsw.CantOpenError):
            if not read_only:
                raise
            # The index of the log can't be made. It is tried anew before long.
            if file.is_settled(place):
                return await _connected(place, *file.immutable(place), read_only=True)
            flags = apsw.SQLITE_OPEN_READWRITE
            return await _connected(place, str(place), flags, read_only=True, alone=True)


async def _connected(
    place: Path, name: str, flags: int, *, read_only: bool, alone: bool = False
) -> tuple[apsw.AsyncConnection, Store]:
    before = apsw.aio.check_progress_steps.set(STEPS_BETWEEN_CHECKS)
    try:
        connection = await apsw.Connection.as_async(name, flags=flags)
    finally:
        apsw.aio.check_progress_steps.reset(before)
    # On its own thread an async connection answers like a plain one.
    plain = cast(apsw.Connection, connection)

    def prepared() -> Store:
        if alone:
            file.keep_others_out(plain)
        file.prepare(plain, place, read_only=read_only)
        plain.pragma("temp_store", "memory")
        plain.pragma("cache_size", -CACHED_KB)
        return Store(plain, place, read_only=read_only)

    try:
        return connection, await connection.async_run(prepared)
    except BaseException:
        await connection.aclose()
        raise
