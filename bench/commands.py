"""Whole processes: the commands that hooks, agents and people start, against a bare interpreter."""

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.hooks import BARE, MEM, runner
from bench.memories import fill
from bench.report import Section, environment, interleaved, middle, ms

ROUNDS = 25

PAGE = Path(__file__).parents[1] / "docs" / "import-and-export.md"
LONGEST_NAME = 60

LINES_ADDED = {
    "mem add, a plain line": ("add", "Bench observation", "--type", "note", "--project", "bench"),
    "mem add, Chinese": ("add", "修复令牌刷新的命令", "--concept", "加密", "--project", "bench"),
}
HELD = {
    "mem add": "2", "mem --version": "2", "mem --help": "6.5", "mem search": "6", "reading: mem": "6.5",
}  # fmt: skip
"""The ratio that a command whose name begins so is held to."""

READING = (
    "show 12", "show 12 --json", "timeline 12", "session list", "session show 12", "fact list",
    "fact list --json", "note list", "project list", "stats", "stats --json", "context --project bench",
    "history", "trash list", "queue list", "exclude", "tail --no-follow", "search token --facets",
    "handoff 12", "config list", "embeddings status",
)  # fmt: skip
"""Commands that only read."""

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
        written = {**{name: (line, b"") for name, line in LINES_ADDED.items()}, **dict(_examples())}
        rows = [_row(name, small, line, given) for name, (line, given) in written.items()]
        rows += [_row(f"mem {line}", small, (line,)) for line in ("--version", "--help")]
        rows += [_row(f"mem search: {name}", large, ("search", *query)) for name, query in SEARCHES.items()]
        rows += [_row(f"reading: mem {line}", large, line.split()) for line in READING]
    return Section(
        "Commands",
        "Milliseconds of a whole process, from its start to its end, against `python -c pass`. "
        "What docs/import-and-export.md writes by hand is measured line by line. "
        "Searches give 20 hits of 100,000 observations, into a pipe; what else reads, reads these.",
        ("command", "p50", "bare p50", "ratio", "hold at most"),
        rows,
    )


def _examples() -> Iterator[tuple[str, tuple[Sequence[str], bytes]]]:
    """The page's lines that write by hand: name, arguments, standard input."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (block,) = (block for block in blocks if "\nmem summary " in block)
    for line in block.replace("\\\n", "").strip().split("\n"):
        before, _, command = line.rpartition("| ")
        words = shlex.split(command, comments=True)[1:]
        given = f"{shlex.split(before)[1]}\n" if before else ""
        yield f"by hand: {shlex.join(('mem', *words))[:LONGEST_NAME]}", (words, given.encode())


def _row(name: str, memory: Path, arguments: Sequence[str], given: bytes = b"") -> tuple[str, ...]:
    shell = environment(memory)
    one, other = runner((MEM, *arguments), given, shell), runner(BARE, b"", shell)
    ours, bare = map(middle, interleaved(one, other, ROUNDS))
    command = name.removeprefix("by hand: ")
    hold = next((hold for start, hold in HELD.items() if command.startswith(start)), "")
    return name, ms(ours), ms(bare), f"{ours / bare:.2f}", hold
