"""What a mistyped word may have meant: told above the results, and taken by a key or a click."""

from pathlib import Path

from memtui.tui.search.suggestions import DidYouMean
from tests.tui.browser import ask, highlighted, opened, press, search, text


async def test_a_mistyped_word_is_told_with_what_it_may_have_meant(demo: Path) -> None:
    async with opened(demo, size=(180, 40)) as pilot:
        await ask(pilot, "reids")
        shown = text(search(pilot).results.did_you_mean)
        assert "No memory has the word reids. Did you mean redis?" in shown


async def test_where_there_is_little_room_the_question_alone_is_told(demo: Path) -> None:
    async with opened(demo, size=(120, 36)) as pilot:
        await ask(pilot, "refrseh")
        shown = text(search(pilot).results.did_you_mean).strip()
        assert shown == "Did you mean refresh?  ^y takes it"


async def test_several_words_are_offered_as_the_query_they_make(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "reids tokne type:bugfix")
        shown = text(search(pilot).results.did_you_mean).strip()
        assert shown == "Did you mean redis token type:bugfix?  ^y takes it"
        await press(pilot, "ctrl+y")
        assert search(pilot).bar.input.value == "redis token type:bugfix"


async def test_the_hits_for_what_was_meant_are_not_counted_as_hits(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "reids")
        assert "0 hits · " in text(search(pilot).bar.chips)
        assert " related" in text(search(pilot).bar.chips)
        assert search(pilot).results.list.count > 0


async def test_what_was_meant_is_lit_in_the_rows_and_in_the_memory(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "reids")
        for widget in (search(pilot).results.list, search(pilot).reading.detail):
            assert "redis" in highlighted(widget)


async def test_a_key_takes_what_was_meant_in_the_query_line(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, *"reids", "ctrl+y")
        assert search(pilot).bar.input.value == "redis"
        assert search(pilot).bar.input.has_focus
        assert not search(pilot).results.did_you_mean.display


async def test_the_key_takes_it_in_the_results_too_and_keeps_the_rest_of_the_query(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "type:bugfix reids -token")
        await press(pilot, "down", "ctrl+y")
        assert search(pilot).bar.input.value == "type:bugfix redis -token"
        assert search(pilot).results.list.has_focus


async def test_a_click_takes_it(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "reids")
        await pilot.click(DidYouMean)
        assert search(pilot).bar.input.value == "redis"


async def test_where_the_words_stand_nothing_is_offered(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "redis")
        assert not search(pilot).results.did_you_mean.display
        await press(pilot, "ctrl+y")
        assert search(pilot).bar.input.value == "redis"


async def test_without_any_hit_it_is_the_first_way_on(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "reids type:bugfix")
        await press(pilot, "down", "equals_sign")
        shown = text(search(pilot).results.no_hits)
        assert "a  did you mean redis for reids?" in shown
        await press(pilot, "enter")
        assert search(pilot).bar.input.value == "redis type:bugfix"
