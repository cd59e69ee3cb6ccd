"""The browser that nobody uses: its memory, after a start and after long use, and its CPU time."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.browser import EMPTY_APP, MEMTUI, environment_of, size_of
from bench.report import Section
from bench.terminal import Terminal

REST = 10.0
"""Seconds after the last key when memory is read."""
IDLE = 60.0
WORDS = (
    "token refresh session cache redis retry cursor timeout schema worker payment ledger 缓存 令牌"
).split()
SCREENS = ("2", "3", "4", "6", "7", "8", "1")
PAGES = 150


def measure(paths: list[Path]) -> Section:
    """Memory and CPU time at rest, of an empty app and of the browser on each store."""
    memory, cpu = _empty(paths[0])
    rows = [("an empty Textual app", f"{memory:.1f}", "1.00", "", "", f"{cpu:.2f}", "")]
    for path in paths:
        before, after, in_query, in_list = _ours(path)
        rows.append(
            (
                f"memtui on {size_of(path)}",
                f"{before:.1f}",
                f"{before / memory:.2f}",
                f"{after:.1f}",
                f"{after / memory:.2f}",
                f"{in_query:.2f}",
                f"{in_list:.2f}",
            )
        )
    return Section(
        "At rest",
        f"Resident memory in MB {REST:.0f} s after the start, and {REST:.0f} s after {2 * len(WORDS)} "
        f"searches, {PAGES} screenfuls and all screens; CPU seconds in {IDLE:.0f} s without a key.",
        (
            "what",
            "MB",
            "over an empty app",
            "after use",
            "over an empty app",
            "CPU, cursor in the query",
            "in the list",
        ),
        rows,
    )


def _empty(path: Path) -> tuple[float, float]:
    with Terminal([sys.executable, "-c", EMPTY_APP], environment_of(path)) as terminal:
        terminal.wait_for("ready")
        terminal.read_for(REST)
        return terminal.memory_mb(), _idle(terminal)


def _ours(path: Path) -> tuple[float, float, float, float]:
    with Terminal([MEMTUI], environment_of(path)) as terminal:
        terminal.wait_for("Palette")
        terminal.read_for(REST)
        before = terminal.memory_mb()
        in_query = _idle(terminal)
        _use(terminal)
        terminal.read_for(REST)
        return before, terminal.memory_mb(), in_query, _idle(terminal)


def _idle(terminal: Terminal) -> float:
    before = terminal.cpu_seconds()
    terminal.read_for(IDLE)
    return terminal.cpu_seconds() - before


def _use(terminal: Terminal) -> None:
    """Search, page through lists and open all screens, and end in the list of the search."""
    for word in WORDS * 2:
        for letter in word:
            terminal.send(letter)
            terminal.read_for(0.05)
        terminal.quiet()
        terminal.send("\x15")
        terminal.quiet()
    terminal.send("\r")
    for key in ("\x1b[6~",) * PAGES:
        terminal.send(key)
        terminal.read_for(0.03)
    for key in (*(f"\x1b{screen}" for screen in SCREENS), "D", "D"):
        terminal.send(key)
        terminal.quiet()
        for row in "j" * 20:
            terminal.send(row)
            terminal.read_for(0.03)
    for key in ("\x1bOP", "\x10", "m", "H"):
        terminal.send(key)
        terminal.quiet()
        terminal.send("\x1b")
        terminal.quiet()
