"""The facets below the results: what they tell, and narrowing by keys and clicks."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Facets, Hits, Store
from memtui.tui.search.facets import FacetLines
from tests.tui.browser import NOW, ask, opened, press, search, text

BELOW = (120, 40)


def lines(pilot: Pilot[Any]) -> list[str]:
    return text(search(pilot).results.facets).splitlines()


def typed(pilot: Pilot[Any]) -> str:
    return search(pilot).bar.input.value


async def test_facets_tell_how_the_results_divide_and_none_has_but_one_value(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token")
        names = [line.split()[0] for line in lines(pilot)]
        assert names == ["type", "project", "agent", "kind", "day"]
        assert "payments-api" in lines(pilot)[1]
        assert lines(pilot)[4].split()[1] == "2026-02-17"
        await ask(pilot, "clock drifted project:payments-api")
        assert [line.split()[:2] for line in lines(pilot)] == [["project", "✓"]]


async def test_a_key_goes_to_the_facets_and_enter_adds_one_after_another(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "f", "enter")
        assert typed(pilot) == "token type:discovery "
        await press(pilot, "down", "right", "enter")
        assert typed(pilot) == "token type:discovery project:atlas-web "
        assert search(pilot).results.facets.has_focus
        assert search(pilot).results.list.count == 2


async def test_what_the_query_filters_by_is_marked_and_enter_takes_it_off(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token project:atlas-web")
        assert [("✓" in line) for line in lines(pilot)] == [False, True, False, False, False]
        await press(pilot, "down", "f", "down", "enter")
        assert typed(pilot) == "token"
        assert "✓" not in "".join(lines(pilot))


async def test_the_cursor_stays_on_its_value_when_the_counts_change(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "f", "down", "right", "enter")
        await press(pilot, "enter")
        value = search(pilot).results.facets.value
        assert typed(pilot) == "token"
        assert value is not None
        assert value.text == "atlas-web"


async def test_a_day_is_a_filter_too(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "f", "j", "j", "j", "j", "l", "space")
        assert typed(pilot) == "token on:2026-02-16 "
        assert "✓ 2026-02-16" in lines(pilot)[4]


async def test_escape_goes_back_to_the_same_result(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "j", "j")
        before = search(pilot).results.list.row
        await press(pilot, "f", "down", "escape")
        assert search(pilot).results.list.has_focus
        assert search(pilot).results.list.row == before


async def test_where_there_is_no_room_the_facets_show_as_long_as_they_have_the_focus(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down")
        assert not search(pilot).results.facets.display
        await press(pilot, "f")
        assert "payments-api" in lines(pilot)[1]
        await press(pilot, "enter")
        assert typed(pilot) == "token type:discovery "
        await press(pilot, "escape")
        assert not search(pilot).results.facets.display
        assert search(pilot).reading.display


async def test_a_line_with_more_values_than_fit_scrolls_with_the_cursor(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(9):
            store.observations.add(None, title="token", project=f"project-{number}", at=NOW)
    async with opened(empty, size=BELOW) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "f")
        assert lines(pilot)[0].endswith("›")
        assert "project-8" not in lines(pilot)[0]
        await press(pilot, *["right"] * 8)
        assert "project-8" in lines(pilot)[0]
        assert "project-0" not in lines(pilot)[0]
        assert "‹" in lines(pilot)[0]


async def test_a_value_that_cannot_be_asked_for_is_passed_over(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for name in ('a"b', "c"):
            store.observations.add(None, title="token", project=name, at=NOW)
    async with opened(empty, size=BELOW) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "f", "down", "left", "enter")
        assert typed(pilot) == "token project:c "


async def test_lower_bounds_say_so(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"type": [("bugfix", 1_234), ("change", 1)], "day": [("2026-02-17", 12), ("2026-02-16", 1)]}
    monkeypatch.setattr(Hits, "facets", lambda _hits: Facets(counts, exact=False))
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token")
        assert "bugfix 1,234+" in lines(pilot)[0]
        assert "2026-02-17 12+" in lines(pilot)[1]


async def test_a_click_narrows_and_the_keys_stay_where_they_were(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down")
        column = lines(pilot)[1].index("atlas-web")
        # The line above the facets and the margin at their left count too.
        await pilot.click(FacetLines, offset=(column + 1, 2))
        assert typed(pilot) == "token project:atlas-web "
        assert search(pilot).results.list.has_focus


async def test_the_facets_are_left_when_nothing_is_found_any_more(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "token")
        await press(pilot, "down", "f")
        await ask(pilot, "token type:nowhere")
        assert search(pilot).results.no_hits.has_focus


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_there_are_none_where_nothing_is_counted(demo: Path, size: tuple[int, int]) -> None:
    async with opened(demo, size=size) as pilot:
        await ask(pilot, "refrseh")
        assert search(pilot).results.list.count
        assert not search(pilot).results.facets.display
        await ask(pilot, "refresh")
        assert search(pilot).results.facets.display == (size != (80, 24))
        await press(pilot, "down", "f")
        assert "payments-api" in lines(pilot)[1]


async def test_they_are_left_when_only_related_memories_are_found(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await ask(pilot, "refresh")
        await press(pilot, "down", "f")
        await ask(pilot, "refrseh")
        assert search(pilot).results.list.has_focus
        assert not search(pilot).results.facets.display


async def test_lines_cannot_be_zoomed(demo: Path) -> None:
    async with opened(demo, size=BELOW) as pilot:
        await press(pilot, "escape", "f", "z")
        assert search(pilot).maximized is None
