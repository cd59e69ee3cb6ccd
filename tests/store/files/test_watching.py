"""What changes is told once, when it is quiet, and its versions are kept."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.database.files.replacing import FileState
from memtui.store.leaves.files.watching import DISCOVERED_EVERY, FileWatch, SeenChange


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "MEMORY.md"
    path.write_text("one\ntwo\n")
    return path


def test_a_change_is_told_once_it_is_quiet_and_can_be_taken_back(store: Store, file: Path) -> None:
    watch = FileWatch(store, lambda: [file])
    assert watch.look(0) == []
    file.write_text("one\n2\nthree\n")
    assert watch.look(1) == []
    file.write_text("one\n2\nthree\nfour\n")
    assert watch.look(1.2) == []
    assert watch.look(1.4) == []
    assert watch.look(1.6) == [SeenChange(file, "changed", 3, 1, is_ours=False)]
    assert watch.look(9) == []
    versions = store.agent_files.versions_of(file)
    assert [store.agent_files.content(item) for item in versions] == [
        b"one\n2\nthree\nfour\n", b"one\ntwo\n",
    ]  # fmt: skip
    assert store.journal.next_undo() is None


def test_what_was_written_here_is_said_to_be_ours(store: Store, file: Path) -> None:
    watch = FileWatch(store, lambda: [file])
    store.agent_files.put(file, file.read_bytes(), b"new\n", FileState(), "edited")
    watch.look(0)
    assert watch.look(1) == [SeenChange(file, "changed", 1, 2, is_ours=True)]


def test_files_that_come_and_go_are_told(store: Store, file: Path) -> None:
    other = file.with_name("AGENTS.md")
    watch = FileWatch(store, lambda: [path for path in (file, other) if path.exists()])
    file.unlink()
    other.write_text("a\n")
    found = [change for now in range(2 * DISCOVERED_EVERY) for change in watch.look(now)]
    assert found == [
        SeenChange(file, "deleted", 0, 2, is_ours=False),
        SeenChange(other, "made", 1, 0, is_ours=False),
    ]


def test_what_may_hold_keys_is_not_kept(store: Store, tmp_path: Path) -> None:
    key = tmp_path / "auth.json"
    key.write_text("key")
    watch = FileWatch(store, lambda: [key])
    key.write_text("other")
    watch.look(0)
    watch.look(1)
    assert store.agent_files.versions_of(key) == []
