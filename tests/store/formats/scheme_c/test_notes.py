"""MEMORY.md and its note: whichever is changed, the other follows; neither is ever lost."""

import os
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.scheme_c.directory_import import import_directory
from memtui.store.formats.scheme_c.notes import NoteWatch, file_of_note
from memtui.store.formats.scheme_c.sync import sync

from .directories import directory, everything


@pytest.fixture
def path(store: Store, tmp_path: Path) -> Path:
    """A directory with a MEMORY.md that is in step with the store."""
    made = directory(tmp_path / "c", MEMORY_md="# one\n")
    sync(store, made)
    return made


def text(store: Store) -> str:
    (note,) = store.notes.list()
    return note.text


def write(path: Path, content: str) -> None:
    (path / "MEMORY.md").write_text(content)
    status = (path / "MEMORY.md").stat()
    os.utime(path / "MEMORY.md", ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))


def test_a_change_of_the_file_comes_in(store: Store, path: Path) -> None:
    write(path, "# two <private>hush</private>\n")
    assert sync(store, path).read.of("notes").changed == 1
    assert text(store) == "# two \n"
    assert sync(store, path).is_in_step


def test_a_change_of_the_note_goes_out(store: Store, path: Path) -> None:
    store.notes.upsert("MEMORY.md", "# two\n")
    assert sync(store, path).files == ["MEMORY.md"]
    assert (path / "MEMORY.md").read_text() == "# two\n"
    assert sync(store, path).is_in_step


def test_where_both_were_changed_both_stay_and_it_is_told(store: Store, path: Path) -> None:
    store.notes.upsert("MEMORY.md", "# mine\n")
    write(path, "# theirs\n")
    before = everything(path)
    (told,) = sync(store, path).conflicts
    assert "MEMORY.md was changed" in told
    assert (text(store), everything(path)) == ("# mine\n", before)
    write(path, "# mine\n")
    assert sync(store, path).conflicts == []


def test_private_passages_of_a_file_are_never_overwritten(store: Store, path: Path) -> None:
    write(path, "# one <private>hush</private>\n")
    sync(store, path)
    store.notes.upsert("MEMORY.md", "# mine\n")
    (told,) = sync(store, path).conflicts
    assert "private passages" in told
    assert "hush" in (path / "MEMORY.md").read_text()


def test_a_new_note_becomes_a_file_and_others_a_line(store: Store, path: Path) -> None:
    store.notes.upsert("NOTES.md", "# of all")
    store.notes.upsert("NOTES.md", "# of atlas", project="atlas")
    sync(store, path)
    assert (path / "NOTES.md").read_text() == "# of all"
    kept = (path / "notes.jsonl").read_text()
    assert "# of atlas" in kept and "# of all" not in kept


def test_a_file_that_meets_another_note_of_its_name_is_a_second_one(store: Store, tmp_path: Path) -> None:
    store.notes.upsert("MEMORY.md", "# mine")
    path = directory(tmp_path / "c", MEMORY_md="# theirs")
    sync(store, path)
    assert {note.text for note in store.notes.list()} == {"# mine", "# theirs"}
    assert (path / "MEMORY.md").read_text() == "# theirs"
    assert sync(store, path).is_in_step


def test_a_deleted_or_hidden_note_leaves_its_file_alone(store: Store, path: Path) -> None:
    store.notes.delete(1)
    sync(store, path)
    assert (path / "MEMORY.md").read_text() == "# one\n"
    assert sync(store, path).is_in_step and store.notes.list() == []


def test_a_watch_takes_in_what_is_changed_outside_and_writes_nothing(store: Store, path: Path) -> None:
    watch = NoteWatch()
    assert not watch.look(store)
    write(path, "# two\n")
    before = everything(path)
    assert watch.look(store) and not watch.look(store)
    assert (text(store), everything(path)) == ("# two\n", before)
    store.notes.upsert("MEMORY.md", "# mine\n")
    write(path, "# theirs\n")
    assert not watch.look(store)
    assert text(store) == "# mine\n"


def test_a_note_that_was_imported_follows_its_file_too(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", MEMORY_md="# one\n")
    import_directory(store, path)
    assert file_of_note(store, store.notes.get(1)) == path / "MEMORY.md"
    write(path, "# two\n")
    assert NoteWatch().look(store)
    assert text(store) == "# two\n"
    (path / "MEMORY.md").unlink()
    assert file_of_note(store, store.notes.get(1)) is None
    assert not NoteWatch().look(store)
