"""Other programs on the same memories: what a search costs in theirs, and in ours in turn with it; and
how many questions they answer.

`make bench-peers` gets those that indexes of packages have; what isn't on PATH is left out.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import apsw

from bench.hooks import HOOK, MEM, cpu, event
from bench.questions.peers import measure as answers
from bench.report import Section, environment, middle, ms

ROUNDS = 7
HITS = 20
MESSAGES = 1000
"""Texts that a transcript holds."""
SEARCHES = {
    "a common word": ("token",), "three words": ("token", "refresh", "session"), "Chinese": ("缓存",),
}  # fmt: skip
TEXTS = "SELECT id, title, coalesce(narrative, '') FROM observations"
INDEXED = """
CREATE TABLE memories (id INTEGER PRIMARY KEY, title, narrative);
CREATE VIRTUAL TABLE memories_fts USING fts5(title, narrative, content="memories", content_rowid=id);
"""


class Files(NamedTuple):
    """The same texts as a table with SQLite's own index of words, as a line each, and as transcripts of
    an agent in a home directory."""

    table: Path
    lines: Path
    home: Path


class Peer(NamedTuple):
    """A program that searches: what it is called with for some words, what it can't find, and what
    starts and ends its server where it has one."""

    command: Callable[[Files, Sequence[str]], tuple[str, ...]]
    misses: tuple[str, ...] = ()
    start: tuple[tuple[str, ...], ...] = ()
    end: tuple[str, ...] = ()


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
    "rg": Peer(lambda files, words: (*("rg", "-i", "-m", str(HITS), ".*".join(words), str(files.lines)),)),
    "fzf": Peer(
        lambda files, words: (
            *("sh", "-c", 'fzf --filter "$1" <"$2" | head -n "$3"', "sh"),
            *(" ".join(words), str(files.lines), str(HITS)),
        )
    ),
    "agentsview": Peer(
        lambda _, words: (
            *("agentsview", "session", "search", " ".join(words)),
            *("--fts", "--limit", str(HITS)),
        ),
        start=(("agentsview", "sync"), ("agentsview", "daemon", "start")),
        end=("agentsview", "daemon", "stop"),
    ),
}


def measure(large: Path) -> list[Section]:
    """Each program that is on PATH, on the observations of the store at `large`."""
    with TemporaryDirectory() as folder:
        files = _files(large, Path(folder))
        searches, hooks = list(_rows(large, files)), list(_hooks(Path(folder)))
    beside = Section(
        "Beside other programs",
        "CPU milliseconds of a whole process that prints the first 20 of 100,000 memories that hold some "
        "words, in turn with `mem search` in a pipe. sqlite-utils and sqlite3 have an index of words, "
        "which finds no part of one and no Chinese; rg and fzf read every line, and rg ranks nothing; "
        "agentsview asks a server of its own, whose work isn't counted.",
        ("program", "search", "CPU p50", "mem search", "theirs over ours"),
        searches,
    )
    hook = Section(
        "A hook beside claude-mem's",
        "CPU milliseconds of the process that an agent waits for at a use of a tool, in turn. Theirs hands "
        "the event to a worker that goes on running, whose work isn't counted; the shell that looks for it "
        "isn't either.",
        ("program", "CPU p50", "mem hook", "theirs over ours"),
        hooks,
    )
    return [beside, hook, answers()]


def _rows(large: Path, files: Files) -> Iterator[tuple[str, ...]]:
    shell = environment(large)
    for name, peer in PEERS.items():
        if shutil.which(name) is None:
            continue
        version = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
        number = next(word for word in version.split() if any(map(str.isdigit, word)))
        their_shell = shell | {"HOME": str(files.home)}
        for command in peer.start:
            subprocess.run(command, env=their_shell, check=True, capture_output=True)
        for search, words in SEARCHES.items():
            if search in peer.misses:
                continue
            both = [
                (
                    cpu(peer.command(files, words), b"", their_shell),
                    cpu((MEM, "search", *words, "-n", str(HITS)), b"", shell),
                )
                for _ in range(ROUNDS)
            ]
            theirs, ours = (middle(side) for side in zip(*both, strict=True))
            yield f"{name} {number}", search, ms(theirs), ms(ours), f"{theirs / ours:.2f}"
        if peer.end:
            subprocess.run(peer.end, env=their_shell, check=True, capture_output=True)


def _hooks(folder: Path) -> Iterator[tuple[str, ...]]:
    if (script := shutil.which("worker-service.cjs")) is None or shutil.which("bun") is None:
        return
    plugin = Path(script).parent.parent
    home = folder / "claude-mem"
    home.mkdir()
    theirs_shell = os.environ | {"HOME": str(home), "CLAUDE_PLUGIN_ROOT": str(plugin)}
    worker = ("node", str(plugin / "scripts/bun-runner.js"), script)
    shell = environment(folder / "hooks.db")
    cpu((*worker, "start"), b"", theirs_shell)
    both = [
        (cpu((*worker, "hook", "claude-code", "observation"), given, theirs_shell), cpu(HOOK, given, shell))
        for number in range(ROUNDS)
        for given in [event(3_000, name=f"use {number}")]
    ]
    cpu((*worker, "stop"), b"", theirs_shell)
    theirs, ours = (middle(side) for side in zip(*both, strict=True))
    version = json.loads((plugin / "package.json").read_text())["version"]
    yield f"claude-mem {version}", ms(theirs), ms(ours), f"{theirs / ours:.2f}"


def _files(large: Path, folder: Path) -> Files:
    files = Files(folder / "texts.db", folder / "texts.txt", folder / "home")
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
    transcripts = files.home / ".claude/projects/-atlas"
    transcripts.mkdir(parents=True)
    for start in range(0, len(texts), MESSAGES):
        name = f"00000000-0000-4000-8000-{start:012}"
        some = texts[start : start + MESSAGES]
        lines = [_message(name, start + row, f"{text[1]} {text[2]}") for row, text in enumerate(some)]
        (transcripts / f"{name}.jsonl").write_text("\n".join(lines))
    return files


def _message(session: str, number: int, text: str) -> str:
    """A text as a line of Claude Code's transcripts."""
    line = {
        "type": "user", "sessionId": session, "uuid": f"{session[:-12]}{number + 10**11:012}",
        "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/atlas", "parentUuid": None,
        "message": {"role": "user", "content": text},
    }  # fmt: skip
    return json.dumps(line, ensure_ascii=False)
