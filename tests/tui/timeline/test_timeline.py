"""The timeline: what happened around a moment, and how one moves about in it."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.config import BrowserSettings
from memtui.tui.memory import MemoryScreen
from memtui.tui.timeline.lists import LADDER, WindowSize
from memtui.tui.timeline.screen import TimelineScreen
from tests.tui.browser import NOW, app, ask, opened, text
from tests.tui.patience import hurry, idle, press

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
LOW = (100, 20)
TWO_HOURS = (BrowserSettings(timeline_window="2h"), ())


@pytest.fixture
def two_days(empty: Path) -> Path:
    """Two sessions of one project and one of another, on two days."""
    with Store.open(empty) as store, store.transaction():
        first = store.sessions.start("aaaaaaaa-1", agent="codex", project="atlas", at=NOW - DAY)
        second = store.sessions.start("bbbbbbbb-2", agent="trae", project="atlas", at=NOW - HOUR)
        other = store.sessions.start("cccccccc-3", agent="codex", project="infra", at=NOW - HOUR)
        store.prompts.add(first, "why is it slow?", at=NOW - DAY)
        store.observations.add(first, title="An index was missing", type="bugfix", at=NOW - DAY)
        store.prompts.add(second, "add a cache", at=NOW - 50 * MINUTE)
        store.observations.add(other, title="Disk nearly full", type="error", at=NOW - 45 * MINUTE)
        store.observations.add(second, title="A cache for rates", at=NOW - 40 * MINUTE)
        store.observations.add(second, title="Chosen: 60 s", type="decision", at=NOW - 40 * MINUTE)
        store.summaries.add(second, request="Cache the rates", at=NOW - 30 * MINUTE)
    return empty


def timeline(pilot: Pilot[Any]) -> TimelineScreen:
    """The timeline, which is in front."""
    return cast(TimelineScreen, pilot.app.screen)


def lines(pilot: Pilot[Any]) -> list[str]:
    """The lines of the timeline's list, without the blank ones at its end."""
    return text(timeline(pilot).pane).rstrip().split("\n")


def anchor_line(pilot: Pilot[Any]) -> int:
    """The line of the list that has the anchor's mark."""
    return next(y for y, line in enumerate(lines(pilot)) if line[7:8] == "▌")


def selected(pilot: Pilot[Any]) -> str:
    """The title under the cursor."""
    entry = timeline(pilot).row
    return entry.title if entry else ""


@pytest.mark.usefixtures("painted")
async def test_it_shows_what_happened_around_the_selected_memory(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2")
        assert selected(pilot) == "Chosen: 60 s"
        assert [" ".join(line.split()) for line in lines(pilot)] == [
            "Tue 17 Feb",
            "18:41 ┌ ▸ add a cache Cache the rates · trae",
            "18:51 ├ ▪ A cache for rates",
            "▌ ″ ▌├ ◆ Chosen: 60 s",
            "19:01 └ ∑ Cache the rates",
        ]


async def test_a_line_begins_each_day(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", *["right_square_bracket"] * 4, "home")
        assert [line for line in lines(pilot) if "Feb" in line] == [" Mon 16 Feb", " Tue 17 Feb"]
        assert "An index was missing" in lines(pilot)[2]


async def test_without_a_window_of_the_settings_it_reaches_until_the_screen_is_full(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for day in range(60):
            store.observations.add(None, title=f"note {day}", at=NOW - day * DAY)
    async with opened(empty, size=LOW) as pilot:
        await press(pilot, "escape", "down", "2")
        assert "±1mo" in timeline(pilot).pane.title and "" not in lines(pilot)[:10]
        await press(pilot, *["left_square_bracket"] * 3, "1", "down", "2")
        assert "±1d" in timeline(pilot).pane.title


async def test_where_less_is_than_fills_the_screen_it_reaches_to_the_furthest(two_days: Path) -> None:
    async with opened(two_days, size=LOW) as pilot:
        await press(pilot, "escape", "down", "2")
        assert "±1d · project atlas · 6" in timeline(pilot).pane.title


@pytest.mark.usefixtures("painted")
async def test_the_scope_widens_from_session_to_project_to_everything(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2")
        assert "±2h · project atlas · 4" in timeline(pilot).pane.title
        await press(pilot, "s")
        assert "everything · 5" in timeline(pilot).pane.title
        assert any("infra · cccccccc · codex" in line for line in lines(pilot))
        await press(pilot, "s")
        assert "session bbbbbbbb · 4" in timeline(pilot).pane.title
        assert not any("bbbbbbbb" in line for line in lines(pilot))


@pytest.mark.usefixtures("painted")
async def test_fewer_rows_of_another_scope_begin_at_the_top(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        session = store.sessions.start("aaaaaaaa-1", project="atlas", at=NOW - HOUR)
        other = store.sessions.start("bbbbbbbb-2", project="infra", at=NOW - HOUR)
        for minute in range(50, 10, -1):
            store.observations.add(other, title=f"Step {minute}", at=NOW - minute * MINUTE)
        for minute in (3, 2, 1):
            store.observations.add(session, title=f"Ours {minute}", at=NOW - minute * MINUTE)
    async with opened(empty, size=LOW) as pilot:
        await press(pilot, "escape", "down", "2")
        assert "Ours 3" in lines(pilot)[1]
        await press(pilot, "s")
        assert "Ours 1" in lines(pilot)[-1] and len(lines(pilot)) > 10
        await press(pilot, "s")
        assert "Ours 3" in lines(pilot)[1]


@pytest.mark.usefixtures("painted")
async def test_a_session_is_named_where_it_begins_and_at_the_top(two_days: Path) -> None:
    with Store.open(two_days) as store, store.transaction():
        named = store.sessions.start("dddddddd-4", project="atlas", title="Rates", at=NOW - HOUR)
        for number in range(40):
            store.observations.add(named, title=f"Step {number}", at=NOW - 28 * MINUTE + number)
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "home")
        assert [line.split("  ")[-1].strip() for line in lines(pilot) if "Rates ·" in line] == [
            "Rates · manual"
        ]
        assert "Step 0 " in next(line for line in lines(pilot) if "Rates ·" in line)
        await press(pilot, "G")
        assert "Rates · manual" in lines(pilot)[0]
        assert sum("Rates · manual" in line for line in lines(pilot)) == 1
        await press(pilot, *["k"] * timeline(pilot).pane.size.height)
        assert "Rates · manual" in lines(pilot)[0]
        assert sum("Rates · manual" in line for line in lines(pilot)) == 1


@pytest.mark.parametrize(("size", "most"), [((160, 40), 7), ((80, 24), 5), ((60, 20), 3), ((30, 8), 2)])
@pytest.mark.sampled
async def test_rails_take_no_more_room_than_there_is(empty: Path, size: tuple[int, int], most: int) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(30):
            title = "缓存击穿" if number % 2 else "An index was missing"
            one = store.sessions.start(f"session-{number % 9}", project="订单中心", at=NOW - HOUR)
            store.observations.add(one, title=title, at=NOW - number * MINUTE)
    async with opened(empty, size=size) as pilot:
        app(pilot).action_go("timeline")
        await idle(pilot)
        await press(pilot, "G")
        rows = [line for line in lines(pilot) if "存" in line or "index" in line]
        assert rows
        for line in rows:
            rail = line[8 : line.index("▪")].strip()
            assert rail and len(rail) <= most
            assert set(rail) <= set("┌├└╶│• ")


async def test_the_histogram_ends_now(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", *["right_square_bracket"] * 8)
        assert "±1y" in timeline(pilot).pane.title
        bar = text(timeline(pilot).lines.bar).rstrip()
        assert bar.startswith("◀") and bar.endswith("now ▶")
        assert bar.index("▌") > len(bar) * 0.8


@pytest.mark.long
@pytest.mark.usefixtures("painted")
async def test_zooming_keeps_the_anchor_on_its_line(demo: Path) -> None:
    async with opened(demo, size=LOW, settings=TWO_HOURS) as pilot:
        await ask(pilot, "Clock skew is logged")
        await press(pilot, "escape", "2", "s")
        line = anchor_line(pilot)
        for brackets in (2, 6, -3, -9):
            key = "right_square_bracket" if brackets > 0 else "left_square_bracket"
            await press(pilot, *[key] * abs(brackets))
            assert anchor_line(pilot) == line
        assert "±5m" in timeline(pilot).pane.title
        assert lines(pilot)[:2] == ["", ""]


@pytest.mark.long
@pytest.mark.usefixtures("painted")
async def test_the_anchor_gives_way_before_lines_stay_blank_and_rows_out_of_view(demo: Path) -> None:
    async with opened(demo, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "2", "left_square_bracket")
        assert lines(pilot)[0] == " Tue 17 Feb"
        await press(pilot, *["right_square_bracket"] * 5)
        assert anchor_line(pilot) == timeline(pilot).pane.size.height - 1


async def test_the_cursor_stays_with_its_memory_while_zooming(demo: Path) -> None:
    async with opened(demo, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", *["pagedown"] * 4, "2", "k", "k")
        before = selected(pilot)
        await press(pilot, "right_square_bracket", "s")
        assert selected(pilot) == before


async def test_later_and_earlier_move_the_anchor_to_observations(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "K")
        assert selected(pilot) == "A cache for rates"
        await press(pilot, "K")
        assert selected(pilot) == "An index was missing"
        await press(pilot, "J", "J", "J", "J")
        assert selected(pilot) == "Chosen: 60 s"


async def test_keys_pressed_faster_than_the_store_answers_all_count(demo: Path) -> None:
    async with opened(demo, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "s")
        for _ in range(5):
            await press(pilot, "K")
        one_by_one = selected(pilot)
        await hurry(pilot, *"JJJJJ")
        await hurry(pilot, *"KKKKK")
        assert selected(pilot) == one_by_one


async def test_the_cursor_passes_over_lines_that_are_no_memory(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", *["right_square_bracket"] * 4, "home")
        assert selected(pilot) == "why is it slow?"
        await press(pilot, "j", "j")
        assert selected(pilot) == "add a cache"
        await press(pilot, "k")
        assert selected(pilot) == "An index was missing"
        await press(pilot, "G", "j")
        assert selected(pilot) == "Cache the rates"


async def test_enter_reads_a_memory_and_escape_comes_back_to_the_row(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "k", "enter")
        assert isinstance(pilot.app.screen, MemoryScreen)
        assert "A cache for rates" in text(pilot.app.screen.detail)
        await press(pilot, "escape")
        assert selected(pilot) == "A cache for rates"
        assert anchor_line(pilot) == 3


async def test_a_timeline_of_a_row_opens_above_this_one(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "s", "k", "t")
        assert "everything" in timeline(pilot).pane.title
        assert lines(pilot)[anchor_line(pilot)].startswith("▌18:51 ▌├  ▪ A cache for rates")
        await press(pilot, "escape")
        assert lines(pilot)[anchor_line(pilot)].startswith("   ″   ▌├  ◆ Chosen: 60 s")


async def test_the_session_of_a_row_is_one_key_away(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "o")
        assert "bbbbbbbb" in text(pilot.app.screen.query_one("#upper"))


async def test_its_mode_follows_what_was_selected_elsewhere_meanwhile(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "k", "1", "2")
        assert selected(pilot) == "A cache for rates"
        assert anchor_line(pilot) == 3
        await press(pilot, "1", "up", "2")
        assert lines(pilot)[anchor_line(pilot)].startswith("▌19:01 ▌└ ∑ Cache the rates")


async def test_without_a_selection_it_is_around_the_newest_memory(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        app(pilot).selection = None
        await press(pilot, "escape", "2")
        assert selected(pilot) == "Cache the rates"


async def test_of_very_many_the_nearest_are_shown_and_it_says_so(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(700):
            store.observations.add(None, title=f"note {number}", at=NOW - number * 1_000)
    async with opened(empty, size=LOW) as pilot:
        await press(pilot, "escape", *["pagedown"] * 3, "2")
        assert "nearest 500 shown" in timeline(pilot).pane.title
        assert "┄" in text(timeline(pilot).lines.bar)
        await press(pilot, "G")
        assert selected(pilot) == "note 0"
        await press(pilot, "home")
        assert selected(pilot) == "note 499"


@pytest.mark.usefixtures("painted")
async def test_another_programs_memory_appears_and_the_selection_stays(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "k")
        line = anchor_line(pilot)
        with Store.open(two_days) as other:
            other.observations.add("bbbbbbbb-2", title="Written meanwhile", at=NOW - 45 * MINUTE)
        app(pilot).look()
        await idle(pilot)
        assert any("Written meanwhile" in shown for shown in lines(pilot))
        assert selected(pilot) == "A cache for rates"
        assert anchor_line(pilot) == line


async def test_a_deleted_memory_leaves_and_undo_brings_it_back(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "k", "d")
        assert not any("A cache for rates" in line for line in lines(pilot))
        await press(pilot, "u")
        assert any("A cache for rates" in line for line in lines(pilot))


async def test_a_deleted_anchor_stays_and_is_struck_out(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2", "d")
        pane = timeline(pilot).pane
        struck = [
            segment.text
            for segment in pane.render_line(anchor_line(pilot))
            if segment.style and segment.style.strike
        ]
        assert "".join(struck).strip() == "Chosen: 60 s"


async def test_what_a_row_says_is_beside_it_where_there_is_room(two_days: Path) -> None:
    async with opened(two_days, size=(120, 30)) as pilot:
        await press(pilot, "escape", "down", "2", "k")
        assert "A cache for rates" in text(timeline(pilot).detail)
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2")
        assert not timeline(pilot).detail.display


async def test_an_empty_memory_is_told_how_to_fill_it(empty: Path) -> None:
    async with opened(empty, size=LOW) as pilot:
        app(pilot).action_go("timeline")
        await idle(pilot)
        assert "mem import" in text(pilot.app.screen.query_one("#empty"))


async def test_the_bar_shows_both_ends_and_the_anchor(two_days: Path) -> None:
    async with opened(two_days, size=LOW, settings=TWO_HOURS) as pilot:
        await press(pilot, "escape", "down", "2")
        bar = text(timeline(pilot).lines.bar)
        assert bar.startswith("◀ 16:51 ▁") and bar.endswith("▁ now ▶")
        assert bar.count("▌") == 1
        await press(pilot, *["right_square_bracket"] * 2)
        bar = text(timeline(pilot).lines.bar)
        assert bar.startswith("◀ 06:51 ▁") and bar.endswith("▁ now ▶")
        await press(pilot, "right_square_bracket")
        assert text(timeline(pilot).lines.bar).startswith("◀ Mon 16 Feb ▁")


def test_the_ladder_goes_from_a_minute_to_ten_years_and_stops_there() -> None:
    assert [LADDER[0].label, LADDER[-1].label] == ["±1m", "±10y"]
    assert LADDER[0].narrower() == LADDER[0]
    assert LADDER[-1].wider() == LADDER[-1]
    assert [rung.wider().narrower() for rung in LADDER[:-1]] == list(LADDER[:-1])
    assert tuple(WindowSize.for_minutes(minutes).label for minutes in (31, 30, 10**9)) == (
        "±1h",
        "±30m",
        "±10y",
    )
