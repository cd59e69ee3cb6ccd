"""Of two changes of one memory the later wins: whichever comes first, and whatever the clocks say."""

from typing import Any

import psycopg
import pytest

from memtui.store import Store
from memtui.store.leaves.sync.channel import Wishes
from memtui.store.leaves.team.entries import Verdict
from memtui.store.leaves.team.meeting import TeamMeeting
from memtui.store.leaves.team.membership import own_team
from memtui.store.leaves.team.server import Server

from ..sync.machines import Clocks
from .colleagues import Colleagues, share, sync


class Pair:
    """Two members who have the same memory, and change it."""

    def __init__(self, team: Colleagues, clocks: Clocks) -> None:
        self.team, self.clocks = team, clocks
        self.ada, self.bob = team.invite("ada"), team.invite("bob")
        self.uid = self.ada.observations.add("one", title="first", project="atlas").uid
        share(self.ada)
        sync(self.ada)
        sync(self.bob)

    def change(self, store: Store, title: str, hours: int = 0) -> None:
        """Change it on a machine whose clock is so many hours off."""
        self.clocks.set(hours)
        store.edit(self.uid, {"title": title})
        self.clocks.set(0)

    def on_the_server(self) -> str:
        """The title that the server has."""
        sql: Any = "SELECT payload->>'title' FROM memtui.entry WHERE uid = %s"
        with psycopg.connect(self.team.direct) as connection:
            return str(connection.execute(sql, (self.uid,)).fetchall()[0][0])

    def title(self, store: Store) -> str:
        """The title that a member has; the text that did not win may be another memory's."""
        return str(store.observations.get(self.uid).title)

    def ends_with(self, title: str) -> None:
        """Whoever meets the server in whatever order has this title."""
        for store in (self.bob, self.ada, self.bob):
            sync(store)
        assert [self.title(self.ada), self.title(self.bob), self.on_the_server()] == [title] * 3


@pytest.fixture
def pair(team: Colleagues, clocks: Clocks) -> Pair:
    """Two members of the team."""
    return Pair(team, clocks)


def test_a_change_that_waits_here_wins_over_an_earlier_one_that_comes(pair: Pair) -> None:
    pair.change(pair.ada, "the earlier")
    pair.change(pair.bob, "the later")
    sync(pair.ada)
    sync(pair.bob)
    assert pair.title(pair.bob) == "the later"
    pair.ends_with("the later")


def test_a_push_that_another_one_overtook_does_not_win(pair: Pair) -> None:
    class Overtaken(Server):
        is_overtaken = False

        def push(self, team: str, machine: str, entries: Any) -> list[Verdict]:
            if not self.is_overtaken:
                self.is_overtaken = True
                sync(pair.ada)
            return super().push(team, machine, entries)

    pair.change(pair.bob, "the earlier")
    pair.change(pair.ada, "the later")
    with Overtaken(own_team(pair.bob).dsn) as server:
        TeamMeeting(pair.bob, server).meet(Wishes())
        assert server.is_overtaken
    assert pair.on_the_server() == "the later"
    pair.ends_with("the later")


def test_a_change_of_what_was_read_wins_though_its_clock_is_behind(pair: Pair) -> None:
    pair.change(pair.ada, "read by Bob")
    sync(pair.ada)
    sync(pair.bob)
    pair.change(pair.bob, "the later", hours=-2)
    sync(pair.bob)
    pair.ends_with("the later")
