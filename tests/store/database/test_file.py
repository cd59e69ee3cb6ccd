"""A file that can't be a memory is named as what it is, and left as it was."""

import multiprocessing
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import DatabaseError, ReadOnlyError, Store
from memtui.store.database.file import vacuum
from tests.conftest import OpenStore
from tests.promises import promise
from tests.unprivileged import without_privileges


def another_program(path: Path, version: int = 0) -> None:
    """A database with tables of our names that isn't ours."""
    with closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE observations (id, title); CREATE TABLE meta (key, value)")
        db.pragma("user_version", version)


class TemporaryFiles(apsw.VFS):
    """The system's files, of which `opened` counts those without a name."""

    def __init__(self) -> None:
        self.opened = 0
        super().__init__("temporary-files", "unix")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        self.opened += name is None
        return apsw.VFSFile("unix", name, flags)


def test_a_vacuum_copies_into_a_file_where_temporary_tables_are_in_memory(tmp_path: Path) -> None:
    files = TemporaryFiles()
    with closing(apsw.Connection(str(tmp_path / "large.db"), vfs="temporary-files")) as db:
        db.pragma("temp_store", "memory")
        db.execute("CREATE TABLE large (data)")
        db.executemany("INSERT INTO large VALUES (zeroblob(100000))", [()] * 100)
        db.execute("VACUUM")
        assert files.opened == 0
        vacuum(db)
        assert files.opened > 0
        assert db.pragma("temp_store") == 2
    files.unregister()


def half(path: Path) -> None:
    """A store that lost its second half."""
    with Store.open(path) as store:
        store.observations.add("c-1", title="drift")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


SPOILED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a directory": (Path.mkdir, "is a directory"),
    "an empty file": (Path.touch, "is an empty file"),
    "a text": (lambda path: path.write_text("no database " * 500), "not a memtui database"),
    "a few bytes": (lambda path: path.write_bytes(b"SQLite"), "not a memtui database"),
    "another program's": (another_program, "database of another program"),
    "another's, version 1": (lambda path: another_program(path, 1), "another program"),
    "another's, version 2": (lambda path: another_program(path, 2), "another program"),
    "another's, version 99": (lambda path: another_program(path, 99), "another program"),
    "half a store": (half, "is damaged"),
}


@promise("damage-found")
@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_file_is_told_and_left_as_it_was(tmp_path: Path, name: str, read_only: bool) -> None:
    path = tmp_path / "memory.db"
    spoil, told = SPOILED[name]
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(DatabaseError, match=told) as raised:
        Store.open(path, read_only=read_only)
    assert str(path) in str(raised.value)
    assert before is None or path.read_bytes() == before
    left = {entry.name for entry in tmp_path.iterdir() if entry.is_dir() or entry.stat().st_size}
    assert left - {"memory.db-shm"} <= {"memory.db"}


def test_a_store_that_is_missing_is_made_or_told(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with pytest.raises(DatabaseError, match="no store at"):
        Store.open(path, read_only=True)
    assert not path.exists()
    with Store.open(str(path)) as store:
        assert store.path == path


@promise("files-are-ours-only")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_files_are_for_their_owner_only(tmp_path: Path, open_store: OpenStore, umask: int) -> None:
    before = os.umask(umask)
    try:
        store = open_store(tmp_path / "one" / "two" / "memory.db")
        store.observations.add("c-1", title="drift")
        copy = store.backup(tmp_path / "copy.db")
    finally:
        os.umask(before)
    made = [*(tmp_path / "one").rglob("*"), tmp_path / "one", copy]
    assert {oct(path.stat().st_mode & 0o777) for path in made if path.is_dir()} == {"0o700"}
    assert {oct(path.stat().st_mode & 0o777) for path in made if path.is_file()} == {"0o600"}
    assert {path.name for path in made} >= {"memory.db", "memory.db-wal", "memory.db-shm"}


def test_a_link_to_a_store_is_that_store(tmp_path: Path, store: Store) -> None:
    store.observations.add("c-1", title="drift")
    link = tmp_path / "link.db"
    link.symlink_to(store.path)
    for read_only in (False, True):
        with Store.open(link, read_only=read_only) as linked:
            assert len(linked.find("drift").page().hits) == 1


def test_a_restored_backup_has_its_log_again(tmp_path: Path, store: Store) -> None:
    store.observations.add("c-1", title="drift")
    with Store.open(store.backup(tmp_path / "copy.db")) as restored:
        restored.observations.add("c-1", title="more drift")
        assert (tmp_path / "copy.db-wal").exists()
        assert len(restored.find("drift").page().hits) == 2


def reads_but_refuses_to_write(path: Path) -> None:
    """What can be done with a store that can't be written."""
    with pytest.raises(ReadOnlyError, match="can't be written"):
        Store.open(path)
    with Store.open(path, read_only=True) as store:
        assert [hit.row.title for hit in store.find("drift").page().hits] == ["drift"]
        assert store.doctor(thorough=True).ok
        assert len(store.find("drift").facets().counts["kind"]) == 1
        assert len(store.timeline(store.record("1")).rows) == 1
        writes: list[Callable[[], object]] = [
            lambda: store.observations.add("c-1", title="more"),
            lambda: store.observations.delete(1),
            lambda: store.sessions.start("c-9"),
            lambda: store.notes.upsert("x", "text"),
            lambda: store.transaction().__enter__(),
            store.undo,
            store.rebuild,
        ]
        for write in writes:
            with pytest.raises(ReadOnlyError, match="reading only"):
                write()


@pytest.mark.parametrize(("file", "directory"), [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)])
def test_what_can_not_be_written_is_read(tmp_path: Path, file: int, directory: int) -> None:
    path = tmp_path / "in" / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="drift")
    path.chmod(file)
    path.parent.chmod(directory)
    assert without_privileges(lambda: reads_but_refuses_to_write(path)) == 0
    path.parent.chmod(0o755)


def is_refused(path: Path) -> None:
    """Neither read nor made."""
    for read_only in (False, True):
        with pytest.raises(DatabaseError):
            Store.open(path, read_only=read_only)


def test_what_can_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "in" / "memory.db"
    with Store.open(path):
        pass
    path.chmod(0o000)
    assert without_privileges(lambda: is_refused(path)) == 0
    path.parent.chmod(0o000)
    assert without_privileges(lambda: is_refused(path)) == 0
    assert without_privileges(lambda: is_refused(path.parent / "new" / "memory.db")) == 0
    path.parent.chmod(0o700)


@promise("backups-restore")
def test_a_backup_is_whole_while_others_write(tmp_path: Path, store: Store) -> None:
    store.observations.add("c-1", title="drift")
    with closing(apsw.Connection(str(store.path))) as other:
        other.execute("BEGIN IMMEDIATE; UPDATE observations SET title = 'not yet'")
        copy = store.backup(tmp_path / "copy.db")
        other.execute("COMMIT")
    with Store.open(copy, read_only=True) as restored:
        assert [one.title for one in restored.observations.recent()] == ["drift"]
        assert restored.doctor(thorough=True).ok


@promise("backups-restore")
def test_a_backup_never_replaces_a_file(tmp_path: Path, store: Store) -> None:
    (tmp_path / "taken.db").write_text("mine")
    with pytest.raises(DatabaseError, match="exists already"):
        store.backup(tmp_path / "taken.db")
    assert (tmp_path / "taken.db").read_text() == "mine"
    with pytest.raises(DatabaseError, match="can't be written"):
        store.backup(tmp_path / "no" / "such" / "directory.db")
    assert {path.name for path in tmp_path.iterdir()} >= {"taken.db"}
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "memory.db")
    store.close()
    for call in (
        lambda: store.find("x").page().hits,
        lambda: store.observations.get(1),
        lambda: store.observations.add("c-1", title="t"),
        lambda: store.sessions.list(),
        lambda: store.doctor(),
        lambda: store.stats(),
    ):
        with pytest.raises(DatabaseError, match="closed"):
            call()


def test_what_a_killed_process_left_of_a_memory_is_removed(tmp_path: Path) -> None:
    gone = multiprocessing.get_context("spawn").Process(target=int)
    gone.start()
    gone.join()
    left = [tmp_path / f".memory.db.{gone.pid}.7804ce04{end}" for end in ("", "-wal", "-shm")]
    at_work = tmp_path / f".memory.db.{os.getpid()}.7804ce04"
    for path in (*left, at_work):
        path.touch()
    Store.open(tmp_path / "memory.db").close()
    assert not any(path.exists() for path in left)
    assert at_work.exists()


@promise("power-cut")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="tells files by /proc")
def test_the_name_of_a_new_memory_is_on_the_disk_before_anything_is_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "one" / "two" / "memory.db"
    synced: dict[str, set[str]] = {}
    real = os.fsync

    def fsync(descriptor: int) -> None:
        place = Path(f"/proc/self/fd/{descriptor}").resolve()
        if place.is_dir():
            synced[str(place)] = {one.name for one in place.iterdir()}
        real(descriptor)

    monkeypatch.setattr("os.fsync", fsync)
    with Store.open(path) as store:
        store.backup(tmp_path / "copy.db")
    assert "memory.db" in synced[str(path.parent)]
    assert "two" in synced[str(tmp_path / "one")]
    assert {"one", "copy.db"} <= synced[str(tmp_path)]
