"""Reading: the selected memory in full, and what happened around it."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from memtui.store import ListRow, Store
from memtui.tui.memory import Detail
from memtui.tui.search import panes
from tests.tui.browser import NOW, app, ask, opened, press, search, text, titles
from tests.tui.patience import idle
from tests.tui.rest import held

DRIFT = "Refresh token expired because the clock drifted"


class SlowReading:
    """What is selected is read as soon as `may_go_on` is set, once this `is_on`."""

    def __init__(self) -> None:
        self.is_on = False
        self.may_go_on = Event()

    def __call__(self, *given: Any, **named: Any) -> Any:
        if self.is_on:
            with held():
                self.may_go_on.wait()
        return READ(*given, **named)


READ = panes._read


@pytest.fixture
def slow_reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowReading]:
    reading = SlowReading()
    monkeypatch.setattr(panes, "_read", reading)
    yield reading
    reading.may_go_on.set()


def title(entry: ListRow | None) -> str | None:
    """The title of what is selected, None when nothing is."""
    return entry.title if entry else None


async def test_the_selected_memory_is_shown_in_full(demo: Path) -> None:
    async with opened(demo, size=(140, 50)) as pilot:
        await ask(pilot, "clock drifted leeway")
        shown = text(search(pilot).reading.detail)
        assert shown.splitlines()[0].strip() == f"● {DRIFT}"
        for part in (
            "payments-api · session 096d87af",
            "★ Pinned",
            "• leeway is 60 s",
            "Concepts",
            "src/auth/session.py",
        ):
            assert part in shown


async def test_a_hidden_memory_says_so(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "is:private")
        assert "✗ Hidden as private" in text(search(pilot).reading.detail)


async def test_a_summary_shows_only_the_parts_that_say_something(empty: Path) -> None:
    with Store.open(empty) as store:
        store.summaries.add("s-1", request="Fix login", learned="Clocks drift", at=NOW)
    async with opened(empty) as pilot:
        shown = text(search(pilot).reading.detail)
        assert shown.count("Fix login") == 1
        assert "Learned  Clocks drift" in shown
        assert "Completed" not in shown


@pytest.mark.parametrize("keys", [("down",), ("down", "enter")])
async def test_a_key_means_the_memory_under_the_cursor_before_that_is_read(
    demo: Path, slow_reading: SlowReading, keys: tuple[str, ...]
) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape")
        slow_reading.is_on = True
        await pilot.press(*keys)
        screen = search(pilot)
        under_cursor = screen.results.list.row
        shown, meant = screen.reading.detail.row, screen.row
        slow_reading.may_go_on.set()
        await idle(pilot)
        assert shown != under_cursor
        assert meant == under_cursor == screen.reading.detail.row


async def test_what_is_written_meanwhile_leaves_the_memory_that_is_being_read(
    demo: Path, slow_reading: SlowReading
) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape")
        slow_reading.is_on = True
        await pilot.press("down", "down")
        reading = search(pilot).reading
        reading.show_again()
        slow_reading.may_go_on.set()
        await idle(pilot)
        assert reading.detail.row == search(pilot).results.list.row
        assert reading.pane.row == reading.detail.row


async def test_enter_goes_into_the_memory_and_escape_back_to_its_row(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", "j", "j", "enter")
        assert isinstance(pilot.app.focused, Detail)
        await press(pilot, "escape")
        assert search(pilot).results.list.has_focus
        assert search(pilot).results.list.cursor == 2


async def test_a_narrow_window_shows_one_pane_at_a_time(demo: Path) -> None:
    async with opened(demo, size=(70, 24)) as pilot:
        screen = search(pilot)
        assert screen.results.display and not screen.reading.display
        await press(pilot, "down", "enter")
        assert screen.reading.display and not screen.results.display
        await press(pilot, "escape")
        assert screen.results.display and not screen.reading.display


async def test_a_window_too_small_says_what_it_needs(demo: Path) -> None:
    async with opened(demo, size=(29, 7)) as pilot:
        assert "30 by 8" in text(search(pilot).query_one("#too-small"))
        await pilot.resize_terminal(80, 24)
        await idle(pilot)
        assert not search(pilot).query_one("#too-small").display


async def test_the_timeline_pane_follows_the_selection(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "clock drifted leeway")
        pane = search(pilot).reading.pane
        assert pane.title.startswith("Timeline ±30m · session")
        assert title(pane.row) == DRIFT
        assert "Clock skew is logged but not used" in text(pane)
        await press(pilot, "down", "j")
        assert title(pane.row) == titles(pilot)[1]


async def test_brackets_zoom_the_timeline_and_s_widens_its_scope(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "clock drifted leeway")
        pane = search(pilot).reading.pane
        await press(pilot, "down", "left_square_bracket")
        assert pane.title.startswith("Timeline ±15m · session")
        await press(pilot, "right_square_bracket", "right_square_bracket", "s", "s")
        assert pane.title.startswith("Timeline ±1h · all")
        assert title(pane.row) == DRIFT


async def test_another_moment_can_be_read_and_made_the_anchor(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "clock drifted leeway")
        reading = search(pilot).reading
        pilot.app.screen.set_focus(reading.pane)
        await press(pilot, "j", "j")
        assert title(reading.row) != DRIFT
        assert app(pilot).selection == reading.row
        before = reading.row
        await press(pilot, "enter")
        assert reading.pane.row == before
        await press(pilot, "escape")
        assert title(reading.row) == DRIFT


async def test_a_text_scrolls_by_keys(empty: Path) -> None:
    with Store.open(empty) as store:
        narrative = "\n".join(f"line {number}" for number in range(300))
        store.observations.add(None, title="Long", narrative=narrative, at=NOW)
    async with opened(empty) as pilot:
        await press(pilot, "down", "enter", "G")
        detail = search(pilot).reading.detail
        assert text(detail).rstrip().endswith("line 299")
        await press(pilot, "home", "j")
        assert "line 0" in text(detail)
