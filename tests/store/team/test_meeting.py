"""What travels to a team's server and back, and what never does."""

from __future__ import annotations

from memtui.store.curation.many import Action
from memtui.store.team.sharing import authors

from .colleagues import Colleagues, share, sync, titles


def test_what_is_shared_comes_to_teammates_with_its_author(team: Colleagues) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    note = ada.observations.add(
        "one", title="retries need jitter", project="atlas", narrative="storms"
    )
    ada.observations.add("two", title="mine alone", project="diary")
    ada.facts.add("the gateway is redis", project="atlas")
    share(ada)
    given = sync(ada)
    assert given.refused == ()
    taken = sync(bob)
    assert taken.refused == ()
    assert titles(bob) == {"retries need jitter"}
    assert [fact.content for fact in bob.facts.list()] == ["the gateway is redis"]
    assert authors(bob, "observation", [note.uid]) == {note.uid: "ada"}
    assert authors(ada, "observation", [note.uid]) == {}
    assert bob.search("jitter")[0].record.uid == note.uid


def test_edits_deletions_and_purges_follow(team: Colleagues) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    one = ada.observations.add("one", title="first", project="atlas")
    two = ada.observations.add("one", title="second", project="atlas")
    three = ada.observations.add("one", title="third", project="atlas")
    share(ada)
    sync(ada)
    sync(bob)
    assert titles(bob) == {"first", "second", "third"}
    ada.edit(one.uid, {"title": "the first"})
    ada.change_many([two.uid], Action("delete"))
    from memtui.store.maintain.purge import purge_for_good
    from memtui.store.tables.removal.purge_selection import of_uids

    purge_for_good(ada, of_uids(ada.db, [three.uid]))
    meeting = sync(ada)
    assert meeting.refused == ()
    sync(bob)
    assert titles(bob) == {"the first"}
    assert bob.db.execute("SELECT count(*) FROM observations WHERE uid = ?", (three.uid,)).get == 0
    ada.change_many([two.uid], Action("restore"))
    sync(ada)
    sync(bob)
    assert titles(bob) == {"the first", "second"}
