"""The browser as a whole: its modes, what it can't do and why, and how little it imports."""

import ast
import asyncio
import subprocess
import sys
from pathlib import Path

from memtui.store import DatabaseError, Store
from memtui.tui.palette.screen import PaletteScreen
from memtui.tui.parts.frame import Header, KeysFooter, Notice
from tests.tui.browser import app, ask, opened, press, search, text, titles
from tests.tui.patience import idle

FIRST_PAINT = """
import asyncio, sys
from pathlib import Path
from memtui.tui.app import MemApp

async def main() -> None:
    async with MemApp(Path(sys.argv[1])).run_test() as pilot:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        print(sorted({name.partition(".")[0] for name in sys.modules}))

asyncio.run(main())
"""


async def test_each_mode_is_one_key_away_and_kept_as_it_was(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "j", "3")
        assert app(pilot).current_mode == "sessions"
        await press(pilot, "4", "2")
        assert app(pilot).current_mode == "timeline"
        await press(pilot, "1")
        assert search(pilot).bar.input.value == "token"
        assert search(pilot).results.list.cursor == 1


async def test_escape_leaves_what_lies_over_a_tab_and_never_the_tab(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", "3", "4", "h")
        assert len(pilot.app.screen_stack) == 2
        for _ in range(3):
            await press(pilot, "escape")
            assert (app(pilot).current_mode, len(pilot.app.screen_stack)) == ("facts", 1)


async def test_what_is_opened_from_the_results_closes_to_the_same_row(demo: Path) -> None:
    async with opened(demo) as pilot:
        screen = search(pilot)
        await press(pilot, "down", "j")
        for key in ("t", "o"):
            await press(pilot, key)
            assert pilot.app.screen is not screen
            await press(pilot, "escape")
            assert pilot.app.screen is screen
            assert screen.results.list.cursor == 1


async def test_the_header_tells_what_is_stored(demo: Path) -> None:
    async with opened(demo) as pilot:
        header = text(search(pilot).query_one(Header))
        assert "memtui  1 Search  2 Timeline" in header
        assert "420 memories · newest 1m ago" in header


async def test_the_footer_shows_the_keys_of_what_has_the_focus_and_takes_clicks(demo: Path) -> None:
    async with opened(demo) as pilot:
        footer = search(pilot).query_one(KeysFooter)
        assert text(footer).startswith("esc Results  alt+1…8 Screens")
        await press(pilot, "down")
        assert "p Pin" in text(footer)
        await pilot.click(KeysFooter, offset=(text(footer).index("Query"), 0))
        await idle(pilot)
        assert search(pilot).bar.input.has_focus


async def test_a_memory_that_can_only_be_read_says_so_and_offers_no_writing(demo: Path) -> None:
    async with opened(demo, read_only=True, notice="Read-only: a newer memtui wrote it.") as pilot:
        assert "Read-only: a newer memtui" in text(search(pilot).query_one(Notice))
        before = titles(pilot)
        await press(pilot, "down", "d", "p", "x", "u")
        assert titles(pilot) == before
        assert "Delete" not in text(search(pilot).query_one(KeysFooter))


async def test_what_the_store_refuses_is_told_and_the_browser_stays(demo: Path) -> None:
    async with opened(demo) as pilot:

        def refuse(_: Store) -> str:
            raise DatabaseError("The disk is full.")

        await app(pilot).write(refuse)
        await pilot.pause()
        assert "The disk is full." in "".join(map(text, pilot.app.screen.query("Toast")))
        await ask(pilot, "token")
        assert titles(pilot)


async def test_the_palette_narrows_to_a_project(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "ctrl+p", *"payments")
        await press(pilot, "enter")
        assert not isinstance(pilot.app.screen, PaletteScreen)
        assert search(pilot).bar.input.value == "project:payments-api "


def test_little_is_imported_before_the_first_paint(demo_file: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", FIRST_PAINT, str(demo_file)], capture_output=True, check=True
    )
    modules = set(ast.literal_eval(shown.stdout.decode()))
    assert not modules & {"markdown_it", "pygments", "tree_sitter", "rapidfuzz", "typer"}


async def test_a_modes_own_key_leads_up_to_its_first_screen(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", "3", "enter", "t")
        assert len(pilot.app.screen_stack) == 3
        await press(pilot, "3")
        assert len(pilot.app.screen_stack) == 1
        assert pilot.app.current_mode == "sessions"


async def test_a_worker_that_outlives_its_widgets_is_no_error(demo: Path) -> None:
    async with opened(demo) as pilot:
        screen = pilot.app.screen

        async def late() -> None:
            while pilot.app.is_running:
                await asyncio.sleep(0)
            screen.query_one("#gone")

        screen.run_worker(late())
