"""The marks of changed files beside what else is done to memories: whatever was done, the next look gives
those that a first look would give, and what is gone leaves nothing."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.store import Action, Store
from memtui.store.links.changed_files import refresh
from memtui.store.maintain.past import as_of
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge_selection import Selection, with_what_belongs
from tests.promises import promise

from .repository import Repository, at, needs_git
from .test_refresh import remember, stale

pytestmark = needs_git

FILES = ("a.py", "b.py", "src/c.py")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "atlas")
    made.change(0, *FILES)
    return made


def _add(store: Store, repository: Repository, step: int, minutes: int) -> None:
    name = FILES[step % 3]
    if step % 2:
        event = f"e-{minutes}"
        remember(store, repository.root, minutes - step, files_modified=[name], event_id=event)
    else:
        remember(store, repository.root, minutes - step, name)


def _commit(store: Store, repository: Repository, step: int, minutes: int) -> None:
    del store
    repository.change(minutes, FILES[step % 3])


def _rename(store: Store, repository: Repository, step: int, minutes: int) -> None:
    del store
    name = FILES[step % 3]
    if (repository.root / name).exists():
        repository.git("mv", name, f"moved-{minutes}.py")
        repository.commit(minutes)


def _go_back(store: Store, repository: Repository, step: int, minutes: int) -> None:
    del store, step, minutes
    if int(repository.git("rev-list", "--count", "HEAD")) > 1:
        repository.git("reset", "-q", "--hard", "HEAD~1")


def _on_one(act: Callable[[Store, str, str], object]) -> Callable[..., None]:
    def done(store: Store, repository: Repository, step: int, minutes: int) -> None:
        del repository, minutes
        if rows := store.find("kind:observation").rows(0, 99):
            act(store, rows[step % len(rows)].ref, FILES[step % 3])

    return done


def _number(store: Store, ref: str) -> int:
    return store.record(ref).id


STEPS: dict[str, Callable[[Store, Repository, int, int], object]] = {
    "add": _add,
    "commit": _commit,
    "rename": _rename,
    "go back": _go_back,
    "look": lambda store, *_: refresh(store),
    "undo": lambda store, *_: store.undo(),
    "redo": lambda store, *_: store.redo(),
    "edit": _on_one(lambda store, ref, file: store.edit(ref, {"files_read": [file]})),
    "delete": _on_one(lambda store, ref, _: store.change_many([ref], Action("delete"))),
    "hide": _on_one(lambda store, ref, _: store.change_many([ref], Action("hide"))),
    "purge": _on_one(
        lambda store, ref, _: purge_for_good(store, Selection({"observations": (_number(store, ref),)}))
    ),
}


def _marks(store: Store) -> list[tuple[str, list[str]]]:
    rows = store.find("is:stale").rows(0, 99)
    return sorted(
        (row.ref, [one.path for one in store.changed_files(store.record_of(row))]) for row in rows
    )


@promise("index-equals-data")
@settings(max_examples=max(8, settings().max_examples // 10))
@given(st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 5)), max_size=12))
def test_after_any_history_the_next_look_gives_what_a_first_one_would(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        repository = Repository(Path(folder) / "atlas")
        repository.change(0, *FILES)
        for number, (name, step) in enumerate([("add", 0), ("add", 2), ("look", 0), *steps]):
            STEPS[name](store, repository, step, 10 + 10 * number)
        refresh(store)
        found = _marks(store)
        assert all(files for _, files in found)
        store.rebuild()
        assert store.find("is:stale").count().value == 0
        refresh(store)
        assert _marks(store) == found


@promise("purge-final")
def test_a_purge_leaves_of_files_only_what_other_memories_name(
    store: Store, repository: Repository, tmp_path: Path
) -> None:
    other = Repository(tmp_path / "zebra")
    other.change(0, "canary.py", "a.py")
    remember(store, repository.root, 10, "a.py")
    gone = remember(store, repository.root, 10, "a.py", "b.py")
    remember(store, other.root, 10, "canary.py", session="c-2")
    repository.change(20, "a.py", "b.py")
    other.change(20, "canary.py")
    assert len(stale(store)) == 3
    session = store.sessions.find("c-2", "codex")
    assert session is not None
    chosen = Selection({"sessions": (session.id,), "observations": (gone.id,)})
    purge_for_good(store, with_what_belongs(store.db, chosen, store.facts))
    held = "SELECT DISTINCT n.value FROM file_commits c LEFT JOIN label_names n ON n.id = c.label_id"
    assert [name for (name,) in store.db.execute(held)] == ["a.py"]
    refresh(store)
    assert len(store.db.execute("SELECT place FROM repositories").fetchall()) == 1
    assert [name for (name,) in store.db.execute(held)] == ["a.py"]


def test_looking_back_shows_what_was_stale_then(store: Store, repository: Repository) -> None:
    early = remember(store, repository.root, 10, "a.py")
    late = remember(store, repository.root, 11, "b.py")
    repository.change(20, "a.py")
    repository.change(40, "a.py")
    repository.change(40, "b.py")
    assert stale(store) == [early.id, late.id]
    remember(store, repository.root, 50, "src/c.py", "new.py")
    refresh(store)
    for minutes, expected in ((15, []), (30, [(early.id, 1)]), (45, [(early.id, 2), (late.id, 1)])):
        with as_of(store.path, at(minutes)) as past, Store.open(past.path, read_only=True) as then:
            rows = sorted(then.find("is:stale").rows(0, 9), key=lambda row: row.record_id)
            assert [
                (row.record_id, then.changed_files(then.record_of(row))[0].commits) for row in rows
            ] == expected


def test_a_memory_that_moves_to_another_project_keeps_its_mark_and_one_whose_session_goes_loses_it(
    store: Store, repository: Repository
) -> None:
    one = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [one.id]
    store.change_many([one.uid], Action("project", project="borealis"))
    assert stale(store) == [one.id]
    session = store.sessions.get(one.session_id)
    store.change_many([f"@{session.id}"], Action("delete"))
    assert stale(store) == []
    store.undo()
    assert stale(store) == [one.id]
