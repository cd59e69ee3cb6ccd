"""What a query may go on with: a list below the query line, taken by keys or a click."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.search.completions import CompletionList
from tests.tui.browser import opened, press, search, text
from tests.tui.patience import idle
from tests.tui.pictures import LOW, MIDDLE, Compare, mode_looks_right


def offered(pilot: Pilot[Any]) -> CompletionList:
    """The list below the query line."""
    return search(pilot).bar.offers


def query(pilot: Pilot[Any]) -> str:
    """What stands in the query line."""
    return search(pilot).bar.input.value


async def test_values_of_a_filter_are_offered_with_their_counts(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:")
        lines = text(offered(pilot)).splitlines()
        many = Store.open(demo, read_only=True).find("type:discovery").count()
        assert offered(pilot).display
        assert lines[0].split() == ["▌discovery", str(many), "Tab"]
        assert len(lines) <= 9


async def test_tab_takes_the_marked_offer_and_typing_goes_on_with_a_word(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"project:pay", "tab")
        assert query(pilot) == "project:payments-api "
        assert search(pilot).bar.input.has_focus
        assert not offered(pilot).display
        await press(pilot, *"pool")
        assert query(pilot) == "project:payments-api pool"


async def test_a_name_is_offered_after_two_letters_and_its_values_when_it_is_taken(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "p")
        assert not offered(pilot).display
        await press(pilot, "r")
        assert "project:" in text(offered(pilot))
        await press(pilot, "tab")
        assert query(pilot) == "project:"
        assert "atlas-web" in text(offered(pilot))


async def test_the_arrows_move_among_values_and_enter_takes_what_was_moved_to(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:", "down", "down", "up", "enter")
        second = offered_values(demo)[1]
        assert query(pilot) == f"type:{second} "


def offered_values(demo: Path) -> list[str]:
    """The demo's types, the most frequent first."""
    with Store.open(demo, read_only=True) as store:
        found = store.completions("type:")
        assert found is not None
        return [item.label for item in found.items]


async def test_the_arrows_lead_to_the_results_where_a_word_is_typed(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"to")
        assert "tool:" in text(offered(pilot))
        await press(pilot, "down")
        assert search(pilot).results.list.has_focus
        assert not offered(pilot).display


async def test_enter_leads_to_the_results_where_nothing_was_moved_to(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:bug", "enter")
        assert query(pilot) == "type:bug"
        assert not search(pilot).bar.input.has_focus


async def test_escape_closes_the_list_only_and_the_next_letter_opens_it_again(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:", "escape")
        assert not offered(pilot).display
        assert search(pilot).bar.input.has_focus
        await press(pilot, "b")
        assert "bugfix" in text(offered(pilot))


async def test_without_a_list_tab_leads_to_the_next_pane(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"refresh", "tab")
        assert query(pilot) == "refresh"
        assert not search(pilot).bar.input.has_focus


async def test_a_click_takes_an_offer(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:")
        await pilot.click(CompletionList, offset=(4, 1))
        await idle(pilot)
        assert query(pilot) == f"type:{offered_values(demo)[1]} "
        assert search(pilot).bar.input.has_focus


async def test_a_query_that_was_put_there_is_offered_nothing(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:bu", "enter", "slash")
        search(pilot).ask("type:d")
        await press(pilot)
        assert not offered(pilot).display


async def test_values_are_offered_behind_a_minus_too(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"-type:bu", "tab")
        assert query(pilot) == "-type:bugfix "


async def test_a_value_that_exists_nowhere_is_told_with_the_nearest_and_a_key(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:bugfx token", "enter")
        shown = text(search(pilot).results.no_hits)
        assert "No memory has the type bugfx." in shown
        assert "did you mean type:bugfix?" in shown
        await press(pilot, "ctrl+y")
        assert query(pilot) == "type:bugfix token"


@pytest.mark.long
async def test_a_date_that_is_none_is_told_above_the_results(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"token since:lastweek ", "ctrl+y")
        assert query(pilot).strip() == "token since:last-week"


async def test_nothing_is_said_of_what_is_being_typed_while_it_is_offered(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"type:bug")
        assert not search(pilot).results.did_you_mean.remarks
        await press(pilot, "escape")
        assert [one.meant for one in search(pilot).results.did_you_mean.remarks] == ["type:bugfix"]


async def test_words_for_a_time_are_offered_as_a_filter(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.add("c-1", title="Decided to cache")
    async with opened(empty) as pilot:
        await press(pilot, *"decided today")
        assert "on:today" in text(search(pilot).results.did_you_mean)
        await press(pilot, "ctrl+y")
        assert "on:today" in query(pilot)


def test_values_low(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "search", LOW, "slash", *"token type:")


def test_values_middle(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "search", MIDDLE, "slash", *"token project:")


@pytest.mark.long
def test_a_remark(snap_compare: Compare, demo: Path) -> None:
    assert mode_looks_right(snap_compare, demo, "search", MIDDLE, "slash", *"token since:lastweek ")
