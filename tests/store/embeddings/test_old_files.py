"""Files of vectors that an earlier memtui kept beside a store are deleted before they outlive a text."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.database import schema
from memtui.store.database.backup import known_backups
from memtui.store.database.files.old_vectors import drop_old_vectors, old_vectors
from memtui.store.maintain.backups import reset
from memtui.store.maintain.purge import finish_interrupted, purge_for_good
from memtui.store.tables.removal.purge_selection import Selection
from tests.promises import promise
from tests.unprivileged import without_privileges

BEFORE = 33


def old_store(path: Path) -> Path:
    """Make a store of the schema of that time with vectors kept, one of them behind, and return where
    these lie."""
    with closing(apsw.Connection(str(path))) as db:
        for version, script in schema.scripts():
            if version <= BEFORE:
                schema._take_step(db, version, script, 0)
        db.execute("INSERT INTO meta VALUES ('machine_id', 'm'), ('embeddings', 'kept')")
        db.execute("INSERT INTO meta VALUES ('embeddings_rest', '{}')")
        db.execute("INSERT INTO unembedded VALUES ('o', 1, 0)")
        db.pragma("journal_mode", "wal")
    return old_files(path)


def old_files(path: Path) -> Path:
    """Make files of vectors beside a store."""
    folder = old_vectors(path)
    folder.mkdir()
    for name in ("0123456789abcdef.db", "0123456789abcdef.db-journal", "fedcba9876543210.db"):
        (folder / name).write_bytes(b"vectors")
    return folder


@promise("vectors-follow")
@promise("upgrades-keep-data")
def test_the_first_opening_deletes_them_and_what_said_that_they_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    folder = old_store(path)
    with Store.open(path) as store:
        assert not folder.exists()
        assert schema.current_version(store.db) == schema.SCHEMA
        names = {name for (name,) in store.db.execute("SELECT name FROM sqlite_schema")}
        assert "document_vectors" in names
        assert not {name for name in names if name.startswith(("unembedded", "embedded_"))}
        assert store.db.execute("SELECT count(*) FROM meta WHERE key LIKE 'embeddings%'").get == 0
        assert store.observations.add("c-1", title="new").id == 1
        assert known_backups(path)


@promise("vectors-follow")
def test_a_purge_deletes_what_is_left_of_them(store: Store) -> None:
    folder = old_files(store.path)
    number = store.observations.add("c-1", title="nobody may read this").id
    assert purge_for_good(store, Selection({"observations": (number,)})).is_final
    assert not folder.exists()


@promise("vectors-follow")
def test_a_purge_that_cant_delete_them_says_that_it_is_not_final(store: Store) -> None:
    folder, path = old_files(store.path), store.path
    number = store.observations.add("c-1", title="nobody may read this").id
    store.close()
    folder.chmod(0o500)

    def purged() -> None:
        with Store.open(path) as store:
            done = purge_for_good(store, Selection({"observations": (number,)}))
            assert not done.is_final and str(folder) in done.notes[0]

    assert without_privileges(purged) == 0
    folder.chmod(0o700)
    with Store.open(path) as again:
        assert finish_interrupted(again)
    assert not folder.exists()


def test_who_starts_over_has_none_of_them(store: Store) -> None:
    folder = old_files(store.path)
    store.close()
    reset(store.path)
    assert not folder.exists()


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    folder = old_files(path)
    (folder / "notes.txt").write_text("mine")
    assert drop_old_vectors(path)
    assert [one.name for one in folder.iterdir()] == ["notes.txt"]
    (folder / "notes.txt").unlink()
    folder.rmdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "other.db").write_bytes(b"not ours")
    folder.symlink_to(elsewhere)
    assert drop_old_vectors(path) and (elsewhere / "other.db").exists()


@pytest.mark.parametrize("is_there", [True, False])
def test_none_are_none_to_delete(tmp_path: Path, is_there: bool) -> None:
    if is_there:
        old_vectors(tmp_path / "memory.db").mkdir()
    assert drop_old_vectors(tmp_path / "memory.db")
    assert not old_vectors(tmp_path / "memory.db").exists()
