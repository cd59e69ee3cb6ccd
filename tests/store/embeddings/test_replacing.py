"""A memory that is made anew, or replaced by another, has the vectors of what it says then."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Store
from memtui.store.config import EmbeddingsSettings
from memtui.store.maintain.backups import reset, restore_backup
from memtui.store.maintain.rebuild import rebuild_from
from memtui.store.maintain.repair import repair
from tests.promises import promise
from tests.store.formats.fillings import exported

from .byte_model import opened, strangers, vector_files
from .conftest import Build, assert_exact
from .test_following import fill


@pytest.fixture
def path(tmp_path: Path, build: Build) -> Path:
    """A memory with vectors that was backed up and exported, and went on."""
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        fill(store)
        build(store)
        store.backup(tmp_path / "backup.db")
        (tmp_path / "export.jsonl").write_bytes(exported(store))
        store.observations.add("c-1", title="came later")
        store.edit("1", {"title": "reworded later"})
        build(store)
    return path


def vectors_at(path: Path) -> dict[bytes, bytes]:
    (file,) = vector_files(path)
    with opened(file) as db:
        rows: Any = db.execute("SELECT hash, vector FROM vectors").fetchall()
        return dict(rows)


def restored(path: Path) -> object:
    return restore_backup(path, path.with_name("backup.db"))


def rebuilt(path: Path) -> object:
    return rebuild_from(path, path.with_name("export.jsonl"))


@promise("vectors-follow")
@pytest.mark.parametrize("replace", [restored, rebuilt])
def test_what_is_said_no_more_has_no_vector_at_once(
    path: Path, replace: Callable[[Path], object], model: EmbeddingsSettings, build: Build
) -> None:
    before = vectors_at(path)
    replace(path)
    assert strangers(path, model) == []
    left = vectors_at(path)
    assert left.items() <= before.items()
    assert len(left) > len(before) - 5
    with Store.open(path) as store:
        assert vectors_in(store).is_due()
        build(store)


@promise("vectors-follow")
@pytest.mark.parametrize("replace", [restored, rebuilt])
def test_who_has_it_open_goes_on_with_the_right_vectors(
    path: Path, replace: Callable[[Path], object], model: EmbeddingsSettings, build: Build
) -> None:
    with Store.open(path) as store:
        build(store)
        replace(path)
        store.observations.delete(2)
        assert strangers(path, model) == []
        build(store)


@promise("vectors-follow")
def test_a_backup_of_before_vectors_were_kept_keeps_those_that_there_are(
    tmp_path: Path, model: EmbeddingsSettings, build: Build
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        fill(store)
        store.backup(tmp_path / "backup.db")
        store.facts.add("a fact of later")
        build(store)
    restored(path)
    assert strangers(path, model) == []
    with Store.open(path) as store:
        store.facts.delete(1)
        assert strangers(path, model) == []
        build(store)


@promise("vectors-follow")
def test_a_backup_with_vectors_gives_none_to_a_memory_that_keeps_none(
    path: Path, model: EmbeddingsSettings
) -> None:
    with Store.open(path) as store:
        assert vectors_in(store).drop()
    restored(path)
    with Store.open(path) as store:
        assert not vectors_in(store).is_due()
        assert not vectors_in(store).drop()


@promise("vectors-follow")
def test_a_backup_that_is_copied_over_a_memory_by_hand_is_searched_by_none_of_its_vectors(
    path: Path, model: EmbeddingsSettings, build: Build
) -> None:
    path.write_bytes(path.with_name("backup.db").read_bytes())
    with Store.open(path) as store:
        status = vectors_in(store).status(model)
        assert status.searched == ""
        assert vectors_in(store).is_due()
        store.observations.delete(3)
        build(store)


@promise("vectors-follow")
def test_a_memory_too_damaged_to_be_read_leaves_no_vectors_to_the_next(
    path: Path, model: EmbeddingsSettings, build: Build
) -> None:
    path.write_bytes(b"no database at all" * 1_000)
    restored(path)
    assert strangers(path, model) == []
    with Store.open(path) as store:
        build(store)


@promise("vectors-follow")
def test_a_repaired_memory_has_no_vectors_until_they_are_built(
    path: Path, model: EmbeddingsSettings, build: Build
) -> None:
    before = vectors_at(path)
    into = repair(path).path
    assert not vector_files(into)
    assert vectors_at(path) == before
    with Store.open(into) as store:
        build(store)
    # Whoever gives it the name of the damaged one has the vectors compared.
    into.rename(path)
    with Store.open(path) as store:
        store.observations.delete(1)
        assert vectors_in(store).is_due()
        build(store)


@promise("vectors-follow")
@pytest.mark.parametrize("delete", [True, False])
def test_a_memory_that_is_begun_anew_has_no_vectors(
    path: Path, delete: bool, model: EmbeddingsSettings, build: Build
) -> None:
    reset(path, delete=delete)
    assert not Path(f"{path}-vectors").exists()
    with Store.open(path) as store:
        assert not vectors_in(store).is_due()
        fill(store)
        build(store)


def test_vectors_that_are_dropped_are_kept_no_more(
    path: Path, model: EmbeddingsSettings, build: Build
) -> None:
    with Store.open(path) as store:
        assert vectors_in(store).drop()
        assert not Path(f"{path}-vectors").exists()
        store.observations.add("c-1", title="after that")
        assert not vectors_in(store).is_due()
        assert not vectors_in(store).drop()
        build(store)


@promise("vectors-follow")
def test_another_model_is_built_beside_the_one_in_use_and_takes_its_place(
    path: Path, model: EmbeddingsSettings, other_model: EmbeddingsSettings, build: Build
) -> None:
    with Store.open(path) as store:
        name = vectors_in(store).status(model).name
        vectors_in(store).build(other_model, seconds=0.0)
        assert len(vector_files(path)) == 2
        assert vectors_in(store).status(other_model).searched == name
        # What goes meanwhile goes from both.
        store.observations.delete(2)
        store.edit("3", {"title": "reworded amid the switch"})
        assert strangers(path, model) == []
        done = vectors_in(store).build(other_model)
        assert (done.stopped, done.left) == ("", 0)
        status = vectors_in(store).status(other_model)
        assert (status.searched, status.is_whole) == (status.name, True)
    assert len(vector_files(path)) == 1
    assert_exact(path, other_model)


def test_a_model_that_is_taken_back_amid_its_build_leaves_nothing(
    path: Path, model: EmbeddingsSettings, other_model: EmbeddingsSettings, build: Build
) -> None:
    with Store.open(path) as store:
        vectors_in(store).build(other_model, seconds=0.0)
        build(store)
    assert len(vector_files(path)) == 1
