"""A whole command: how long it takes, and the most memory that it holds."""

import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from bench.report import environment


class Run(NamedTuple):
    """Seconds that a command took, and the most memory it held, in MB."""

    seconds: float
    megabytes: float


WAITING = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""
"""Run by a process of its own: on Linux, what whoever starts a program held counts as the program's."""


def run(memory: Path, *arguments: str) -> Run:
    """Run `mem` on a memory."""
    start = perf_counter()
    command = [sys.executable, "-m", "memtui.store.cli", *arguments]
    done = subprocess.run(
        [sys.executable, "-c", WAITING, *command],
        env=environment(memory),
        capture_output=True,
        check=True,
        text=True,
    )
    code, held = map(int, done.stdout.split())
    if code:
        raise RuntimeError(f"mem {' '.join(arguments)} failed")
    # Linux counts in KB, macOS in bytes.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Run(perf_counter() - start, held / unit)
