"""What one's own machines that are in no team are given of teammates' memories, and what is handed over."""

from pathlib import Path

import pytest

from memtui.store import NotFoundError, Store
from memtui.store.context.compact.hits import search_lines
from memtui.store.leaves.handoff.brief import handoff_of_query, handoff_of_session
from memtui.store.leaves.team.joining import join_team, leave_team
from memtui.store.leaves.team.membership import own_team, tell_agents
from memtui.store.search.listing.teammates import Teammates

from ..sync.meeting import meet, stores
from .colleagues import Colleagues, share, sync


@pytest.fixture
def bob(team: Colleagues) -> Store:
    """One who has a session that Ada shared."""
    ada, bob = team.invite("ada"), team.invite("bob")
    session = ada.sessions.start("c-1", project="atlas", title="Storms")
    ada.observations.add(session, title="retries need jitter", narrative="storms at noon")
    share(ada)
    sync(ada)
    sync(bob)
    return bob


def test_a_machine_in_no_team_knows_whose_a_memory_is_and_tells_agents_nothing_of_it(
    bob: Store, tmp_path: Path
) -> None:
    own = bob.observations.add("mine", title="jitter is mine", project="atlas")
    [laptop] = stores(tmp_path, "laptop")
    meet(laptop, bob)
    [theirs] = laptop.find("retries").refs()
    assert Teammates(laptop.db).author(theirs) == "ada"
    assert laptop.find("author:ada").count().value == 1
    assert [hit.title for hit in search_lines(laptop, "jitter").hits] == [own.title]
    [phone] = stores(tmp_path, "phone")
    meet(phone, laptop)
    assert Teammates(phone.db).author(*phone.find("retries").refs()) == "ada"


def test_a_teammates_session_is_handed_over_only_where_agents_may_be_told_it(bob: Store) -> None:
    session = bob.sessions.get("ada/c-1")
    nothing = "a teammate's, of which agents are told nothing"
    with pytest.raises(NotFoundError, match=nothing):
        handoff_of_session(bob, session)
    with pytest.raises(NotFoundError, match=nothing):
        handoff_of_query(bob, "jitter")
    tell_agents(bob, "all")
    text = handoff_of_session(bob, session).text
    assert "retries need jitter" in text and "(by ada)" in text


def test_who_left_keeps_what_agents_are_told_nothing_of(bob: Store) -> None:
    tell_agents(bob, "all")
    [theirs] = bob.find("retries").refs()
    assert search_lines(bob, "retries").hits
    leave_team(bob, keep=True)
    assert Teammates(bob.db).author(theirs) == "ada"
    assert bob.find("retries").refs() == [theirs] and not search_lines(bob, "retries").hits


def test_who_left_and_joins_again_is_told_what_changed_meanwhile(team: Colleagues, bob: Store) -> None:
    dsn = own_team(bob).dsn
    leave_team(bob, keep=True)
    ada = team.stores["ada"]
    [shared] = ada.find("retries").refs()
    ada.edit(shared, {"title": "retries need jitter and a limit"})
    sync(ada)
    join_team(bob, dsn)
    sync(bob)
    assert bob.find('"jitter and a limit"').refs() == bob.find("retries").refs()
