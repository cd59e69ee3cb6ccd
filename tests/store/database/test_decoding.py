"""A cursor may end on one thread while another uses its connection."""

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from memtui.store import Store

TIMES = 2
"""Fewer than a class has references to itself, so that a loss shows as a number and not as a crash."""


class Busy:
    """Keeps a store's connection in use on another thread while this is a context."""

    def __init__(self, store: Store) -> None:
        self.store = store
        store.db.create_scalar_function("occupied", self._occupied, 0)

    def _occupied(self, *_: object) -> None:
        self.begun.set()
        self.may_end.wait(30)

    def __enter__(self) -> None:
        self.begun, self.may_end = Event(), Event()
        ask = self.store.db.execute
        self.thread = Thread(target=lambda: ask("SELECT occupied()").fetchall())
        self.thread.start()
        assert self.begun.wait(30)

    def __exit__(self, *_: object) -> None:
        self.may_end.set()
        self.thread.join()


def half_read(store: Store) -> Iterator[object]:
    """The rows of a statement of which one was read."""
    rows = iter(store.db.execute("SELECT 1 UNION ALL SELECT 2"))
    next(rows)
    return rows


def in_a_cycle(store: Store) -> list[object]:
    """The same, left to the garbage collector."""
    cycle: list[object] = [half_read(store)]
    cycle.append(cycle)
    return cycle


@pytest.mark.parametrize("left", [half_read, pytest.param(in_a_cycle, marks=pytest.mark.long)])
def test_a_cursor_may_end_while_another_thread_uses_its_connection(
    tmp_path: Path, left: Callable[[Store], object]
) -> None:
    store = Store.open(tmp_path / "memory.db")
    busy = Busy(store)
    kind = type(store.db.execute("SELECT 1"))
    gc.collect()
    before = sys.getrefcount(kind)
    for _ in range(TIMES):
        rows = left(store)
        with busy:
            del rows
            gc.collect()
    assert store.db.execute("SELECT 1").get == 1
    store.close()
    gc.collect()
    # The connection had one, to make cursors of.
    assert sys.getrefcount(kind) == before - 1
