"""What leaving a team does to it, to what is here, and to who joins it again."""

from typing import Any

import psycopg
import pytest

from memtui.store import Store
from memtui.store.context.compact.hits import search_lines
from memtui.store.curation.many import Action
from memtui.store.leaves.team.joining import join_team, leave_team
from memtui.store.leaves.team.membership import own_team
from memtui.store.leaves.team.reviewing import give_verdict, reviews
from memtui.store.leaves.team.server import Server
from memtui.store.leaves.team.sharing import Sharing, share_memories
from memtui.store.maintain.purge import purge_for_good
from memtui.store.search.listing.teammates import Teammates
from memtui.store.tables.removal.purge_selection import of_uids

from .colleagues import Colleagues, share, sync, titles


@pytest.fixture
def ada(team: Colleagues) -> Store:
    """One who shares memories of several kinds."""
    ada = team.invite("ada")
    for title in ("first", "second"):
        ada.observations.add("one", title=title, project="atlas")
    ada.facts.add("the gateway is redis", project="atlas")
    ada.notes.upsert("MEMORY.md", "of the gateway", project="atlas")
    share(ada, "atlas", "observations", "facts", "notes")
    sync(ada)
    return ada


def again(store: Store, *, keep: bool = True) -> int:
    """Leave, and join the same team; return how many memories were removed."""
    dsn = own_team(store).dsn
    removed = leave_team(store, keep=keep)
    join_team(store, dsn)
    return removed


def states(team: Colleagues, kind: str = "observations") -> list[str]:
    with psycopg.connect(team.direct) as connection:
        sql = "SELECT state FROM memtui.entry WHERE kind = %s ORDER BY uid"
        rows: Any = connection.execute(sql, (kind,)).fetchall()
    return [state for (state,) in rows]


def test_an_administrator_who_leaves_without_what_was_shared_takes_it_from_nobody(
    team: Colleagues, ada: Store
) -> None:
    sync(team.owner)
    assert titles(team.owner) == {"first", "second"}
    dsn = own_team(team.owner).dsn
    assert leave_team(team.owner, keep=False) == 5
    assert titles(team.owner) == set() and team.owner.facts.list() == []
    assert team.owner.doctor(thorough=True).ok
    join_team(team.owner, dsn)
    sync(team.owner)
    assert titles(team.owner) == {"first", "second"} and len(team.owner.facts.list()) == 1
    assert {*states(team), *states(team, "facts"), *states(team, "notes")} == {"here"}
    sync(ada)
    assert titles(ada) == {"first", "second"}
    assert team.owner.doctor(thorough=True).ok


def test_what_was_changed_here_stays_without_the_rest(team: Colleagues, ada: Store) -> None:
    bob = team.invite("bob")
    sync(bob)
    [first] = bob.find("first").refs()
    bob.edit(first, {"title": "the first"})
    leave_team(bob, keep=False)
    assert titles(bob) == {"the first"}


@pytest.mark.parametrize("way", ["private", "purge", "unshare", "choose"])
def test_who_joins_again_takes_back_what_they_shared_before(team: Colleagues, ada: Store, way: str) -> None:
    again(ada)
    sync(ada)
    assert states(team) == ["here", "here"]
    refs = ada.find("first OR second").refs()
    if way == "private":
        ada.change_many(refs, Action("hide"))
    elif way == "purge":
        uids = [ada.record(name).uid for name in refs]
        purge_for_good(ada, of_uids(ada.db, uids))
    elif way == "unshare":
        Sharing(ada).unshare("atlas")
    else:
        share_memories(ada, refs, "private")
    sync(ada)
    assert states(team) == [{"purge": "purged"}.get(way, "withdrawn")] * 2


def test_what_was_unshared_is_shared_again_by_a_rule_after_joining_again(
    team: Colleagues, ada: Store
) -> None:
    Sharing(ada).unshare("atlas")
    sync(ada)
    again(ada)
    sync(ada)
    share(ada)
    sync(ada)
    assert states(team) == ["here", "here"]


def test_what_is_kept_to_oneself_or_out_and_what_one_disputes_stay_so(team: Colleagues, ada: Store) -> None:
    bob = team.invite("bob")
    own = bob.observations.add("mine", title="mine alone", project="atlas")
    share_memories(bob, [str(own.id)], "private")
    sync(bob)
    [fact] = reviews(bob)
    give_verdict(bob, [fact.id], "disputed", "it was, until May")
    [first] = bob.find("first").refs()
    give_verdict(bob, [first], "kept out")
    sync(bob)
    again(bob)
    share(bob)
    sync(bob)
    verdicts = bob.db.execute("SELECT verdict FROM team_reviews ORDER BY 1").fetchall()
    assert verdicts == [("disputed",), ("kept out",)]
    assert states(team) == ["here", "here"]


def test_what_its_author_took_back_stays_theirs_for_who_left(team: Colleagues, ada: Store) -> None:
    bob = team.invite("bob")
    sync(bob)
    [first] = bob.find("first").refs()
    Sharing(ada).unshare("atlas")
    sync(ada)
    sync(bob)
    leave_team(bob, keep=True)
    bob.change_many([first], Action("restore"))
    assert Teammates(bob.db).author(first) == "ada"
    assert bob.find("first").refs() == [first] and not search_lines(bob, "first").hits


def test_what_was_handed_over_is_there_for_who_comes_later(team: Colleagues) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    ada.facts.add("the gateway is redis", project="atlas")
    share(ada)
    sync(ada)
    with Server(team.dsn) as server:
        assert server.revoke(team.team_id, "ada", "keeper")[0] > 0
    sync(bob)
    assert [item.content for item in bob.facts.list()] == ["the gateway is redis"]
