"""A fact that takes the place of another one: that one is found and shown, and no session is told it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.store import Fact, InvalidRecordError, NotFoundError, Store
from memtui.store.context.block import compose
from memtui.store.context.hints import prompt_context
from memtui.store.context.preview import preview
from memtui.store.context.scope import Profile, save_profile
from memtui.store.formats.scheme_c.sync import sync
from memtui.store.maintain.purge import purge
from tests.promises import promise

from ...conftest import OpenStore
from ..database.test_journal import rows
from ..formats.fillings import exported, imported


@pytest.fixture
def facts(store: Store) -> Iterator[list[Fact]]:
    """Three facts of one project, each later than the one before."""
    yield [
        store.facts.add(f"Atlas is built with {name}", project="atlas", at=1_771_000_000_000 + at)
        for at, name in enumerate(("npm", "yarn", "pnpm"))
    ]


def pointers(store: Store) -> list[str | None]:
    """The facts by which each fact is superseded, in order, as people name them."""
    successors = [store.facts.successor(one) for one in store.facts.where("true ORDER BY id")]
    return [f"f{one.id}" if one else None for one in successors]


def test_both_point_at_each_other(store: Store, facts: list[Fact]) -> None:
    done = store.supersede("f1", facts[2].uid)
    assert done.is_new
    assert done.old.superseded_by == done.new.uid == facts[2].uid
    assert store.facts.successor(done.old) == done.new
    assert store.facts.superseded(done.new) == [done.old]
    assert store.doctor(thorough=True).ok


def test_no_session_is_told_it_wherever_it_would_be(store: Store, facts: list[Fact]) -> None:
    store.facts.pin(1)
    save_profile(store, "atlas", Profile(first=("f1",)))
    assert "npm" in compose(store.db, "atlas").text
    store.supersede("f1", "f3")
    lines = compose(store.db, "atlas").text.splitlines()
    assert [line for line in lines if "with npm" in line and "was until" not in line] == []
    assert any("with pnpm" in line for line in lines)
    assert "f1" not in {item.ref for item in preview(store, "atlas").items}
    store.reinstate("f1")
    assert "with npm" in compose(store.db, "atlas").text


def test_a_prompt_that_is_about_it_is_told_what_holds_instead(store: Store) -> None:
    store.facts.add("deploy_atlas.sh needs a signed token", project="atlas")
    store.facts.add("deploy_atlas.sh needs the staging password", project="atlas")
    prompt = "what does deploy_atlas.sh need?"
    assert "staging" in prompt_context(store.db, "atlas", prompt, "codex", "c-9").text
    store.supersede("f2", "f1")
    told = prompt_context(store.db, "atlas", prompt, "codex", "c-9").text
    assert "signed token" in told
    assert "staging" not in told


def test_it_is_found_and_told_apart_by_a_filter(store: Store, facts: list[Fact]) -> None:
    store.observations.add("c-1", title="npm is slow", project="atlas")
    store.supersede("f1", "f3")
    found = {hit.row.ref: hit.row.superseded for hit in store.find("npm").page().hits}
    assert found == {"f1": True, "f3": False, "1": False}
    assert [hit.row.ref for hit in store.find("is:superseded").page().hits] == ["f1"]
    assert {hit.row.ref for hit in store.find("atlas -is:superseded").page().hits} == {"f2", "f3"}
    store.facts.delete(1)
    assert [hit.row.ref for hit in store.find("is:deleted is:superseded").page().hits] == ["f1"]
    assert store.find("is:superseded").page().hits == []


def test_each_is_one_undo(store: Store, facts: list[Fact]) -> None:
    before = rows(store)
    store.supersede("f1", "f2")
    store.supersede_by_text("f2", "Atlas is built with bun")
    store.reinstate("f1")
    after = rows(store)
    told = [done.what for done in iter(store.undo, None)]
    assert told == ["fact f1 reinstated", "fact f2 superseded by f4", "fact f1 superseded by f2"]
    assert rows(store) == before
    while store.redo():
        pass
    assert rows(store) == after


def test_what_a_text_says_is_a_fact_of_the_old_ones_kind_and_project(store: Store) -> None:
    store.facts.add("Atlas has two hosts", kind="W", project="atlas")
    done = store.supersede_by_text("f1", "Atlas has three hosts", speaker="user")
    assert (done.new.kind, done.new.project) == ("W", "atlas")
    again = store.supersede_by_text("f1", "atlas has three hosts.")
    assert again.new.id == done.new.id
    assert not again.is_new


def test_a_chain_tells_its_end_only(store: Store, facts: list[Fact]) -> None:
    store.supersede("f1", "f2")
    store.supersede("f2", "f3")
    told = compose(store.db, "atlas").text
    assert [f"\n- {ref} " in told for ref in ("f1", "f2", "f3")] == [False, False, True]
    assert "with pnpm" in told
    assert "with npm" not in told


def test_it_can_be_superseded_by_yet_another_one(store: Store, facts: list[Fact]) -> None:
    store.supersede("f1", "f2")
    assert store.supersede("f1", "f3").is_new
    assert pointers(store) == ["f3", None, None]
    assert not store.supersede("f1", "f3").is_new


def test_what_can_not_be_is_refused_in_a_sentence(store: Store, facts: list[Fact]) -> None:
    store.supersede("f1", "f2")
    store.supersede("f2", "f3")
    store.facts.add("deleted")
    store.facts.delete(4)
    store.facts.add("hidden", private=True)
    before = rows(store)
    for old, new, said in (
        ("f1", "f1", "can't supersede itself"),
        ("f3", "f1", "Fact f3 supersedes f1 already"),
        ("f1", "f4", "Fact f4 is deleted and can't supersede f1"),
        ("f4", "f1", "Fact f4 is deleted, so nothing has to supersede it"),
        ("f1", "f5", "Fact f5 is hidden and can't supersede f1"),
    ):
        with pytest.raises(InvalidRecordError, match=said):
            store.supersede(old, new)
    with pytest.raises(InvalidRecordError, match="itself"):
        store.supersede_by_text("f3", "atlas is built with PNPM")
    with pytest.raises(NotFoundError, match="There is no fact f9"):
        store.supersede("f1", "f9")
    assert rows(store) == before


@pytest.mark.parametrize("gone", ["deleted", "purged"])
def test_it_does_not_hold_again_because_the_new_one_is_gone(
    store: Store, facts: list[Fact], gone: str
) -> None:
    store.supersede("f1", "f3")
    if gone == "purged":
        purge(store, "facts", [3])
    else:
        store.facts.delete(3)
    assert "with npm" not in compose(store.db, "atlas").text
    assert [hit.row.ref for hit in store.find("is:superseded").page().hits] == ["f1"]
    assert pointers(store)[0] == (None if gone == "purged" else "f3")
    assert store.doctor(thorough=True).ok
    store.reinstate("f1")
    assert "with npm" in compose(store.db, "atlas").text


def test_it_is_superseded_by_the_one_that_its_successor_was_merged_into(store: Store) -> None:
    for project in ("atlas", "orders"):
        store.facts.add("Built with pnpm", project=project)
    store.facts.add("Built with npm", project="orders")
    store.supersede("f3", "f2")
    store.facts.move(store.facts.get("f2"), "atlas")
    assert pointers(store) == [None, None, "f1"]


def test_two_that_become_one_do_not_supersede_each_other(store: Store) -> None:
    for project in ("atlas", "orders"):
        store.facts.add("Built with pnpm", project=project)
    store.supersede("f1", "f2")
    with store.change("project merged"):
        store.known_projects.merge("orders", "atlas")
    assert pointers(store) == [None, None]
    assert "Built with pnpm" in compose(store.db, "atlas").text
    assert store.doctor(thorough=True).ok


def test_an_export_keeps_it_also_where_a_fact_is_known_under_another_uid(
    store: Store, facts: list[Fact], open_store: OpenStore, tmp_path: Path
) -> None:
    store.supersede("f1", "f3")
    lines = exported(store)
    empty = open_store(tmp_path / "empty.db")
    imported(empty, lines, tmp_path)
    assert pointers(empty) == ["f3", None, None]
    assert exported(empty) == lines
    other = open_store(tmp_path / "other.db")
    other.facts.add("atlas is built with pnpm.", project="atlas")
    assert imported(other, lines, tmp_path).warnings == []
    (old,) = [one for one in other.facts.list() if one.superseded_by]
    successor = other.facts.successor(old)
    assert successor is not None
    assert "pnpm" in successor.content


@promise("upgrades-keep-data")
def test_a_rebuild_keeps_it(store: Store, facts: list[Fact]) -> None:
    store.supersede("f1", "f3")
    store.rebuild()
    assert pointers(store) == ["f3", None, None]


def test_a_directory_of_scheme_c_keeps_it_and_says_so_to_others(
    store: Store, facts: list[Fact], open_store: OpenStore, tmp_path: Path
) -> None:
    sync(store, tmp_path / "c")
    store.supersede("f1", "f3")
    sync(store, tmp_path / "c")
    said = (tmp_path / "c" / "facts.jsonl").read_text("utf-8")
    assert f'"superseded_by": "{facts[2].uid}"' in said.splitlines()[0].split('"memtui"')[0]
    other = open_store(tmp_path / "other.db")
    other.facts.add("atlas is built with pnpm.", project="atlas")
    sync(other, tmp_path / "c")
    (old,) = [one for one in other.facts.list() if one.superseded_by]
    assert (successor := other.facts.successor(old)) is not None
    assert "pnpm" in successor.content
    store.reinstate("f1")
    sync(store, tmp_path / "c")
    sync(other, tmp_path / "c")
    assert not [one for one in other.facts.list() if one.superseded_by]
