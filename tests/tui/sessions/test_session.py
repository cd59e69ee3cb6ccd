"""One session: what came of it, what was asked and learned, what it touched."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.tui.parts.frame import TabLine
from memtui.tui.parts.line_input import PromptInput
from memtui.tui.search.screen import SearchScreen
from memtui.tui.sessions.screen import SessionsScreen
from tests.tui.browser import NOW, app, opened, search, text
from tests.tui.patience import idle, press
from tests.tui.sessions.screens import session, tab


async def test_the_summary_stands_folded_at_the_top(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert tab(pilot)[0].split()[:2] == ["▌∑", "▸"]
        assert "Fonts held them up." not in tab(pilot)[1]
        await press(pilot, "space")
        shown = " ".join(tab(pilot))
        assert "Learned" in shown and "Fonts held them up." in shown
        assert "Notes" not in shown and "Request" not in shown
        await press(pilot, "space")
        assert "why are the tiles late?" in tab(pilot)[3]


async def test_a_session_without_a_summary_names_what_makes_one(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert "No summary yet" in tab(pilot)[0]
        await press(pilot, "home", "space")
        assert "mem summary --session @30 " in " ".join(tab(pilot))


async def test_a_summary_that_is_written_meanwhile_shows(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "3", "enter")
        with Store.open(demo) as other:
            one = other.sessions.get("e09b4d7c")
            other.summaries.add(one, learned="Cursors need no React.", at=NOW)
        app(pilot).look()
        await idle(pilot)
        assert "Cursors need no React." in " ".join(tab(pilot))


async def test_the_tabs_are_the_conversation_all_in_time_and_files(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert text(session(pilot).tabs) == "Conversation 6   Timeline 6   Files 3"
        assert [line.split() for line in tab(pilot)[3:7]] == [
            "▸ why are the tiles late?".split(),
            "▪ Tiles wait for fonts 1".split(),
            "▪ Fonts load beside the tiles 2".split(),
            "▪ A test for the order 3".split(),
        ]
        await press(pilot, "right")
        assert len(tab(pilot)) == 7
        await press(pilot, "right", "right", "left")
        assert [" ".join(line[1:].split()) for line in tab(pilot)] == [
            "✎ fonts.ts 2 modified 1 read",
            "✎ order.test.ts 1 modified",
            "○ map.ts 2 read",
        ]


async def test_a_click_on_a_tab_brings_it_to_the_front(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        await pilot.click(TabLine, offset=(text(session(pilot).tabs).index("Files") + 2, 0))
        await idle(pilot)
        assert tab(pilot)[0].split()[1:] == "fonts.ts 2 modified 1 read".split()


async def test_a_file_searches_for_all_that_touched_it(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter", "left", "j", "f")
        assert isinstance(pilot.app.screen, SearchScreen)
        await idle(pilot)
        assert search(pilot).bar.input.value == "file:order.test.ts"
        assert search(pilot).results.list.count == 1


@pytest.mark.parametrize("size", [(160, 50), (80, 24)])
async def test_a_file_shows_what_was_done_to_it_and_enter_stays_inside(
    one_session: Path, size: tuple[int, int]
) -> None:
    async with opened(one_session, size=size) as pilot:
        await press(pilot, "escape", "3", "enter", "left", "enter")
        screen = session(pilot)
        assert screen.selected_path == "fonts.ts" and screen.detail.has_focus
        assert "Fonts load beside the tiles" in text(screen.detail)
        assert size[0] < 120 or "O Open files" in text(screen.query_one("KeysFooter"))
        await press(pilot, "escape", "j", "enter")
        assert "A test for the order" in text(screen.detail)


@pytest.mark.parametrize("size", [(160, 50), (80, 24)])
async def test_enter_shows_an_entry_whole_and_escape_leads_back(
    one_session: Path, size: tuple[int, int]
) -> None:
    async with opened(one_session, size=size) as pilot:
        await press(pilot, "escape", "3", "enter", "j", "j", "j", "enter")
        detail = session(pilot).detail
        assert detail.has_focus
        assert "Fonts load beside the tiles" in text(detail)
        await press(pilot, "escape")
        assert any(line.startswith("▌") and "Fonts load" in line for line in tab(pilot))
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SessionsScreen)


@pytest.mark.long
async def test_there_are_two_panes_where_there_is_room(one_session: Path) -> None:
    for size, panes in (((160, 50), 2), ((120, 40), 2), ((80, 24), 1)):
        async with opened(one_session, size=size) as pilot:
            await press(pilot, "escape", "3", "enter")
            assert session(pilot).detail.display is (panes == 2)


async def test_keys_work_on_the_memory_of_the_entry(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter", "j", "j", "p")
        with Store.open(one_session) as store:
            assert store.observations.get(1).pinned
        await press(pilot, "right", "right")
        assert session(pilot).row is None


async def test_its_conversation_is_looked_through_where_no_text_shows_beside_it(one_session: Path) -> None:
    async with opened(one_session, size=(80, 24)) as pilot:
        await press(pilot, "escape", "3", "enter", "slash", *"tiles")
        assert isinstance(pilot.app.focused, PromptInput)
        assert pilot.app.focused.value == "tiles"


async def test_n_goes_from_prompt_to_prompt(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "3", "j", "enter", "n")
        first = session(pilot).entry
        await press(pilot, "n")
        second = session(pilot).entry
        assert first is not None and second is not None
        assert first.kind == second.kind == "prompt"
        assert first.at < second.at
        await press(pilot, "N", "N", "N")
        assert session(pilot).entry == first


async def test_c_copies_the_conversation_as_markdown(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter", "c")
        copied = pilot.app.clipboard
        assert copied.startswith("# Tiles\n")
        assert "- Tiles wait for fonts [mem 1]\n- Fonts load beside the tiles [mem 2]" in copied


async def test_a_memory_opens_its_session_where_it_stands_in_it(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "slash", *"beside", "enter", "o")
        entry = session(pilot).entry
        assert entry is not None
        assert entry.title == "Fonts load beside the tiles"


async def test_it_says_that_the_transcript_is_not_here(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert "isn't on this machine" in text(session(pilot).source)


async def test_the_file_under_the_cursor_is_known(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "enter")
        assert session(pilot).selected_file is None
        await press(pilot, "left", "j")
        chosen = session(pilot).selected_file
        assert chosen is not None and chosen.path == "order.test.ts"


async def test_what_was_said_is_no_markup_and_moves_no_cursor(empty: Path) -> None:
    hostile = "[bold]now[/] \x1b[31mred\x1b]8;;http://x\x07 [link='x']y[/link]"
    with Store.open(empty) as store:
        one = store.sessions.start("s", agent="codex", title="Hostile", at=NOW - 1_000)
        store.prompts.add(one, hostile, at=NOW - 900)
        store.observations.add(one, title=hostile, at=NOW - 800)
    async with opened(empty) as pilot:
        await press(pilot, "escape", "3", "enter", "j", "j")
        for shown in (" ".join(tab(pilot)), text(session(pilot).detail)):
            assert "[bold]now[/]" in shown
            assert "\x1b" not in shown


async def test_a_long_conversation_is_scrolled_to_its_end_and_back(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        one = store.sessions.start("s", agent="codex", title="Long", at=NOW - 10_000)
        for number in range(60):
            at = NOW - 9_000 + number * 10
            store.prompts.add(one, f"prompt {number}\n\n" + "words and words " * 30, at=at)
            store.observations.add(one, title=f"step {number}", at=at + 1)
    async with opened(empty, size=(80, 24)) as pilot:
        await press(pilot, "escape", "3", "enter", "G")
        assert "step 59" in tab(pilot)[-1]
        await press(pilot, "N")
        assert "prompt 59" in " ".join(tab(pilot))
        await press(pilot, *["k"] * 12, "pageup", "g")
        assert "No summary yet" in tab(pilot)[0]
        await press(pilot, "n")
        assert "prompt 0" in " ".join(tab(pilot))
