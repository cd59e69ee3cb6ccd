"""The write-ahead log stays small beside those who read, and is cut when it may be."""

import random
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.capture.ingest.drain import busy_timeout
from memtui.store.database import log_size
from memtui.store.database.connection import BUSY_SECONDS

from ...conftest import OpenStore
from ...promises import Tally, promise
from ...sizes import sizes
from ..processes import run_together

MB = 2**20


def length(store: Store) -> int:
    return Path(f"{store.path}-wal").stat().st_size


def grow(store: Store, writes: int) -> None:
    """Write texts without a word in common, each its own transaction: some 150 KB of log each."""
    draw = random.Random(writes)
    for number in range(writes):
        words = (f"w{draw.getrandbits(40):x}" for _ in range(120))
        store.observations.add("c-1", title=f"one of many {number}", narrative=" ".join(words))


def write_or_read(writes: int, path: Path, number: int) -> None:
    """What each of several processes does at once: the first reads as long as the others write."""
    with Store.open(path, read_only=number == 0) as store:
        if number:
            grow(store, writes + number)
        while number == 0 and store.find("many").count().value < 3 * writes:
            store.find("many").facets()


def reading(store: Store) -> apsw.Connection:
    """Begin reading, so that the log can't be begun anew meanwhile."""
    reader = apsw.Connection(str(store.path), flags=apsw.SQLITE_OPEN_READONLY)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM observations").get is not None
    return reader


@promise("stays-small")
@promise("never-locked")
@sizes("writes", 60, 200)
def test_the_log_stays_small_under_several_writers_and_a_reader(
    writes: int, store: Store, tally: Tally
) -> None:
    job = partial(write_or_read, writes)
    failed = [code for code in run_together(job, store.path, 4) if code != 0]
    tally(tried=3 * writes, failed=len(failed), over_16_mb=length(store) > 16 * MB)
    assert failed == []
    assert length(store) < 16 * MB


@promise("stays-small")
def test_a_long_log_is_cut_once_nobody_needs_it(store: Store) -> None:
    with closing(reading(store)):
        grow(store, 60)
        store.shorten_log()
        assert length(store) > 4 * MB
    store.shorten_log()
    assert length(store) == 0


def test_a_short_log_is_left_alone(store: Store) -> None:
    grow(store, 1)
    before = length(store)
    store.shorten_log()
    assert length(store) == before > 0


def test_a_memory_that_is_only_read_keeps_its_log(store: Store, open_store: OpenStore) -> None:
    with closing(reading(store)):
        grow(store, 60)
    before = length(store)
    open_store(store.path, read_only=True).shorten_log()
    assert length(store) == before


def test_a_reader_who_never_ends_costs_no_write(store: Store) -> None:
    with closing(reading(store)):
        grow(store, 60)
        assert store.find("many").count().value == 60


def test_a_writer_waits_the_longer_the_longer_the_log_has_become(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    def wait(db: apsw.Connection, seconds: float = 30.0) -> None:
        if seconds < 30.0:
            waited.append(seconds)
        db.set_busy_timeout(0)

    monkeypatch.setattr("memtui.store.database.log_size.wait_when_busy", wait)
    with closing(reading(store)):
        grow(store, 160)
    assert waited == sorted(waited)
    assert waited[0] < 0.6
    assert waited[-1] == 2.0


def test_what_waits_little_for_locks_does_so_also_after_it_tried_to_shorten_the_log(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(log_size, "RESTART_PAGES", 1)
    monkeypatch.setattr(log_size, "COPY_PAGES", 1)
    monkeypatch.setattr(log_size, "wait_when_busy", lambda _db, seconds: waits.append(seconds))
    with busy_timeout(store.db, 0.05):
        store.observations.add("c-1", title="one")
        assert waits and max(waits) <= 0.05
    store.observations.add("c-1", title="another")
    assert waits[-1] == BUSY_SECONDS
