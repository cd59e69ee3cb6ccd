"""`memtui --from`: other memories, looked at in a private store that is gone afterwards."""

import json
import os
import signal
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from memtui.store import SourceError, Store
from memtui.tui import __main__ as command
from memtui.tui.app import MemApp
from memtui.tui.help.screen import HelpColumns
from memtui.tui.palette.screen import CommandList
from memtui.tui.parts.frame import Header, KeysFooter
from memtui.tui.startup.private_copies import foreign
from tests.store.formats.claude_mem.claude_mem_files import ClaudeMemFile
from tests.store.formats.fillings import exported, fill
from tests.store.formats.holdings import contents
from tests.store.formats.scheme_c.directories import directory, line
from tests.store.formats.transcripts import claude_records, rollouts
from tests.tui.browser import app, ask, opened, press, search, text, titles

pytestmark = pytest.mark.usefixtures("temporary")


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


async def test_no_key_is_offered_that_changes_something(claude_mem: Path) -> None:
    with foreign([claude_mem]) as found:
        options: dict[str, Any] = {"owner": found.owner, "notice": found.notice}
        async with opened(found.path, read_only=True, size=(160, 90), **options) as pilot:
            await press(pilot, "down")
            footer = text(search(pilot).query_one(KeysFooter))
            await press(pilot, "question_mark")
            told = text(pilot.app.screen.query_one(HelpColumns))
            for words in ("Pin", "Hide as private", "Delete or restore", "Save the search"):
                assert words not in told
            assert "source:claude-mem" in told
            assert "Capture" not in footer + told and "Agents and their hooks" not in told
            await press(pilot, "escape", "5")
            assert app(pilot).current_mode == "search"
            await press(pilot, "ctrl+p", *"capture")
            assert "Agents and their hooks" not in "".join(map(text, pilot.app.screen.query(CommandList)))


async def test_a_hidden_memory_is_shown_without_keys_that_do_nothing(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.set_private(store.observations.add("c-1", title="Hush"))
    for read_only, tells in ((True, False), (False, True)):
        async with opened(empty, read_only=read_only) as pilot:
            await ask(pilot, "is:private")
            shown = " ".join(text(search(pilot).reading.detail).split())
            assert "Hidden as private" in shown
            assert ("x shows it again" in shown) is tells


async def test_a_memory_tells_where_it_is_from(claude_mem: Path) -> None:
    with foreign([claude_mem]) as found:
        async with opened(found.path, read_only=True, owner=found.owner) as pilot:
            assert "from claude-mem:claude-mem.db" in text(search(pilot).reading.detail)


async def test_facts_and_notes_that_are_not_there_are_no_reason_to_add_ones_own(claude_mem: Path) -> None:
    with foreign([claude_mem]) as found:
        async with opened(found.path, read_only=True, owner=found.owner) as pilot:
            await press(pilot, "down", "4")
            shown = text(pilot.app.screen.query_one("#no-facts"))
            assert shown.strip() == "There are no facts in this store."
            await press(pilot, "right")
            shown = text(pilot.app.screen.query_one("#no-notes"))
            assert shown.strip() == "There are no notes in this store."


async def test_whose_it_is_keeps_a_space_from_how_much_it_is(claude_mem: Path) -> None:
    with foreign([claude_mem]) as found:
        options: dict[str, Any] = {"read_only": True, "owner": "claude-mem /" + "long/" * 40}
        async with opened(found.path, size=(80, 24), **options) as pilot:
            head = text(search(pilot).query_one(Header))
            assert "… " in head and head.rstrip().endswith(" read-only")


async def test_the_name_of_a_source_shows_whole_among_the_facets(claude_mem: Path, jsonl: Path) -> None:
    with foreign([claude_mem, jsonl]) as found:
        assert found.notice.startswith("Other memories")
        async with opened(found.path, size=(120, 40), read_only=True) as pilot:
            assert "jsonl:export.jsonl" in text(search(pilot).results.facets)
            await ask(pilot, "source:claude-mem")
            assert "claude-mem:claude-mem.db 1" in text(search(pilot).results.facets)


async def test_several_at_once_are_a_facet_each(claude_mem: Path, jsonl: Path) -> None:
    with foreign([claude_mem, jsonl, claude_mem]) as found:
        assert found.owner == "claude-mem, jsonl and claude-mem"
        size = (120, 40)
        async with opened(found.path, size=size, read_only=True, owner=found.owner) as pilot:
            await ask(pilot, "source:jsonl kind:observation")
            assert "Clock drift 缓存" in titles(pilot)
            await ask(pilot, "source:claude-mem")
            assert set(titles(pilot)) == {"Fixed the token refresh"}
            await ask(pilot, "")
            names = [line.split()[0] for line in text(search(pilot).results.facets).splitlines()]
            await press(pilot, "down", "f", *["up"] * 9, *["down"] * names.index("source"), "enter")
            assert search(pilot).bar.input.value.startswith("source:")


async def test_a_note_of_another_memory_never_opens_in_the_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = directory(tmp_path / "c", MEMORY_md="# Theirs\n", d16=[line(1, content="git push")])
    before = contents(path)
    started = tmp_path / "started"
    monkeypatch.setenv("VISUAL", f"touch {started}")
    monkeypatch.setattr(MemApp, "suspend", lambda _app: nullcontext())
    with foreign([path]) as found:
        async with opened(found.path, read_only=True, owner=found.owner) as pilot:
            await press(pilot, "4", "right", "e", "E", "enter", "e", "E")
            with Store.open(found.path, read_only=True) as store:
                (note,) = store.notes.list()
            await app(pilot).edit(f"n{note.id}").wait()
            await app(pilot).edit_text(f"n{note.id}").wait()
    assert not started.exists()
    assert contents(path) == before


def test_the_private_store_is_ones_own_and_gone_afterwards(claude_mem: Path, temporary: Path) -> None:
    with foreign([claude_mem]) as found:
        assert found.path.parents[2] == temporary
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


@pytest.mark.parametrize("exists", [True, False])
def test_no_control_character_of_a_path_reaches_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, exists: bool
) -> None:
    monkeypatch.setattr(MemApp, "run", lambda self, **_: None)
    monkeypatch.setattr(command, "on_terminal", lambda: True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    path = tmp_path / "an\x1b]0;title\x07odd.db"
    if exists:
        ClaudeMemFile(path)
    assert command.main(["--from", str(path)]) == 1
    said = capsys.readouterr().err
    assert "odd.db" in said
    assert "\x1b]0" not in said
    assert "\x07" not in said


def test_it_stands_alone(
    claude_mem: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command.main(["--from", str(claude_mem), "--demo"]) == 1
    assert "--from" in capsys.readouterr().err
    monkeypatch.setattr(command, "on_terminal", lambda: True)
    assert command.main(["--from", str(claude_mem) + "x"]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.endswith("x. Name one that holds a store.\n")


async def test_of_a_folder_of_several_agents_all_are_shown(tmp_path: Path) -> None:
    folder = tmp_path / "collected"
    claude_records.write(folder / "s.jsonl", claude_records.WORK)
    rollout = [rollouts.meta(), rollouts.begun(), rollouts.asked("make it so"), rollouts.ended("Done")]
    lines = "".join(json.dumps(one) + "\n" for one in rollout)
    (folder / "rollout-1.jsonl").write_text(lines)
    with foreign([folder]) as found, Store.open(found.path) as store:
        agents = {session.session.agent for session in store.sessions.list()}
        assert agents == {"claude-code", "codex"}
        assert set(found.owner.split(" and ")) == agents
        assert store.find("source:codex").count().value and store.find("source:claude-code").count().value
