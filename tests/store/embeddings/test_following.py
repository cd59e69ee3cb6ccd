"""Vectors follow the memory: whatever takes a text away takes its vector in the same transaction, and the
next build gives what is new its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Action, Store
from memtui.store.cli.lean_add import add as lean_add
from memtui.store.config import EmbeddingsSettings
from memtui.store.leaves.foreign.database_import import import_database
from memtui.store.maintain.duplicates.alike import clusters, merge_all
from memtui.store.maintain.past import as_of
from memtui.store.maintain.retention import Retention
from memtui.store.platform.clock import now_ms
from memtui.store.tables.removal.retention import DAY
from tests.conftest import OpenStore
from tests.promises import promise
from tests.sizes import costly
from tests.store.another_program import AnotherProgram
from tests.store.formats.claude_mem.claude_mem_files import ClaudeMemFile
from tests.store.formats.fillings import exported, imported

from .byte_model import strangers, vector_files
from .conftest import Build, assert_exact

Change = Callable[[Store], object]


def fill(store: Store) -> None:
    """A few memories of each kind, in two sessions."""
    with store.transaction():
        for session in ("c-1", "c-2"):
            store.sessions.start(session, project="atlas")
            for one in range(3):
                store.prompts.add(session, f"{session} asks the question {one}")
                store.observations.add(
                    session, title=f"{session} finds {one}", narrative=f"It was {one}, shared by all",
                    facts=["a fact that all share", f"fact {one} of {session}"],
                )  # fmt: skip
            store.summaries.add(session, request=f"{session} wanted it", learned="shared by all")
        for one in range(3):
            store.facts.add(f"fact {one} holds", project="atlas")


def undone(change: Change) -> Change:
    """A change and its undo."""

    def both(store: Store) -> None:
        change(store)
        store.undo()

    return both


def redone(change: Change) -> Change:
    """A change, its undo, and that undone."""

    def both(store: Store) -> None:
        undone(change)(store)
        store.redo()

    return both


def delete_many(store: Store) -> None:
    store.change_many("kind:observation", Action("delete"))


def delete_session(store: Store) -> None:
    store.change_many([store.sessions.get("c-1").uid], Action("delete"))


def supersede_and_reinstate(store: Store) -> None:
    store.supersede("f1", "f2")
    store.reinstate("f1")


def restore_version(store: Store) -> None:
    store.edit("1", {"title": "another title", "narrative": "another story"})
    store.restore_version("1", 1)


CHANGES: dict[str, Change] = {
    "delete": lambda store: store.observations.delete(1),
    "delete and restore": lambda store: (store.observations.delete(1), store.observations.restore(1)),
    "hide": lambda store: store.prompts.set_private(1),
    "hide and show": lambda store: (store.prompts.set_private(1), store.prompts.set_private(1, False)),
    "edit": lambda store: store.edit("1", {"title": "another title"}),
    "edit a list": lambda store: store.edit("1", {"add_facts": ["one more fact"]}),
    "edit what is no text": lambda store: store.edit("1", {"tags": ["urgent"]}),
    "make noise": lambda store: store.edit("1", {"type": "noise"}),
    "noise and back": lambda store: (
        store.edit("1", {"type": "noise"}),
        store.edit("1", {"type": "bugfix"}),
    ),
    "merge": lambda store: store.merge(["1", "2"]),
    "merge facts": lambda store: store.merge(["f1", "f2"]),
    "supersede": lambda store: store.supersede("f1", "f2"),
    "supersede by text": lambda store: store.supersede_by_text("f1", "quite another fact"),
    "supersede and reinstate": supersede_and_reinstate,
    "restore a version": restore_version,
    "delete many": delete_many,
    "delete many, undone": undone(delete_many),
    "delete many, redone": redone(delete_many),
    "merge, undone": undone(lambda store: store.merge(["1", "2"])),
    "edit, undone": undone(lambda store: store.edit("1", {"title": "another title"})),
    "edit, redone": redone(lambda store: store.edit("1", {"title": "another title"})),
    "delete a session": delete_session,
    "delete a session, undone": undone(delete_session),
    "move to a project": lambda store: store.change_many("", Action("project", project="b")),
    "merge projects": lambda store: store.known_projects.merge("atlas", "borealis"),
    "pin": lambda store: store.observations.pin(1),
    "remove duplicates": lambda store: merge_all(store, clusters(store), "duplicates merged"),
    "rebuild": lambda store: store.rebuild(),
}


@promise("vectors-follow")
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.sampled
def test_a_change_takes_vectors_at_once_and_a_build_makes_the_rest(
    name: str, store: Store, model: EmbeddingsSettings, build: Build
) -> None:
    fill(store)
    build(store)
    CHANGES[name](store)
    assert strangers(store.path, model) == []
    build(store)


@promise("vectors-follow")
def test_a_change_before_any_build_of_it_needs_none_of_its_vectors(
    store: Store, model: EmbeddingsSettings, build: Build
) -> None:
    build(store)
    fill(store)
    store.edit("1", {"title": "reworded before it was embedded"})
    store.observations.delete(2)
    assert strangers(store.path, model) == []
    build(store)


def test_a_new_memory_touches_no_file_of_vectors(
    store: Store, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    build(store)
    (file,) = vector_files(store.path)
    before = file.read_bytes()
    store.observations.add("c-1", title="brought by an agent")
    store.facts.add("told by a person")
    monkeypatch.setenv("MEMTUI_DB", str(store.path))
    assert lean_add(["add", "added from the command line", "--session", "c-1"])
    assert file.read_bytes() == before
    assert vectors_in(store).is_due()
    build(store)


OTHERS: dict[str, Callable[[AnotherProgram], object]] = {
    "deletes": lambda other: other.delete("observations", 0),
    "rewords": lambda other: other.write_text("observations", 0, "by another program"),
    "rewords a fact": lambda other: other.write_text("facts", 0, "by another program"),
    "hides": lambda other: other.change("prompts", 0, "private = 1"),
    "marks as deleted": lambda other: other.change("summaries", 0, "deleted_at = 1"),
    "calls noise": lambda other: other.change("observations", 1, "type = 'noise'"),
    "adds": lambda other: other.insert("observations", 1, "one", "two", False),
}


@promise("vectors-follow")
@pytest.mark.parametrize("reads", [True, False])
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.sampled
def test_what_another_program_takes_away_goes_with_our_next_look(
    name: str, reads: bool, store: Store, model: EmbeddingsSettings, build: Build
) -> None:
    fill(store)
    build(store)
    OTHERS[name](AnotherProgram(store.path))
    if reads:
        store.find("anything").page()
    else:
        store.observations.pin(3)
    assert strangers(store.path, model) == []
    build(store)


@promise("vectors-follow")
def test_a_text_that_is_reworded_twice_while_it_waits_has_the_last_vector(
    store: Store, model: EmbeddingsSettings, build: Build
) -> None:
    fill(store)
    build(store)
    other = AnotherProgram(store.path)
    other.insert("facts", 1, "one", "two", False)
    for text in ("first", "second", "third"):
        other.write_text("facts", 3, f"{text} by another program")
        vectors_in(store).build(model)
        assert strangers(store.path, model) == []
    build(store)


@pytest.mark.long
def test_what_many_imports_bring_is_embedded(
    store: Store, open_store: OpenStore, build: Build, tmp_path: Path
) -> None:
    theirs = ClaudeMemFile(tmp_path / "claude-mem.db")
    theirs.session()
    theirs.observations(300)
    import_database(store, theirs.path)
    build(store)
    import_database(store, theirs.path)
    other = open_store(tmp_path / "other.db")
    fill(other)
    imported(store, exported(other), tmp_path)
    assert vectors_in(store).is_due()
    build(store)
    imported(store, exported(other), tmp_path)
    build(store)


@promise("vectors-follow")
def test_what_an_import_says_is_deleted_or_private_has_no_vector(
    store: Store, open_store: OpenStore, model: EmbeddingsSettings, build: Build, tmp_path: Path
) -> None:
    other = open_store(tmp_path / "other.db")
    fill(other)
    imported(store, exported(other), tmp_path)
    build(store)
    for number in (1, 2, 3):
        other.observations.delete(number)
        other.facts.set_private(number)
    imported(store, exported(other), tmp_path)
    assert strangers(store.path, model) == []
    build(store)


@promise("vectors-follow")
def test_what_goes_by_policy_goes_with_its_vectors(
    store: Store, model: EmbeddingsSettings, build: Build
) -> None:
    now = 1_771_000_000_000
    for days in (1, 50, 200):
        store.observations.add("c-1", title=f"{days} days old", at=now - days * DAY)
    build(store)
    retention = Retention(store)
    retention.set(30, grace_days=10)
    for later in (0, 20):
        assert retention.run(now + later * DAY)
        assert strangers(store.path, model) == []
        build(store)


def test_a_copy_of_the_past_has_no_vectors_and_leaves_these_alone(
    store: Store, model: EmbeddingsSettings, build: Build
) -> None:
    fill(store)
    build(store)
    before = [file.read_bytes() for file in vector_files(store.path)]
    with as_of(store.path, now_ms()) as past, Store.open(past.path, read_only=True) as copy:
        assert copy.find("fact").page().hits
        assert not vector_files(past.path)
    assert [file.read_bytes() for file in vector_files(store.path)] == before


def test_a_memory_that_is_only_read_reads_its_vectors(
    store: Store, open_store: OpenStore, model: EmbeddingsSettings, build: Build
) -> None:
    fill(store)
    build(store)
    reading = open_store(read_only=True)
    assert vectors_in(reading).status(model).is_whole
    assert reading.find("finds").page().hits


def test_files_of_vectors_are_for_their_owner_alone(store: Store, build: Build) -> None:
    fill(store)
    build(store)
    (file,) = vector_files(store.path)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    file.parent.chmod(0o755)
    Store.open(store.path).close()
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert [*file.parent.iterdir()] == [file]


TEXTS = st.sampled_from(["one", "two", "three " * 400, "四季"])
STEPS = st.one_of(
    st.tuples(st.just("add"), TEXTS),
    st.tuples(st.just("reword"), st.integers(0, 9), TEXTS),
    st.tuples(st.sampled_from(["delete", "restore", "hide", "show", "other"]), st.integers(0, 9)),
    st.tuples(st.sampled_from(["undo", "redo", "build", "batch", "rebuild", "fails"])),
)


@promise("vectors-follow")
@costly()
@given(st.lists(STEPS, max_size=14))
def test_no_order_of_changes_and_builds_leaves_a_vector_behind(
    model: EmbeddingsSettings, tmp_path_factory: pytest.TempPathFactory, steps: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("steps") / "memory.db"
    with Store.open(path) as store:
        vectors_in(store).build(model)
        for step in steps:
            take(store, model, *step)
            assert strangers(path, model) == [], step
        done = vectors_in(store).build(model)
        assert (done.stopped, done.left) == ("", 0)
    assert_exact(path, model)


def reword_beside(store: Store, number: int) -> None:
    """Another program rewords a memory, and ours looks."""
    AnotherProgram(store.path).write_text("observations", number, "by another")
    store.catch_up()


def take(store: Store, model: EmbeddingsSettings, name: str, *given: Any) -> None:
    """Take one step of a history; what names no row changes nothing."""
    ids = [number for (number,) in store.db.execute("SELECT id FROM observations ORDER BY id")]
    if name == "add":
        store.observations.add("c-1", title=given[0], facts=["shared"])
    elif name == "undo":
        store.undo()
    elif name == "redo":
        store.redo()
    elif name == "build":
        vectors_in(store).build(model)
    elif name == "batch":
        vectors_in(store).build(model, seconds=0.0)
    elif name == "rebuild":
        store.rebuild()
    elif name == "fails":
        with pytest.raises(RuntimeError), store.transaction():
            for number in ids:
                store.observations.delete(number)
            store._before_commit(store.db)
            raise RuntimeError
    elif ids:
        number = ids[given[0] % len(ids)]
        changes: dict[str, Change] = {
            "reword": lambda store: store.edit(str(number), {"title": given[1]}),
            "delete": lambda store: store.observations.delete(number),
            "restore": lambda store: store.observations.restore(number),
            "hide": lambda store: store.observations.set_private(number),
            "show": lambda store: store.observations.set_private(number, False),
            "other": lambda store: reword_beside(store, given[0]),
        }
        changes[name](store)
