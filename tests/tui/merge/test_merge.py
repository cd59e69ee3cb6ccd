"""The merge room: what is alike is found, compared field by field, and made one by keys."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Observation, Store
from memtui.tui.editing.form import FormScreen
from memtui.tui.merge.panes import CandidateList
from memtui.tui.merge.screen import MergeScreen
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.screen import MemScreen
from memtui.tui.search.screen import SearchScreen
from tests.tui.browser import app, opened, search, text, titles
from tests.tui.merge.alike import fill
from tests.tui.patience import idle, press

EARLY, TOO_EARLY = "Token expired early on laptops", "Token expired too early on laptops"


@pytest.fixture
def alike(empty: Path) -> Path:
    fill(empty)
    return empty


def room(pilot: Pilot[Any]) -> MergeScreen:
    return cast(MergeScreen, pilot.app.screen)


def offered(pilot: Pilot[Any]) -> list[tuple[str, ...]]:
    rows = pilot.app.screen.query_one(CandidateList)
    found = (rows.item_at(place) for place in range(rows.count))
    return [one.refs for one in found if one is not None]


def compared(pilot: Pilot[Any]) -> str:
    return " ".join(text(room(pilot).comparison).split())


async def told(pilot: Pilot[Any]) -> str:
    """What the newest toast says, on one line; a toast has no text before it is laid out."""
    for _ in range(50):
        toasts = list(pilot.app.screen.query("Toast"))
        if toasts and (shown := " ".join(text(toasts[-1]).split())):
            return shown
        await idle(pilot)
    return ""


def living(path: Path) -> list[str]:
    with Store.open(path, read_only=True) as store:
        return sorted(one.title or "" for one in store.observations.recent())


async def looked(pilot: Pilot[Any]) -> None:
    """Wait until what was written is shown by the screen in front."""
    await idle(pilot)
    app(pilot).look()
    await idle(pilot)
    await idle(pilot)


async def to_room(pilot: Pilot[Any]) -> None:
    await press(pilot, "escape", "m", "a")
    await idle(pilot)


async def mark_both(pilot: Pilot[Any]) -> None:
    """Mark the two observations that are alike, in the search."""
    await press(pilot, "escape")
    rows = search(pilot).results.list
    await rows.move_to(lambda item: item.hit.row.title == TOO_EARLY)
    await press(pilot, "space")
    await rows.move_to(lambda item: item.hit.row.title == EARLY)
    await press(pilot, "space")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (46, 20)])
@pytest.mark.sampled
async def test_two_marked_memories_are_one_after_two_keys_more(alike: Path, size: tuple[int, int]) -> None:
    async with opened(alike, size=size) as pilot:
        await mark_both(pilot)
        await press(pilot, "m")
        shown = compared(pilot)
        assert "1 stays, with its id" in shown and "laptop five minutes ahead" in shown
        await press(pilot, "enter")
        await looked(pilot)
        assert isinstance(pilot.app.screen, SearchScreen)
        assert not pilot.app.screen.marks
        assert titles(pilot).count(EARLY) == 1 and TOO_EARLY not in titles(pilot)
        assert f"Merged: “{TOO_EARLY}” into “{EARLY}” (u undoes)" in await told(pilot)
        assert cast(Any, app(pilot).selection).ref == "1"
        if size[0] > 46:
            await idle(pilot)
            shown = " ".join(text(search(pilot).reading.detail).split())
            assert "1 memory merged into it · also from “Clock drift”" in shown
        await press(pilot, "u")
        await looked(pilot)
        assert TOO_EARLY in titles(pilot)
    assert living(alike) == ["Moved the cache", EARLY, TOO_EARLY]


async def test_what_happened_around_them_is_told_below(alike: Path) -> None:
    async with opened(alike, size=(120, 40)) as pilot:
        await mark_both(pilot)
        await press(pilot, "m")
        assert "Around 2" in compared(pilot)
        assert "Moved the cache" in compared(pilot).split("Around 2")[1]
        # It is alone in its session.
        assert "Around 1" not in compared(pilot)


async def test_only_what_is_like_the_memory_in_hand_is_offered_until_a_shows_all(alike: Path) -> None:
    async with opened(alike) as pilot:
        await press(pilot, "escape")
        await press(pilot, *["j"] * titles(pilot).index(EARLY), "m")
        await looked(pilot)
        assert offered(pilot) == [("1", "2")]
        assert "similar to 1" in text(room(pilot).heading)
        await press(pilot, "a")
        await looked(pilot)
        assert set(offered(pilot)) == {("1", "2"), ("f1", "f2")}


async def test_a_memory_that_nothing_is_like_is_told_to_be_so(alike: Path) -> None:
    async with opened(alike) as pilot:
        await press(pilot, "escape")
        await press(pilot, *["j"] * titles(pilot).index("Moved the cache"), "space", "m")
        await looked(pilot)
        assert "No memory is like this one." in text(room(pilot).nothing)


async def test_what_can_not_be_one_says_why(alike: Path) -> None:
    async with opened(alike) as pilot:
        await press(pilot, "escape")
        screen = cast(MemScreen, pilot.app.screen)
        screen.add_marks(["1", "f1"])
        await press(pilot, "m")
        await looked(pilot)
        assert "of different kinds" in text(room(pilot).nothing)
        await press(pilot, "enter", "x", "escape")
        assert isinstance(pilot.app.screen, SearchScreen)
    assert len(living(alike)) == 3


async def test_the_room_offers_what_is_alike_and_closes_what_is_done(alike: Path) -> None:
    async with opened(alike) as pilot:
        await to_room(pilot)
        assert offered(pilot) == [("f1", "f2"), ("1", "2")]
        await press(pilot, "down", "enter", "enter")
        await looked(pilot)
        assert offered(pilot) == [("f1", "f2")]
        await press(pilot, "u")
        await looked(pilot)
        assert offered(pilot) == [("f1", "f2"), ("1", "2")]
    assert len(living(alike)) == 3


async def test_fields_are_chosen_by_arrows_and_edited_before_they_are_merged(alike: Path) -> None:
    async with opened(alike) as pilot:
        await to_room(pilot)
        await press(pilot, "down", "enter", "right")
        assert f"○ {EARLY}"[:14] in compared(pilot)
        # Tags: of all at first, then those of the first alone.
        await press(pilot, "down", "down", "down", "down", "right")
        await press(pilot, "e")
        form = pilot.app.screen
        assert isinstance(form, FormScreen)
        assert form._values["tags"] == ("auth",)
        await press(pilot, *"!!", "ctrl+s")
        assert f"edited ● {TOO_EARLY}!!" in compared(pilot)
        await press(pilot, "enter")
        await looked(pilot)
    with Store.open(alike, read_only=True) as store:
        kept = store.observations.get(1)
        assert isinstance(kept, Observation)
        assert kept.title == f"{TOO_EARLY}!!"
        assert (kept.tags, kept.facts) == (("auth",), ("TTL is 24 h", "leeway is 90 s"))
        assert "with a leeway" in (kept.narrative or "")
        assert store.changes()[0].via == "m ⏎ in memtui"


async def test_no_duplicates_are_not_offered_again(alike: Path) -> None:
    async with opened(alike) as pilot:
        await to_room(pilot)
        await press(pilot, "down", "x")
        await looked(pilot)
        assert offered(pilot) == [("f1", "f2")]
        assert "not offered again" in await told(pilot)
        await press(pilot, "escape", "m", "a")
        await looked(pilot)
        assert offered(pilot) == [("f1", "f2")]


async def test_a_later_fact_takes_the_place_of_the_earlier_one(alike: Path) -> None:
    async with opened(alike) as pilot:
        await to_room(pilot)
        assert "the later one" in compared(pilot)
        await press(pilot, "S")
        await looked(pilot)
        assert "Superseded: “Tests run with Python 3.11”" in await told(pilot)
        assert offered(pilot) == [("1", "2")]
    with Store.open(alike, read_only=True) as store:
        assert store.facts.get(1).superseded_by == store.facts.get(2).uid


async def test_on_a_narrow_terminal_enter_opens_and_escape_leads_back(alike: Path) -> None:
    async with opened(alike, size=(80, 24)) as pilot:
        await to_room(pilot)
        assert not room(pilot).comparison.display
        await press(pilot, "down", "enter")
        assert room(pilot).comparison.display
        assert "⏎ Merge" in text(room(pilot).query_one(KeysFooter))
        await press(pilot, "escape")
        assert not room(pilot).comparison.display
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SearchScreen)


@pytest.mark.parametrize("key", ["t", "o"])
async def test_the_room_opens_from_the_timeline_and_the_session_too(alike: Path, key: str) -> None:
    async with opened(alike) as pilot:
        await press(pilot, "escape", key)
        await idle(pilot)
        before = pilot.app.screen
        assert not isinstance(before, SearchScreen)
        await press(pilot, "m")
        await idle(pilot)
        assert isinstance(pilot.app.screen, MergeScreen)
        await press(pilot, "escape")
        assert pilot.app.screen is before


async def test_where_nothing_is_alike_it_says_so(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.add("c-1", title="alone")
    async with opened(empty) as pilot:
        await to_room(pilot)
        assert "No two memories are alike" in text(room(pilot).nothing)
        assert "Compare" not in text(room(pilot).query_one(KeysFooter))


async def test_a_memory_that_is_only_read_has_no_merge_room(alike: Path) -> None:
    async with opened(alike, read_only=True) as pilot:
        await press(pilot, "escape", "m", "a")
        assert isinstance(pilot.app.screen, SearchScreen)
        assert "read-only" in await told(pilot)


async def test_what_an_undo_changes_meanwhile_is_compared_anew(alike: Path) -> None:
    with Store.open(alike) as store:
        one = next(one for one in store.observations.recent() if one.title == EARLY)
        store.edit(str(one.id), {"title": "Token expired late"})
    async with opened(alike) as pilot:
        await press(pilot, "escape")
        rows = search(pilot).results.list
        await rows.move_to(lambda item: item.hit.row.title == TOO_EARLY)
        await press(pilot, "space")
        await rows.move_to(lambda item: item.hit.row.title == "Token expired late")
        await press(pilot, "space")
        await press(pilot, "m")
        assert "Token expired late" in compared(pilot)
        await press(pilot, "u")
        await looked(pilot)
        assert "Token expired late" not in compared(pilot) and EARLY in compared(pilot)
        await press(pilot, "enter")
        await looked(pilot)
        assert isinstance(pilot.app.screen, SearchScreen)
