"""Two stores that meet over pipes: the first time, with nothing new, with one changed row, and verified."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import BinaryIO, cast

from bench.report import Section
from memtui.store import Store
from memtui.store.sync.channel import Channel
from memtui.store.sync.exchange import Wishes, answer, begin


def measure(paths: list[Path]) -> Section:
    """The exchange of all rows of a store with an empty one, and what comes after."""
    return Section(
        "Sync",
        "Two stores over a pair of sockets, a process each, without ssh's own time. All rows: a CPU second "
        "of whoever sends and of whoever stores and indexes them; then seconds for nothing new, for one "
        "changed row, and to verify that both are equal; and the most memory of either.",
        (
            "observations",
            "sent a CPU s",
            "stored a CPU s",
            "nothing new",
            "one row",
            "verify",
            "MB",
        ),
        [_row(path) for path in paths],
    )


def _row(path: Path) -> tuple[str, ...]:
    with TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.db", Path(folder) / "theirs.db"
        shutil.copyfile(path, ours)
        rows, sent, stored, megabytes = _first(ours, theirs)
        nothing = _seconds(lambda: _meet(ours, theirs))
        with Store.open(ours) as store:
            store.edit("1", {"title": "changed"})
        one = _seconds(lambda: _meet(ours, theirs))
        verified = _seconds(lambda: _meet(ours, theirs, Wishes(verify=True)))
    return (
        f"{rows:,}",
        f"{rows / sent:,.0f}",
        f"{rows / stored:,.0f}",
        *(f"{seconds:.2f}" for seconds in (nothing, one, verified)),
        f"{megabytes:.0f}",
    )


def _first(ours: Path, theirs: Path) -> tuple[int, float, float, float]:
    """Return how many rows went, the CPU seconds of the two sides, and the most memory of either, in MB."""
    begun, rows = process_time(), _meet(ours, theirs)
    sent = process_time() - begun
    seconds, held = (float(item) for item in theirs.with_suffix(".usage").read_text().split())
    return rows, sent, seconds, max(held, getrusage(RUSAGE_SELF).ru_maxrss) / 1024


def _meet(ours: Path, theirs: Path, wishes: Wishes | None = None) -> int:
    """Have two stores meet; how many rows were stored there."""
    here, there = socket.socketpair()
    if (child := os.fork()) == 0:
        here.close()
        begun = process_time()
        with Store.open(theirs) as store:
            answer(store, _channel(there))
        usage = f"{process_time() - begun} {getrusage(RUSAGE_SELF).ru_maxrss}"
        theirs.with_suffix(".usage").write_text(usage)
        sys.stdout.flush()
        os._exit(0)
    there.close()
    with Store.open(ours) as store, here:
        outcome = begin(store, _channel(here), wishes)
    os.waitpid(child, 0)
    return outcome.given.counts["stored"]


def _channel(end: socket.socket) -> Channel:
    return Channel(cast(BinaryIO, end.makefile("rb")), cast(BinaryIO, end.makefile("wb")))


def _seconds(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun
