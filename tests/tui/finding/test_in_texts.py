"""Finding within a text: the matches lit, `n` and `N` from one to the next."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from memtui.store import Store
from memtui.tui.memory import Detail
from memtui.tui.parts.line_input import PromptLine
from tests.tui.browser import NOW, opened, search, text
from tests.tui.finding.test_narrowing import front, line
from tests.tui.patience import press

CODE = "\n".join(["```python", *(f"row = {number}" for number in range(60)), "needle = 1", "```"])


def memory(path: Path, narrative: str) -> None:
    with Store.open(path) as store, store.transaction():
        session = store.sessions.start("one", at=NOW)
        store.observations.add(
            session=session, type="note", title="A long text", narrative=narrative, at=NOW
        )


def current(widget: Widget) -> list[str]:
    """What is lit as the match that was gone to."""
    accent = widget.app.theme_variables["accent"].lower()
    return [
        segment.text
        for y in range(widget.size.height)
        for segment in widget.render_line(y)
        if segment.style and segment.style.bgcolor and segment.style.bgcolor.name == accent
    ]


def detail(pilot: Pilot[Any]) -> Detail:
    return search(pilot).reading.detail


async def in_detail(pilot: Pilot[Any], *keys: str) -> None:
    """Find something in the selected memory."""
    await press(pilot, "escape", "enter", "slash", *keys)


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 12)])
@pytest.mark.sampled
async def test_matches_are_counted_and_gone_to_round_and_round(empty: Path, size: tuple[int, int]) -> None:
    memory(empty, "\n\n".join(["Token one"] + ["filler"] * 80 + ["TOKEN two", "a token"]))
    async with opened(empty, size=size) as pilot:
        await in_detail(pilot, *"token")
        assert line(pilot) == "1 of 3"
        await press(pilot, "enter", "n")
        assert line(pilot) == "2 of 3"
        assert current(detail(pilot)) == ["TOKEN"]
        assert "TOKEN two" in text(detail(pilot))
        await press(pilot, "n", "n")
        assert line(pilot) == "1 of 3 · on from the top"
        await press(pilot, "N")
        assert line(pilot) == "3 of 3 · on from the end"


async def test_chinese_is_found_across_the_end_of_a_line(empty: Path) -> None:
    memory(empty, "缓存" * 60 + "失效修复" + "队列" * 60)
    async with opened(empty, size=(80, 40)) as pilot:
        await in_detail(pilot, *"存失效修复队")
        assert line(pilot) == "1 of 1"
        assert "".join(current(detail(pilot))) == "存失效修复队"


@pytest.mark.parametrize("typed", [".*", "[a", "\\d+", "%_", "a]b"])
@pytest.mark.sampled
async def test_characters_of_patterns_stand_for_themselves(empty: Path, typed: str) -> None:
    memory(empty, "see .* and [a]b and \\d+ and %_ there")
    async with opened(empty) as pilot:
        await press(pilot, "escape", "enter", "slash")
        for letter in typed:
            await pilot.press(letter)
        await press(pilot, "enter")
        assert line(pilot) == "1 of 1"


@pytest.mark.long
async def test_control_characters_and_a_line_of_a_megabyte_do_no_harm(empty: Path) -> None:
    memory(empty, "\x1b[31mred\x07 " + "x" * 1_000_000 + " end")
    async with opened(empty) as pilot:
        await in_detail(pilot, *"red", "enter")
        assert line(pilot) == "1 of 1"
        await press(pilot, "slash", "backspace", "backspace", "backspace", *"xxxxxxxxxxx", "enter")
        assert line(pilot).startswith("1 of ")
        assert "\x1b" not in text(detail(pilot))


async def test_code_that_is_folded_unfolds_for_a_match_and_folds_again(empty: Path) -> None:
    memory(empty, f"Before\n\n{CODE}\n\nafter")
    async with opened(empty) as pilot:
        await press(pilot, "escape", "enter")
        assert "needle" not in text(detail(pilot))
        await press(pilot, "slash", *"needle", "enter")
        assert line(pilot) == "1 of 1"
        assert "needle = 1" in text(detail(pilot))
        await press(pilot, "escape")
        await press(pilot, "end")
        assert "needle" not in text(detail(pilot))


async def test_it_is_found_in_the_text_as_stored_too(empty: Path) -> None:
    memory(empty, "**bo**ld words")
    async with opened(empty) as pilot:
        await in_detail(pilot, *"bold", "enter")
        assert line(pilot) == "1 of 1"
        await press(pilot, "v")
        assert line(pilot) == "nothing found"


async def test_n_is_new_again_when_nothing_is_looked_for(empty: Path) -> None:
    memory(empty, "some words")
    async with opened(empty) as pilot:
        await in_detail(pilot, *"words", "enter", "n")
        assert len(pilot.app.screen_stack) == 1
        await press(pilot, "escape")
        assert not front(pilot).query(PromptLine)
        assert front(pilot).focused is detail(pilot)
        await press(pilot, "n")
        assert len(pilot.app.screen_stack) == 2


async def test_escape_while_typing_scrolls_back(empty: Path) -> None:
    memory(empty, "\n\n".join(["filler"] * 80 + ["token"]))
    async with opened(empty) as pilot:
        await press(pilot, "escape", "enter", "j")
        top = detail(pilot).scroll_offset.y
        await press(pilot, "slash", *"token")
        assert detail(pilot).scroll_offset.y > top
        await press(pilot, "escape")
        assert detail(pilot).scroll_offset.y == top


async def test_slash_is_the_query_from_the_results(empty: Path) -> None:
    memory(empty, "some words")
    async with opened(empty) as pilot:
        await press(pilot, "escape", "slash")
        assert search(pilot).bar.input.has_focus
