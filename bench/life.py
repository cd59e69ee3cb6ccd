"""`python -m bench.life`: a browser that stays open, and queries that take long.

    python -m bench.life --only log        the log's length while processes write beside the browser
    python -m bench.life --only memory     resident memory through random keys, and an empty app's
    python -m bench.life --only queries    generated queries of prefixes, exclusions and alternatives

Random keys and queries come of `--seed`.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, perf_counter, thread_time

from bench.browser import EMPTY_APP, MEMTUI
from bench.memories import Memories, fill
from bench.report import Section, environment, ms, percentile
from bench.terminal import Terminal
from memtui.store import Store
from tests.hostile import hostile_texts

WRITERS = 8
WRITES = 10_000
KEYS = 6_000
ROWS = 3_000
QUERIES = 300
STORED = 20_000
TYPED = (
    *("j k g G p d u x o s t f n w i a b / ? [ ] ' 1 2 3 4 5 6 7 令".split(" ")),
    *("\x1b[A \x1b[B \x1b[C \x1b[D \x1b[5~ \x1b[6~ \x1b[Z \x1b \r \t \x7f \x15 \x0c \x12".split(" ")),
)
"""No `q`, and nothing that opens an editor."""
WRITER = """
import sys
from bench.memories import Memories
from memtui.store import Store
source = Memories(int(sys.argv[2]))
with Store.open(sys.argv[1]) as store:
    for number in range(int(sys.argv[3])):
        text = source.text(120, number % 5 == 0)
        store.observations.add("c-" + sys.argv[2], title=f"memory {number}", narrative=text)
"""


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.life", description=__doc__)
    parser.add_argument("--only", choices=("log", "memory", "queries"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keys", type=int, default=KEYS)
    parser.add_argument("--writes", type=int, default=WRITES)
    chosen = parser.parse_args()
    draw = random.Random(chosen.seed)
    parts: dict[str, Callable[[Path], Section]] = {
        "log": lambda folder: log(folder / "memory.db", draw, chosen.writes),
        "memory": lambda folder: memory(folder / "memory.db", draw, chosen.keys),
        "queries": lambda folder: queries(folder / "memory.db", draw),
    }
    for name, measure in parts.items():
        if chosen.only in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                print(measure(Path(folder)).markdown(), flush=True)


def log(path: Path, draw: random.Random, writes: int) -> Section:
    """The log's length while processes write and keys are pressed."""
    fill(path, 500)
    file = Path(f"{path}-wal")
    longest, spent = 0, monotonic()
    with Terminal([MEMTUI], environment(path)) as terminal:
        terminal.quiet(1.0, 10)
        command = [sys.executable, "-c", WRITER, str(path)]
        share = str(writes // WRITERS)
        running = [subprocess.Popen([*command, str(one), share]) for one in range(WRITERS)]
        while any(one.poll() is None for one in running):
            terminal.send(draw.choice("tokens \x7f\x7f"))
            terminal.quiet(0.02, 0.1)
            longest = max(longest, file.stat().st_size)
        spent = monotonic() - spent
        terminal.quiet(1.0, 5.0)
        after = file.stat().st_size
    failed = sum(one.returncode != 0 for one in running)
    return Section(
        "The log beside an open browser",
        f"MB of the write-ahead log while {WRITERS} processes write {writes:,} memories.",
        ("longest", "seconds later", "writers that failed", "seconds"),
        [(f"{longest / 1e6:.1f}", f"{after / 1e6:.1f}", f"{failed}", f"{spent:.0f}")],
    )


def memory(path: Path, draw: random.Random, keys: int) -> Section:
    """Resident memory through random keys, over rows of which some are hostile."""
    _hostile(path)
    with Terminal([sys.executable, "-c", EMPTY_APP], environment(path)) as terminal:
        terminal.wait_for("ready")
        terminal.quiet()
        empty = terminal.memory_mb()
    rows = []
    with Terminal([MEMTUI], environment(path)) as terminal:
        terminal.quiet(1.5, 6)
        rows.append(("at the start", terminal.memory_mb()))
        for number in range(1, keys + 1):
            terminal.send(draw.choice(TYPED))
            if number % 2 == 0:
                terminal.quiet(0.03, 0.3)
            if terminal.memory_mb() == 0:
                rows.append((f"ended at key {number:,}", 0.0))
                break
            if number % 1_000 == 0:
                terminal.quiet(0.5, 2)
                rows.append((f"after {number:,}", terminal.memory_mb()))
    return Section(
        "The browser's memory through random keys",
        f"Resident MB, over {ROWS:,} memories and every hostile text.",
        ("keys", "MB", "over an empty app"),
        [(name, f"{size:.0f}", f"{size / empty:.2f}") for name, size in rows],
    )


def queries(path: Path, draw: random.Random) -> Section:
    """Measure queries that many memories match and few pass: median, 99th percentile, slowest, in ms."""
    fill(path, STORED)
    taken: list[tuple[float, float]] = []
    slowest = ("", 0.0)
    with Store.open(path, read_only=True) as store:
        for query in _generated(store, draw):
            start, used = perf_counter(), thread_time()
            for hit in store.find(query).page(limit=50, related=True).hits:
                hit.snippet  # noqa: B018 - made when it is asked for
            one = (thread_time() - used) * 1000, (perf_counter() - start) * 1000
            taken.append(one)
            slowest = max(slowest, (query, one[0]), key=lambda pair: pair[1])
    rows = []
    for place, name in enumerate(("of the processor", "in all")):
        ordered = sorted(pair[place] for pair in taken)
        rows.append((name, *(ms(percentile(ordered, part)) for part in (0.5, 0.95, 0.99, 1))))
    return Section(
        "Queries of prefixes, exclusions and alternatives",
        f"{len(taken):,} queries on {STORED:,} memories, ms; the slowest: `{slowest[0]}`.",
        ("ms", "p50", "p95", "p99", "slowest"),
        rows,
    )


def _generated(store: Store, draw: random.Random) -> Iterator[str]:
    hits = [hit for at in range(0, STORED, 97) for hit in store.find("").page(at, 1).hits]
    words = sorted({word for hit in hits for word in hit.row.title.split()})
    rare = [word for word in words if word.isascii() and len(word) > 5]

    def start(shortest: int = 2) -> str:
        return draw.choice(rare)[: draw.randint(shortest, 5)]

    def character() -> str:
        return draw.choice("令牌刷新缓存库扣的了一")

    for _ in range(QUERIES // 5):
        yield f"{' '.join(start(3) for _ in range(5))} -{draw.choice(words)} -{start()}"
        yield f"{' '.join(start() + '*' for _ in range(5))} -{start()}"
        yield f"{' OR '.join(start() for _ in range(5))} -{start()} -{draw.choice(words)}"
        yield f'"{draw.choice(words)}" {start()} -"{draw.choice(words)}" {character()}'
        yield f"{character()} {character()} OR {character()} -{character()}"


def _hostile(path: Path) -> None:
    source = Memories(3)
    with Store.open(path) as store, store.transaction():
        for number in range(ROWS):
            store.observations.add(
                f"c-{number // 40}",
                title=source.text(8, number % 5 == 0),
                narrative=source.text(80, number % 5 == 0),
                project=f"p{number % 9}",
                files_read=[f"src/a{number % 40}.py"],
            )
        for _, text in hostile_texts():
            store.observations.add("c-h", title=text[:2_000] or "x", narrative=text)
            store.prompts.add("c-h", text=text or "x")


if __name__ == "__main__":
    main()
