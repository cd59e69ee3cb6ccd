"""Each screen of the browser: from its key to what it paints, when it is first opened and again."""

from pathlib import Path
from time import perf_counter

from bench.browser import MEMTUI, environment_of, size_of
from bench.report import Section, middle, ms
from bench.terminal import Terminal

ROUNDS = 1
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
SILENT = 0.25
"""Seconds in which nothing is painted, and hardly any CPU time taken, when all of a screen is there."""
LONGEST = 5.0
"""Seconds that a screen is waited for at most: some paint on as long as they are open."""


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
            terminal.quiet()
            terminal.send("\r")
            terminal.quiet()
            for again in (False, True):
                for name, key in SCREENS.items():
                    terminal.send(key)
                    sent = perf_counter()
                    found[name, again].append((_whole(terminal) - sent) * 1000)
                    if name in OVER or name == "trash":
                        terminal.send("D" if name == "trash" else "\x1b")
                        terminal.quiet(SILENT)
    return found


def _whole(terminal: Terminal) -> float:
    """Read until all of a screen is painted; the moment at which it was."""
    painted, before, latest = perf_counter(), len(terminal.raw), perf_counter() + LONGEST
    end, cpu = latest, terminal.cpu_seconds()
    while (moment := perf_counter()) < min(end, latest):
        terminal.read_for(0.005)
        if len(terminal.raw) > before:
            before, painted = len(terminal.raw), moment
            end, cpu = moment + SILENT, terminal.cpu_seconds()
        elif perf_counter() >= end and terminal.cpu_seconds() - cpu > SILENT / 5:
            # It is silent because it is at work.
            end, cpu = perf_counter() + SILENT, terminal.cpu_seconds()
    return painted
