"""The screen of agents' files: what is told here, what isn't, the text with its cut, and what F mends."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.leaves.files.agent_files import slug
from memtui.store.leaves.files.editing import FileEditing
from memtui.tui.leaves.files.screen import FilesScreen
from memtui.tui.lists.picker import PickScreen
from memtui.tui.parts.text_view import Hint
from tests.store.git.repository import Repository, at, needs_git
from tests.tui.browser import ask, opened, press, search, text
from tests.tui.composer.contexts import toasts


@pytest.fixture
def shop(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with what two agents are told, and an index that is cut."""
    folder = home.parent / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("# Shop\n\nUse pnpm.\n")
    (folder / "AGENTS.md").write_text("Write tests first.\n")
    memory = home / ".claude/projects" / slug(folder.resolve()) / "memory"
    memory.mkdir(parents=True)
    lines = "".join(f"- entry {number}\n" for number in range(1, 206))
    (memory / "MEMORY.md").write_text(f"- [gone](gone.md)\n{lines}")
    monkeypatch.chdir(folder)
    return folder


async def to_files(pilot: Pilot[Any]) -> FilesScreen:
    await press(pilot, "escape", "8")
    return cast(FilesScreen, pilot.app.screen)


async def test_what_is_told_comes_first_then_what_is_not(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_files(pilot)
        shown = text(screen.files)
        assert "told at a start" in shown
        assert shown.index("1 CLAUDE.md") < shown.index("2 memory/MEMORY.md")
        assert "– AGENTS.md · CLAUDE.md is there" in shown
        assert "Told as number 1: of the working folder." in text(screen.view)
        assert "Use pnpm." in text(screen.view)
        await press(pilot, "a")
        assert "1 AGENTS.md" in text(screen.files)


async def test_heads_are_neither_counted_nor_selected(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_files(pilot)
        assert screen.files.title == "Files 3"
        paths = []
        for _ in range(3):
            paths.append(screen.files.item and screen.files.item.path)
            await press(pilot, "down")
        assert [path.name for path in paths if path] == ["CLAUDE.md", "MEMORY.md", "AGENTS.md"]


async def test_the_cut_is_a_line_in_the_text(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_files(pilot)
        await press(pilot, "down", "enter", "end")
        shown = " ".join(text(screen.view).split())
        assert "┄┄ line 201: 206 lines" in shown
        assert shown.index("entry 199") < shown.index("┄┄ line 201") < shown.index("• entry 200")


async def test_a_finding_is_mended_and_that_is_taken_back(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_files(pilot)
        index = next(Path.home().glob(".claude/projects/*/memory/MEMORY.md"))
        before = index.read_text()
        await press(pilot, "down")
        assert "gone.md is named and isn't there" in text(screen.view)
        await press(pilot, "F")
        assert index.read_text() == before.removeprefix("- [gone](gone.md)\n")
        await press(pilot, "u")
        assert index.read_text() == before


async def test_words_narrow_the_files(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_files(pilot)
        await press(pilot, "slash", *"agents")
        assert "AGENTS.md" in text(screen.files)
        assert "CLAUDE.md\n" not in text(screen.files)


async def test_a_search_tells_how_many_files_hold_its_words_and_leads_there(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        await to_files(pilot)
        await press(pilot, "1")
        await ask(pilot, "pnpm")
        more = search(pilot).results.more_in_files
        assert "1 more in agents' own files" in text(more)
        pilot.app.set_focus(more)
        await press(pilot, "enter")
        screen = cast(FilesScreen, pilot.app.screen)
        shown = text(screen.files)
        assert "1 CLAUDE.md" in shown and "AGENTS.md" not in shown
        await press(pilot, "escape")
        assert "AGENTS.md" in text(screen.files)
        await press(pilot, "1")
        await ask(pilot, "pnpm type:fact")
        assert not more.display


async def test_d_shows_what_differs_from_the_version_before(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_files(pilot)
        await press(pilot, "d")
        assert "there is not an earlier version" in toasts(pilot)
        with Store.open(demo) as store:
            FileEditing(store).edit(shop / "CLAUDE.md", "# Shop\n\nUse npm.\n")
        await press(pilot, "d")
        assert "~ Use pnpm.npm." in text(screen.view) or "- Use pnpm." in text(screen.view)
        await press(pilot, "r")
        assert "~" not in text(screen.view) and "Use npm." in text(screen.view)


async def test_where_there_is_no_file_it_says_so(
    demo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "nothing"
    folder.mkdir()
    monkeypatch.chdir(folder)
    async with opened(demo) as pilot:
        screen = await to_files(pilot)
        assert "is told nothing by files" in text(screen.query_one(Hint))
        assert not screen.files.is_on_screen
        (folder / "CLAUDE.md").write_text("# Nothing\n")
        await press(pilot, "r")
        assert screen.files.has_focus and not screen.query_one(Hint).is_on_screen


async def test_words_that_no_file_holds_are_named(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_files(pilot)
        await press(pilot, "slash", *"zebra")
        assert "holds zebra" in " ".join(text(screen.view).split())


async def test_what_a_file_says_is_adopted_and_a_memory_promoted(demo: Path, shop: Path) -> None:
    (shop / "CLAUDE.md").write_text("# Shop\n\n- Use pnpm.\n")
    async with opened(demo) as pilot:
        await ask(pilot, "type:decision")
        await press(pilot, "escape")
        row = search(pilot).row
        assert row is not None
        await press(pilot, "8", "A", *"pnpm", "enter")
        assert "adopted (u takes it back)" in toasts(pilot)
        await press(pilot, "P", "enter")
        assert f"{row.ref} promoted to " in toasts(pilot)
    assert row.title.split()[0] in (shop / "CLAUDE.md").read_text()
    with Store.open(demo) as store:
        assert store.find("kind:fact pnpm").page().hits


async def test_kind_file_is_answered_by_the_files(demo: Path, shop: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "kind:file pnpm")
        await press(pilot, "enter")
        screen = cast(FilesScreen, pilot.app.screen)
        assert "CLAUDE.md" in text(screen.files)
        assert "AGENTS.md" not in text(screen.files)


@needs_git
async def test_who_wrote_a_file_is_asked_of_it(demo: Path, shop: Path) -> None:
    (shop / ".git").rmdir()
    Repository(shop).commit(1)
    async with opened(demo) as pilot:
        await to_files(pilot)
        await press(pilot, "b")
        assert isinstance(pilot.app.screen, PickScreen)
        assert pilot.app.screen._title == "who wrote CLAUDE.md?"


@needs_git
async def test_who_wrote_lines_is_called_as_its_session_is(demo: Path, shop: Path) -> None:
    (shop / ".git").rmdir()
    with Store.open(demo) as store:
        session = store.sessions.start("told", project="shop", title="Say it", project_path=str(shop))
        store.prompts.add(session, "Implement the following plan:")
        store.observations.add(
            session, title="Edited CLAUDE.md", type="change", project="shop", tool_name="Edit",
            narrative="@@\n+ Clocks never go back here", files_modified=["CLAUDE.md"], prompt_number=1,
            at=at(0),
        )  # fmt: skip
    (shop / "CLAUDE.md").write_text("Clocks never go back here\n")
    Repository(shop).commit(1)
    async with opened(demo) as pilot:
        await to_files(pilot)
        await press(pilot, "b")
        (pick,) = cast("PickScreen[str]", pilot.app.screen)._all
        assert (pick.name, pick.told) == ("1  Say it", "Implement the following plan:")
