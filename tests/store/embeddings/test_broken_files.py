"""Files of vectors that are broken, foreign or can't be written: searches, changes and purges go on, a
sentence says so, and the next build makes them anew."""

import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Store
from memtui.store.config import EmbeddingsSettings
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.errors import DatabaseError
from memtui.store.search.query.filters import Where
from memtui.store.search.related.meaning import Near
from memtui.store.tables.removal.purge_selection import Selection
from tests.promises import promise
from tests.sizes import sizes
from tests.store.full_disk import full_disk
from tests.unprivileged import without_privileges

from .byte_model import opened, strangers, vector_files
from .conftest import Build, assert_exact
from .test_following import fill

ALL = Where("documents", "true", ())


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100_000])


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:50])


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def garbled(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[65_536:] = b"\xa5" * (len(content) - 65_536)
    file.write_bytes(content)


def foreign(file: Path) -> None:
    file.unlink()
    db = apsw.Connection(str(file))
    db.execute("CREATE TABLE cats (name)")
    db.close()


def no_database(file: Path) -> None:
    file.write_text("Dear diary\n" * 1_000)


def of_the_future(file: Path) -> None:
    with opened(file) as db:
        db.pragma("user_version", 99)


def without_a_table(file: Path) -> None:
    with opened(file) as db:
        db.execute("DROP TABLE passages")


def a_directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


def a_link(file: Path) -> None:
    moved = file.with_name("elsewhere")
    file.rename(moved)
    file.symlink_to(moved)


def of_other_dimensions(file: Path) -> None:
    with opened(file) as db:
        db.execute("UPDATE meta SET value = 7 WHERE key = 'dimensions'")


def of_an_unknown_model(file: Path) -> None:
    with opened(file) as db:
        db.execute("UPDATE meta SET value = '[1]' WHERE key = 'settings'")


BREAKAGES: list[Callable[[Path], None]] = [
    truncated, cut_off, emptied, garbled, foreign, no_database, of_the_future, without_a_table,
    a_directory, a_link, of_other_dimensions, of_an_unknown_model,
]  # fmt: skip
UNBUILDABLE = (a_directory, a_link)
"""What only its owner can take away."""


@pytest.fixture
def configured(
    model: EmbeddingsSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> EmbeddingsSettings:
    """The model, named by the configuration."""
    config = tmp_path / "config.toml"
    config.write_text(f'[embeddings]\nprovider = "static"\ndirectory = "{model.directory}"\n')
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    return model


def near(store: Store) -> Near:
    """Look for what is near to a memory of an agent's."""
    sql = "SELECT id FROM documents WHERE kind = 'o' ORDER BY id DESC LIMIT 1"
    return vectors_in(store).meaning.near_document(store.db, store.db.execute(sql).get, ALL, 50)


def search(store: Store) -> str:
    """Search by meaning in both ways; what is said to be wrong."""
    asked = vectors_in(store).meaning.near_text(store.db, "a question", ALL, 5, [])
    return near(store).trouble or asked.trouble


def built_and_broken(path: Path, breakage: Callable[[Path], None], build: Build) -> None:
    with Store.open(path) as store:
        fill(store)
        build(store)
    breakage(vector_files(path)[0])


@pytest.mark.parametrize("breakage", BREAKAGES)
@pytest.mark.sampled
def test_a_search_goes_on_without_an_error(
    breakage: Callable[[Path], None], configured: EmbeddingsSettings, tmp_path: Path, build: Build
) -> None:
    path = tmp_path / "memory.db"
    built_and_broken(path, breakage, build)
    with Store.open(path) as store:
        search(store)
        assert store.find("question").page().hits
        vectors_in(store).status(configured)


@promise("vectors-follow")
@pytest.mark.parametrize("breakage", BREAKAGES)
@pytest.mark.sampled
def test_changes_and_purges_go_on_and_the_next_build_is_whole(
    breakage: Callable[[Path], None], configured: EmbeddingsSettings, tmp_path: Path, build: Build
) -> None:
    path = tmp_path / "memory.db"
    built_and_broken(path, breakage, build)
    with Store.open(path) as store:
        store.observations.delete(1)
        store.edit("2", {"title": "reworded"})
        assert purge_for_good(store, Selection({"observations": (3,)})).is_final
        if breakage in UNBUILDABLE:
            return
        for _ in range(2):
            done = vectors_in(store).build(configured)
        assert (done.stopped, done.left) == ("", 0)
        assert search(store) == ""
    assert_exact(path, configured)


@pytest.mark.parametrize("breakage", BREAKAGES)
@pytest.mark.sampled
def test_a_build_mends_it_or_says_why_it_cant(
    breakage: Callable[[Path], None], configured: EmbeddingsSettings, tmp_path: Path, build: Build
) -> None:
    path = tmp_path / "memory.db"
    built_and_broken(path, breakage, build)
    with Store.open(path) as store:
        if breakage in UNBUILDABLE:
            with pytest.raises(DatabaseError, match="can't be made"):
                vectors_in(store).build(configured)
            return
        vectors_in(store).build(configured)
        done = vectors_in(store).build(configured)
        assert (done.stopped, done.left) == ("", 0)


@promise("damage-found")
@sizes("places", 6, 25)
def test_whatever_byte_is_damaged_nothing_raises_and_no_stranger_stays(
    places: int, configured: EmbeddingsSettings, tmp_path: Path, build: Build
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        fill(store)
        build(store)
    (file,) = vector_files(path)
    whole, memory = file.read_bytes(), path.read_bytes()
    used = [place for place in range(0, len(whole), 64) if any(whole[place : place + 64])]
    for step in range(places):
        place = used[len(used) * step // places]
        path.write_bytes(memory)
        content = bytearray(whole)
        content[place : place + 64] = bytes(255 - byte for byte in content[place : place + 64])
        file.write_bytes(content)
        with Store.open(path) as store:
            search(store)
            vectors_in(store).status(configured)
            store.observations.delete(1)
            vectors_in(store).build(configured)
            assert store.find("question").page().hits


def test_without_numpy_deletes_and_purges_take_vectors_out(
    configured: EmbeddingsSettings, store: Store, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    build(store)
    with monkeypatch.context() as patch:
        for name in [one for one in sys.modules if one.partition(".")[0] == "numpy"]:
            patch.setitem(sys.modules, name, None)
        store.observations.delete(1)
        store.edit("2", {"title": "reworded"})
        assert purge_for_good(store, Selection({"observations": (3,)})).is_final
        assert store.find("question").page().hits
    assert strangers(store.path, configured) == []
    build(store)


@promise("full-disk")
def test_on_a_full_disk_a_search_goes_on_and_a_build_says_so(
    configured: EmbeddingsSettings, tmp_path: Path, build: Build
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        fill(store)
        build(store)
        store.observations.add("c-1", title="not embedded yet")
        store.close()

    def on_a_full_disk() -> None:
        with Store.open(path) as store, full_disk():
            assert search(store) == ""
            try:
                stopped = vectors_in(store).build(configured).stopped
            except Exception as error:
                stopped = str(error)
            assert stopped
            assert "Traceback" not in stopped

    assert without_privileges(on_a_full_disk) == 0
    assert strangers(path, configured) == []
    with Store.open(path) as store:
        build(store)


@promise("vectors-follow")
def test_a_folder_that_cant_be_written_keeps_nobody_from_a_change(
    configured: EmbeddingsSettings, tmp_path: Path, build: Build
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        fill(store)
        build(store)
    (file,) = vector_files(path)
    file.chmod(0o400)
    file.parent.chmod(0o500)

    def change() -> None:
        with Store.open(path) as store:
            assert search(store) == ""
            store.observations.delete(1)
            assert store.find("question").page().hits
            # Its vectors are there, and nobody is shown them.
            assert search(store) == ""
            there = "SELECT 1 FROM documents WHERE id = ?"
            found = near(store).cosines
            assert found
            assert all(store.db.execute(there, (one,)).get for one in found)

    assert without_privileges(change) == 0
    file.parent.chmod(0o700)
    Store.open(path).close()
    with Store.open(path) as store:
        store.find("anything").page()
    assert strangers(path, configured) == []
    with Store.open(path) as store:
        build(store)


def test_a_memory_in_a_directory_that_cant_be_written_is_searched_by_meaning(
    configured: EmbeddingsSettings, tmp_path: Path, build: Build
) -> None:
    folder = tmp_path / "kept"
    path = folder / "memory.db"
    with Store.open(path) as store:
        fill(store)
        build(store)
    for place in (*folder.rglob("*"), folder):
        place.chmod(0o500 if place.is_dir() else 0o400)

    def read() -> None:
        with Store.open(path, read_only=True) as store:
            found = near(store)
            assert (found.trouble, len(found.cosines) > 5) == ("", True)
            assert vectors_in(store).status(configured).is_whole

    try:
        assert without_privileges(read) == 0
    finally:
        for place in (folder, Path(f"{path}-vectors")):
            place.chmod(0o700)
