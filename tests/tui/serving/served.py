"""A `memtui serve` of a test's own, as a process."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from memtui.store import Store
from tests.places import PYTHONPATH

PATIENCE = 30.0
TITLE = "Clockdrift"


class Served:
    """A running server: its process, port and token."""

    def __init__(self, process: subprocess.Popen[str], told: str) -> None:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]+)", told)
        assert found, told
        self.process = process
        self.address, self.port, self.token = found[0], int(found[1]), found[2]

    @property
    def socket(self) -> str:
        """The address of a client's socket."""
        return f"http://127.0.0.1:{self.port}/ws/{self.token}"

    def clients(self) -> list[int]:
        """The processes that it has started and that are still there."""
        place = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        if not place.exists():
            pytest.skip("needs Linux's /proc, which tells the children of a process")
        return [int(number) for number in place.read_text().split()]


def until(holds: object, what: str) -> None:
    """Wait until something called holds."""
    assert callable(holds)
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end, what
        sleep(0.05)


def is_there(process: int) -> bool:
    """Whether a process still runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Serve a memory with one observation, and end it with the block."""
    path = folder / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title=TITLE)
    environment = os.environ | {"HOME": str(folder), "PYTHONPATH": PYTHONPATH, "MEMTUI_DB": str(path)}
    environment.pop("TEXTUAL_DRIVER", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui.tui", "serve"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        cwd=folder, env=environment,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield Served(process, process.stdout.readline())
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
