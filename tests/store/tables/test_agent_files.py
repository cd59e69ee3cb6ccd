"""Agents' files are edited, and undo, redo and revert take them where the memory's own changes go."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.database.files import replacing
from memtui.store.database.files.replacing import FileState, read_state
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform import processes as system
from memtui.store.platform.errors import ConflictError, FileConflictError
from memtui.store.tables import agent_files
from memtui.store.tables.agent_files import MOST_VERSIONS
from memtui.store.tables.removal.purge_selection import Selection

NEW = FileState()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "CLAUDE.md"
    path.write_bytes(b"one\ntwo\nthree\nfour\n")
    return path


def edit(store: Store, path: Path, content: bytes | None) -> None:
    store.agent_files.put(path, read_state(path)[1], content, NEW, f"{path.name} edited")


@given(
    before=st.binary(max_size=300),
    after=st.binary(max_size=300),
    mode=st.sampled_from([0o600, 0o640, 0o644, 0o755]),
    mtime=st.integers(0, 2**61),
)
def test_undo_gives_back_bytes_mode_and_time(
    store: Store, tmp_path: Path, before: bytes, after: bytes, mode: int, mtime: int
) -> None:
    path = tmp_path / "CLAUDE.md"
    path.unlink(missing_ok=True)
    path.write_bytes(before)
    path.chmod(mode)
    os.utime(path, ns=(0, mtime))
    was = read_state(path)
    edit(store, path, after)
    edited = read_state(path)
    assert edited[1] == after
    store.undo()
    assert read_state(path) == was
    store.redo()
    assert read_state(path) == edited
    store.undo()
    assert read_state(path) == was
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_what_was_made_goes_and_comes_back(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "new.md"
    edit(store, path, b"text")
    assert store.undo()
    assert not path.exists()
    store.redo()
    assert path.read_bytes() == b"text"
    edit(store, path, None)
    assert not path.exists()
    store.undo()
    assert path.read_bytes() == b"text"


def test_files_and_memories_of_one_action_are_one_undo(store: Store, file: Path) -> None:
    with store.change("both"):
        store.facts.add("tea is green")
        edit(store, file, b"text")
        edit(store, file, b"text again")
    undone = store.undo()
    assert undone and undone.what == "both"
    assert file.read_bytes() == b"one\ntwo\nthree\nfour\n"
    assert not store.facts.list()


def test_undo_merges_with_what_others_wrote_since(store: Store, file: Path) -> None:
    edit(store, file, b"one\ntwo!\nthree\nfour\n")
    file.write_bytes(file.read_bytes() + b"theirs\n")
    undone = store.undo()
    assert undone and undone.is_done
    assert file.read_bytes() == b"one\ntwo\nthree\nfour\ntheirs\n"
    store.redo()
    assert file.read_bytes() == b"one\ntwo!\nthree\nfour\ntheirs\n"


def test_undo_leaves_a_line_that_others_changed_since_and_says_so(store: Store, file: Path) -> None:
    edit(store, file, b"one\ntwo!\nthree\nfour\n")
    file.write_bytes(b"one\ntheirs\nthree\nfour\n")
    undone = store.undo()
    assert undone and not undone.is_done
    assert undone.kept == (f"{file} keeps what was written to it since.",)
    assert file.read_bytes() == b"one\ntheirs\nthree\nfour\n"


def test_one_edit_is_reverted_by_itself(store: Store, file: Path) -> None:
    edit(store, file, b"one\ntwo!\nthree\nfour\n")
    edit(store, file, b"one\ntwo!\nthree\nfour!\n")
    store.revert(1)
    assert file.read_bytes() == b"one\ntwo\nthree\nfour!\n"
    store.undo()
    assert file.read_bytes() == b"one\ntwo!\nthree\nfour!\n"


def test_a_revert_that_is_refused_writes_nothing(store: Store, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "AGENTS.md"
    other.write_bytes(b"a\n")
    with store.change("both"):
        edit(store, file, b"text\n")
        edit(store, other, b"b\n")
    edit(store, other, b"c\n")
    with pytest.raises(ConflictError):
        store.revert(1)
    assert (file.read_bytes(), other.read_bytes()) == (b"text\n", b"c\n")


@pytest.mark.parametrize("way", ["edit", "undo"])
def test_what_others_wrote_and_is_gone_from_a_file_is_among_its_versions(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    if way == "undo":
        store.agent_files.put(file, file.read_bytes(), b"ours\n", FileState(), "edited")
    exchange, written = system.exchange, [b"theirs\n", b"again\n"]

    def between(one: Path, other: Path) -> None:
        for _time in range(2):
            if written:
                file.write_bytes(written.pop(0))
            if _time == 0:
                exchange(one, other)

    monkeypatch.setattr(replacing, "exchange", between)
    with pytest.raises(FileConflictError, match="among its versions"):
        if way == "undo":
            store.undo()
        else:
            store.agent_files.put(file, file.read_bytes(), b"mine\n", FileState(), "edited")
    assert file.read_bytes() == b"again\n"
    kept = [store.agent_files.content(version) for version in store.agent_files.versions_of(file)]
    assert b"theirs\n" in kept


def test_so_many_versions_are_kept_for_the_owner_only(store: Store, file: Path) -> None:
    for number in range(MOST_VERSIONS + 5):
        edit(store, file, b"%d" % number)
    versions = store.agent_files.versions_of(file)
    assert len(versions) == MOST_VERSIONS
    assert store.agent_files.content(versions[0]) == b"%d" % (MOST_VERSIONS + 4)
    folder = store.agent_files.versions.path
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(item.stat().st_mode) for item in folder.iterdir()} == {0o600}
    assert len([*folder.iterdir()]) == MOST_VERSIONS


def test_what_is_edited_without_a_trace_keeps_no_version_and_says_so(store: Store, file: Path) -> None:
    edit(store, file, b"key = hunter2\n")
    store.agent_files.put_untraced(file, file.read_bytes(), b"key = \n", "a secret redacted")
    assert file.read_bytes() == b"key = \n"
    kept = [item.read_bytes() for item in store.agent_files.versions.path.iterdir()]
    assert not any(b"hunter2" in content for content in kept)
    undone = store.undo()
    assert undone and not undone.is_done


def test_versions_that_quote_what_is_purged_go(store: Store, file: Path) -> None:
    fact = store.facts.add("the zebra of the house is called Otto")
    edit(store, file, b"- the zebra of the house is called Otto\n")
    edit(store, file, b"text\n")
    purge_for_good(store, Selection({"facts": (fact.id,)}))
    folder = store.agent_files.versions.path
    assert not any(b"zebra" in item.read_bytes() for item in folder.iterdir())


def test_who_is_killed_over_a_file_finds_what_it_was_among_its_versions(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = file.read_bytes()

    def killed(*arguments: object) -> bytes:
        file.write_bytes(b"after\n")
        raise KeyboardInterrupt

    monkeypatch.setattr(agent_files, "put", killed)
    with pytest.raises(KeyboardInterrupt):
        store.agent_files.put(file, before, b"after\n", NEW, "edited")
    [version] = store.agent_files.versions_of(file)
    assert store.agent_files.content(version) == before
