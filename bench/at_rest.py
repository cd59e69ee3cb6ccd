"""The browser that nobody uses: its memory, after a start and after an hour's use, and its CPU time."""

import sys
from pathlib import Path
from typing import NamedTuple

from bench.browser import EMPTY_APP, MEMTUI, environment_of, size_of
from bench.report import Section
from bench.terminal import Terminal
from memtui.store import Store

REST = 5.0
"""Seconds after the last key when memory is read."""
IDLE = 5.0
WORDS = (
    "token refresh session cache redis retry cursor timeout schema worker payment ledger 缓存 令牌"
).split()
SCREENS = ("2", "3", "4", "6", "7", "8", "1")
PAGES = 150
ROUNDS = 2
"""So often all of that is done: some 1,000 keys in each browser."""


class Use(NamedTuple):
    """Figures of two browsers. The first: MB at the start, after use and at most, and CPU seconds with the
    cursor in the query and in the list. The second: MB after use. Both: MB of the log at most."""

    start: float
    after: float
    most: float
    in_query: float
    in_list: float
    beside: float
    log: float


def measure(paths: list[Path]) -> Section:
    """Memory and CPU time at rest, of an empty app and of two browsers on the largest store."""
    memory, cpu = _empty(paths[0])
    rows = [("an empty Textual app", f"{memory:.1f}", "1.00", *[""] * 5, f"{cpu:.2f}", "")]
    for path in paths[-1:]:
        use = _ours(path)
        rows.append(
            (
                f"memtui on {size_of(path)}",
                f"{use.start:.1f}",
                f"{use.start / memory:.2f}",
                f"{use.after:.1f}",
                f"{use.after / memory:.2f}",
                f"{use.most:.1f}",
                f"{use.beside:.1f}",
                f"{use.log:.1f}",
                f"{use.in_query:.2f}",
                f"{use.in_list:.2f}",
            )
        )
    return Section(
        "At rest",
        f"Resident memory in MB {REST:.0f} s after the start, and {REST:.0f} s after {ROUNDS} times "
        f"{2 * len(WORDS)} searches, {PAGES} screenfuls, all screens and a new memory, in two browsers at "
        f"once; CPU seconds in {IDLE:.0f} s without a key.",
        (
            "what",
            "MB",
            "over an empty app",
            "after use",
            "over an empty app",
            "at most",
            "the other browser",
            "the log at most",
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


def _ours(path: Path) -> Use:
    shell, log = environment_of(path), 0
    with Terminal([MEMTUI], shell) as first, Terminal([MEMTUI], shell) as second:
        for terminal in (first, second):
            terminal.wait_for("Palette")
            terminal.read_for(REST)
        start, in_query = first.memory_mb(), _idle(first)
        for number in range(ROUNDS):
            _use(first, second)
            with Store.open(path) as store:
                store.observations.add("bench", title=f"Bench observation {number}")
            log = max(log, Path(f"{path}-wal").stat().st_size)
        for terminal in (second, first):
            terminal.read_for(REST)
        after, most, beside = first.memory_mb(), first.most_memory_mb(), second.memory_mb()
        return Use(start, after, most, in_query, _idle(first), beside, log / 1e6)


def _idle(terminal: Terminal) -> float:
    before = terminal.cpu_seconds()
    terminal.read_for(IDLE)
    return terminal.cpu_seconds() - before


def _use(*terminals: Terminal) -> None:
    """Search, page through lists and open all screens, and end in the list of the search, in each."""

    def press(key: str, seconds: float = 0.03) -> None:
        for terminal in terminals:
            terminal.send(key)
        for terminal in terminals:
            terminal.read_for(seconds / len(terminals))

    for word in WORDS * 2:
        for letter in word:
            press(letter)
        press("", 0.2)
        press("\x15", 0.1)
    press("\r")
    for key in ("\x1b[6~",) * PAGES:
        press(key)
    for key in (*(f"\x1b{screen}" for screen in SCREENS), "D", "D"):
        press(key, 0.4)
        for row in "j" * 20:
            press(row)
    for key in ("\x1bOP", "\x10", "m", "H"):
        press(key, 0.4)
        press("\x1b", 0.2)
