"""`mem --as-of DATE`: every command that reads answers as it would have then, and no other does."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.cli.command import Command
from memtui.store.cli.commands import ALL_COMMANDS, declared_in
from tests.places import PYTHONPATH

from .runner import Mem, filling

READING = {
    "search", "show", "timeline", "context", "handoff", "stats", "session list", "session show",
    "fact list", "fact show", "note list", "note show", "project list", "history", "trash list",
    "export", "dedupe", "digest",
}  # fmt: skip
AS_OF = ("--as-of", "2026-02-17")


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "token one", "--at", "2026-02-10", "--project", "atlas", "--session", "c-1")
    mem.ok("add", "token two", "--at", "2026-03-10", "--project", "atlas", "--session", "c-2")
    mem.ok("delete", "1")


def commands() -> dict[str, type[Command]]:
    """Of every command by its own name, or its group's and its own, the kind."""
    return {
        name if inner == name else f"{name} {inner}": declared.kind
        for name in ALL_COMMANDS
        for inner, declared in declared_in(name).commands.items()
        if inner == name or name not in declared_in(name).commands
    }


def test_what_reads_can_look_back_and_nothing_else() -> None:
    able = {name for name, one in commands().items() if one.can_look_back}
    assert able >= READING
    for name in able - READING:
        assert name.split()[-1] in ("list", "show", "history", "broken"), (
            f"{name} looks back, but may write"
        )


def test_it_is_the_memory_of_then_before_and_behind_the_command(filled: Mem) -> None:
    assert filled.json("search", "token")[0]["id"] == 2
    for line in ((*AS_OF, "search", "token"), ("search", "token", *AS_OF)):
        result = filled(*line, "--json")
        assert [hit["id"] for hit in json.loads(result.stdout)] == [1]
        assert result.stderr.startswith("as of 2026-02-17 23:59\n")
    assert filled.json(*AS_OF, "stats")["observations"] == 1
    assert filled.json(*AS_OF, "stats")["path"] == str(filled.db)
    assert filled.json(*AS_OF, "show", "1")[0]["title"] == "token one"
    assert "token one" in filled.ok(*AS_OF, "timeline", "1")
    assert "token one" in filled.ok(*AS_OF, "context", "--project", "atlas")
    assert len(filled.json(*AS_OF, "session", "list")) == 1
    assert filled.json(*AS_OF, "trash", "list") == []
    assert filled.json(*AS_OF, "history") == []
    assert "token two" not in filled.ok(*AS_OF, "export", "jsonl", "-")


def test_what_writes_refuses_in_a_sentence(filled: Mem) -> None:
    for line in (("delete", "2"), ("add", "token"), ("undo",), ("doctor",), ("pause",)):
        told = filled.refused(*AS_OF, *line, code=2)
        assert told == (
            f"`mem {line[0]}` can't change the past: run it without --as-of to change the current store.\n"
        )
    assert "can't change the past" in filled.refused(*AS_OF, "dedupe", "--merge")
    assert filled.process("--as-of", "3d", "add", "token three").returncode == 2
    assert filled.json("search", "token")[0]["id"] == 2


@pytest.mark.parametrize("text", ["soon", "2099-01-01", "2026-02-30"])
def test_what_is_no_past_time_is_wrong_usage(filled: Mem, text: str) -> None:
    assert text in filled.refused("--as-of", text, "stats", code=2)


def test_no_memory_is_no_past(mem: Mem) -> None:
    assert "There is no store at" in mem.refused(*AS_OF, "stats")


WAITING = """
import os, signal, sys
import memtui.store.leaves.statistics.commands as maintenance
def stop(*_a, **_k):
    os.kill(os.getpid(), int(sys.argv.pop()))
maintenance.asdict = stop
from memtui.store.cli.app import run
sys.exit(run(sys.argv[1:-1]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_by_a_run_that_was_ended(
    filled: Mem, tmp_path: Path, number: signal.Signals
) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    environment = {
        "MEMTUI_DB": str(filled.db), "PYTHONPATH": PYTHONPATH, "TMPDIR": str(folder), "PATH": "",
        "HOME": str(tmp_path),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", WAITING, *AS_OF, "stats", str(int(number))],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode != 0
    assert bool(list(folder.iterdir())) == (number is signal.SIGKILL), done.stderr
    subprocess.run([sys.executable, "-m", "memtui.store.cli", "stats"], env=environment, check=True)
    assert list(folder.iterdir()) == []
    with Store.open(filled.db) as store:
        assert store.find("").count().value == 1
