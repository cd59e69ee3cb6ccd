"""Each screen of the browser: from its key to what it paints, when it is first opened and again."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from bench.browser import MEMTUI, environment_of, size_of
from bench.report import Section, middle, ms
from bench.terminal import Terminal

ROUNDS = 5
SCREENS = {
    "timeline": "\x1b2",
    "sessions": "\x1b3",
    "facts": "\x1b4",
    "capture": "\x1b5",
    "composer": "\x1b6",
    "statistics": "\x1b7",
    "search": "\x1b1",
    "history": "H",
    "merge room": "m",
    "trash": "D",
    "help": "\x1bOP",
    "palette": "\x10",
}
"""The key of each, with Alt where it is a mode."""
OVER = ("history", "merge room", "help", "palette")
"""Those that Esc closes."""
SILENT = 0.4
"""Seconds in which nothing is painted, and hardly any CPU time taken, when all of a screen is there."""


def measure(paths: list[Path]) -> Section:
    """One row for each screen, with the figures of each store."""
    found = {path: _of(path) for path in paths}
    rows = []
    for name in SCREENS:
        first = [middle(found[path][name, False]) for path in paths]
        again = [middle(found[path][name, True]) for path in paths]
        rows.append((name, *map(ms, first), *map(ms, again), f"{again[-1] / again[0]:.1f}"))
    sizes = [size_of(path) for path in paths]
    return Section(
        "Screens",
        "Milliseconds from a screen's key to the last of what it shows, when it is first opened in a "
        "browser and when it was open before; how much longer the largest store takes than the smallest.",
        (
            "screen",
            *(f"first, {size}" for size in sizes),
            *(f"again, {size}" for size in sizes),
            "largest over smallest",
        ),
        rows,
    )


def _of(path: Path) -> dict[tuple[str, bool], list[float]]:
    found: dict[tuple[str, bool], list[float]] = {
        (name, again): [] for name in SCREENS for again in (False, True)
    }
    for _ in range(ROUNDS):
        with Terminal([MEMTUI], environment_of(path)) as terminal:
            terminal.wait_for("Palette")
            terminal.read_for(2)
            terminal.send("\r")
            terminal.quiet()
            for again in (False, True):
                for name, key in SCREENS.items():
                    terminal.send(key)
                    sent = perf_counter()
                    found[name, again].append((_whole(terminal) - sent) * 1000)
                    if name in OVER or name == "trash":
                        terminal.send("D" if name == "trash" else "\x1b")
                        terminal.quiet()
    return found


def _whole(terminal: Terminal) -> float:
    """Read until all of a screen is painted; the moment at which it was."""
    painted, cpu = perf_counter(), -1.0
    while terminal.cpu_seconds() - cpu > SILENT / 10:
        cpu, before = terminal.cpu_seconds(), len(terminal.raw)
        terminal.read_for(0.01)
        end = perf_counter() + SILENT
        while perf_counter() < end:
            if len(terminal.raw) > before:
                before, painted, end = len(terminal.raw), perf_counter(), perf_counter() + SILENT
            terminal.read_for(0.005)
    return painted
