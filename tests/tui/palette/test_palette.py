"""The palette: every action by its name, what was used of late first, and memories for unknown words."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.store import Store
from memtui.tui.actions import NOT_NOW, actions_of
from memtui.tui.help.page import owners
from memtui.tui.keys.bindings import bindings_of
from memtui.tui.memory import MemoryScreen
from memtui.tui.palette.commands import ELSEWHERE, LEFT_OUT
from memtui.tui.palette.screen import Command, CommandList, PaletteScreen, matching
from memtui.tui.parts.text_view import TextView
from memtui.tui.screen import MemScreen
from memtui.tui.tabs import TABS
from tests.store.formats.transcripts.claude_records import SESSION, WORK, write
from tests.tui.browser import app, opened, press, search, text, titles
from tests.tui.patience import idle

SCREENS: dict[str, tuple[str, ...]] = {
    "a memory": ("2", "enter"),
    "a session": ("o",),
    "versions": ("h",),
    "history": ("H",),
    "merge room": ("m",),
    "a fact": ("4", "enter"),
    "contexts given": ("6", "l"),
}


async def typed(pilot: Pilot[Any], words: str) -> None:
    """Have these words in the palette's line, and all that they find."""
    pilot.app.screen.query_one(Input).value = words
    await idle(pilot)


def rows(pilot: Pilot[Any]) -> list[Command]:
    """The commands and memories that the palette lists."""
    return [row for row in listed(pilot).rows if isinstance(row, Command)]


def headings(pilot: Pilot[Any]) -> list[str]:
    return [row for row in listed(pilot).rows if isinstance(row, str)]


def names(pilot: Pilot[Any]) -> list[str]:
    return [row.name for row in rows(pilot)]


def listed(pilot: Pilot[Any]) -> CommandList:
    return pilot.app.screen.query_one(CommandList)


def toasts(pilot: Pilot[Any]) -> str:
    return " ".join(" ".join(map(text, pilot.app.screen.query("Toast"))).split())


async def test_no_two_commands_of_the_search_have_one_name(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p")
        assert {name for name in names(pilot) if names(pilot).count(name) > 1} == set()


async def is_all_in_the_palette(pilot: Pilot[Any]) -> None:
    """Every key of the screen in front is in its palette by its name, and what is there is the screen's."""
    screen = pilot.app.screen
    assert isinstance(screen, MemScreen)
    bound = {
        active.binding.id
        for active in screen.active_bindings.values()
        # Textual's own have none; those that do the same under two ids are one command.
        if active.binding.id and active.binding.id != "app.quit-now"
    }
    actions = actions_of(screen)
    assert bound <= {one.id for one in actions}
    offered = [one for one in actions if one.why_not != NOT_NOW and one.id not in LEFT_OUT]
    await press(pilot, "ctrl+p")
    palette = pilot.app.screen
    assert isinstance(palette, PaletteScreen)
    assert NOT_NOW not in {command.why_not for command in palette.commands}
    for one in offered:
        found = matching(palette.commands, one.name, ())
        assert one.id in {command.id for command in found}
    declared = {binding.id for owner in owners() for binding in bindings_of(owner)}
    known = {one.id for one in palette.commands if one.keys and one.group != ELSEWHERE}
    assert known <= declared
    await press(pilot, "escape")


@pytest.mark.long
async def test_what_keys_do_is_in_the_palette_on_every_screen(demo: Path) -> None:
    async with opened(demo) as pilot:
        await is_all_in_the_palette(pilot)
        await press(pilot, "escape")
        for tab in TABS:
            await press(pilot, tab.key)
            assert app(pilot).current_mode == tab.mode
            await is_all_in_the_palette(pilot)


@pytest.mark.parametrize("keys", SCREENS.values(), ids=SCREENS)
@pytest.mark.sampled
async def test_what_keys_do_is_in_the_palette_on_what_is_opened(demo: Path, keys: tuple[str, ...]) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", *keys)
        await is_all_in_the_palette(pilot)


async def test_what_a_command_says_stands_beside_its_key(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p")
        assert headings(pilot)[:3] == ["Every day", "Search", "Query line"]
        assert {"This memory", "Many at once", "Memory", "Go to", "App"} <= set(headings(pilot))
        await typed(pilot, "pin")
        [line] = [line for line in text(listed(pilot)).splitlines() if "Pin or unpin" in line]
        assert line.split()[:1] == ["▌Pin"] and line.split()[-1] == "p"


MEANT = [
    ("undo", "app.undo"),
    ("copy", "entry.copy"),
    ("cpy", "entry.copy"),
    ("export", "entry.export"),
    ("why", "search.why"),
    ("theme", "theme"),
    ("purge", "search.purge"),
    ("forget", "search.purge"),
    ("stats", "app.statistics"),
    ("clipboard", "entry.copy"),
    ("private hide", "entry.hide"),
    *((word, "cost") for word in ("cost", "tokens", "context", "start cost", "花费")),
]


async def test_a_word_one_would_type_finds_the_command(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"token", "enter", "ctrl+p")
        for words, id in MEANT:
            await typed(pilot, words)
            assert rows(pilot)[0].id == id


async def test_what_another_screen_can_do_leads_there(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p")
        await typed(pilot, "install")
        assert (rows(pilot)[0].name, rows(pilot)[0].keys) == ("Capture: Install", "5 i")
        await press(pilot, "enter")
        assert app(pilot).current_mode == "capture"


async def test_a_command_works_on_the_widget_that_has_the_focus(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "down", "ctrl+p")
        await typed(pilot, "last")
        await press(pilot, "enter")
        assert search(pilot).results.list.has_focus
        assert search(pilot).results.list.cursor == search(pilot).results.list.count - 1


async def test_a_command_of_a_widget_without_the_focus_goes_there(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"token", "enter", "ctrl+p")
        await typed(pilot, "empty the query")
        await press(pilot, "enter")
        assert search(pilot).bar.input.value == ""
        assert search(pilot).bar.input.has_focus


async def test_what_is_chosen_can_be_undone_by_name(demo: Path) -> None:
    async with opened(demo) as pilot:
        before = titles(pilot)
        for words in ("delete", "undo"):
            await press(pilot, "escape", "ctrl+p")
            await typed(pilot, words)
            await press(pilot, "enter")
            assert (titles(pilot) == before) is (words == "undo")


@pytest.mark.long
async def test_what_was_used_last_comes_first_also_at_the_next_start(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape")
        for words in ("pin", "copy"):
            await press(pilot, "ctrl+p")
            await typed(pilot, words)
            await press(pilot, "enter")
        await press(pilot, "ctrl+p")
        assert headings(pilot)[0] == "Recently used"
        assert names(pilot)[:2] == ["Copy", "Pin"]
        assert names(pilot).count("Copy") == 1
    for read_only in (False, True):
        async with opened(demo, read_only=read_only) as pilot:
            await press(pilot, "escape", "ctrl+p")
            assert names(pilot)[0] == "Copy"


async def test_the_names_of_projects_and_searches_are_not_written_beside_the_memory(
    demo: Path, home: Path
) -> None:
    with Store.open(demo) as store:
        store.searches.save("Hush", "project:payments-api")
    async with opened(demo) as pilot:
        for words in ("hush", "project payments", "copy"):
            await press(pilot, "escape", "ctrl+p")
            await typed(pilot, words)
            await press(pilot, "enter")
        await press(pilot, "escape", "ctrl+p")
        assert names(pilot)[:3] == ["Copy", "Project payments-api", "Saved: Hush"]
    written = [path.read_text() for path in home.rglob("palette*") if path.is_file()]
    assert written == ["entry.copy\n"]


async def test_where_nothing_can_be_kept_it_is_known_as_long_as_the_browser_runs(
    demo: Path, home: Path
) -> None:
    (home / ".local").write_text("in the way")
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p")
        await typed(pilot, "copy")
        await press(pilot, "enter", "ctrl+p")
        assert names(pilot)[0] == "Copy"


async def test_unknown_words_search_memories(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "3", "ctrl+p")
        await typed(pilot, "clock drifted")
        assert names(pilot)[0] == "Search memories"
        assert "Search memories for “clock drifted”" in text(listed(pilot))
        assert "Refresh token expired because the clock drifted" in text(listed(pilot))
        assert len(rows(pilot)) <= 6
        await press(pilot, "enter")
        assert app(pilot).current_mode == "search"
        assert search(pilot).bar.input.value == "clock drifted"


async def test_a_memory_found_in_the_palette_opens_over_the_screen(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "3", "ctrl+p")
        await typed(pilot, "clock drifted")
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, MemoryScreen)
        assert "clock drifted" in text(pilot.app.screen.detail)
        await press(pilot, "escape")
        assert app(pilot).current_mode == "sessions"


async def test_the_palette_never_lists_what_is_hidden(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.set_private(store.observations.add("c-1", title="Hush the first"))
        store.observations.delete(store.observations.add("c-1", title="Hush the second"))
        store.observations.add("c-1", title="A memory that is seen")
    async with opened(empty) as pilot:
        await press(pilot, "escape", "ctrl+p")
        for words in ("hush", "hush is:private", "is:private", "is:deleted"):
            await typed(pilot, words)
            assert "Hush the" not in text(listed(pilot))


async def test_what_cannot_be_done_is_dimmed_and_says_why(demo: Path) -> None:
    async with opened(demo, read_only=True) as pilot:
        await press(pilot, "escape", "ctrl+p")
        assert "Delete" not in names(pilot)
        await typed(pilot, "delete or")
        assert [row.why_not for row in rows(pilot) if row.id == "entry.delete"] == [
            "this store can only be read"
        ]
        at = [row.id for row in rows(pilot)].index("entry.delete")
        await press(pilot, *["down"] * at)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, PaletteScreen)
        assert "Delete: this store can only be read" in toasts(pilot)


async def test_a_theme_is_chosen_by_name(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p")
        await typed(pilot, "theme")
        await press(pilot, "enter")
        await typed(pilot, "nord")
        await press(pilot, "enter")
        assert pilot.app.theme == "nord"


async def test_themes_are_shown_while_they_are_selected_and_the_current_one_stands_first(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p")
        await typed(pilot, "theme")
        await press(pilot, "enter")
        assert (headings(pilot)[0], names(pilot)[0]) == ("Current", "memtui-dark")
        await typed(pilot, "nord")
        assert pilot.app.theme == "nord"
        await press(pilot, "escape")
        assert pilot.app.theme == "memtui-dark"
    assert not config.exists()


async def test_who_types_faster_than_it_lists_gets_what_was_typed(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape")
        await pilot.press("ctrl+p", *"statis", "enter")
        await idle(pilot)
        assert app(pilot).current_mode == "statistics"


@pytest.mark.parametrize("moved", [False, True])
async def test_the_best_command_is_selected_however_late_it_comes(demo: Path, moved: bool) -> None:
    late = asyncio.Event()

    def named(*names: str) -> list[Command]:
        return [Command(name, name, "stats", "Group", lambda: None) for name in names]

    async def more() -> list[Command]:
        await late.wait()
        return named("Stats", "Stats by day")

    async with opened(demo) as pilot:
        pilot.app.push_screen(PaletteScreen(named("Figures", "Numbers"), more=more))
        await pilot.pause()
        for letters in ("st", "stats"):
            pilot.app.screen.query_one(Input).value = letters
            await pilot.pause()
        await pilot.press(*["down"] * moved)
        late.set()
        await idle(pilot)
        assert names(pilot)[:2] == ["Stats", "Stats by day"]
        selected = listed(pilot).item
        assert isinstance(selected, Command) and selected.name == ("Numbers" if moved else "Stats")


async def test_a_click_chooses(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p")
        await typed(pilot, "sessions")
        at = names(pilot).index("Sessions")
        await pilot.click(CommandList, offset=(3, at))
        await idle(pilot)
        assert app(pilot).current_mode == "sessions"


@pytest.mark.parametrize("key", ["escape", "ctrl+p"])
async def test_the_palette_closes_to_where_it_was_opened(demo: Path, key: str) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "down", "j")
        before = pilot.app.screen, pilot.app.focused
        await press(pilot, "ctrl+p", "x", key)
        assert (pilot.app.screen, pilot.app.focused) == before


async def test_what_was_found_on_this_machine_is_imported_by_name(empty: Path, home: Path) -> None:
    write(home / ".claude" / "projects" / "-work-atlas" / f"{SESSION}.jsonl", WORK)
    async with opened(empty) as pilot:
        await press(pilot, "escape", "3", "ctrl+p", *"import", "enter")
        assert "~/.claude/projects" in text(pilot.app.screen.query_one(TextView))
        await press(pilot, "escape")
        with Store.open(empty) as store:
            assert store.sessions.list() == []
        await press(pilot, "ctrl+p", *"import", "enter")
        await press(pilot, "enter")
        assert "imported." in toasts(pilot)
    with Store.open(empty) as store:
        assert [row.session.agent for row in store.sessions.list()] == ["claude-code"]


async def test_where_there_is_nothing_to_import_that_is_said(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "ctrl+p", *"import", "enter")
        assert "Found nothing to import" in toasts(pilot)
