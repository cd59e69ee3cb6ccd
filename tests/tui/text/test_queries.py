"""Edits of the query by keys and clicks, and what they leave for the next word."""

from pathlib import Path

import pytest

from memtui.store import parse
from memtui.tui.text.queries import filter_for, holds, toggled, without
from tests.tables import table
from tests.tui.browser import ask, opened, press, search


@table(
    ("query", "filter", "then"),
    [
        ("token", "type:bugfix", "token type:bugfix "),
        ("", "type:bugfix", "type:bugfix "),
        ("token type:bugfix", "type:bugfix", "token"),
        ("type:bugfix token", "type:bugfix", "token"),
        ("type:bugfix,decision token", "type:bugfix", "type:decision token"),
        ('type:"a b",c token', "type:c", 'type:"a b" token'),
        ("type：bugfix token", "type:bugfix", "token"),
        ('token project:"two words"', 'project:"two words"', "token"),
        ("token on:2026-02-18", "on:2026-02-18", "token"),
        ("since:2026-02-01 type:note", "type:note", "since:2026-02-01 "),
        ("-type:bugfix", "type:note", "-type:bugfix type:note "),
    ],
)
def test_a_filter_is_added_where_the_query_lacks_it_and_else_taken_off(
    query: str, filter: str, then: str
) -> None:
    assert toggled(query, filter) == then


def test_a_query_holds_a_filter_however_it_is_written() -> None:
    assert holds('token on:"2026-02-18"', "on:2026-02-18")
    assert holds("token kind:prompts,facts", "kind:fact")
    assert not holds("token on:2026-02-18", "on:2026-02-17")
    assert not holds("token -type:bugfix", "type:bugfix")


def test_without_its_filters_a_query_is_its_words() -> None:
    query = parse("type:bugfix token since:2026-02-01 refresh")
    assert without(query.text, *query.chips) == "token refresh"


@table("value", ["atlas-web", "订单中心", "two words", "a,b", "::", "-x", "C:\\x"])
def test_any_other_value_has_a_filter_that_means_it(value: str) -> None:
    filter = filter_for("project", value)
    assert filter is not None
    assert [one.values for one in parse(filter).filters] == [(value,)]


@pytest.mark.parametrize("value", ["", 'say "hi"', "\x1b[2J"])
def test_what_the_query_language_cannot_say_has_no_filter(value: str) -> None:
    assert filter_for("project", value) is None


@pytest.mark.parametrize(
    ("query", "then"),
    [
        ("type:bugfix project:atlas-web ", "type:bugfix "),
        ("type:bugfix ", ""),
        ("type:bugfix token", "type:bugfix toke"),
        ("token type:bugfix ", "token type:bugfix"),
        ("type:bugfi", "type:bugf"),
        ("type:bugfix title: ", "type:bugfix title:"),
        ("", ""),
    ],
)
@pytest.mark.sampled
async def test_backspace_takes_a_finished_filter_whole_and_else_a_letter(
    demo: Path, query: str, then: str
) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, query)
        await press(pilot, "backspace")
        assert search(pilot).bar.input.value == then


async def test_backspace_at_the_start_of_nothing_but_filters_takes_the_last(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "type:bugfix project:atlas-web")
        await press(pilot, "home", "backspace", "backspace")
        assert search(pilot).bar.input.value == ""


async def test_backspace_takes_what_is_selected(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "type:bugfix ")
        await press(pilot, "shift+home", "backspace")
        assert search(pilot).bar.input.value == ""


async def test_filters_are_taken_one_after_another_from_the_results(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "type:bugfix project:payments-api ")
        await press(pilot, "enter", "backspace")
        assert search(pilot).bar.input.value == "type:bugfix "
        await press(pilot, "slash", "backspace")
        assert search(pilot).bar.input.value == ""
