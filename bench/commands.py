"""Whole processes: the commands that hooks and people start, against a bare interpreter."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from .memories import fill
from .report import Section, environment, interleaved, middle, ms

ROUNDS = 25
MEM = str(Path(sys.executable).with_name("mem"))


def measure() -> Section:
    """Each command in turn with the process it is compared to."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        fill(path, 5_000)
        shell = environment(path)
        add = [MEM, "add", "Bench observation", "--type", "note", "--project", "bench"]
        bare = [sys.executable, "-c", "pass"]
        pairs: dict[str, tuple[Sequence[str], Sequence[str], str]] = {
            "mem add": (add, bare, "python -c pass"),
            "mem search": ([MEM, "search", "token", "-n", "5"], bare, "python -c pass"),
            "mem --help": ([MEM, "--help"], bare, "python -c pass"),
        }
        rows = []
        for name, (command, other, label) in pairs.items():
            ours, theirs = interleaved(_runner(command, shell), _runner(other, shell), ROUNDS)
            rows.append(
                (
                    name,
                    ms(middle(ours)),
                    label,
                    ms(middle(theirs)),
                    f"{middle(ours) / middle(theirs):.2f}",
                )
            )
    return Section(
        "Commands",
        "Milliseconds of a whole process, from its start to its end; a store of 5,000.",
        ("command", "p50", "against", "p50", "ratio"),
        rows,
    )


def _runner(command: Sequence[str], shell: dict[str, str]) -> Callable[[], object]:
    return lambda: subprocess.run(
        command,
        env=shell,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        check=True,
    )
