"""What a hook's process costs, told without a clock; and whose eyes its files are for."""

from __future__ import annotations

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

HEAVY = {
    "json",
    "re",
    "typing",
    "argparse",
    "typer",
    "rich",
    "apsw",
    "os",
    "pathlib",
    "dataclasses",
}
MOST_CALLS = 170
"""System calls of a hook's process besides those of the interpreter's own start."""

HEAVY_FOR_A_START = {
    "os", "collections", "functools", "json", "re", "typing", "argparse", "typer", "rich", "dataclasses",
    "inspect",
    "pathlib", "enum",
    "rapidfuzz", "memtui.store.store", "memtui.store.records", "memtui.store.search.query.language",
    "memtui.store.search.matching.matcher", "memtui.store.search.listing.rows",
    "memtui.store.search.facets",
    "memtui.store.capture.ingest.drain",
}  # fmt: skip

PLAIN = json.dumps(prompt("fix the parser, then run `make test` in src/<name>")).encode()
FILES = 0o600
FOLDERS = 0o700


def imported(machine: Machine, event: bytes) -> set[str]:
    """The modules that a hook's process imports for an event."""
    ended = machine.run(Start(event, options=("-I", "-S", "-X", "importtime")))
    assert (ended.code, ended.out) == (0, b"")
    return set(re.findall(r"\| +(\S+)$", ended.err.decode(), re.MULTILINE))


def test_a_plain_hook_imports_nothing_heavy(machine: Machine) -> None:
    found = imported(machine, PLAIN)
    assert "memtui.store.capture.hook_process.main" in found
    assert not found & HEAVY
    assert machine.kept("fix the parser") == ["store"]


def test_a_hook_cleans_only_what_may_hold_a_secret_or_a_private_passage(machine: Machine) -> None:
    assert "memtui.store.capture.ingest.cleaning" not in imported(machine, PLAIN)
    for text in ("<private>not this</private>", "gh" + "p_" + "a1B2" * 9, "x" * 300_000):
        event = json.dumps(prompt(text)).encode()
        found = imported(machine, event)
        assert "memtui.store.capture.ingest.cleaning" in found
        assert "memtui.store.capture.ingest.exclusion" not in found


@pytest.mark.parametrize(
    "text",
    [
        "把命令行的加密代码重写一遍，令牌和密码都只是普通的词",
        "api_key= is read by _has_value of django.contrib.auth",
        'it answers {"token": x}, and the password of the form is checked later',
        "the header Authorization is set, see https://user@example.org/a",
        "3f0c6a1e-6f0b-4f6e-9f6b-0a4f0c8f9a11 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15",
        "-----BEGIN is how a PEM file begins; private_key: PrivateKeyTypes, token: TokenOpt = None",
    ],
)
def test_words_that_only_name_a_secret_import_no_redactor(machine: Machine, text: str) -> None:
    found = imported(machine, json.dumps(prompt(text), ensure_ascii=False).encode())
    assert "memtui.store.capture.ingest.cleaning" not in found
    assert not found & HEAVY


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
    tracing = ("strace", "-f", "-y", "-o", str(log))
    subprocess.run([*tracing, sys.executable, "-I", "-S", "-c", "pass"], check=True)
    bare = len(calls_in(log))
    assert machine.run(Start(PLAIN, before=tracing)) == Ended(0, b"", b"")
    calls = calls_in(log)
    assert len(calls) - bare <= MOST_CALLS
    to_spool = [line for line in calls if str(machine.spool) in line]
    assert len([line for line in to_spool if re.search(r" p?writev?\d*\(", line)]) == 1
    assert len([line for line in to_spool if re.search(r" f(data)?sync\(", line)]) == 1


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
