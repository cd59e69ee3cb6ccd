"""What travels to a team's server and back, and what never does."""

from __future__ import annotations

from typing import Any, LiteralString

import pytest

from memtui.store.curation.many import Action
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.team.entries import TeamEntry
from memtui.store.leaves.team.membership import own_team
from memtui.store.leaves.team.search import search_team
from memtui.store.leaves.team.server import Server
from memtui.store.leaves.team.sharing import marks_of
from memtui.store.platform.clock import now_ms

from .colleagues import Colleagues, share, sync, titles


def test_what_is_shared_comes_to_teammates_with_its_author(team: Colleagues) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    note = ada.observations.add("one", title="retries need jitter", project="atlas", narrative="storms")
    ada.observations.add("two", title="mine alone", project="diary")
    ada.facts.add("the gateway is redis", project="atlas")
    share(ada)
    given = sync(ada)
    assert given.refused == ()
    taken = sync(bob)
    assert taken.refused == ()
    assert titles(bob) == {"retries need jitter"}
    assert [fact.content for fact in bob.facts.list()] == ["the gateway is redis"]
    assert {mark.author for mark in marks_of(bob, [str(bob.record(note.uid).id)]).values()} == {"ada"}
    assert {mark.author for mark in marks_of(ada, [str(note.id)]).values()} == {""}
    assert bob.find("jitter").page().hits[0].record.uid == note.uid


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


def test_authors_and_the_team_are_filters(team: Colleagues) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    ada.observations.add("one", title="retries need jitter", project="atlas")
    own = bob.observations.add("two", title="a jitter of one's own", project="diary")
    share(ada)
    sync(ada)
    sync(bob)
    found = {
        query: sorted(hit.row.title for hit in bob.find(f"jitter {query}").page(related=False).hits)
        for query in ("author:ada", "-author:ada", "author:me", "team:crew", "-team:crew", "team:other")
    }
    mine, hers = ["a jitter of one's own"], ["retries need jitter"]
    assert found == {
        "author:ada": hers, "-author:ada": mine, "author:me": mine, "team:crew": hers,
        "-team:crew": mine, "team:other": [],
    }  # fmt: skip
    assert [bob.author_of(hit.record) for hit in bob.find("author:ada").page().hits] == ["ada"]
    assert bob.author_of(own) == ""


def test_the_server_finds_what_is_not_here(team: Colleagues) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    ada.observations.add("one", title="retries need jitter", project="atlas", narrative="storms of 数据库")
    ada.facts.add("the gateway retries", project="borealis")
    share(ada)
    share(ada, "borealis")
    sync(ada)
    for query, titles_found in (
        ("retry", ["the gateway retries", "retries need jitter"]),
        ("数据", ["retries need jitter"]),
        ("retries project:borealis", ["the gateway retries"]),
        ("retries author:ada kind:observation", ["retries need jitter"]),
        ("retries author:bob", []),
    ):
        found = search_team(bob, query)
        assert sorted(hit.title for hit in found.hits) == sorted(titles_found), query
        assert {(hit.id, hit.author) for hit in found.hits} <= {("", "ada")}
    assert search_team(bob, "retries tag:x").left_out == ("tag:x",)
    sync(bob)
    assert [hit.id for hit in search_team(bob, "jitter").hits] == ["1"]


def test_a_search_that_the_server_answers_has_the_team_be_met_again(team: Colleagues) -> None:
    bob = team.invite("bob")
    bob.db.execute("UPDATE team SET trouble = 'The team''s server is away.', tried_at = ?", (now_ms(),))
    assert not Machines(bob).due()
    search_team(bob, "gateway")
    assert Machines(bob).due() and own_team(bob).trouble is None


def test_a_meeting_with_nothing_new_asks_one_thing_and_writes_nothing(
    team: Colleagues, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = team.invite("ada")
    ada.observations.add("one", title="retries need jitter", project="atlas")
    share(ada)
    for _ in range(2):
        sync(ada)
    asked: list[str] = []
    run = Server.run

    def counted(self: Server, statement: LiteralString, *values: object) -> list[Any]:
        asked.append(statement)
        return run(self, statement, *values)

    monkeypatch.setattr(Server, "run", counted)
    before = ada.db.total_changes()
    sync(ada)
    assert asked == ["SELECT * FROM memtui.greet(%s, %s)"]
    assert ada.db.total_changes() == before


def test_a_word_of_many_rows_is_found_in_the_newest_and_wherever_a_filter_says(team: Colleagues) -> None:
    rows, now, filler = 6_000, now_ms(), ",".join(map(str, range(100, 130)))
    with Server(team.dsn) as server:
        server.push(
            team.team_id,
            "desk",
            [
                TeamEntry(
                    "facts", f"u{n}", "rare" if n % 1_000 == 7 else "atlas", "desk", 1, "1", "project",
                    "here", now - (rows - n) * 10_000_000, None, "{}",
                    "{1}" if n == 5_990 else f"{{{filler},1{',2' if 500 < n < 3_500 else ''}}}",
                )
                for n in range(rows)
            ],
        )  # fmt: skip

        def found(word: int, **changed: Any) -> list[int]:
            asked: dict[str, Any] = dict.fromkeys(("kinds", "projects", "authors", "since", "until"))
            asked |= {"limit": 20, "seconds": 60} | changed
            return [int(entry.uid[1:]) for entry in server.search(team.team_id, [word], **asked)]

        assert found(1) == [5_990, *(n for n in range(5_999, 5_979, -1) if n != 5_990)]
        assert found(2) == [*range(3_499, 3_479, -1)]
        assert min(found(2, limit=500)) > 2_500
        assert found(1, projects=["rare"]) == [*range(5_007, 0, -1_000)]
        assert found(1, until=now - (rows - 100) * 10_000_000) == [*range(99, 79, -1)]
        assert found(1, since=now - 5 * 10_000_000) == [*range(5_999, 5_994, -1)]
        assert found(1, authors=["nobody"]) == found(3) == []
