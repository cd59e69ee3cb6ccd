"""Whole processes: the commands that hooks, agents and people start, against a bare interpreter."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.memories import fill
from bench.report import Section, environment, interleaved, middle, ms

ROUNDS = 25
MEM = str(Path(sys.executable).with_name("mem"))
BARE = (sys.executable, "-c", "pass")

SEARCHES = {
    "a common word": ("token",),
    "three words": ("token", "refresh", "session"),
    "two Chinese characters": ("缓存",),
    "words, as JSON": ("token", "refresh", "--json"),
    "a filter": ("token", "type:bugfix"),
}


def measure(large: Path) -> Section:
    """Each command in turn with a bare process; searches in the store of 100,000 at `large`."""
    with TemporaryDirectory() as folder:
        small = Path(folder) / "memory.db"
        fill(small, 5_000)
        commands: dict[str, tuple[Path, Sequence[str]]] = {
            "mem add": (
                small,
                ("add", "Bench observation", "--type", "note", "--project", "bench"),
            ),
            "mem --help": (small, ("--help",)),
        }
        commands |= {
            f"mem search: {name}": (large, ("search", *query)) for name, query in SEARCHES.items()
        }
        rows = [_row(name, *command) for name, command in commands.items()]
    return Section(
        "Commands",
        "Milliseconds of a whole process, from its start to its end, against `python -c pass`. "
        "Searches give 20 hits of 100,000 observations, into a pipe.",
        ("command", "p50", "bare p50", "ratio"),
        rows,
    )


def _row(name: str, memory: Path, arguments: Sequence[str]) -> tuple[str, ...]:
    shell = environment(memory)
    ours, bare = interleaved(_runner((MEM, *arguments), shell), _runner(BARE, shell), ROUNDS)
    return name, ms(middle(ours)), ms(middle(bare)), f"{middle(ours) / middle(bare):.2f}"


def _runner(command: Sequence[str], shell: dict[str, str]) -> Callable[[], object]:
    return lambda: subprocess.run(
        command,
        env=shell,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        check=True,
    )
