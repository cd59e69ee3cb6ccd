"""Several memories become one: nothing they said or rest on is lost, and nothing brings them back."""

from pathlib import Path
from typing import Any

import pytest

from memtui.store import (
    EditConflictError,
    Fact,
    InvalidRecordError,
    NotFoundError,
    Observation,
    Store,
    Summary,
)
from memtui.store.context.scope import Profile, profile_of, save_profile
from memtui.store.formats.common.scope import Scope
from memtui.store.formats.jsonl.export import export_jsonl
from memtui.store.formats.jsonl.file_import import import_jsonl
from memtui.store.formats.scheme_c.directory_import import import_directory
from memtui.store.maintain.duplicates.alike import clusters
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge_selection import Selection
from tests.promises import promise
from tests.store.undoing import undone

AT = 1_771_000_000_000


def add(store: Store, title: str, session: str = "c-1", **values: Any) -> Observation:
    return store.observations.add(session, title=title, at=AT, **values)


def test_the_kept_one_gains_lists_and_empty_texts_of_the_others(store: Store) -> None:
    add(store, "Token expired early", tags=["auth"], files_read=["a.py"])
    add(store, "Token expired", "c-2", tags=["clock"], files_read=["b.py"], narrative="Drift.")
    done = store.merge(["1", "2"])
    kept = done.record
    assert isinstance(kept, Observation)
    assert (kept.id, kept.title, kept.narrative) == (1, "Token expired early", "Drift.")
    assert (kept.tags, kept.files_read) == (("auth", "clock"), ("a.py", "b.py"))
    assert done.refs == ("2",)
    assert [hit.row.ref for hit in store.find("token").page().hits] == ["1"]


def test_chosen_values_and_the_one_to_keep_are_the_users(store: Store) -> None:
    add(store, "one")
    add(store, "two", tags=["x"])
    kept = store.merge(["1"], {"title": "both", "tags": ["y"]}, into="2").record
    assert isinstance(kept, Observation)
    assert (kept.id, kept.title, kept.tags) == (2, "both", ("y",))


def test_the_pinned_one_is_kept_and_pinned_it_stays(store: Store) -> None:
    for title in ("one", "two", "three"):
        add(store, title)
    store.observations.pin(2)
    assert store.merge(["1", "2", "3"]).record.id == 2
    assert store.observations.get(2).pinned


@promise("private-never-findable")
def test_merged_with_a_private_one_it_is_private(store: Store) -> None:
    add(store, "one")
    add(store, "a quiet word")
    store.observations.set_private(2)
    assert store.merge(["1", "2"]).record.private
    assert not store.find("one").page().hits
    assert not store.find("quiet").page().hits


@promise("undo-exact")
def test_it_is_one_undo_and_one_redo(store: Store) -> None:
    for title in ("one", "two", "three"):
        add(store, title)
    store.merge(["1", "2", "3"], {"title": "all"})
    assert undone(store) == "2 observations merged into observation 1"
    assert {one.title for one in store.observations.recent()} == {"one", "two", "three"}
    assert store.merged_into(store.any_record("1")) == []
    assert store.redo() is not None
    assert [one.title for one in store.observations.recent()] == ["all"]


def test_the_sessions_of_all_are_known_and_those_of_earlier_merges(store: Store) -> None:
    for number in (1, 2, 3):
        store.sessions.start(f"c-{number}", title=f"session {number}")
        add(store, f"t {number}", f"c-{number}")
    store.merge(["2", "3"])
    store.merge(["1", "2"])
    found = store.merged_into(store.any_record("1"))
    assert {one.session_title for one in found} == {"session 2", "session 3"}
    store.observations.restore(3)
    assert [one.session_title for one in store.merged_into(store.any_record("1"))] == ["session 2"]


def test_facts_keep_every_source_and_all_evidence(store: Store) -> None:
    shown = [add(store, f"seen {number}").uid for number in (1, 2)]
    store.facts.add("Tests run with pytest", entities=["tests"], evidence=shown[:1], confidence=0.8)
    store.facts.add("Tests use pytest", entities=["pytest"], evidence=shown[1:], confidence=0.8)
    kept = store.merge(["f1", "f2"], {"content": "Tests run by pytest"}).record
    assert isinstance(kept, Fact)
    assert kept.content == "Tests run by pytest"
    assert set(kept.evidence) == set(shown)
    assert set(kept.entities) == {"tests", "pytest"}
    assert len(store.facts.sources_of(kept)) == 2
    assert kept.confidence > 0.8


@pytest.mark.parametrize("said", ["Tests use pytest", "Tests run with pytest"])
def test_what_was_merged_is_a_source_when_it_is_said_again(store: Store, said: str) -> None:
    store.facts.add("Tests run with pytest")
    store.facts.add("Tests use pytest")
    store.merge(["f1", "f2"], {"content": "Tests run by pytest"})
    again = store.facts.add(said, sources=["elsewhere"])
    assert (again.id, again.content) == (1, "Tests run by pytest")
    assert "elsewhere" in again.sources
    assert store.facts.add(said, project="other").id == 3


def test_what_a_merged_fact_superseded_is_superseded_by_the_one_it_became(store: Store) -> None:
    for said in ("Tests run with nose", "Tests run with pytest", "Tests use pytest"):
        store.facts.add(said, at=AT)
    store.supersede("f1", "f3")
    kept = store.merge(["f2", "f3"]).record
    assert store.facts.get(1).superseded_by == kept.uid
    assert store.merge(["f1", "f2"]).record.id == 2
    store.undo()
    store.undo()
    assert store.facts.get(1).superseded_by == store.facts.get(3).uid


def test_facts_that_cite_a_merged_memory_cite_the_one_it_became(store: Store) -> None:
    kept, gone = add(store, "one"), add(store, "two")
    store.facts.add("It drifts", evidence=[gone.uid])
    store.merge(["1", "2"])
    fact = store.facts.get(1)
    assert fact.evidence == (kept.uid,)
    assert [one.evidence for one in store.facts.sources_of(fact)] == [(kept.uid,)]
    store.undo()
    assert store.facts.get(1).evidence == (gone.uid,)


def test_what_was_chosen_for_sessions_follows(store: Store) -> None:
    add(store, "one")
    add(store, "two")
    save_profile(store, "atlas", Profile(first=["2", "s1"], brief=["2"]))
    store.merge(["1", "2"])
    chosen = profile_of(store.db, "atlas")
    assert (chosen.first, chosen.brief) == (("1", "s1"), frozenset("1"))


@pytest.mark.parametrize(
    ("refs", "told"),
    [
        (["1"], "takes two memories or more"),
        (["1", "1"], "takes two memories or more"),
        (["1", "f1"], "of different kinds"),
        (["@1", "@2"], "Sessions can't be merged"),
        (["1", "3"], "Observation 3 is deleted"),
        (["s1", "s2"], "brief and the detailed level of one summary"),
    ],
)
def test_what_can_not_be_one_is_told_and_nothing_changes(store: Store, refs: list[str], told: str) -> None:
    for number in (1, 2, 3):
        add(store, f"t {number}", f"c-{number}")
    store.observations.delete(3)
    store.facts.add("a fact")
    store.summaries.add("c-1", request="Login fails", completed="Leeway")
    store.summaries.add("c-1", request="Login fails", level="brief")
    before = store.journal.next_undo()
    with pytest.raises(InvalidRecordError, match=told):
        store.merge(refs)
    assert store.journal.next_undo() == before


def test_what_is_not_there_is_told(store: Store) -> None:
    add(store, "one")
    with pytest.raises(NotFoundError):
        store.merge(["1", "77"])


def test_what_others_changed_since_the_plan_is_not_merged(store: Store) -> None:
    add(store, "one")
    add(store, "two")
    plan = store.plan_merge(["1", "2"])
    store.edit("2", {"title": "three"})
    with pytest.raises(EditConflictError):
        store.merge(["1", "2"], expected=plan)
    assert store.observations.get(2).deleted_at is None


def test_prompts_summaries_and_notes_merge_too(store: Store) -> None:
    store.prompts.add("c-1", "why?", at=AT)
    store.prompts.add("c-2", "why?", at=AT + 1)
    store.summaries.add("c-1", request="Login", learned="Drift", at=AT)
    store.summaries.add("c-2", request="Log in", completed="Leeway", at=AT + 1)
    store.notes.upsert("A.md", "one", at=AT)
    store.notes.upsert("B.md", "two", at=AT + 1)
    assert store.merge(["p1", "p2"]).record.id == 1
    made = store.merge(["s1", "s2"]).record
    assert isinstance(made, Summary)
    assert (made.learned, made.completed) == ("Drift", "Leeway")
    store.merge(["n1", "n2"], {"text": "one\ntwo"})
    assert store.notes.get(1).text == "one\ntwo"


@promise("undo-exact")
def test_what_was_told_apart_is_no_duplicate_until_undone(store: Store) -> None:
    for _ in range(3):
        add(store, "Token expired early on laptops")
    assert store.not_duplicates(["1", "2"]) == 1
    assert store.not_duplicates(["2", "1"]) == 0
    (cluster,) = clusters(store)
    assert (cluster.keep.id, [one.observation.id for one in cluster.twins]) == (1, [3])
    store.not_duplicates(["1", "2", "3"])
    assert not list(clusters(store))
    store.undo()
    store.undo()
    (cluster,) = clusters(store)
    assert len(cluster.twins) == 2


def lines(store: Store, path: Path) -> Path:
    with path.open("wb") as file:
        export_jsonl(store, file, Scope(private=True, deleted=True))
    return path


def test_an_export_keeps_merges_and_what_was_told_apart(store: Store, tmp_path: Path) -> None:
    for number in range(4):
        add(store, "Token expired early on laptops", f"c-{number}")
    store.merge(["1", "2"])
    store.not_duplicates(["3", "4"])
    export = lines(store, tmp_path / "all.jsonl")
    with Store.open(tmp_path / "new.db") as new:
        import_jsonl(new, export)
        assert len(new.merged_into(new.any_record("1"))) == 1
        assert [len(one.twins) for one in clusters(new)] == [1]


def test_no_import_brings_a_merged_fact_back(store: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "other.db") as other:
        other.facts.add("Tests use pytest", sources=["there"])
        export = lines(other, tmp_path / "other.jsonl")
    store.facts.add("Tests run with pytest")
    store.facts.add("Tests use pytest")
    own = lines(store, tmp_path / "own.jsonl")
    store.merge(["f1", "f2"])
    for path in (own, export, own):
        import_jsonl(store, path)
        assert [one.content for one in store.facts.list()] == ["Tests run with pytest"]
    assert "there" in store.facts.get(1).sources


def test_no_directory_brings_a_merged_fact_back(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "memory-data"
    folder.mkdir()
    (folder / "facts.jsonl").write_text(
        '{"id": "a", "type": "W", "content": "Tests run with pytest"}\n'
        '{"id": "b", "type": "W", "content": "Tests use pytest"}\n'
    )
    import_directory(store, folder)
    store.merge(["f1", "f2"], {"content": "Tests run by pytest"})
    for _ in range(2):
        import_directory(store, folder)
        assert [one.content for one in store.facts.list()] == ["Tests run by pytest"]


@promise("purge-final")
def test_a_purge_takes_what_was_merged_along(store: Store) -> None:
    add(store, "the unicorn sleeps at noon")
    add(store, "a unicorn sleeps at noon", "c-2")
    add(store, "something else")
    store.merge(["1", "2"])
    store.not_duplicates(["1", "3"])
    done = purge_for_good(store, Selection({"observations": (1,)}))
    assert done.counts == {"observations": 2}
    assert not done.found
    for table in ("merged_records", "not_duplicates"):
        assert store.db.execute(f"SELECT count(*) FROM {table}").get == 0


def test_a_merged_one_that_was_restored_is_not_purged_along(store: Store) -> None:
    add(store, "one")
    add(store, "two")
    store.merge(["1", "2"])
    store.observations.restore(2)
    assert purge_for_good(store, Selection({"observations": (1,)})).counts == {"observations": 1}
    assert store.observations.get(2).title == "two"
