"""Many at once are one transaction and one undo."""

import pytest

from memtui.store import Action, NotFoundError, Store

from ..database.test_journal import fill, rows


def test_all_that_a_query_matches_are_changed_at_once_and_undone_at_once(store: Store) -> None:
    for number in range(30):
        store.observations.add("c-1", title=f"drift {number}", type="bugfix")
    store.observations.add("c-1", title="drift stays")
    before = rows(store)
    done = store.change_many("type:bugfix drift", Action("delete"))
    assert done.what == "30 memories deleted"
    assert len(done.refs) == 30
    assert [hit.row.title for hit in store.find("drift").page().hits] == ["drift stays"]
    assert store.undo() is not None
    assert rows(store) == before
    assert len(store.find("drift").page(limit=99).hits) == 31
    assert store.undo() is None


def test_a_query_for_restore_looks_in_the_trash(store: Store) -> None:
    fill(store)
    store.change_many("kind:observation", Action("delete"))
    done = store.change_many("kind:observation project:atlas", Action("restore"))
    assert len(done.refs) == 2
    assert store.find("kind:observation").count().value == 2


def test_every_kind_is_changed_and_what_is_so_already_is_told(store: Store) -> None:
    fill(store)
    some = ["1", "p1", "s1", "f1", "n1", "@1", store.observations.get(2).uid]
    assert store.change_many(some, Action("pin")).refs == (
        "1", "p1", "s1", "f1", "n1", "@1", "2",
    )  # fmt: skip
    again = store.change_many([*some, "3"], Action("pin"))
    assert again.refs == ("3",)
    assert set(again.unchanged) == {"1", "2", "p1", "s1", "f1", "n1", "@1"}
    assert again.what == "observation 3 pinned"
    for flag in ("unpin", "hide", "show", "delete", "restore"):
        # A session goes, and comes back, with all it holds.
        many = 7 if flag == "unpin" else 8
        assert len(store.change_many(some, Action(flag)).refs) == many


def test_tags_are_added_and_taken_away(store: Store) -> None:
    store.observations.add("c-1", title="a", tags=["old", "kept"])
    store.observations.add("c-1", title="b")
    store.prompts.add("c-1", "p")
    done = store.change_many(["1", "2", "p1"], Action("tag", add=("new",), remove=("Old",)))
    assert done.refs == ("1", "2")
    assert done.left == ("Only observations and sessions have tags; the others stay as they are.",)
    assert store.observations.get(1).tags == ("kept", "new")
    assert store.observations.get(2).tags == ("new",)
    assert store.find("tag:new").count().value == 2
    store.undo()
    assert store.observations.get(1).tags == ("old", "kept")
    assert store.find("tag:new").count().value == 0


def test_a_session_is_moved_to_a_project_with_what_it_holds(store: Store) -> None:
    fill(store)
    before = rows(store)
    store.change_many(["@1", "f1", "n1"], Action("project", project="beta"))
    assert store.find("project:beta kind:observation,summary,prompt,fact").count().value == 5
    assert store.notes.list("beta")[0].path == "MEMORY.md"
    store.undo()
    assert rows(store) == before


def test_what_a_rule_is_against_stays_and_is_said(store: Store) -> None:
    store.facts.add("tea is green")
    store.facts.delete(1)
    store.facts.add("tea is green")
    store.facts.add("sky is blue")
    store.facts.delete(3)
    done = store.change_many(["f1", "f3"], Action("restore"))
    assert done.refs == ("f3",)
    assert "Fact f1 can't be restored: another one says the same" in done.left[0]


@pytest.mark.parametrize("ref", ["99", "p9", "nothing", "@77"])
def test_all_or_none(store: Store, ref: str) -> None:
    fill(store)
    before = rows(store)
    with pytest.raises(NotFoundError, match="nothing was changed"):
        store.change_many(["1", ref], Action("delete"))
    assert rows(store) == before
    assert store.undo() is None


def test_a_change_of_many_tells_how_far_it_is_on_its_way(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.store.curation.many.REPORT_EVERY", 0)
    for number in range(40):
        store.observations.add("c-1", title=f"t {number}", type="chosen")
    told: list[tuple[int, int]] = []
    done = store.change_many(
        "type:chosen", Action("delete"), progress=lambda at, of, _: told.append((at, of))
    )
    assert len(done.refs) == 40
    assert told == [*((at, 40) for at in range(1, 41)), (40, 40)]
    assert store.undo() is not None
    assert len(store.find("type:chosen").refs()) == 40
