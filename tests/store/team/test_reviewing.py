"""What reaches agents of teammates' memories, and what a member says of them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import InvalidRecordError, NotFoundError, Store
from memtui.store.context.candidates import candidates
from memtui.store.context.compact.answer import find
from memtui.store.context.compact.hits import search_lines
from memtui.store.curation.many import Action
from memtui.store.leaves.team.membership import tell_agents
from memtui.store.leaves.team.reviewing import Rule, give_verdict, read_rules, reviews, rules_page
from tests.store.cli.runner import Mem

from .colleagues import Colleagues, share, sync


def told(store: Store) -> list[str]:
    """What a session of the project is told."""
    return [candidate.head for candidate in candidates(store.db, "atlas")]


@pytest.fixture
def bob(team: Colleagues) -> Store:
    """One who has what Ada shared: a fact, a decision and a finding."""
    ada, bob = team.invite("ada"), team.invite("bob")
    ada.facts.add("the gateway is redis", project="atlas")
    ada.observations.add("one", title="we retry with jitter", project="atlas", type="decision")
    ada.observations.add("one", title="storms at noon", project="atlas", type="finding", narrative="x")
    share(ada)
    sync(ada)
    sync(bob)
    return bob


def test_agents_are_told_nothing_of_teammates_until_it_is_set(bob: Store) -> None:
    own = bob.facts.add("the queue is ours", project="atlas")
    assert [head for head in told(bob) if "redis" in head or "jitter" in head or "storms" in head] == []
    assert [hit.title for hit in search_lines(bob, "gateway jitter OR redis OR storms").hits] == []
    assert any("queue is ours" in head for head in told(bob))
    assert find(bob, f"f{own.id}") == own
    with pytest.raises(NotFoundError, match="a teammate's"):
        find(bob, "1")
    tell_agents(bob, "all")
    heads = told(bob)
    assert any("redis" in head and "(by ada)" in head for head in heads)
    assert any("jitter" in head and "(by ada)" in head for head in heads)
    assert {hit.author for hit in search_lines(bob, "storms").hits} == {"ada"}


def test_what_was_accepted_is_told_and_what_is_kept_out_never(bob: Store) -> None:
    waiting = {item.title: item.id for item in reviews(bob)}
    assert waiting.keys() == {"the gateway is redis", "we retry with jitter"}
    tell_agents(bob, "accepted")
    assert not any("(by ada)" in head for head in told(bob))
    give_verdict(bob, [waiting["the gateway is redis"]], "accepted")
    give_verdict(bob, [waiting["we retry with jitter"]], "kept out")
    assert reviews(bob) == []
    assert [head for head in told(bob) if "(by ada)" in head and "redis" not in head] == []
    tell_agents(bob, "all")
    assert not any("we retry with jitter" in head for head in told(bob))


def test_a_dispute_and_its_reply_are_seen_by_all(team: Colleagues, bob: Store) -> None:
    ada = team.stores["ada"]
    carol = team.invite("carol")
    fact = next(item for item in reviews(bob) if item.id.startswith("f"))
    with pytest.raises(InvalidRecordError, match="why it is disputed"):
        give_verdict(bob, [fact.id], "disputed")
    give_verdict(bob, [fact.id], "disputed", "it was, until May")
    assert sync(bob).refused == ()
    for store in (carol, ada):
        sync(store)
    [seen] = [item for item in reviews(carol) if item.uid == fact.uid]
    assert seen.disputes == ("bob: it was, until May",)
    sql = "SELECT member, verdict FROM team_reviews"
    assert ada.db.execute(sql).fetchall() == [("bob", "disputed")]


def written(store: Store | None, path: Path) -> bool:
    """Write what is to stand in a file; whether that was something else."""
    before, page, _many = rules_page(store, path)
    path.write_text(page, "utf-8")
    return before != page


def test_accepted_rules_go_into_a_file_and_come_back_from_it(
    team: Colleagues, bob: Store, tmp_path: Path
) -> None:
    ada, carol, path = team.stores["ada"], team.invite("carol"), tmp_path / "rules.md"
    own = bob.facts.add("the queue is ours", project="atlas")
    share(bob)
    sync(bob)
    sync(carol)
    give_verdict(bob, [item.id for item in reviews(bob)], "accepted")
    assert written(bob, path)
    text = path.read_text("utf-8")
    assert "- the gateway is redis (ada) <!-- " in text
    assert not written(bob, path) and not written(None, path)
    # Each member adds what they accepted; nobody takes out what others did.
    sync(ada)
    give_verdict(ada, [own.uid], "accepted")
    assert written(ada, path) and not written(bob, path)
    assert path.read_text("utf-8").count("(ada)") == 2 and "the queue is ours (bob)" in path.read_text(
        "utf-8"
    )
    assert read_rules(carol, path) == 3
    assert reviews(carol) == []
    assert read_rules(carol, path) == 0
    # What holds no more goes.
    give_verdict(bob, [item.uid for item in reviews(bob, verdict="accepted")][:1], "kept out")
    assert written(bob, path) and path.read_text("utf-8").count("(ada)") == 1


def test_rules_are_read_with_their_authors_where_there_is_no_team(bob: Store, tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    bob.edit(reviews(bob)[1].uid, {"narrative": "storms\nwere long"})
    give_verdict(bob, [item.id for item in reviews(bob)], "accepted")
    written(bob, path)
    assert "\n  storms were long\n" in path.read_text("utf-8")
    with Store.open(tmp_path / "alone.db") as alone:
        own = alone.facts.add("the gateway is redis", project="atlas")
        assert [read_rules(alone, path), read_rules(alone, path)] == [2, 0]
        [decision] = alone.observations.recent()
        assert (decision.type, decision.title, decision.narrative) == (
            "decision", "we retry with jitter", "storms were long",
        )  # fmt: skip
        assert alone.author_of(decision) == "ada" and not alone.author_of(own)
        assert [hit.title for hit in search_lines(alone, "jitter").hits] == []
        assert not written(alone, path)


@pytest.mark.parametrize(
    "changed",
    [
        lambda text: text.replace("redis", "nginx"),
        lambda text: text.replace("(ada)", "(mal)", 1),
        lambda text: "".join(sorted(text.splitlines(keepends=True))),
        lambda text: text.replace("- the gateway", "<<<<<<< HEAD\n- the gateway"),
        lambda text: text + text[text.index("- ") :],
    ],
)
def test_what_was_changed_by_hand_is_found_by_the_file_alone(
    changed: Callable[[str], str], bob: Store, tmp_path: Path
) -> None:
    path = tmp_path / "rules.md"
    give_verdict(bob, [item.id for item in reviews(bob)], "accepted")
    written(bob, path)
    text = path.read_text("utf-8")
    assert changed(text) != text
    path.write_text(changed(text), "utf-8")
    mem = Mem(tmp_path / "none.db", tmp_path)
    assert "export the rules again" in mem.refused("team", "export-rules", str(path), "--check")
    assert not (tmp_path / "none.db").exists() and path.read_text("utf-8") == changed(text)
    path.write_text(text, "utf-8")
    mem.ok("team", "export-rules", str(path), "--check")


def test_what_was_accepted_holds_as_it_was_accepted(team: Colleagues, bob: Store) -> None:
    ada = team.stores["ada"]
    tell_agents(bob, "accepted")
    give_verdict(bob, [item.id for item in reviews(bob)], "accepted")
    assert any("the gateway is redis" in head for head in told(bob))
    ada.edit("f1", {"content": "the gateway is a trap"})
    sync(ada)
    sync(bob)
    assert not any("trap" in head for head in told(bob))
    assert [item.title for item in reviews(bob)] == ["the gateway is a trap"]
    assert [item.title for item in reviews(bob, verdict="accepted")] == ["we retry with jitter"]
    give_verdict(bob, [item.id for item in reviews(bob)], "accepted")
    assert any("a trap" in head and "(by ada)" in head for head in told(bob))


def test_what_a_teammate_made_of_ones_own_is_a_teammates(team: Colleagues, bob: Store) -> None:
    ada = team.stores["ada"]
    own = bob.facts.add("the queue is ours", project="atlas")
    share(bob)
    sync(bob)
    phone = team.invite("bob", machine="phone")
    for store in (ada, phone):
        sync(store)
    phone.edit(own.uid, {"content": "the queue is bob's"})
    sync(phone)
    sync(bob)
    assert any("the queue is bob's" in head for head in told(bob))
    sync(ada)
    ada.edit(own.uid, {"content": "the queue is a trap"})
    sync(ada)
    for store in (bob, phone):
        sync(store)
        assert not any("queue" in head for head in told(store))
        assert search_lines(store, "queue").hits == ()
        assert "the queue is a trap" in {item.title for item in reviews(store)}
        tell_agents(store, "all")
        assert any("a trap" in head and "(by ada)" in head for head in told(store))
    bob.edit(own.uid, {"content": "the queue is mine"})
    tell_agents(bob, "off")
    assert any("the queue is mine" in head for head in told(bob))


def test_only_teammates_facts_and_decisions_are_accepted(bob: Store) -> None:
    own = bob.facts.add("the queue is ours", project="atlas")
    finding = next(item for item in bob.observations.recent() if item.type == "finding")
    with pytest.raises(InvalidRecordError, match="your own"):
        give_verdict(bob, [f"f{own.id}"], "accepted")
    with pytest.raises(InvalidRecordError, match="neither a fact nor a decision"):
        give_verdict(bob, [finding.uid], "accepted")
    assert give_verdict(bob, [finding.uid], "kept out") == 1


def test_who_may_only_read_disputes_nothing(team: Colleagues, bob: Store) -> None:
    eve = team.invite("eve", "reader")
    sync(eve)
    before = reviews(eve)
    with pytest.raises(InvalidRecordError, match="keep it out"):
        give_verdict(eve, [before[0].id], "disputed", "it never was")
    assert reviews(eve) == before


def test_a_file_that_is_no_text_or_says_otherwise_accepts_nothing(bob: Store, tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_bytes(b"\x7fELF\x80\xff")
    with pytest.raises(InvalidRecordError, match="not a text file"):
        read_rules(bob, path)
    [fact] = [item for item in reviews(bob) if item.id.startswith("f")]
    rule = Rule.of(fact)._replace(text="the gateway is nginx")
    path.write_text(f"{rule}", "utf-8")
    assert read_rules(bob, path) == 0


def test_who_may_only_read_changes_nothing_of_teammates(team: Colleagues, bob: Store) -> None:
    eve = team.invite("eve", "reader")
    own = eve.observations.add("mine", title="mine", project="atlas")
    sync(eve)
    theirs = next(item for item in eve.observations.recent(limit=9) if item.title != "mine")
    for change in (
        lambda: eve.edit(theirs.uid, {"title": "changed"}),
        lambda: eve.change_many([theirs.uid], Action("tag", add=("x",))),
        lambda: eve.merge([own.uid, theirs.uid]),
    ):
        with pytest.raises(InvalidRecordError, match="you may only read"):
            change()
    eve.edit(own.uid, {"title": "changed"})
    eve.change_many([theirs.uid], Action("delete"))
    sync(eve)
    sync(bob)
    assert theirs.title in {item.title for item in bob.observations.recent(limit=9)}
