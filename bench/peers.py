"""Other programs on the same memories: what a search costs in theirs, and in ours in turn with it.

`make bench-peers` gets those that indexes of packages have; what isn't on PATH is left out.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import apsw

from bench.hooks import MEM, cpu
from bench.report import Section, environment, middle, ms

ROUNDS = 15
HITS = 20
SEARCHES = {
    "a common word": ("token",), "three words": ("token", "refresh", "session"), "Chinese": ("缓存",),
}  # fmt: skip
TEXTS = "SELECT id, title, coalesce(narrative, '') FROM observations"
INDEXED = """
CREATE TABLE memories (id INTEGER PRIMARY KEY, title, narrative);
CREATE VIRTUAL TABLE memories_fts USING fts5(title, narrative, content="memories", content_rowid=id);
"""


class Files(NamedTuple):
    """The same texts as a table with SQLite's own index of words, and as a line each."""

    table: Path
    lines: Path


class Peer(NamedTuple):
    """A program that searches: what it is called with for some words, and what it can't find."""

    command: Callable[[Files, Sequence[str]], tuple[str, ...]]
    misses: tuple[str, ...] = ()


PEERS = {
    "sqlite-utils": Peer(
        lambda files, words: (
            *("sqlite-utils", "search", str(files.table), "memories", " ".join(words)),
            *("--limit", str(HITS)),
        ),
        misses=("Chinese",),
    ),
    "sqlite3": Peer(
        lambda files, words: (
            *("sqlite3", "-readonly", str(files.table)),
            f"SELECT memories.* FROM memories_fts JOIN memories ON id = memories_fts.rowid "
            f"WHERE memories_fts MATCH '{' '.join(words)}' ORDER BY rank LIMIT {HITS}",
        ),
        misses=("Chinese",),
    ),
    # Lines that hold the words in this order: it knows no other way to ask for several.
    "rg": Peer(
        lambda files, words: (*("rg", "-i", "-m", str(HITS), ".*".join(words), str(files.lines)),)
    ),
    "fzf": Peer(
        lambda files, words: (
            *("sh", "-c", 'fzf --filter "$1" <"$2" | head -n "$3"', "sh"),
            *(" ".join(words), str(files.lines), str(HITS)),
        )
    ),
}


def measure(large: Path) -> Section:
    """Each program that is on PATH, on the observations of the store at `large`."""
    with TemporaryDirectory() as folder:
        files = _files(large, Path(folder))
        rows = list(_rows(large, files))
    return Section(
        "Beside other programs",
        "CPU milliseconds of a whole process that prints the first 20 of 100,000 memories that hold some "
        "words, in turn with `mem search` in a pipe. sqlite-utils and sqlite3 have an index of words, "
        "which finds no part of one and no Chinese; rg and fzf read every line, and rg ranks nothing.",
        ("program", "search", "CPU p50", "mem search", "theirs over ours"),
        rows,
    )


def _rows(large: Path, files: Files) -> Iterator[tuple[str, ...]]:
    shell = environment(large)
    for name, peer in PEERS.items():
        if shutil.which(name) is None:
            continue
        version = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
        number = version.removeprefix("ripgrep").removeprefix(f"{name}, version").split()[0]
        for search, words in SEARCHES.items():
            if search in peer.misses:
                continue
            both = [
                (
                    cpu(peer.command(files, words), b"", shell),
                    cpu((MEM, "search", *words, "-n", str(HITS)), b"", shell),
                )
                for _ in range(ROUNDS)
            ]
            theirs, ours = (middle(side) for side in zip(*both, strict=True))
            yield f"{name} {number}", search, ms(theirs), ms(ours), f"{theirs / ours:.2f}"


def _files(large: Path, folder: Path) -> Files:
    files = Files(folder / "texts.db", folder / "texts.txt")
    source = apsw.Connection(str(large), flags=apsw.SQLITE_OPEN_READONLY)
    texts = source.execute(TEXTS).fetchall()
    source.close()
    db = apsw.Connection(str(files.table))
    db.execute(INDEXED)
    with db:
        db.executemany("INSERT INTO memories VALUES (?, ?, ?)", texts)
        db.execute("INSERT INTO memories_fts (memories_fts) VALUES ('rebuild')")
    db.close()
    files.lines.write_text("".join(f"{' '.join(f'{t} {n}'.split())}\n" for _, t, n in texts))
    return files
