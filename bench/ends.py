"""`python -m bench.ends --ends 200 --load 5`: is each session's summary there when the next one starts?

Sessions of every kind of agent, one after the other, while so many processes keep the machine busy.
What happens between is simulated as hooks tell it; the hooks of starts and ends are real processes,
with their real patience. The exit code is 1 where a summary is missing in the end.
"""

import argparse
import os
import posix
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from memtui.store import Store
from memtui.store.capture.ingest.catch_up import catch_up
from memtui.store.observe.jobs.worker import wait_for_worker
from tests.store.capture.ended_sessions import KINDS, told
from tests.store.capture.hooks import Machine

SETTLING_SECONDS = 30.0
"""Seconds that `settled` waits for the jobs that hooks started."""


def main() -> int:
    """Measure the kinds of agents that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.ends", description=__doc__)
    parser.add_argument("--ends", type=int, default=200, help="sessions of each kind")
    parser.add_argument("--load", type=int, default=5, help="processes that keep the machine busy")
    parser.add_argument("--only", default="", help="kinds whose name holds this")
    chosen = parser.parse_args()
    missing = 0
    print("kind", "ends", "told at next start", "stored by then", "missing", "s", sep="\t")
    with busy(chosen.load):
        for kind in KINDS:
            if chosen.only in kind:
                missing += measure(kind, chosen.ends)
    return int(missing > 0)


def measure(kind: str, ends: int) -> int:
    """Print what became of so many sessions' summaries; how many are missing."""
    began = time.monotonic()
    given = stored = starts = 0
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        machine = Machine.at(Path(folder) / "machine")
        for name, value in machine.environment(MEMTUI_HOOK_SECONDS=None).items():
            posix.environ[name.encode()] = value.encode()
        before = ""
        for number in range(ends):
            session = KINDS[kind](machine, number)
            text = session.begin(machine, MEMTUI_HOOK_SECONDS=None)
            if before and session.first is not None:
                starts += 1
                given += before in text
                stored += before in summaries(machine)
            session.end(machine, MEMTUI_HOOK_SECONDS=None)
            before = told(number)
        # One more tells that the last one is over, if nothing else does.
        KINDS[kind](machine, ends).begin(machine, MEMTUI_HOOK_SECONDS=None)
        missing = settled(machine, {told(number) for number in range(ends)})
        wait_for_worker(machine.database, SETTLING_SECONDS)
    took = time.monotonic() - began
    print(
        kind, ends, f"{given} of {starts}", f"{stored} of {starts}", len(missing), f"{took:.0f}",
        sep="\t", flush=True,
    )  # fmt: skip
    return len(missing)


def settled(machine: Machine, wanted: set[str]) -> set[str]:
    """Return the wanted texts that no summary holds, once all do or SETTLING_SECONDS are over."""
    until = time.monotonic() + SETTLING_SECONDS
    while True:
        with Store.open(machine.database) as store:
            catch_up(store, 1.0)
        found = summaries(machine)
        missing = {one for one in wanted if one not in found}
        if not missing or time.monotonic() > until:
            return missing


def summaries(machine: Machine) -> str:
    """All that summaries say."""
    with Store.open(machine.database, read_only=True) as store:
        return "\n".join(
            f"{one.request} {one.learned} {one.completed}" for one in store.summaries.recent(None, 10_000)
        )


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the machine busy while the block runs."""
    command = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(processes)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.exit(main())
