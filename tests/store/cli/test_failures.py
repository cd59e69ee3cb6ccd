"""What can't be done is told in one sentence on stderr, with exit code 1."""

import errno
import os
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.cli.command import failure_sentence
from memtui.store.database import SCHEMA
from tests.promises import promise

from .runner import Mem

READING = [
    ("search", "x"), ("timeline", "1"), ("show", "1"), ("session", "list"), ("session", "show", "c"),
    ("fact", "list"), ("note", "list"), ("stats",), ("backup", "copy.db"),
]  # fmt: skip
WRITING = [
    ("add", "x"), ("session", "start"), ("session", "end", "c"), ("session", "link", "c", "m"),
    ("prompt", "x", "--session", "c"), ("summary", "--session", "c", "--request", "x"),
    ("fact", "add", "x"), ("note", "put", "x", "y"), ("pin", "1"), ("unpin", "1"),
    ("private", "1"), ("delete", "1"), ("restore", "1"), ("undo",), ("rebuild",),
]  # fmt: skip


def told(mem: Mem, path: Path, command: tuple[str, ...]) -> str:
    stderr = mem.refused("--db", str(path), *command)
    assert stderr.count("\n") == 1, stderr
    return stderr


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_reading_where_no_memory_is(mem: Mem, tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "none" / "memory.db"
    assert told(mem, path, command).startswith(f"There is no store at {path} yet.")
    assert not path.parent.exists()


@pytest.mark.parametrize("command", READING + WRITING, ids=" ".join)
def test_a_zero_byte_file(mem: Mem, tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "zero.db"
    path.touch()
    assert "is an empty file" in told(mem, path, command)
    assert path.stat().st_size == 0


@pytest.mark.parametrize("command", [("search", "x"), ("add", "x")], ids=" ".join)
def test_a_file_that_is_no_database(mem: Mem, tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "text.db"
    path.write_bytes(b"no database" * 999)
    assert "is not a memtui database" in told(mem, path, command)
    assert "is a directory" in told(mem, tmp_path, command)


@pytest.mark.parametrize("command", [("search", "x"), ("add", "x")], ids=" ".join)
def test_a_database_of_another_program(mem: Mem, tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "other.db"
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE t (x)")
    db.close()
    assert "is a database of another program" in told(mem, path, command)


@promise("older-code-harms-none")
def test_a_newer_schema_is_read_and_never_written(mem: Mem) -> None:
    mem.ok("add", "Title")
    db = apsw.Connection(str(mem.db))
    db.pragma("user_version", SCHEMA + 1)
    for command in WRITING:
        assert "newer memtui" in told(mem, mem.db, command)
    assert [hit["title"] for hit in mem.json("search", "Title")] == ["Title"]
    db.pragma("user_version", SCHEMA)
    db.close()


def test_a_memory_that_can_only_be_read_is_read(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    mem.ok("add", "Title")
    mem.db.chmod(0o400)
    # Permissions don't hold root back, so the system is made to say what it tells others.
    with monkeypatch.context() as patch:
        patch.setattr("os.access", lambda path, mode: mode == os.R_OK)
        assert [hit["title"] for hit in mem.json("search", "Title")] == ["Title"]
        assert "can't be written" in mem.refused("pin", "1")
    mem.db.chmod(0o600)


def test_a_directory_that_can_not_be_made(mem: Mem, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told(mem, tmp_path / "file" / "memory.db", ("add", "x"))
    told(mem, tmp_path / "file" / "memory.db", ("search", "x"))


def test_a_path_is_told_as_it_is_typed() -> None:
    error = OSError(errno.EROFS, "Read-only file system", b"/mnt/memory.db-archive")
    assert failure_sentence(error) == "/mnt/memory.db-archive: Read-only file system."


def test_a_text_that_is_no_utf_8_is_shown_with_marks(mem: Mem) -> None:
    with Store.open(mem.db) as store:
        store.observations.add(None, title="Title")
    db = apsw.Connection(str(mem.db))
    db.execute("UPDATE observations SET narrative = CAST(X'61EDA08062' AS TEXT)")
    assert "a\N{REPLACEMENT CHARACTER}" in mem.ok("show", "1")
    db.execute("UPDATE observations SET narrative = NULL")
    db.close()


@pytest.mark.parametrize(
    "words",
    [("queue", "drop"), ("config", "get"), ("show", "1", "--"), ("stats",), ("search", "--at"), ()],
    ids=" ".join,
)
def test_what_was_typed_is_told_without_moving_the_cursor(mem: Mem, words: tuple[str, ...]) -> None:
    for odd in ("\x1b[2J", "\u202e", "\x9b2J"):
        for argument in (odd, f"--{odd}"):
            result = mem(*words, argument)
            assert result.exit_code != 0
            assert odd not in result.output


@pytest.mark.parametrize(
    "line",
    [
        "add x --tokens", "add x --prompt-number", "history -n", "fact list -n", "session list --offset",
        "session list -n", "tail --no-follow -n", "search x -n", "show", "queue retry", "undo",
    ],
)  # fmt: skip
def test_a_number_beyond_all_is_told(mem: Mem, line: str) -> None:
    mem.ok("add", "x")
    for number in ("9" * 30, str(2**63 - 1)):
        result = mem(*line.split(), number)
        assert "Traceback" not in result.output
        assert result.exit_code in (0, 1, 2)
