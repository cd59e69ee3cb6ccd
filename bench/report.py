"""What a measurement gives: rows of named figures, as a table for the terminal and for docs."""

import os
import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import apsw


@dataclass(frozen=True, slots=True)
class Section:
    """One table: a title, a sentence on what was compared, column names, and rows of text."""

    title: str
    about: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def markdown(self) -> str:
        """The section as it stands in docs/performance.md."""
        head = f"| {' | '.join(self.columns)} |\n|{'---|' * len(self.columns)}"
        body = "\n".join(f"| {' | '.join(row)} |" for row in self.rows)
        return f"## {self.title}\n\n{self.about}\n\n{head}\n{body}\n"


def environment(path: Path) -> dict[str, str]:
    """What a measured process runs in: the user's shell, with this memory, and with the compiled
    modules that every start but the first finds."""
    found = {**os.environ, "MEMTUI_DB": str(path)}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


def times(call: Callable[[], object], rounds: int) -> list[float]:
    """How long a call takes, in ms, sorted, after one call to warm up."""
    call()
    found = []
    for _ in range(rounds):
        start = perf_counter()
        call()
        found.append((perf_counter() - start) * 1000)
    return sorted(found)


def interleaved(
    one: Callable[[], object], other: Callable[[], object], rounds: int
) -> tuple[list[float], list[float]]:
    """Both calls in turn, so that a machine's drift touches both; ms, sorted."""
    first, second = [], []
    for _ in range(rounds):
        first += times(one, 1)
        second += times(other, 1)
    return sorted(first), sorted(second)


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which `part` (0 to 1) of the sorted values lie."""
    return values[min(len(values) - 1, round(part * (len(values) - 1)))]


def middle(values: Sequence[float]) -> float:
    """The median."""
    return statistics.median(values)


def ms(value: float) -> str:
    """Milliseconds for a table."""
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def machine() -> str:
    """The machine and versions that the figures belong to."""
    return (
        f"{os.cpu_count()} cores, Python {platform.python_version()}, "
        f"SQLite {apsw.sqlite_lib_version()}, {platform.system()}"
    )
