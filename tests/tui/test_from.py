"""`memtui --from`: other memories, looked at in a private store that is gone afterwards."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path
from typing import Any

import pytest

from store import SourceError, Store
from tests.exports.fillings import exported, fill
from tests.sources.claude_mem_files import ClaudeMemFile
from tests.sources.holdings import contents
from tests.tui.browser import app, ask, opened, press, search, text, titles
from tui import __main__ as command
from tui.app import MemApp
from tui.foreign import foreign
from tui.widgets.header import Header


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory below which private stores are made."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def claude_mem(tmp_path: Path) -> Path:
    """A claude-mem database in a directory of its own."""
    (tmp_path / "theirs").mkdir()
    file = ClaudeMemFile(tmp_path / "theirs" / "claude-mem.db")
    file.session()
    file.observation(title="Fixed the token refresh")
    return file.path


@pytest.fixture
def jsonl(tmp_path: Path) -> Path:
    with Store.open(tmp_path / "elsewhere.db") as store:
        fill(store)
        (tmp_path / "export.jsonl").write_bytes(exported(store))
    return tmp_path / "export.jsonl"


async def test_it_is_browsed_read_only_under_its_own_name(claude_mem: Path) -> None:
    with foreign([claude_mem]) as found:
        options: dict[str, Any] = {"owner": found.owner, "notice": found.notice}
        async with opened(found.path, read_only=True, **options) as pilot:
            head = text(app(pilot).screen.query_one(Header))
            assert "of claude-mem" in head
            assert "read-only" in head
            assert titles(pilot) == ["Fixed the token refresh"]
            await press(pilot, "down", "d", "p", "x")
            await ask(pilot, "is:deleted")
            assert search(pilot).results.list.count == 0


async def test_several_at_once_are_a_facet_each(claude_mem: Path, jsonl: Path) -> None:
    with foreign([claude_mem, jsonl, claude_mem]) as found:
        assert found.owner == "claude-mem, jsonl and claude-mem"
        async with opened(found.path, read_only=True, owner=found.owner) as pilot:
            await ask(pilot, "source:jsonl kind:observation")
            assert "Clock drift 缓存" in titles(pilot)
            await ask(pilot, "source:claude-mem")
            assert set(titles(pilot)) == {"Fixed the token refresh"}
            await ask(pilot, "")
            line = text(search(pilot).results.facets).splitlines()[-1]
            assert line.split()[0] == "source"
            await press(pilot, "down", "f", "down", "down", "down", "down", "down", "enter")
            assert search(pilot).bar.input.value.startswith("source:")


def test_the_private_store_is_ones_own_and_gone_afterwards(
    claude_mem: Path, temporary: Path
) -> None:
    with foreign([claude_mem]) as found:
        assert found.path.parent.parent == temporary
        assert found.path.parent.stat().st_mode & 0o777 == 0o700
        assert found.path.stat().st_mode & 0o777 == 0o600
    assert list(temporary.iterdir()) == []


def test_neither_the_source_nor_the_own_memory_is_touched(
    claude_mem: Path, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_DB", str(demo))
    before = contents(claude_mem.parent), contents(demo.parent)
    with foreign([claude_mem]):
        pass
    assert (contents(claude_mem.parent), contents(demo.parent)) == before


def test_a_signal_takes_it_away_too(claude_mem: Path, temporary: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit), foreign([claude_mem]):
        os.kill(os.getpid(), signal.SIGTERM)
    assert list(temporary.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) is before


def test_what_holds_nothing_is_refused(tmp_path: Path, temporary: Path) -> None:
    nothing = ClaudeMemFile(tmp_path / "empty.db").path
    (tmp_path / "text").write_text("hello")
    for path in (nothing, tmp_path / "text", tmp_path / "none"):
        with pytest.raises(SourceError), foreign([path]):
            pass
    assert list(temporary.iterdir()) == []


def test_the_command_opens_it_and_tells_whose_it_is(
    claude_mem: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps: list[MemApp] = []
    monkeypatch.setattr(MemApp, "run", lambda self, **_: apps.append(self))
    monkeypatch.setattr(command, "on_terminal", lambda: True)
    assert command.main(["--from", str(claude_mem)]) == 0
    assert apps[0].read_only
    assert apps[0].owner.startswith("claude-mem ")
    assert not apps[0].path.parent.exists()


def test_it_stands_alone(
    claude_mem: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command.main(["--from", str(claude_mem), "--demo"]) == 1
    assert "--from" in capsys.readouterr().err
    monkeypatch.setattr(command, "on_terminal", lambda: True)
    assert command.main(["--from", str(claude_mem) + "x"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
