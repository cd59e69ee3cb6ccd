"""Several processes on one store at once: what each does, and running them together."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

from memtui.store import Store

Job = Callable[[Path, int], None]


def run_together(job: Job, path: Path, count: int) -> list[int | None]:
    """The exit codes of so many processes that begin a job at the same moment."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(count)
    started = [context.Process(target=_begin, args=(job, barrier, path, number)) for number in range(count)]
    for process in started:
        process.start()
    for process in started:
        process.join(180)
    return [process.exitcode for process in started]


def open_and_add(path: Path, number: int) -> None:
    """Open the store, which may not be there yet, and add to it."""
    with Store.open(path) as store:
        store.observations.add("c-1", title=f"of process {number}", event_id=f"e-{number}")


def add_many(path: Path, number: int) -> None:
    """A hundred writes, each its own transaction, with a search now and then."""
    with Store.open(path) as store:
        for one in range(100):
            store.observations.add(f"c-{number}", title=f"token {number} {one}")
            if one % 20 == 0:
                assert store.find(f"token {number}").page().hits


def add_and_hide(path: Path, number: int) -> None:
    """Writes that come and go, under the eyes of whoever searches."""
    with Store.open(path) as store:
        for one in range(60):
            added = store.observations.add(f"c-{number}", title=f"fleeting {one}")
            store.observations.delete(added)


def search_many(path: Path, _number: int) -> None:
    """Searches whose records may vanish between any two statements."""
    with Store.open(path, read_only=True) as store:
        for _ in range(150):
            for hit in store.find("fleeting").page().hits:
                assert hit.record.deleted_at is None
            store.find("fleeting").facets()
            assert len(store.find("").rows(0, 50)) <= 50


def hide_and_seek(path: Path, number: int) -> None:
    """Of two processes, one that adds and hides, and one that searches meanwhile."""
    (add_and_hide, search_many)[number](path, number)


def _begin(job: Job, barrier: Barrier, path: Path, number: int) -> None:
    barrier.wait(60)
    job(path, number)
