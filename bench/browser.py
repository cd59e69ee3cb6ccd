"""The browser in a real terminal: first paint, key to results, key to the next row, memory."""

import sys
from pathlib import Path

from bench.report import Section, environment, middle, ms, percentile
from bench.terminal import Terminal
from memtui.store import Store, parse
from memtui.tui.search.providers import FIRST_HITS

ROUNDS = 3
MOVES = 10
QUERIES = 8
SILENT = 0.2
"""Seconds in which nothing is painted when the answer to a key is there."""
MEMTUI = str(Path(sys.executable).with_name("memtui"))
IMPORT_ONLY = "import textual.app; print('imported', flush=True); input()"
EMPTY_APP = """
from textual.app import App
from textual.widgets import Label

class Empty(App[None]):
    BINDINGS = [("j", "mark", "")]
    def compose(self):
        yield Label("ready")
    def action_mark(self):
        self.query_one(Label).update("moved")

Empty().run()
"""


def measure(paths: list[Path]) -> list[Section]:
    """First paint and memory, then keys, for stores of each size."""
    return [_paint(paths), _keys(paths)]


def environment_of(path: Path) -> dict[str, str]:
    """Return the environment of a browser on a memory, with its own frame rate."""
    return environment(path) | {"TEXTUAL_FPS": "120"}


def _newest_title(path: Path) -> str:
    with Store.open(path, read_only=True) as store:
        return store.find("").rows(0, 1)[0].title[:20]


def _first_paint(command: list[str], marker: str, path: Path) -> tuple[float, float]:
    with Terminal(command, environment_of(path)) as terminal:
        painted = terminal.wait_for(marker)
        taken = (painted - terminal.started) * 1000
        terminal.quiet()
        return taken, terminal.memory_mb()


def _paint(paths: list[Path]) -> Section:
    markers = {path: _newest_title(path) for path in paths}
    bare: list[float] = []
    empty: list[tuple[float, float]] = []
    whole: list[tuple[float, float]] = []
    ours: dict[Path, list[tuple[float, float]]] = {path: [] for path in paths}
    for path in paths:
        _first_paint([MEMTUI], markers[path], path)
    for _ in range(ROUNDS):
        bare.append(_first_paint([sys.executable, "-c", IMPORT_ONLY], "imported", paths[0])[0])
        empty.append(_first_paint([sys.executable, "-c", EMPTY_APP], "ready", paths[0]))
        for path in paths:
            ours[path].append(_first_paint([MEMTUI], markers[path], path))
        whole.append(_first_paint([MEMTUI], "Palette", paths[-1]))
    base = middle(bare)
    idle = middle([memory for _, memory in empty])
    rows = [
        ("a process that imports textual.app", ms(base), "1.00", "", ""),
        _paint_row("an empty Textual app", empty, base, idle),
        *(_paint_row(f"memtui on {size_of(path)}", ours[path], base, idle) for path in paths),
        _paint_row("memtui, every part of its screen", whole, base, idle),
    ]
    return Section(
        "First paint",
        "Milliseconds from starting the process to the newest memory's title on the screen of a "
        "pseudo-terminal, and resident memory once it is idle. The titles come first, the rest of "
        "the screen when Textual is imported.",
        ("what", "p50", "over the import", "MB", "over an empty app"),
        rows,
    )


def _paint_row(name: str, found: list[tuple[float, float]], base: float, idle: float) -> tuple[str, ...]:
    taken = middle([time for time, _ in found])
    memory = middle([size for _, size in found])
    return name, ms(taken), f"{taken / base:.2f}", ms(memory), f"{memory / idle:.2f}"


def _keys(paths: list[Path]) -> Section:
    rows = [("an empty app, key to paint", *_spread(_empty_keys()), "")]
    for path in paths:
        size = size_of(path)
        move, results, before, after = _ours(path)
        rows.append((f"next row, {size}", *_spread(move), ""))
        rows.append((f"last letter of a query to its first result, {size}", *_spread(results), ""))
        rows.append((f"memory after paging through, {size}", "", "", f"{before:.0f} → {after:.0f} MB"))
    return Section(
        "Keys",
        "Milliseconds from a key sent to the terminal to what it changes on the screen (a frame at "
        "120 a second is 8.3 ms).",
        ("what", "p50", "p95", ""),
        rows,
    )


def _spread(found: list[float]) -> tuple[str, str]:
    ordered = sorted(found)
    return ms(middle(ordered)), ms(percentile(ordered, 0.95))


def _empty_keys() -> list[float]:
    found = []
    with Terminal([sys.executable, "-c", EMPTY_APP], environment_of(Path())) as terminal:
        terminal.wait_for("ready")
        terminal.quiet()
        found.append(_after(terminal, "j", "moved"))
    return found * 2


def _after(terminal: Terminal, keys: str, marker: str) -> float:
    from time import perf_counter

    terminal.send(keys)
    sent = perf_counter()
    return (terminal.wait_for(marker) - sent) * 1000


def _ours(path: Path) -> tuple[list[float], list[float], float, float]:
    from time import perf_counter

    queries = _queries(path)
    move, results = [], []
    with Terminal([MEMTUI], environment_of(path)) as terminal:
        terminal.wait_for(_newest_title(path))
        terminal.quiet(1.0)
        for query, title in queries:
            terminal.send(query[:-1])
            terminal.quiet(SILENT)
            results.append(_after(terminal, query[-1], title))
            terminal.quiet(SILENT)
            terminal.send("\x15")
            terminal.quiet(SILENT)
        terminal.send("\r")
        terminal.quiet()
        before = terminal.memory_mb()
        for _ in range(MOVES):
            terminal.send("j")
            sent = perf_counter()
            move.append((terminal.wait_until(lambda painted: "▌" in painted) - sent) * 1000)
            terminal.quiet(SILENT)
        for _ in range(60):
            terminal.send("\x1b[6~")
            terminal.quiet(0.03)
        terminal.send("G")
        terminal.quiet()
        return move, results, before, terminal.memory_mb()


def _queries(path: Path) -> list[tuple[str, str]]:
    """Queries whose first hit is another than before their last letter, with its title.

    They are asked for as the browser asks: which hit is the first depends on how many are.
    """
    found = []
    words = "token refresh session cache redis retry cursor timeout schema worker payment ledger".split()
    with Store.open(path, read_only=True) as store:

        def titles(text: str) -> list[str]:
            results = store.find(parse(text, typing=True)).page(limit=FIRST_HITS, related=True, turns=True)
            return [hit.row.title[:16] for hit in results.hits]

        for word in [*words, "缓存", "令牌", "token refresh", "redis retry"]:
            hits = titles(word)
            if hits and hits[0] not in titles(word[:-1]):
                found.append((word, hits[0]))
    return found[:QUERIES]


def size_of(path: Path) -> str:
    """Return how many observations a store has, as tables say it."""
    with Store.open(path, read_only=True) as store:
        return f"{store.stats().observations:,}"
