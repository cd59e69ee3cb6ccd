"""Whose memories are and who may read them, in lists and in what is read; and sharing them by a key."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from memtui.store import InvalidRecordError, Store
from memtui.store.leaves.team.sharing import choices_now, marks_of, share_memories
from memtui.store.records.kinds import ANY_SHARED
from memtui.tui.facts.lists import FactList
from memtui.tui.facts.supersede import SupersedeScreen
from memtui.tui.merge.panes import Comparison
from memtui.tui.merge.screen import MergeScreen
from memtui.tui.parts.frame import Header
from memtui.tui.search.screen import SearchScreen
from memtui.tui.timeline.lists import TimelineList
from tests.tui.browser import app, ask, search, text
from tests.tui.editing.editors import fill, toasts
from tests.tui.patience import hurry, idle, press

from .teamed import TEAM, bring, in_team, join


async def shown(pilot: Pilot[Any], widget: Widget) -> str:
    """What a widget shows once it knows whose what it paints is."""
    text(widget)
    await idle(pilot)
    return text(widget)


def line(rows: str, words: str) -> str:
    """The line that has these words."""
    return next(item for item in rows.split("\n") if words in item)


async def share(pilot: Pilot[Any], *keys: str) -> None:
    """Choose who may read what is selected."""
    search(pilot).action_leave_facets()
    # What asks waits for the answer.
    await hurry(pilot, "W", *keys, "enter")


def seen_by(path: Path, ref: str) -> str | None:
    """Who may read a memory."""
    with Store.open(path) as store:
        mark = marks_of(store, [ref]).get(ref)
        return None if mark is None else mark.visibility


async def test_lists_and_texts_name_the_teammate_who_shared_a_memory(shared: Path) -> None:
    async with in_team(shared) as pilot:
        rows = await shown(pilot, search(pilot).results.list)
        assert line(rows, "Tokens live a day").endswith(" ada")
        assert not line(rows, "Logs show UTC").endswith("ada")
        await ask(pilot, "Tokens")
        assert "Shared by ada." in text(search(pilot).reading.detail)
        await press(pilot, "escape", "2")
        assert line(await shown(pilot, pilot.app.screen.query_one(TimelineList)), "Tokens live").endswith(
            " ada"
        )
        await press(pilot, "4")
        assert line(await shown(pilot, pilot.app.screen.query_one(FactList)), "Times are UTC").endswith(
            " ada"
        )


async def test_the_header_tells_when_the_team_was_met_and_what_waits(shared: Path) -> None:
    async with in_team(shared, size=(200, 40)) as pilot:
        header = pilot.app.screen.query_one(Header)
        assert "crew met 3m ago" in str(header.render())
        await ask(pilot, "Logs")
        await share(pilot, "down")
        app(pilot).ingest()
        await idle(pilot)
        assert "1 row for crew" in str(header.render())


async def test_a_memory_is_shared_and_that_is_taken_back(shared: Path) -> None:
    async with in_team(shared) as pilot:
        await ask(pilot, "Logs")
        await share(pilot, "down", "down")
        assert toasts(pilot)[-1] == "1 shared with the whole team. u undoes."
        assert line(await shown(pilot, search(pilot).results.list), "Logs show UTC").endswith("⇈")
        assert seen_by(shared, "1") == "team"
        await press(pilot, "u")
        assert seen_by(shared, "1") is None
        assert not line(await shown(pilot, search(pilot).results.list), "Logs show UTC").endswith("⇈")


async def test_many_are_shared_at_once_but_not_a_teammates(shared: Path) -> None:
    async with in_team(shared) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "asterisk")
        await share(pilot, "down")
        assert toasts(pilot)[-1].startswith("2 memories shared with the project's members. u undoes.")
        assert "2 is ada's, who says who reads it." in toasts(pilot)[-1]
    assert [seen_by(shared, ref) for ref in ("1", "2", "3")] == ["project"] * 3


def test_the_present_choice_is_known_and_a_teammates_memory_is_refused_at_once(shared: Path) -> None:
    with Store.open(shared) as store:
        share_memories(store, ["1"], "team")
        assert choices_now(store, ["1"]) == ["team"]
        with pytest.raises(InvalidRecordError, match="ada's"):
            choices_now(store, ["2"])


async def test_nothing_is_shared_without_a_team_or_by_a_reader(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    fill(path)
    async with in_team(path) as pilot:
        await press(pilot, "escape", "W")
        assert "This store is in no team." in toasts(pilot)[-1]
    with Store.open(path) as store:
        join(store, role="reader")
    async with in_team(path) as pilot:
        await press(pilot, "escape", "W")
        assert toasts(pilot)[-1] == "You may only read in the team crew; nothing was shared."


@pytest.mark.parametrize("key", ["T", "M", "e", "E"])
async def test_a_reader_changes_nothing_of_a_teammates(shared: Path, key: str) -> None:
    with Store.open(shared) as store:
        store.db.execute("UPDATE team SET role = 'reader'")
    async with in_team(shared) as pilot:
        await ask(pilot, "Tokens")
        await press(pilot, "escape")
        await shown(pilot, search(pilot).results.list)
        # Before anything is asked for.
        await hurry(pilot, key)
        assert toasts(pilot)[-1].startswith("2 is ada's, and you may only read in the team")
        assert isinstance(pilot.app.screen, SearchScreen)


async def test_a_reader_is_offered_what_can_be_done_with_a_teammates(shared: Path) -> None:
    with Store.open(shared) as store:
        store.db.execute("UPDATE team SET role = 'reader'")
    async with in_team(shared) as pilot:
        offered = {}
        for words in ("Tokens", "Logs"):
            await ask(pilot, words)
            await press(pilot, "escape")
            await shown(pilot, search(pilot).results.list)
            offered[words] = {active.binding.id for active in pilot.app.screen.active_bindings.values()}
        own = {"entry.tag", "entry.project", "entry.edit", "entry.edit-text"}
        assert offered["Logs"] - offered["Tokens"] == own
        assert "entry.pin" in offered["Tokens"]


@pytest.mark.parametrize("keys", [("T", *"new", "enter"), ("M", *"new", "enter")])
async def test_of_several_a_teammates_is_refused(shared: Path, keys: tuple[str, ...]) -> None:
    with Store.open(shared) as store:
        store.db.execute("UPDATE team SET role = 'reader'")
    async with in_team(shared) as pilot:
        await ask(pilot, "type:bugfix")
        await press(pilot, "escape", "asterisk")
        await hurry(pilot, *keys)
        assert "2 is ada's, and you may only read in the team" in toasts(pilot)[-1]


async def test_who_is_in_no_team_sees_and_asks_nothing_of_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    fill(path)
    asked: list[str] = []
    with Store.open(path) as store:
        assert not store.find("").facets().counts.keys() & {"author"}
    async with in_team(path, size=(200, 40)) as pilot:
        browser = app(pilot)
        for connection in (browser.reader, browser.side, browser.counter):
            await connection.run(lambda item: item.db.trace_v2(1, lambda event: asked.append(event["sql"])))
        await press(pilot, "escape", "down", "down")
        await ask(pilot, "UTC")
        assert not search(pilot).results.list.has_marks
        rows = search(pilot).results.list
        assert rows.row_width == rows.scrollable_content_region.width - 2
        assert "team" not in str(pilot.app.screen.query_one(Header).render())
    # Only the facets ask whether there is anybody else's, and the background.
    assert {sql for sql in asked if "team" in sql} <= {ANY_SHARED}


def test_the_authors_are_a_facet(shared: Path) -> None:
    with Store.open(shared) as store:
        assert dict(store.find("").facets().counts["author"]) == {"ada": 3, "me": 4}
        assert store.find("author:ada").count().value == 3
        assert dict(store.find("Tokens").facets().counts["author"]) == {"ada": 1, "me": 1}
        assert "author" not in store.find("Logs").facets().counts


def test_a_machine_in_no_team_shows_whose_a_memory_is(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    fill(path)
    with Store.open(path) as store:
        bring(store, "ada", ["1"])
        assert marks_of(store, ["1", "2"])["1"].author == "ada"
        assert TEAM.member not in {mark.author for mark in marks_of(store, ["1"]).values()}


async def test_what_could_supersede_a_fact_names_the_teammate_who_shared_it(shared: Path) -> None:
    with Store.open(shared) as store:
        store.facts.add("Times are local", project="atlas")
    async with in_team(shared) as pilot:
        await press(pilot, "escape", "4")
        await press(pilot, "S")
        dialog = pilot.app.screen
        assert isinstance(dialog, SupersedeScreen)
        assert line(await shown(pilot, dialog.choices), "Times are UTC").endswith(" ada")


async def test_the_merge_room_names_the_teammate_who_shared_a_memory(shared: Path) -> None:
    async with in_team(shared) as pilot:
        pilot.app.push_screen(MergeScreen(["1", "2"]))
        await idle(pilot)
        heads = text(pilot.app.screen.query_one(Comparison))
        assert heads.count("by ada") == 1
