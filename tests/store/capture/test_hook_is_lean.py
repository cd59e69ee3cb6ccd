"""What a hook's process costs, told without a clock; and whose eyes its files are for."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.store import Store

from .faults import filling_disk, spool_is_a_file
from .hooks import (
    SCRIPT,
    Ended,
    Machine,
    Start,
    after,
    can_mount,
    modes_below,
    prompt,
    session_start,
)

HEAVY = {"json", "re", "typing", "argparse", "typer", "rich", "apsw", "os", "pathlib", "dataclasses"}
MOST_CALLS = 170
"""System calls of a hook's process besides those of the interpreter's own start."""

HEAVY_FOR_A_START = {
    "os", "collections", "functools", "json", "re", "typing", "argparse", "typer", "rich", "dataclasses",
    "inspect",
    "pathlib", "enum",
    "rapidfuzz", "memtui.store.store", "memtui.store.records.rows", "memtui.store.search.query.language",
    "memtui.store.search.matching", "memtui.store.search.listing.rows",
    "memtui.store.search.facets",
    "memtui.store.capture.ingest.drain",
}  # fmt: skip

PLAIN = json.dumps(prompt("fix the parser, then run `make test` in src/<name>")).encode()
FILES = 0o600
FOLDERS = 0o700


def imported(machine: Machine, event: bytes) -> set[str]:
    """The modules that a hook's process imports for an event before it ends."""
    log = machine.folder / "imported"
    script = f"exec 2> '{log}'; exec \"$@\""
    start = Start(event, before=("sh", "-c", script, "sh"), options=("-I", "-S", "-X", "importtime"))
    ended = machine.run(start)
    assert (ended.code, ended.out, ended.err) == (0, b"", b"")
    return set(re.findall(r"\| +(\S+)$", log.read_text(), re.MULTILINE))


SECRET = "gh" + "p_" + "a1B2" * 9


@pytest.mark.parametrize("text", ["fix", f"<private>{SECRET}</private>", "x" * 300_000])
def test_no_event_makes_a_hook_import_anything_heavy(machine: Machine, text: str) -> None:
    found = imported(machine, json.dumps(prompt(f"parser {text}")).encode())
    assert "memtui.store.capture.hook_process.main" in found
    assert "memtui.store.capture.hook_process.child" not in found
    assert not found & HEAVY
    assert machine.kept("parser") == ["store"]


def test_a_start_that_finds_all_stored_imports_little_more_than_sqlite(machine: Machine) -> None:
    machine.remember("a lesson")
    for session in ("s-1", "s-2"):
        event = json.dumps(session_start(session)).encode()
        ended = machine.run(Start(event, options=("-I", "-S", "-X", "importtime")))
        assert b"a lesson" in ended.out
        found = set(re.findall(r"\| +(\S+)$", ended.err.decode(), re.MULTILINE))
        assert "apsw" in found
        assert not found & HEAVY_FOR_A_START


def test_whoever_shares_stdin_finds_it_blocking_as_before(machine: Machine) -> None:
    reading, writing = os.pipe()
    os.write(writing, PLAIN)
    os.close(writing)
    command = [sys.executable, "-I", "-S", str(SCRIPT), "claude-code"]
    subprocess.run(command, stdin=reading, env=machine.environment(), check=True)
    assert os.get_blocking(reading)
    os.close(reading)
    assert machine.kept("fix the parser") == ["store"]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_hook_writes_once_and_asks_the_system_little(machine: Machine, tmp_path: Path) -> None:
    machine.hook(prompt("the spool is there"))
    log = tmp_path / "calls"
    tracing = ("strace", "-ff", "-y", "-o", str(log))
    subprocess.run([*tracing, sys.executable, "-I", "-S", "-c", "pass"], check=True)
    (bare,) = tmp_path.glob("calls.*")
    of_bare = len(calls_in(bare))
    bare.unlink()
    assert machine.run(Start(PLAIN, before=tracing)) == Ended(0, b"", b"")
    hook, child = sorted(tmp_path.glob("calls.*"), key=lambda path: int(path.suffix[1:]))
    assert len(calls_in(hook)) - of_bare <= MOST_CALLS
    to_spool = [line for line in calls_in(child) if str(machine.spool) in line]
    assert len([line for line in to_spool if re.search(r" ?p?writev?\d*\(", line)]) == 1
    assert len([line for line in to_spool if re.search(r" ?f(data)?sync\(", line)]) == 1


def calls_in(log: Path) -> list[str]:
    """The system calls that strace has written down."""
    return [line for line in log.read_text("utf-8", "replace").splitlines() if "(" in line]


@pytest.mark.parametrize("umask", ["000", "022", "077"])
def test_files_and_directories_are_the_users_alone(machine: Machine, umask: str) -> None:
    start = Start(PLAIN, before=after(f"umask {umask}"))
    assert machine.run(start).code == 0
    with spool_is_a_file(machine, PLAIN):
        assert machine.run(start).code == 0
    unknown = Start(PLAIN, ("nobody",), before=after(f"umask {umask}"))
    assert machine.run(unknown).code == 0
    opening = Start(json.dumps(session_start("s-2")).encode(), before=after(f"umask {umask}"))
    assert machine.run(opening).code == 0
    before = os.umask(int(umask, 8))
    try:
        with Store.open(machine.database) as store:
            store.backup(machine.folder / "run" / "backup.db")
            assert len(list(machine.database.parent.glob("*-wal"))) == 1
            modes = modes_below(machine.folder)
    finally:
        os.umask(before)
    assert list(machine.fallback.rglob("*.jsonl"))
    assert list(machine.spool.glob("*.jsonl"))
    assert modes == {"directories": {FOLDERS}, "files": {FILES}}


def test_a_disk_that_fills_up_leaves_a_fallback_for_the_user_alone(machine: Machine) -> None:
    if not can_mount():
        pytest.skip("this machine grants no mounts of one's own")
    with filling_disk(machine, PLAIN) as start:
        assert machine.run(start).code == 0
    assert list(machine.fallback.rglob("*.jsonl"))
    assert modes_below(machine.fallback) == {"directories": {FOLDERS}, "files": {FILES}}
