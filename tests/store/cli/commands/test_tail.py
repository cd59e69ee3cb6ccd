"""`mem tail`, as a process that follows a memory: what it prints, and how it ends."""

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from memtui.store import Store

from ..runner import Mem

LONG = 90
"""Seconds after which a test gives up waiting for a line."""


class Tail:
    """A running `mem tail`; its lines come one by one."""

    def __init__(self, mem: Mem, *arguments: str, **streams: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "memtui.store.cli", "tail", *arguments],
            stdin=subprocess.DEVNULL,
            cwd=mem.folder,
            env=mem.environment(),
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | streams,
        )
        self.watchdog = Timer(LONG, self.process.kill)
        self.watchdog.start()

    def close(self) -> None:
        """End it, if it goes on."""
        self.watchdog.cancel()
        self.process.kill()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.process.wait()

    def line(self) -> str:
        """Return the next line that it prints; "" where it has ended."""
        assert self.process.stdout is not None
        return str(self.process.stdout.readline()).removesuffix("\n")

    def sentence(self) -> str:
        """Return the next line of what it says beside."""
        assert self.process.stderr is not None
        return str(self.process.stderr.readline())

    def title(self) -> str:
        """Return the title in the next line, of JSON or not."""
        line = self.line()
        return str(json.loads(line)["title"]) if line.startswith("{") else line.split("\t")[2]


@pytest.fixture
def tail(mem: Mem) -> Iterator[Callable[..., Tail]]:
    """What starts one, and ends it with the test."""
    running: list[Tail] = []

    def start(*arguments: str, **streams: Any) -> Tail:
        running.append(Tail(mem, *arguments, **streams))
        return running[-1]

    mem.ok("add", "The first of all", "--session", "c-1")
    yield start
    for one in running:
        one.close()


def test_the_newest_are_printed_and_that_is_all_without_following(mem: Mem) -> None:
    for number in range(4):
        mem.ok("add", f"Valve {number}", "--session", "c-1", "--at", f"2026-02-0{number + 1}")
    assert [line.split("\t")[2] for line in _lines(mem, "-n", "2", "valve")] == ["Valve 2", "Valve 3"]
    found = [json.loads(line) for line in _lines(mem, "--json", "-n", "2", "valve")]
    search = mem.json("search", "valve sort:recent", "-n", "2")
    keys = search[0].keys() - {"score"}
    assert [{key: one[key] for key in keys} for one in found] == [
        {key: one[key] for key in keys} for one in search[::-1]
    ]
    assert _lines(mem, "-n", "0") == []
    started = [json.loads(line) for line in _lines(mem, "--json")][-1]
    assert (started["kind"], started["session"], started.keys()) == ("session", "c-1", search[0].keys())


def _lines(mem: Mem, *arguments: str) -> list[str]:
    return mem.ok("tail", "--no-follow", *arguments).splitlines()


def test_what_other_processes_store_comes_once_and_in_order(mem: Mem, tail: Callable[..., Tail]) -> None:
    followed = tail("-n", "1", "--json", "valve OR first")
    assert followed.title() == "The first of all"
    mem.process("add", "A valve", "--session", "c-1")
    assert followed.title() == "A valve"
    mem.process("add", "A seal", "--session", "c-1")
    mem.process("add", "A private valve", "--session", "c-1", "--private")
    mem.process("prompt", "Which valve?", "--session", "c-1")
    mem.process("fact", "add", "Valves leak", "--everywhere")
    assert [followed.title() for _ in range(2)] == ["Which valve?", "Valves leak"]


def test_what_hooks_leave_is_stored_and_shown(mem: Mem, tail: Callable[..., Tail]) -> None:
    followed = tail("-n", "1", "--json", "first OR leak")
    assert followed.title() == "The first of all"
    event = {
        "hook_event_name": "UserPromptSubmit", "session_id": "c-9", "cwd": str(mem.folder),
        "prompt": "Why does the valve leak?",
    }  # fmt: skip
    mem.process("hook", "claude-code", input=json.dumps(event).encode())
    assert followed.title() == "Why does the valve leak?"


def test_a_closed_pipe_ends_it_quietly_though_nothing_is_stored(
    mem: Mem, tail: Callable[..., Tail]
) -> None:
    followed = tail()
    assert followed.line()
    assert followed.process.stdout is not None
    followed.process.stdout.close()
    assert followed.process.wait(LONG) == 0
    assert followed.sentence() == ""


@pytest.fixture
def interruptible() -> Iterator[None]:
    """What is started can be interrupted: a suite in the background hands on that it can't be."""
    kept = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, kept)


def test_an_interrupt_ends_it_with_130(tail: Callable[..., Tail], interruptible: None) -> None:
    followed = tail()
    assert followed.line()
    followed.process.send_signal(signal.SIGINT)
    assert followed.process.wait(LONG) == 130
    assert "Traceback" not in "".join(iter(followed.sentence, ""))


def test_nothing_is_locked_or_kept_open_while_it_waits(mem: Mem, tail: Callable[..., Tail]) -> None:
    followed = tail("-n", "1", "first")
    assert followed.line()
    with Store.open(mem.db, patience=0) as store:
        store.observations.add("c-1", title="Written beside it")
        busy, left, done = store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
    assert (busy, left, done) == (0, 0, 0), "a reader that stays would keep the log"
    assert followed.process.poll() is None


def test_a_memory_that_is_gone_is_waited_for(mem: Mem, tail: Callable[..., Tail]) -> None:
    followed = tail("-n", "1", "first OR anew")
    assert followed.title() == "The first of all"
    for path in mem.db.parent.glob(f"{mem.db.name}*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert "It is waited for" in followed.sentence()
    mem.process("add", "Begun anew", "--session", "c-1")
    assert followed.title() == "Begun anew"
    mem.process("add", "And first again", "--session", "c-1")
    assert followed.title() == "And first again"


def test_a_backup_in_its_place_shows_nothing_twice(
    mem: Mem, tmp_path: Path, tail: Callable[..., Tail]
) -> None:
    mem.ok("backup", str(tmp_path / "kept.db"))
    followed = tail("-n", "5", "first OR valve")
    assert followed.title() == "The first of all"
    mem.process("add", "A valve", "--session", "c-1")
    assert followed.title() == "A valve"
    mem.process("restore-backup", str(tmp_path / "kept.db"), "--yes")
    mem.process("add", "Another valve", "--session", "c-1")
    assert followed.title() == "Another valve"


def test_a_file_that_is_moved_over_it_is_followed(
    mem: Mem, tmp_path: Path, tail: Callable[..., Tail]
) -> None:
    other = Mem(tmp_path / "other.db", mem.folder)
    other.ok("add", "Old in the other", "--session", "c-1", "--at", "2026-01-01")
    followed = tail("-n", "1", "first OR other OR valve")
    assert followed.title() == "The first of all"
    with Store.open(other.db) as store:
        store.db.execute("UPDATE observations SET updated_at = 1")
    for path in mem.db.parent.glob(f"{mem.db.name}-*"):
        if path.is_file():
            path.unlink()
    other.db.replace(mem.db)
    mem.process("add", "A valve", "--session", "c-1")
    assert followed.title() == "A valve"


def test_on_a_terminal_each_is_one_harmless_line(mem: Mem, tail: Callable[..., Tail]) -> None:
    title = "Long \x1b[2J\u202e" + "valve " * 60
    with Store.open(mem.db) as store:
        store.observations.add("c-1", title=title)
    for arguments in (("--no-follow", "valve"), ("--no-follow", "--json", "valve")):
        shown = mem.on_terminal("tail", *arguments)
        assert "\x1b[2J" not in shown
        assert "\u202e" not in shown
        assert len(shown.splitlines()) == 1


def test_a_terminal_that_is_closed_ends_it(tail: Callable[..., Tail]) -> None:
    ours, theirs = pty.openpty()
    followed = tail("-n", "1", "first", stdout=theirs)
    os.close(theirs)
    assert b"first of all" in os.read(ours, 4096)
    os.close(ours)
    assert followed.process.wait(LONG) == 0


def test_what_is_wrong_is_said(mem: Mem) -> None:
    assert "There is no store" in mem.refused("tail", "--no-follow")
    mem.ok("add", "x", "--session", "c-1")
    assert "no saved search x" in mem.refused("tail", "--saved", "x")
    assert "Did you mean: mem tail" in mem("tail", "--no-follow", "type:nots").stderr
    assert mem.refused("tail", "--as-of", "2026-01-01", code=2)


WRITER = """
import sys
from memtui.store import Store
with Store.open(sys.argv[1]) as store:
    for number in range(40):
        store.observations.add(f"c-{sys.argv[2]}", title=f"Valve {number} of {sys.argv[2]}")
"""


@pytest.mark.long
def test_of_several_writers_at_once_each_row_comes_once_and_in_order(
    mem: Mem, tail: Callable[..., Tail]
) -> None:
    followed = tail("-n", "1", "--json", "kind:observation")
    assert followed.title() == "The first of all"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(mem.db), str(number)], env=mem.environment())
        for number in range(3)
    ]
    found = [json.loads(followed.line()) for _ in range(120)]
    assert [one.wait() for one in writers] == [0, 0, 0]
    assert [one["id"] for one in found] == list(range(2, 122))
    assert len({one["title"] for one in found}) == 120
