"""The hook's own process on a memory of its own, and what becomes of the events it is given."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fcntl import F_DUPFD_CLOEXEC, fcntl
from functools import cache
from hashlib import blake2s
from pathlib import Path
from typing import Any, Literal

from memtui.store import Store, capture
from memtui.store.capture.hook_process.child import MOST_FILES
from memtui.store.capture.ingest import quarantine
from memtui.store.capture.ingest.drain import Drained, drain

SCRIPT = Path(capture.__path__[0]) / "hook.py"

Stdin = Literal["given", "open"]
Stdout = Literal["read", "broken"]


@dataclass(frozen=True, slots=True)
class Start:
    """One start of a hook: what it reads, and the circumstances that differ from the usual ones.

    `before` are the words of a command that starts it, `options` the interpreter's. With `stdin`
    open nobody ever closes the pipe, with `stdout` broken nobody reads it. A variable that is None
    is unset.
    """

    event: bytes
    arguments: tuple[str, ...] = ("claude-code",)
    before: tuple[str, ...] = ()
    options: tuple[str, ...] = ("-I", "-S")
    stdin: Stdin = "given"
    stdout: Stdout = "read"
    variables: dict[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a hook's process ended, and every byte it printed."""

    code: int
    out: bytes
    err: bytes


@dataclass(frozen=True, slots=True)
class Machine:
    """A home, a memory and the places for temporary files, all below one directory."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Machine:
        """One that is in order: no memory yet."""
        for name in ("home", "project", "run", "tmp"):
            (folder / name).mkdir(mode=0o700, parents=True)
        return cls(folder)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def database(self) -> Path:
        """Where a hook looks that is told nothing else."""
        return self.home / ".local" / "share" / "memtui" / "memory.db"

    @property
    def spool(self) -> Path:
        return Path(f"{self.database}-spool")

    @property
    def fallback(self) -> Path:
        """The first directory that takes what the spool doesn't."""
        return self.folder / "run"

    def environment(self, **variables: str | None) -> dict[str, str]:
        """The environment of a process; those that are None are unset."""
        found: dict[str, str | None] = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "TMPDIR": str(self.folder / "tmp"),
            "MEMTUI_HOOK_SECONDS": "30",
            **variables,
        }
        return {name: value for name, value in found.items() if value is not None}

    def run(self, start: Start) -> Ended:
        """Start the hook's process and wait for its end, and for that of the child that it leaves."""
        with outlived() as file:
            return self.leave(start, file)

    def leave(self, start: Start, *files: int) -> Ended:
        """Start the hook's process, which has these files open too, and wait for its own end only."""
        with self.begin(start, *files) as process:
            assert process.stdin and process.stderr
            if start.stdin == "open":
                process.stdin.write(start.event)
                process.stdin.flush()
                process.wait()
                out = process.stdout.read() if process.stdout else b""
                return Ended(process.returncode, out, process.stderr.read())
            out, err = process.communicate(start.event)
        return Ended(process.returncode, out or b"", err)

    def begin(self, start: Start, *files: int) -> subprocess.Popen[bytes]:
        """Start the hook's process; nothing is written to it yet."""
        reading, writing = os.pipe() if start.stdout == "broken" else (None, subprocess.PIPE)
        if reading is not None:
            os.close(reading)
        try:
            return subprocess.Popen(
                [*start.before, sys.executable, *start.options, str(SCRIPT), *start.arguments],
                stdin=subprocess.PIPE,
                stdout=writing,
                stderr=subprocess.PIPE,
                cwd=self.folder / "project",
                env=self.environment(**start.variables),
                pass_fds=files,
            )
        finally:
            if reading is not None:
                os.close(writing)

    def hook(self, *events: dict[str, Any], agent: str = "claude-code") -> None:
        """Run the hook on each event, one after the other, where all is well and nothing is said."""
        for event in events:
            ended = self.run(Start(json.dumps(event).encode(), (agent,)))
            assert ended == Ended(0, b"", b"")

    def remember(self, title: str) -> None:
        """Add an observation to the memory, of the project in which hooks run."""
        with Store.open(self.database) as store:
            project, _ = store.known_projects.of(str(self.folder / "project"))
            store.observations.add("earlier", title=title, project=project)

    def drained(self) -> Drained:
        """Store all that waits."""
        with Store.open(self.database) as store:
            return drain(store, patience=30)

    def prompts(self) -> list[str]:
        """The text of every prompt in the store, in the order in which they were stored."""
        with Store.open(self.database) as store:
            return [str(text) for (text,) in store.db.execute("SELECT text FROM prompts ORDER BY id")]

    def kept(self, mark: str) -> list[str]:
        """Where what holds these words is after a drain, each time it is: store or quarantine."""
        self.drained()
        with Store.open(self.database) as store:
            told = store.db.execute(
                "SELECT content_session_id FROM sessions UNION ALL SELECT text FROM prompts"
            )
            stored = ["store" for (text,) in told if mark in text]
            events = quarantine.list_quarantined(store, limit=1_000_000)
            return stored + ["quarantine" for one in events if mark in one.record]


@contextmanager
def outlived() -> Iterator[int]:
    """A file for processes that are started inside: behind, all that have it open have ended."""
    reading, writing = os.pipe()
    # A hook's child closes what an agent may have left open to it.
    file = fcntl(writing, F_DUPFD_CLOEXEC, MOST_FILES)
    os.close(writing)
    try:
        yield file
    finally:
        os.close(file)
        os.read(reading, 1)
        os.close(reading)


def prompt(text: str, session: str = "s-1", **more: Any) -> dict[str, Any]:
    """A prompt's event as Claude Code tells it; each text is a turn of its own."""
    return {
        "session_id": session,
        "hook_event_name": "UserPromptSubmit",
        "prompt_id": blake2s(text.encode(), digest_size=6).hexdigest(),
        "prompt": text,
        **more,
    }


def session_start(session: str) -> dict[str, Any]:
    """A session's start as Claude Code tells it."""
    return {"session_id": session, "hook_event_name": "SessionStart", "source": "startup"}


def files_below(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file below a directory, with its bytes."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path, path.read_bytes()


def modes_below(folder: Path) -> dict[str, set[int]]:
    """The permission bits of all directories and of all files below a directory."""
    found: dict[str, set[int]] = {"directories": set(), "files": set()}
    for path in folder.rglob("*"):
        kind = "directories" if path.is_dir() else "files"
        found[kind].add(stat.S_IMODE(path.stat().st_mode))
    return found


@cache
def can_mount() -> bool:
    """Whether this machine grants a process mounts of its own."""
    try:
        subprocess.run(in_namespace("mount -t tmpfs none /tmp", "true"), check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def in_namespace(script: str, *words: str) -> tuple[str, ...]:
    """The words that run others after a shell script that mounts, seen by nobody else."""
    alone = ("unshare", "--user", "--map-root-user", "--mount")
    # Only root may mount; what comes after it is the same user as before.
    again = ("unshare", "--user", f"--map-user={os.geteuid()}", f"--map-group={os.getegid()}")
    return (*alone, *after(script), *again, *words)


def after(script: str) -> tuple[str, ...]:
    """The words that run those that follow after a shell script, in the same process."""
    return ("sh", "-c", f'{script} && exec "$@"', "sh")
