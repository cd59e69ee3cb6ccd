"""Two stores that meet over pipes: the first time, with nothing new, with one changed row, and verified;
and what others wait for meanwhile."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from signal import SIGTERM
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import BinaryIO, cast

from bench.hooks import BARE_ISOLATED, HOOK, event, runner
from bench.memories import NOW, fill
from bench.report import Section, environment, interleaved, middle, ms
from memtui.store import Store
from memtui.store.leaves.sync.channel import Channel, SyncError, Wishes
from memtui.store.leaves.sync.exchange import answer, begin

ROUNDS = 30
MEM = Path(sys.executable).with_name("mem")
SSH = '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n'
"""A program in place of ssh: what answers runs on this machine."""


def measure(paths: list[Path]) -> list[Section]:
    """The exchange of all rows of a store with an empty one, and what comes after; of two stores that have
    as many rows each, by each carrier; then what a hook and a search take beside it."""
    return [_exchanges(paths), _both_ways(paths[-1]), _beside(paths[-1])]


def _exchanges(paths: list[Path]) -> Section:
    return Section(
        "Sync",
        "Two stores over a pair of sockets, a process each, without ssh's own time. All rows: a CPU second "
        "of whoever sends and of whoever stores and indexes them; then seconds for nothing new, for one "
        "changed row, and to verify that both are equal; and the most memory of either.",
        ("observations", "sent a CPU s", "stored a CPU s", "nothing new", "one row", "verify", "MB"),
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


def _both_ways(path: Path) -> Section:
    """Two stores, each with as many rows of its own, until both have all."""
    with TemporaryDirectory() as folder, Store.open(path) as store:
        count = int(store.db.execute("SELECT count(*) FROM observations").get)
        other = Path(folder) / "other.db"
        # Of the same sources, a moment later: other sessions, other uids.
        fill(other, count, now=NOW + 1_000, prefix="other")
        rows = 2 * (count + int(store.db.execute("SELECT count(*) FROM sessions").get))
        lines = [_by(carrier, path, other, rows) for carrier in CARRIERS]
    return Section(
        "Sync both ways",
        f"Two stores of {count:,} observations each, none of them in both, until each has all, by `mem "
        "sync`. The CPU seconds of all processes on both machines (git's own and those of a program in "
        "place of ssh too), the rows that came in a CPU second, and the most memory that one took.",
        ("by", "rows in", "CPU s", "rows a CPU s", "MB"),
        lines,
    )


CARRIERS = ("ssh", "folder", "sealed folder", "git")


def _by(carrier: str, path: Path, other: Path, rows: int) -> tuple[str, ...]:
    with TemporaryDirectory() as folder:
        there = Path(folder)
        stores = [there / "ours.db", there / "theirs.db"]
        for source, target in zip((path, other), stores, strict=True):
            shutil.copyfile(source, target)
        shell = os.environ | {"PATH": f"{there}:{MEM.parent}:{os.environ['PATH']}"}
        if carrier == "ssh":
            (there / "ssh").write_text(SSH)
            (there / "ssh").chmod(0o755)
            commands = [[stores[0], "ssh", f"there:{stores[1]}"]]
        else:
            shared = [there / "shared"] * 2
            options = []
            if carrier == "git":
                bare, shared = there / "shared.git", [there / "one", there / "two"]
                _run("git", "init", "--quiet", "--bare", "--initial-branch=main", str(bare))
                for clone in shared:
                    _run("git", "clone", "--quiet", str(bare), str(clone))
                    _run("git", "-C", str(clone), "checkout", "--quiet", "-B", "main")
                options = ["--git"]
            else:
                shared[0].mkdir()
            if carrier == "sealed folder":
                import pyrage

                (there / "key").write_text(str(pyrage.x25519.Identity.generate()))
                options = ["--key", str(there / "key")]
            commands = [[stores[side], "folder", str(shared[side]), *options] for side in (0, 1, 0)]
        seconds = memory = 0.0
        for store, *arguments in commands:
            taken, held = _usage([str(MEM), "--db", str(store), "sync", *map(str, arguments)], shell)
            seconds, memory = seconds + taken, max(memory, held)
        for name in stores:
            with Store.open(name) as store:
                assert 2 * int(store.db.execute("SELECT count(*) FROM observations").get) >= rows * 0.9
    return (carrier, f"{rows:,}", f"{seconds:.0f}", f"{rows / seconds:,.0f}", f"{memory:.0f}")


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def _usage(command: list[str], shell: dict[str, str]) -> tuple[float, float]:
    """Return the CPU seconds of a command and all that it started, and the most memory of one of them, in
    MB."""
    process = subprocess.Popen(command, env=shell, stdout=subprocess.DEVNULL)
    _number, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{command} ended with {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _beside(path: Path) -> Section:
    """A hook and a search on a store that rows come into, and afterwards, each in turn with what does next
    to nothing."""
    with TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.db", Path(folder) / "theirs.db"
        shutil.copyfile(path, ours)
        Store.open(theirs).close()
        if (child := os.fork()) == 0:
            _meet(ours, theirs)
            os._exit(0)
        with Store.open(theirs) as store:
            while not store.observations.recent(limit=1):
                sleep(0.1)
        meanwhile = _waits(theirs)
        os.kill(child, SIGTERM)
        os.waitpid(child, 0)
        alone = _waits(theirs)
    return Section(
        "Beside a sync",
        "What a hook and a search wait for, in ms, alone and while the rows of another store come in, each "
        f"in turn with a bare interpreter, {ROUNDS} times; and the ratios.",
        ("", "alone", "ratio", "beside a sync", "ratio"),
        [
            (name, ms(one), f"{one / bare:.2f}", ms(other), f"{other / other_bare:.2f}")
            for name, (one, bare), (other, other_bare) in zip(
                ("a hook", "a search"), alone, meanwhile, strict=True
            )
        ],
    )


def _waits(path: Path) -> list[tuple[float, float]]:
    """Return the ms of a hook and of a search, each with those of a bare interpreter."""
    shell = environment(path)
    bare = runner(BARE_ISOLATED, b"", shell)
    with Store.open(path) as store:
        calls: list[Callable[[], object]] = [
            runner(HOOK, event(3_000), shell),
            lambda: store.find("token refresh").page(limit=20).hits,
        ]
        pairs = [interleaved(call, bare, ROUNDS) for call in calls]
    return [(middle(ours), middle(theirs)) for ours, theirs in pairs]


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
        with Store.open(theirs) as store, suppress(SyncError):
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
