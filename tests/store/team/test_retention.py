"""What teammates shared goes by a rule of its own: from one store alone, and until somebody asks for it."""

import pytest

from memtui.store import Action, InvalidRecordError, NotFoundError, Store
from memtui.store.leaves.team.retention import TeamRetention, TeamRule
from memtui.store.leaves.team.reviewing import give_verdict
from memtui.store.maintain.retention import Retention
from memtui.store.platform.clock import now_ms
from memtui.store.tables.removal.retention import DAY

from ..cli.runner import Mem
from .colleagues import Colleagues, share, sync, titles

AGES = {"old": 300, "older": 400, "new": 3}
"""Titles, and how many days ago they were added."""


def add(store: Store, title: str, days: int) -> None:
    at = now_ms() - days * DAY
    store.sessions.start(f"session-{title}", project="atlas", at=at)
    store.observations.add(f"session-{title}", title=title, project="atlas", at=at)


@pytest.fixture
def pair(team: Colleagues) -> tuple[Store, Store]:
    """Ada, who shared memories of three ages, and Eve, who has them."""
    ada, eve = team.invite("ada"), team.invite("eve")
    for title, days in AGES.items():
        add(ada, title, days)
    ada.facts.add("retries need jitter", project="atlas")
    share(ada)
    sync(ada)
    sync(eve)
    assert titles(eve) == set(AGES)
    return ada, eve


def test_what_is_too_old_goes_here_alone_and_a_pull_does_not_bring_it_back(
    pair: tuple[Store, Store],
) -> None:
    ada, eve = pair
    retention = TeamRetention(eve)
    assert retention.set(90, None) == TeamRule(90, None)
    assert retention.due() == {"observations": 2}
    assert retention.run() == 2
    assert titles(eve) == {"new"} and len(eve.facts.list()) == 1
    assert eve.db.execute("SELECT count(*) FROM sessions").get == 1
    assert not eve.find("older").page().hits
    ada.edit("1", {"narrative": "of long ago, edited"})
    add(ada, "newest", 1)
    ada.observations.add("session-old", title="of today", project="atlas")
    sync(ada)
    for verify in (False, True):
        sync(eve, verify=verify)
        assert titles(eve) == {"new", "newest", "of today"}
    # The session comes again with what is new in it.
    ids = [str(name) for (name,) in eve.db.execute("SELECT content_session_id FROM sessions ORDER BY 1")]
    assert ids == [f"ada/session-{name}" for name in ("new", "newest", "old")]
    sync(ada, verify=True)
    assert titles(ada) == {*AGES, "newest", "of today"}
    assert retention.run() == 0
    assert eve.doctor(thorough=True).ok


def test_asking_for_more_brings_it_back(pair: tuple[Store, Store]) -> None:
    _, eve = pair
    retention = TeamRetention(eve)
    retention.set(90, None)
    retention.run()
    retention.set(350, None)
    sync(eve)
    assert titles(eve) == {"old", "new"}
    retention.clear()
    sync(eve)
    assert titles(eve) == set(AGES)
    assert eve.doctor(thorough=True).ok
    with pytest.raises(NotFoundError):
        retention.clear()


def test_at_most_so_many_are_kept_the_newest(pair: tuple[Store, Store]) -> None:
    ada, eve = pair
    retention = TeamRetention(eve)
    retention.set(None, 1)
    assert retention.run() == 2
    ada.edit("2", {"narrative": "of long ago, edited"})
    sync(ada)
    sync(eve)
    assert titles(eve) == {"new"}


def test_who_joins_with_a_rule_is_not_given_what_is_too_old(team: Colleagues) -> None:
    ada, eve = team.invite("ada"), team.invite("eve")
    add(ada, "old", 300)
    add(ada, "new", 3)
    share(ada)
    sync(ada)
    TeamRetention(eve).set(90, None)
    sync(eve)
    assert titles(eve) == {"new"}
    assert eve.db.execute("SELECT count(*) FROM sessions").get == 1


def test_a_new_memory_of_an_old_session_brings_the_session(pair: tuple[Store, Store]) -> None:
    ada, eve = pair
    TeamRetention(eve).set(90, None)
    TeamRetention(eve).run()
    ada.observations.add("session-old", title="continued", project="atlas")
    sync(ada)
    sync(eve)
    assert titles(eve) == {"new", "continued"}


def test_what_is_pinned_changed_or_reviewed_stays(pair: tuple[Store, Store]) -> None:
    _, eve = pair
    by_title = {item.title: item for item in eve.observations.recent()}
    eve.change_many([by_title["old"].uid], Action("pin"))
    retention = TeamRetention(eve)
    retention.set(90, None)
    assert retention.due() == {"observations": 1}
    give_verdict(eve, [by_title["older"].uid], "kept out")
    assert retention.run() == 0
    assert titles(eve) == set(AGES)


def test_other_policies_leave_what_teammates_shared_alone(pair: tuple[Store, Store]) -> None:
    _, eve = pair
    add(eve, "of her own", 300)
    Retention(eve).set(90)
    assert [item.deleted for item in Retention(eve).due()] == [{"observations": 1}]
    Retention(eve).run()
    assert titles(eve) == set(AGES)


def test_nothing_is_told_to_machines_of_ones_own(pair: tuple[Store, Store]) -> None:
    _, eve = pair
    before = eve.db.execute("SELECT count(*) FROM unsynced_rows WHERE came_from IS NULL").get
    TeamRetention(eve).set(0, None)
    assert TeamRetention(eve).run() == 3
    assert not eve.db.execute("SELECT count(*) FROM sync_tombstones").get
    assert eve.db.execute("SELECT count(*) FROM unsynced_rows WHERE came_from IS NULL").get == before


def test_the_command_sets_shows_and_clears_it(pair: tuple[Store, Store], team: Colleagues) -> None:
    mem = Mem(team.folder / "eve" / "memory.db", team.folder)
    assert "--days" in mem.refused("store", "retention", "set", "--teammates")
    assert mem.json("store", "retention", "set", "--teammates", "--days", "90", "--most", "9") == {
        "days": 90,
        "most": 9,
        "since": 0,
    }
    assert "newest 9" in mem("store", "retention", "list").stderr
    assert mem.json("store", "retention", "list")[0]["teammates"] is True
    assert mem.json("store", "retention", "run", "--dry-run")["teammates"] == {"observations": 2}
    assert mem.json("store", "retention", "run")["done"] == 2
    mem.ok("store", "retention", "clear", "--teammates")
    assert mem.json("store", "retention", "list") == []


def test_it_is_for_who_is_in_a_team(store: Store) -> None:
    with pytest.raises(NotFoundError):
        TeamRetention(store).set(90, None)


def test_leaving_ends_the_rule(pair: tuple[Store, Store]) -> None:
    from memtui.store.leaves.team.joining import leave_team

    _, eve = pair
    with pytest.raises(InvalidRecordError):
        TeamRetention(eve).set(-1, None)
    TeamRetention(eve).set(90, None)
    leave_team(eve, keep=True)
    assert TeamRetention(eve).rule() is None
