"""An empty memory: what it teaches, and the keys that fill it."""

import asyncio
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.config import archives
from memtui.store.maintain.importing import Offer
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.parts.text_view import TextView
from memtui.tui.startup.importing import Tell
from tests.places import FOREIGN
from tests.store.formats.transcripts import rollouts
from tests.store.formats.transcripts.claude_records import SESSION, WORK, write
from tests.tui.browser import NOW, app, opened, press, search, text
from tests.tui.patience import idle

CLAUDE_MEM = FOREIGN / "claude-mem-v9.db"


async def test_an_empty_memory_says_what_this_is_and_how_it_is_filled(empty: Path) -> None:
    async with opened(empty) as pilot:
        shown = text(search(pilot).welcome)
        assert "memtui shows what your coding agents remember." in shown
        assert 'mem add "What I learned"' in shown
        assert "import what was found" not in shown
        assert "Import" not in text(search(pilot).query_one(KeysFooter))


async def test_slash_is_the_query_from_the_welcome(empty: Path) -> None:
    async with opened(empty) as pilot:
        assert search(pilot).welcome.has_focus
        footer = text(search(pilot).query_one(KeysFooter))
        assert "/ Query" in footer and "Find" not in footer
        await press(pilot, "slash", "x")
        assert search(pilot).bar.input.value == "x"


@pytest.mark.parametrize("size", [(160, 50), (140, 40), (120, 40)])
async def test_it_stands_in_the_middle_and_shows_what_is_to_come(
    empty: Path, size: tuple[int, int]
) -> None:
    async with opened(empty, size=size) as pilot:
        region = search(pilot).welcome.region
        assert abs(region.x - (size[0] - region.right)) <= 1
        assert abs((region.y - 3) - (size[1] - 1 - region.bottom)) <= 1
        assert "what you will see here" in text(search(pilot).welcome)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (30, 8)])
async def test_where_there_is_little_room_it_keeps_to_the_keys(empty: Path, size: tuple[int, int]) -> None:
    async with opened(empty, size=size) as pilot:
        welcome = search(pilot).welcome
        assert "what you will see here" not in text(welcome)
        await press(pilot, "end")
        assert "mem import claude-mem PATH" in " ".join(text(welcome).split())
        await pilot.resize_terminal(140, 40)
        await idle(pilot)
        assert "what you will see here" in text(welcome)


async def test_transcripts_on_this_machine_are_counted(empty: Path, home: Path) -> None:
    folder = home / ".claude" / "projects" / "atlas"
    folder.mkdir(parents=True)
    for name in ("a.jsonl", "b.jsonl", "notes.md"):
        (folder / name).touch()
    async with opened(empty) as pilot:
        assert "2 of claude-code" in text(search(pilot).welcome)


@pytest.mark.skipif(not CLAUDE_MEM.exists(), reason="no foreign memory at hand")
async def test_i_imports_what_claude_mem_remembers(empty: Path, home: Path) -> None:
    database = home / ".claude-mem" / "claude-mem.db"
    database.parent.mkdir()
    shutil.copy(CLAUDE_MEM, database)
    async with opened(empty) as pilot:
        assert "~/.claude-mem/claude-mem.db" in text(search(pilot).welcome)
        await press(pilot, "i", "enter")
        await idle(pilot)
        assert not search(pilot).welcome.display
        assert search(pilot).results.list.count > 300
        assert search(pilot).bar.input.has_focus


async def test_i_imports_all_that_was_found(empty: Path, home: Path) -> None:
    write(home / ".claude" / "projects" / "-work-atlas" / f"{SESSION}.jsonl", WORK)
    rollout = [rollouts.meta(), rollouts.begun(), rollouts.asked("make it so"), rollouts.ended("Done")]
    place = home / ".codex" / "sessions" / "rollout-1.jsonl"
    place.parent.mkdir(parents=True)
    place.write_text("".join(json.dumps(one) + "\n" for one in rollout))
    async with opened(empty) as pilot:
        assert "1 of claude-code, 1 of codex" in text(search(pilot).welcome)
        await press(pilot, "i", "enter")
        await idle(pilot)
        assert not search(pilot).welcome.display
    with Store.open(empty) as store:
        agents = {row.session.agent for row in store.sessions.list()}
        assert agents == {"claude-code", "codex"}
    assert not (home / ".claude/settings.json").exists()
    assert not archives()


@pytest.mark.parametrize("key", ["h", "a"])
async def test_an_import_also_hooks_up_and_archives_what_agents_delete_where_that_is_wanted(
    empty: Path, home: Path, key: str
) -> None:
    write(home / ".claude" / "projects" / "-work-atlas" / f"{SESSION}.jsonl", WORK)
    async with opened(empty) as pilot:
        await press(pilot, "i")
        await idle(pilot)
        asked = " ".join(text(pilot.app.screen.query_one(TextView)).split())
        assert "1 file · 0 MB" in asked and "It takes about" in asked
        assert "also hooks up claude-code" in asked and "claude-code after 30 days" in asked
        await press(pilot, key)
        await idle(pilot)
        assert search(pilot).bar.input.has_focus
    assert "hook.py" in (home / ".claude/settings.json").read_text()
    assert archives() == (key == "a")
    with Store.open(empty) as store:
        assert store.find("").count().value > 0
    kept = list(empty.with_name(f"{empty.name}-archive").rglob("manifest.jsonl"))
    assert [path.parent.name for path in kept] == ([SESSION] if key == "a" else [])


async def test_what_has_come_in_is_found_before_the_rest_has(
    empty: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home / ".claude" / "projects" / "-work-atlas" / f"{SESSION}.jsonl", WORK)
    may_end = asyncio.Event()

    async def halfway(path: Path, offers: Sequence[Offer], tell: Tell) -> tuple[int, list[str]]:
        with Store.open(path) as store:
            store.observations.add(None, title="The first", at=NOW)
        tell(offers[0], 1, 2)
        await may_end.wait()
        return 1, []

    monkeypatch.setattr("memtui.tui.importing.import_all", halfway)
    async with opened(empty) as pilot:
        await press(pilot, "i")
        await pilot.press("enter")
        # The import is a worker too, so that there is nothing to wait for but what is shown.
        while "The first" not in text(search(pilot).results.list):
            app(pilot).look()
            await pilot.pause(0.05)
        assert "Importing claude-code 50%" in search(pilot).at_work
        search(pilot).action_query()
        await pilot.press("escape")
        assert search(pilot).results.list.has_focus, "esc does what it does elsewhere"
        may_end.set()
        await idle(pilot)
        assert search(pilot).at_work == ""


async def test_mem_is_named_by_its_path_where_a_shell_would_not_find_it(
    empty: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "venv" / "bin" / "mem"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    monkeypatch.setattr("sys.executable", str(program.with_name("python")))
    monkeypatch.setenv("PATH", "")
    async with opened(empty, size=(160, 40)) as pilot:
        assert f'{program} add "What I learned"' in text(search(pilot).welcome)
    monkeypatch.setenv("PATH", str(program.parent))
    async with opened(empty) as pilot:
        assert '\nmem add "What I learned"' in text(search(pilot).welcome)


async def test_capital_d_leaves_for_the_demo(empty: Path) -> None:
    async with opened(empty) as pilot:
        await press(pilot, "D")
    assert app(pilot).return_value == "demo"


async def test_the_first_memory_takes_its_place(empty: Path) -> None:
    async with opened(empty) as pilot:
        with Store.open(empty) as other:
            other.observations.add(None, title="The first", at=NOW)
        app(pilot).look()
        await idle(pilot)
        await idle(pilot)
        assert not search(pilot).welcome.display
        assert "The first" in text(search(pilot).results.list)


async def test_where_all_was_deleted_it_says_so_and_which_key_takes_that_back(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.add("c-1", title="one")
        store.observations.delete(1)
    async with opened(empty) as pilot:
        await idle(pilot)
        shown = text(search(pilot).welcome)
        assert "1 memory is deleted, u takes the last change back" in shown
        assert "still empty" not in shown


async def test_u_takes_back_that_all_was_deleted(empty: Path) -> None:
    with Store.open(empty) as store:
        for title in ("one", "two"):
            store.observations.add("c-1", title=title)
    async with opened(empty) as pilot:
        await press(pilot, "escape", "asterisk", "d", "enter")
        await idle(pilot)
        assert search(pilot).welcome.has_focus
        await press(pilot, "u")
        await idle(pilot)
        assert not search(pilot).welcome.display
        assert search(pilot).results.list.count == 2


async def test_who_empties_the_query_line_types_on_in_it(empty: Path) -> None:
    async with opened(empty) as pilot:
        await press(pilot, "slash", "x")
        await idle(pilot)
        await press(pilot, "backspace")
        await idle(pilot)
        assert search(pilot).welcome.display
        await press(pilot, "D")
        assert search(pilot).bar.input.value == "D"
