"""The statistics in the browser: moving over figures, what the line tells, and the searches they are."""

import re
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import Event, Usage
from memtui.tui.leaves.statistics.columns import density, quartiles
from memtui.tui.leaves.statistics.figures import CURSOR, CURSOR_TEXT, FiguresPane
from memtui.tui.leaves.statistics.screen import StatisticsScreen
from memtui.tui.search.query_bar import QueryInput
from tests.tui.browser import NOW, app, opened, search, text
from tests.tui.patience import press

DAY = 86_400_000


@pytest.fixture
def year(empty: Path) -> Path:
    """Three days of one project and one of another, a hidden memory and a session."""
    with Store.open(empty) as store, store.transaction():
        one = store.sessions.start("s-1", agent="codex", project="atlas", at=NOW - 40 * DAY)
        other = store.sessions.start("s-2", agent="trae", project="orders", at=NOW)
        add = store.observations.add
        for number in range(5):
            add(one, title=f"Old {number}", type="bugfix", at=NOW - 40 * DAY, discovery_tokens=900)
        add(one, title="Last week", type="decision", at=NOW - 7 * DAY, files_modified=["src/a.py"])
        add(one, title="Yesterday", type="bugfix", at=NOW - DAY, concepts=["clock"])
        add(other, title="Today", type="feature", at=NOW - 1000, discovery_tokens=50)
        add(other, title="Hidden", type="bugfix", at=NOW - 1000, private=True)
    return empty


def statistics(pilot: Pilot[Any]) -> StatisticsScreen:
    """The statistics, which are in front."""
    return cast(StatisticsScreen, pilot.app.screen)


def told(pilot: Pilot[Any]) -> str:
    """The figures at the cursor."""
    return text(statistics(pilot).query_one("#figure", Static)).strip()


def asked(pilot: Pilot[Any]) -> str:
    """The query of the search, which is in front."""
    return search(pilot).query_one(QueryInput).value.strip()


def pane(pilot: Pilot[Any], id: str) -> list[str]:
    """The lines of a pane."""
    return text(statistics(pilot).query_one(f"#{id}", FiguresPane)).split("\n")


def title(pilot: Pilot[Any], id: str) -> str:
    """What the line above a pane says."""
    marked_up = str(statistics(pilot).query_one(f"#{id}", FiguresPane).border_title)
    return re.sub(r"\[[^]]*\]", "", marked_up).strip()


async def test_the_cursor_begins_today_and_moves_by_days_and_weeks(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7")
        assert told(pilot) == ("Tue 17 Feb 2026 · 1 memory · 50 tokens to discover · 1 session")
        await press(pilot, "up")
        assert told(pilot).startswith("Mon 16 Feb 2026 · 1 memory · 0 tokens")
        await press(pilot, "down", "left")
        assert told(pilot).startswith("Tue 10 Feb 2026 · 1 memory")
        await press(pilot, "right", "right", "down")
        assert told(pilot).startswith("Tue 17 Feb 2026")


async def test_enter_on_a_day_searches_that_day_and_esc_comes_back(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7", "left", "enter")
        assert asked(pilot) == "on:2026-02-10"
        await press(pilot, "escape", "escape")
        assert isinstance(pilot.app.screen, StatisticsScreen)
        assert told(pilot).startswith("Tue 10 Feb 2026")


async def test_enter_on_a_bar_searches_its_value_within_the_range(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7", "left_square_bracket", "tab")
        assert told(pilot) == "type bugfix · 6 memories · 75 % of the range"
        await press(pilot, "down", "enter")
        query = asked(pilot)
        assert query == "type:decision since:2025-02-18 until:2026-02-17"


async def test_a_bar_opens_one_stretch_of_days_too(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7", "left_square_bracket", "tab", *["right"] * 12)
        assert told(pilot) == "type bugfix · 1 Jan to 31 Jan 2026 · 5 memories"
        await press(pilot, "enter")
        query = asked(pilot)
        assert query == "type:bugfix since:2026-01-01 until:2026-01-31"


async def test_the_range_and_the_project_narrow_every_figure(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7", *["left_square_bracket"] * 3)
        assert "30 days · 2026-01-19 to 2026-02-17" in text(statistics(pilot).heading)
        assert any("bugfix" in line and " 1 " in f"{line} " for line in pane(pilot, "types"))
        await press(pilot, "s", *"orders", "enter")
        assert "orders" in text(statistics(pilot).heading)
        assert [line for line in pane(pilot, "types") if "bugfix" in line] == []
        await press(pilot, "tab", "tab", "enter")
        query = asked(pilot)
        assert query == "project:orders since:2026-01-19 until:2026-02-17"


async def test_files_concepts_sessions_tokens_and_growth_tell_their_figures(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7", "left_square_bracket", *["tab"] * 4)
        assert told(pilot).startswith("file src/a.py · 1 memory")
        await press(pilot, "tab")
        assert told(pilot).startswith("concept clock · 1 memory")
        await press(pilot, "tab")
        assert told(pilot).startswith("1 Feb to 17 Feb 2026 · 1 session")
        await press(pilot, *["tab"] * 5, "left")
        assert "4,500 spent to discover · 0 given to sessions" in told(pilot)
        assert title(pilot, "tokens") == "Tokens 4.5k to discover · 0 given"
        await press(pilot, "tab")
        assert "8 memories at its end · 3 new" in told(pilot)


async def test_days_can_be_shown_by_their_tokens(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7")
        assert title(pilot, "days").startswith("Days memories")
        await press(pilot, "c")
        assert title(pilot, "days").startswith("Days tokens to discover")
        assert "50+" in pane(pilot, "days")[-1]


async def test_what_is_written_meanwhile_counts(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7")
        with Store.open(year) as store:
            store.observations.add("s-1", title="New", at=NOW)
        app(pilot).look()
        await press(pilot, "up", "down")
        assert told(pilot).startswith("Tue 17 Feb 2026 · 2 memories")


async def test_an_empty_memory_has_days_without_any(empty: Path) -> None:
    async with opened(empty) as pilot:
        app(pilot).action_go("statistics")
        await press(pilot, "right_square_bracket", "c", "tab", "enter", "down")
        assert told(pilot) == "nothing in this range"


def test_a_day_is_as_dense_as_the_quarter_it_is_in() -> None:
    bounds = quartiles([0, 1, 2, 3, 4, 0])
    assert bounds == [1, 2, 3, 4]
    assert [density(value, bounds) for value in range(5)] == ["·", "░", "▒", "▓", "█"]
    assert density(7, quartiles([7, 7, 7])) == "█"
    assert density(0, quartiles([])) == "·"


@pytest.mark.long
async def test_the_cursor_stands_in_brackets_on_a_day_of_any_density(year: Path) -> None:
    async with opened(year) as pilot:
        await press(pilot, "escape", "7")
        seen = set()
        for key in ("up", "up", *["left"] * 5, "up", "up", "up"):
            await press(pilot, key)
            (line,) = (line for line in pane(pilot, "days") if "[" in line)
            seen.add(line[line.index("[") + 1])
        assert seen == {"·", "▓", "█"}


async def test_a_full_block_under_the_cursor_is_not_reversed(spent: Path) -> None:
    async with opened(spent, size=(120, 40)) as pilot:
        await press(pilot, "escape", "7")
        for _ in range(12):
            focused = cast(FiguresPane, pilot.app.focused)
            styles = [str(span.style) for span in focused.render().spans]
            assert {CURSOR, CURSOR_TEXT} & set(styles) and not any("reverse" in style for style in styles)
            await press(pilot, "tab")


async def test_a_low_pane_says_how_many_values_it_has_no_room_for(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        one = store.sessions.start("s-1", agent="codex", project="p0", at=NOW)
        for number in range(12):
            project = store.sessions.start(f"p-{number}", agent="codex", project=f"p{number}", at=NOW)
            store.observations.add(project, title=str(number), type="bugfix", at=NOW - 1000)
        store.observations.add(one, title="More", type="bugfix", at=NOW - 1000)
    async with opened(empty, size=(120, 40)) as pilot:
        await press(pilot, "escape", "7")
        shown = sum(" p" in f" {row}" for row in pane(pilot, "projects"))
        assert title(pilot, "projects").endswith(f"{shown} and {12 - shown} more") and 0 < shown < 12


async def test_of_all_time_it_is_said_what_no_day_up_to_today_has(year: Path) -> None:
    with Store.open(year) as store:
        store.observations.add("s-1", title="Of a wrong clock", at=NOW + 900 * DAY)
    async with opened(year) as pilot:
        await press(pilot, "escape", "7", "left_square_bracket")
        assert "ahead" not in text(statistics(pilot).heading)
        await press(pilot, "right_square_bracket")
        assert "8 memories · 1 dated ahead or not at all" in text(statistics(pilot).heading)


@pytest.fixture
def spent(year: Path) -> Path:
    """Answers of two models in two sessions, of which one model has no price."""
    with Store.open(year) as store, store.transaction():
        for session, model, at, tokens in (
            ("s-1", "claude-sonnet-4-5", NOW - DAY, Usage(1_000_000, 100_000, 2_000_000)),
            ("s-2", "mine", NOW, Usage(500, 20)),
        ):
            agent = "codex" if session == "s-1" else "trae"
            event = Event(kind="usage", agent=agent, session=session, key=model, model=model, usage=tokens)
            ingest_event(store, event, "transcript", at=at)
    return year


async def test_what_models_projects_and_sessions_cost_is_told(spent: Path) -> None:
    async with opened(spent, size=(160, 50)) as pilot:
        await press(pilot, "escape", "7", "left_square_bracket")
        assert title(pilot, "models") == "Cost by model 2"
        first, second = pane(pilot, "models")[:2]
        assert first.split()[0] == "claude-sonnet-4-5" and first.rstrip().endswith("$5.10")
        assert second.split()[0] == "mine" and second.rstrip().endswith("?")
        await press(pilot, *["tab"] * 7)
        assert told(pilot) == (
            "model claude-sonnet-4-5 · $5.10 · 3,000,000 tokens in, 2,000,000 of them from the cache · "
            "100,000 out"
        )
        await press(pilot, "tab", "tab", "enter")
        assert asked(pilot).startswith("session:@1 ")


async def test_days_can_be_shown_by_what_they_cost(spent: Path) -> None:
    async with opened(spent) as pilot:
        await press(pilot, "escape", "7", "c", "c")
        assert title(pilot, "days").startswith("Days cost")
        assert "$5.10+" in pane(pilot, "days")[-1]
        await press(pilot, "up")
        assert told(pilot).endswith("$5.10")
        assert title(pilot, "spending").startswith("Cost $5.10+ · list prices of ")
