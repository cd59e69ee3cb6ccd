"""The facets beside the results: bars, the last days, and narrowing by keys and clicks."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Facets, Hits, Store
from memtui.store.tables.machines import note_machine
from memtui.tui.search.facet_column import FacetColumn
from tests.tui.browser import NOW, ask, opened, press, search, text
from tests.tui.patience import idle

DAY = 86_400_000
BLOCK, LINE = "█", "━"


def column(pilot: Pilot[Any]) -> FacetColumn:
    return search(pilot).results.facet_column


def lines(pilot: Pilot[Any]) -> list[str]:
    return text(column(pilot)).splitlines()


def line_of(pilot: Pilot[Any], word: str) -> int:
    return next(at for at, line in enumerate(lines(pilot)) if word in line)


def typed(pilot: Pilot[Any]) -> str:
    return search(pilot).bar.input.value


async def test_each_value_has_a_line_with_a_bar_as_long_as_its_count(demo: Path) -> None:
    with Store.open(demo) as store:
        number = dict(store.find("token").facets().counts["project"])["payments-api"]
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        bars = [
            lines(pilot)[line_of(pilot, project)].count(LINE)
            for project in ("payments-api", "atlas-web", "infra-live")
        ]
        assert bars == sorted(bars, reverse=True) and len(set(bars)) == 3
        assert lines(pilot)[line_of(pilot, "payments-api")].endswith(f" {number}")


async def test_a_bar_has_the_colour_of_its_type(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        colours = set()
        for type in ("discovery", "change", "bugfix"):
            strip = column(pilot).render_line(line_of(pilot, type))
            colours |= {seg.style.color for seg in strip if LINE in seg.text and seg.style}
        assert len(colours) == 3


async def test_the_last_days_stand_above_in_columns(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        assert lines(pilot)[0].split() == ["days", "24", "Jan", "–", "17", "Feb"]
        assert lines(pilot)[2].endswith(BLOCK)


@pytest.mark.parametrize("size", [(140, 40), (160, 50)])
async def test_keys_move_through_the_values_and_make_filters(demo: Path, size: tuple[int, int]) -> None:
    async with opened(demo, size=size) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "f", "right", "enter")
        assert typed(pilot) == "token project:payments-api "
        await press(pilot, "down", "space")
        assert typed(pilot) == "token project:payments-api agent:claude-code "
        assert column(pilot).has_focus
        await press(pilot, "enter", "left", "enter")
        assert typed(pilot) == "token"
        await press(pilot, "escape")
        assert search(pilot).results.list.has_focus


async def test_up_from_the_first_value_leads_to_the_newest_day(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "f", "left")
        assert lines(pilot)[0].split() == ["days", "17", "Feb", "·", "12"]
        await press(pilot, "left", "enter")
        assert typed(pilot) == "token on:2026-02-16 "
        assert "✓ 16 Feb" in lines(pilot)[0]
        await press(pilot, "enter")
        assert typed(pilot) == "token"


async def test_a_filter_is_marked_and_f_goes_back(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token project:atlas-web")
        assert [line.split()[0] for line in lines(pilot) if "✓" in line] == ["✓atlas-web"]
        await press(pilot, "down", "f", "f")
        assert search(pilot).results.list.has_focus


async def test_clicks_on_a_value_and_on_a_day_narrow(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down")
        await pilot.click(FacetColumn, offset=(6, line_of(pilot, "atlas-web") + 1))
        await idle(pilot)
        assert typed(pilot) == "token project:atlas-web "
        assert search(pilot).results.list.has_focus
        await ask(pilot, "token")
        await pilot.click(FacetColumn, offset=(2 + 24, 3))
        await idle(pilot)
        assert typed(pilot) == "token on:2026-02-17 "
        await pilot.click(FacetColumn, offset=(5, 0))
        await idle(pilot)
        assert typed(pilot) == "token on:2026-02-17 "


async def test_many_values_scroll_with_the_cursor(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(12):
            at, project = NOW - number * DAY, f"project-{number}"
            store.observations.add(None, title="token", at=at, project=project)
    async with opened(empty, size=(140, 20)) as pilot:
        await press(pilot, "escape")
        assert "project-9" not in text(column(pilot))
        await press(pilot, "f", "right", *["down"] * 11)
        assert "▌ project-9" in text(column(pilot)).replace("✓", " ")
        await press(pilot, *["up"] * 30)
        assert "days" in text(column(pilot))


async def test_long_names_leave_room_for_the_count(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(3):
            store.observations.add(None, title="token", project="long-name-" * 9 + str(number))
    async with opened(empty) as pilot:
        line = lines(pilot)[line_of(pilot, "long-name")]
        assert "…" in line and line.endswith(" 1") and LINE in line


async def test_months_and_years_are_filters_too(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for names, heading, filter in (
        (("2025-12", "2026-01", "2026-02"), "months 2025-12 – 2026-02", "on:2026-02"),
        (("2024", "2025", "2026"), "years 2024 – 2026", "on:2026"),
    ):
        found = Facets({"type": [("bugfix", 3)]}, over_time=tuple((name, 1) for name in names))
        monkeypatch.setattr(Hits, "facets", lambda _hits, found=found: found)
        async with opened(demo) as pilot:
            assert " ".join(lines(pilot)[0].split()) == heading
            await press(pilot, "escape", "f", "up", "enter")
            assert typed(pilot) == f"{filter} "


async def test_lower_bounds_say_so(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"type": [("bugfix", 1_234), ("change", 1)]}
    monkeypatch.setattr(Hits, "facets", lambda _hits: Facets(counts, exact=False))
    async with opened(demo) as pilot:
        assert lines(pilot)[line_of(pilot, "bugfix")].endswith("1,234+")


async def test_the_results_have_its_room_where_nothing_is_counted(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "refresh")
        before = search(pilot).results.list.region
        await ask(pilot, "refrseh")
        now = search(pilot).results.list.region
        assert now.x < before.x and now.width > before.width
        assert not column(pilot).display
        await press(pilot, "down", "f")
        assert search(pilot).results.list.has_focus


async def test_the_focus_stays_in_the_browser_when_the_column_has_no_more_room(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "escape", "f")
        await pilot.resize_terminal(100, 30)
        await idle(pilot)
        assert pilot.app.screen.focused is not None
        await press(pilot, "escape", "down", "enter")
        assert search(pilot).reading.detail.has_focus


async def test_below_140_columns_there_is_none(demo: Path) -> None:
    async with opened(demo, size=(139, 40)) as pilot:
        assert not column(pilot).display
        await press(pilot, "escape", "f")
        assert search(pilot).results.facet_lines.has_focus


async def test_machines_have_a_section_of_their_own_where_nothing_was_imported(demo: Path) -> None:
    with Store.open(demo) as store:
        note_machine(store.db, "01990000-laptop00", "laptop")
        store.db.execute("UPDATE facts SET origin = '01990000-laptop00' WHERE id = 1")
    async with opened(demo, size=(160, 50)) as pilot:
        await ask(pilot, "kind:fact")
        assert lines(pilot)[line_of(pilot, "laptop") - 2].strip() == "machine"
        assert lines(pilot)[line_of(pilot, "laptop") - 1].split()[0] == "here"
