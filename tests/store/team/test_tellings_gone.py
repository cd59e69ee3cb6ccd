"""What is told and said of a fact leaves the server with it, and comes back with it."""

from typing import Any

import psycopg
import pytest

from memtui.store import Store
from memtui.store.curation.many import Action
from memtui.store.leaves.team.reviewing import give_verdict, reviews
from memtui.store.leaves.team.sharing import Sharing
from memtui.store.maintain.purge import purge_for_good
from memtui.store.records.rows import FactSource
from memtui.store.tables.removal.purge_selection import of_uids

from .colleagues import Colleagues, removals, share, sync


@pytest.fixture
def ada(team: Colleagues) -> Store:
    """One whose fact has a telling, and a dispute by Bob."""
    ada, bob = team.invite("ada"), team.invite("bob")
    fact = ada.facts.add("the gateway is redis", project="atlas")
    telling = FactSource("a-telling", "claude", "m-1", told_at=1, confidence=1, places=("secret/place",))
    ada.facts.sources.upsert(fact.id, telling)
    share(ada)
    sync(ada)
    sync(bob)
    give_verdict(bob, [item.id for item in reviews(bob)], "disputed", "secret until May")
    sync(bob)
    sync(ada)
    assert "secret" in beside(team)
    return ada


def beside(team: Colleagues) -> str:
    """All that the server holds of tellings and reviews that are here, or says in any."""
    with psycopg.connect(team.direct) as connection:
        sql = (
            "SELECT state, payload::text FROM memtui.entry WHERE kind IN ('fact_sources', 'reviews') "
            "AND (state = 'here' OR payload <> '{}')"
        )
        rows: Any = connection.execute(sql).fetchall()
    return str(rows) if rows else ""


def take_away(store: Store, way: str) -> None:
    uid = str(store.db.execute("SELECT uid FROM facts").get)
    if way == "purge":
        purge_for_good(store, of_uids(store.db, [uid]))
    elif way == "unshare":
        Sharing(store).unshare("atlas")
    else:
        store.change_many([uid], Action("delete"))


@pytest.mark.parametrize("way", ["unshare", "delete", "purge"])
def test_tellings_and_replies_go_with_their_fact(team: Colleagues, ada: Store, way: str) -> None:
    bob = team.stores["bob"]
    take_away(ada, way)
    assert sync(ada).refused == ()
    assert "place" not in beside(team)
    assert sync(bob).refused == ()
    assert beside(team) == ""
    assert sync(ada).refused == ()
    assert not ada.db.execute("SELECT count(*) FROM team_reviews").get


def test_an_administrator_takes_all_of_a_fact_away_as_one_removal(team: Colleagues, ada: Store) -> None:
    sync(team.owner)
    take_away(team.owner, "purge")
    sync(team.owner)
    assert beside(team) == ""
    kinds = [item.kind for item in removals(team.owner)]
    assert [kind for kind in kinds if kind != "members"] == ["facts"]
    assert sync(ada).refused == ()


@pytest.mark.parametrize("way", ["unshare", "delete"])
def test_they_come_back_with_it(team: Colleagues, ada: Store, way: str) -> None:
    before = beside(team).count("here")
    take_away(ada, way)
    for store in (ada, team.stores["bob"]):
        sync(store)
    if way == "unshare":
        share(ada)
    else:
        ada.undo()
    for store in (ada, team.stores["bob"], ada):
        assert sync(store).refused == ()
    assert beside(team).count("here") == before
