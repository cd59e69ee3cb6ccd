"""The `memtui` command: what it opens, and what it says when it can't."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.tui import __main__ as command
from memtui.tui.app import MemApp
from tests.tui.browser import NOW
from tests.tui.hooked import leave_waiting


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[MemApp]]:
    """The browsers that were opened; none of them is run."""
    apps: list[MemApp] = []

    def run(self: MemApp, **options: Any) -> None:
        with Store.open(self.path, read_only=True) as store:
            assert store.find("").count().value >= 0
        apps.append(self)

    monkeypatch.setattr(MemApp, "run", run)
    monkeypatch.setattr(command, "on_terminal", lambda: True)
    yield apps


def test_the_memory_named_is_opened_and_made_when_it_is_missing(
    shown: list[MemApp], tmp_path: Path
) -> None:
    path = tmp_path / "new" / "memory.db"
    assert command.main(["--db", str(path)]) == 0
    assert path.exists()
    assert (shown[0].path, shown[0].read_only, shown[0].notice) == (path, False, "")


def test_the_environment_names_the_memory(
    shown: list[MemApp], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_DB", str(demo))
    assert command.main([]) == 0
    assert shown[0].path == demo


def test_the_demo_is_a_memory_of_its_own_that_is_gone_afterwards(shown: list[MemApp]) -> None:
    assert command.main(["--demo"]) == 0
    assert not shown[0].path.parent.exists()


def test_read_only_is_told_on_every_screen(shown: list[MemApp], demo: Path) -> None:
    assert command.main(["--db", str(demo), "--read-only"]) == 0
    assert shown[0].read_only
    assert shown[0].notice.startswith("Read-only")


def test_a_newer_schema_can_be_read_and_says_why_only_that(shown: list[MemApp], demo: Path) -> None:
    db = apsw.Connection(str(demo))
    db.pragma("user_version", 999)
    db.close()
    assert command.main(["--db", str(demo)]) == 0
    assert shown[0].read_only
    assert "newer memtui" in shown[0].notice


@pytest.mark.parametrize(
    ("content", "says"), [(b"", "empty file"), (b"no database at all, but text" * 99, "not a memtui")]
)
def test_what_is_no_memory_is_refused_in_one_sentence(
    content: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(content)
    assert command.main(["--db", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("memtui: ") and says in said
    assert path.read_bytes() == content


def test_a_directory_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--db", str(tmp_path)]) == 1
    assert "is a directory" in capsys.readouterr().err


def test_a_missing_memory_is_not_made_when_only_reading(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "memory.db"
    assert command.main(["--db", str(path), "--read-only"]) == 1
    assert not path.exists()


def test_a_pipe_is_told_where_to_go(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--db", str(demo)]) == 1
    assert "needs a terminal" in capsys.readouterr().err


def test_what_hooks_left_before_there_was_a_memory_is_there_at_once(
    shown: list[MemApp], tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    leave_waiting(path, NOW, prompts=3)
    assert command.main(["--db", str(path)]) == 0
    with Store.open(path) as store:
        assert store.find("").count().value == 3


def test_a_crash_is_an_exit_code(shown: list[MemApp], demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MemApp, "return_code", 1)
    assert command.main(["--db", str(demo)]) == 1
    assert command.main(["--demo"]) == 1
    assert len(shown) == 2


@pytest.mark.long
def test_a_date_opens_the_memory_as_it_was(shown: list[MemApp], demo: Path) -> None:
    assert command.main(["--db", str(demo), "--as-of", "2026-02-10"]) == 0
    assert shown[0].read_only
    assert shown[0].as_of == "as of 2026-02-10 23:59"
    assert not shown[0].path.parent.exists()
    assert command.main(["--demo", "--as-of", "3d"]) == 0
    assert shown[1].as_of.startswith("as of ")


@pytest.mark.parametrize("arguments", [["--as-of", "soon"], ["--as-of", "3d", "--from", "x"]])
def test_a_date_that_is_none_is_refused_in_a_sentence(
    shown: list[MemApp], demo: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert command.main([*([] if "--from" in arguments else ["--db", str(demo)]), *arguments]) == 1
    assert capsys.readouterr().err.startswith("memtui: ")
    assert shown == []


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("memtui 0.")
