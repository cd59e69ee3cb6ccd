"""The query line's right end: what was understood, how much it finds, and in which order."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual import events

from memtui.store import Count, Hits, Page, Query, parse
from memtui.tui.search.request import ResultCounts, SearchRequest
from tests.tables import table
from tests.tui.browser import ask, opened, press, search, text
from tests.tui.patience import idle


@table(
    ("counts", "words"),
    [
        (ResultCounts(SearchRequest(parse("token")), Count(1, exact=True)), "1 hit"),
        (ResultCounts(SearchRequest(parse("token")), Count(38, exact=True)), "38 hits"),
        (
            ResultCounts(SearchRequest(parse("token")), Count(0, exact=True), related=12),
            "0 hits · 12 related ~",
        ),
        (
            ResultCounts(SearchRequest(parse("token sort:recent"), exact_only=True), Count(38, exact=True)),
            "38 hits · exact only · newest first",
        ),
        (
            ResultCounts(SearchRequest(parse(""), exact_only=True), Count(420, exact=True)),
            "newest first · exact only",
        ),
        (
            ResultCounts(SearchRequest(parse("token")), Count(10_000, exact=False), ranked=5_000),
            "10,000+ hits · ranked among the newest 5,000",
        ),
        (
            ResultCounts(SearchRequest(parse("token sort:recent")), Count(38, exact=True)),
            "38 hits · newest first",
        ),
        (
            ResultCounts(SearchRequest(Query("token", sort="pinned")), Count(38, exact=True)),
            "38 hits · pinned first",
        ),
        (ResultCounts(SearchRequest(parse("type:bugfix")), Count(1_234, exact=True)), "1,234 hits"),
        (ResultCounts(SearchRequest(parse(" ")), Count(420, exact=True)), "newest first"),
        (ResultCounts(SearchRequest(parse("")), Count(0, exact=True)), ""),
    ],
)
def test_the_count_is_told_with_the_order(counts: ResultCounts, words: str) -> None:
    assert counts.words == words


async def test_it_is_told_where_only_the_newest_were_ranked(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Hits.page

    def page(hits: Hits, *given: Any, **options: Any) -> Page:
        return replace(whole(hits, *given, **options), ranked=5_000)

    monkeypatch.setattr(Hits, "page", page)
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        assert "42 hits · ranked among the newest 5,000" in text(search(pilot).bar.chips)


async def test_an_order_by_time_is_told(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token sort:recent")
        assert "[sort:recent ×]  42 hits · newest first" in text(search(pilot).bar.chips)


async def test_the_pinned_come_first_where_that_is_asked_for(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "refresh sort:pinned")
        assert "hits · pinned first" in text(search(pilot).bar.chips)
        entry = search(pilot).results.list.row
        assert entry is not None
        assert entry.pinned


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (140, "[type:bugfix ×] [since:2020-01-01 ×] [project:payments-api ×]  2 hits"),
        (120, "+1 [since:2020-01-01 ×] [project:payments-api ×]  2 hits"),
        (98, "+2 [project:payments-api ×]  2 hits"),
        (80, "3 filters  2 hits"),
        (70, "2 hits"),
        (60, "2 hits"),
    ],
)
@pytest.mark.sampled
async def test_the_query_comes_first_then_the_count_then_the_filters(
    demo: Path, width: int, told: str
) -> None:
    query = "token type:bugfix since:2020-01-01 project:payments-api"
    async with opened(demo, size=(width, 24)) as pilot:
        await ask(pilot, query)
        bar = search(pilot).bar
        assert text(bar.chips).strip() == told
        assert (query in text(bar.input)) == (width > 60)


async def test_what_is_typed_on_takes_its_room_from_the_filters(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        await ask(pilot, "token project:infra-live kind:observation")
        assert text(search(pilot).bar.chips).strip() == "+1 [kind:observation ×]  1 hit"
        await press(pilot, *" on:2026")
        assert "on:2026" in text(search(pilot).bar.input)
        assert "kind:observation" not in text(search(pilot).bar.chips)
        await ask(pilot, "kind:observation")
        assert "[kind:observation ×]" in text(search(pilot).bar.chips)


async def test_the_filters_find_their_room_when_the_terminal_grows(demo: Path) -> None:
    async with opened(demo, size=(80, 24)) as pilot:
        await ask(pilot, "token type:bugfix since:2020-01-01 project:payments-api")
        await pilot.resize_terminal(140, 24)
        await press(pilot)
        assert "[type:bugfix ×]" in text(search(pilot).bar.chips)


@pytest.mark.parametrize("width", [30, 60, 80, 160])
async def test_what_can_be_typed_is_told_in_words_that_fit(demo: Path, width: int) -> None:
    async with opened(demo, size=(width, 24)) as pilot:
        line = search(pilot).bar.input
        assert line.placeholder.startswith("Search")
        assert text(line).strip() == line.placeholder


async def test_what_is_no_filter_is_a_word(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, 'zzqx:yyqx "xxqx')
        assert text(search(pilot).bar.chips).strip() == "0 hits"
        shown = text(search(pilot).results.no_hits)
        assert "zzqx:yyqx · xxqx" in shown


async def test_words_phrases_fields_and_alternatives_are_told_as_they_were_understood(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, 'nosuchword "no such phrase" OR other title:nothing -token kind:fact')
        shown = text(search(pilot).results.no_hits)
        assert 'all of   nosuchword · "no such phrase" or other · title:nothing' in shown
        assert "none of  token" in shown
        assert "only     kind:fact" in shown


async def test_a_letter_with_alt_is_not_typed(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "a")
        pilot.app.post_message(events.Key("alt+q", "q"))
        await idle(pilot)
        assert search(pilot).bar.input.value == "a"
