"""Reviewing what teammates shared, and the team among the machines."""

from pathlib import Path
from typing import cast

from memtui.store import Store
from memtui.store.leaves.sync.channel import Refusal
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.team.reviewing import reviews
from memtui.tui.leaves.sync.machines import MachineList
from memtui.tui.parts.text_view import Hint, TextView
from memtui.tui.review import ReviewScreen
from tests.tui.browser import text
from tests.tui.editing.editors import toasts
from tests.tui.patience import hurry, press

from .teamed import TEAM, in_team, join


def said(path: Path, ref: str) -> str:
    """What was said of a memory."""
    with Store.open(path) as store:
        everything = [
            item
            for verdict in (None, "accepted", "kept out", "disputed")
            for item in reviews(store, verdict=verdict)
        ]
        return next(item.verdict for item in everything if item.id == ref)


async def test_what_waits_is_accepted_and_that_is_taken_back(shared: Path) -> None:
    async with in_team(shared) as pilot:
        await press(pilot, "escape", "I")
        screen = cast(ReviewScreen, pilot.app.screen)
        assert screen.tabs.counts == {"waiting": 2, "accepted": 0, "kept out": 0, "disputed": 0}
        assert "Times are UTC" in text(screen.detail) and "Shared by ada." in text(screen.detail)
        await press(pilot, "a")
        assert toasts(pilot)[-1] == "f1 accepted. u undoes."
        assert said(shared, "f1") == "accepted"
        assert screen.tabs.counts["waiting"] == 1
        await press(pilot, "u")
        assert said(shared, "f1") == ""


async def test_many_are_kept_out_and_one_is_disputed_with_a_reason(shared: Path) -> None:
    async with in_team(shared) as pilot:
        await press(pilot, "escape", "I", "space", "space", "x")
        assert toasts(pilot)[-1] == "2 memories kept out. u undoes."
        screen = cast(ReviewScreen, pilot.app.screen)
        assert screen.has_class("-none")
        assert "There is nothing here" in text(screen.query_one(Hint))
        await press(pilot, "f", "f")
        await hurry(pilot, "w", *"no longer", "enter")
        assert toasts(pilot)[-1] == "f1 disputed; the next meeting tells the team."
        assert said(shared, "f1") == "disputed"
        await press(pilot, "f")
        assert "Disputed by me: no longer" in text(screen.detail)


async def test_the_team_is_among_the_machines_with_what_it_refused(shared: Path) -> None:
    with Store.open(shared) as store:
        join(store, trouble="The team's server is away.")
        refused = [Refusal("facts", store.facts.list()[0].uid, "its author is ada")]
        Machines(store).note_refused(TEAM.peer, refused)
    async with in_team(shared) as pilot:
        await press(pilot, "escape", "5", "s")
        assert "✗ team" in text(pilot.app.screen.query_one(MachineList))
        told = " ".join(text(pilot.app.screen.query_one(TextView)).split())
        assert "The team's server is away." in told
        assert "fact f1 “Times are UTC”: its author is ada" in told
