"""A file is written whole or not at all, for its owner only."""

import os
import stat
from pathlib import Path

import pytest

from memtui.store.database.files import atomic, temporary


def mode(path: Path) -> int:
    """The permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    """What lies in a directory."""
    return sorted(one.name for one in folder.iterdir())


def test_a_new_file_is_its_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        atomic.make_directories(tmp_path / "a" / "b")
        atomic.write(tmp_path / "a" / "b" / "file", b"text")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == mode(tmp_path / "a" / "b") == 0o700
    assert mode(tmp_path / "a" / "b" / "file") == 0o600
    assert names(tmp_path / "a" / "b") == ["file"]


def test_an_existing_file_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    atomic.write(link, b"new")
    assert link.is_symlink()
    assert (file.read_text(), mode(file)) == ("new", 0o640)


def test_a_draft_that_is_not_published_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    with pytest.raises(KeyError), atomic.draft(file) as draft:
        draft.write_text("half")
        raise KeyError
    assert (names(tmp_path), file.read_text()) == (["file"], "old")


@pytest.mark.parametrize("links", [True, False])
def test_without_replace_a_file_is_never_written_over(
    tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:

        def refuse(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(os, "link", refuse)
    for text in ("first", "second"):
        with atomic.draft(tmp_path / "file") as draft:
            draft.write_text(text)
            if text == "first":
                atomic.publish(draft, tmp_path / "file", replace=False)
                continue
            with pytest.raises(FileExistsError):
                atomic.publish(draft, tmp_path / "file", replace=False)
    assert (names(tmp_path), (tmp_path / "file").read_text()) == (["file"], "first")


def test_drafts_of_processes_that_are_gone_are_swept(tmp_path: Path) -> None:
    gone = os.fork()
    if gone == 0:
        os._exit(0)
    os.waitpid(gone, 0)
    (tmp_path / f".file.{gone}.0a").touch()
    (tmp_path / f".file.{os.getpid()}.0b").touch()
    (tmp_path / ".file.notes.txt").touch()
    atomic.sweep(tmp_path / "file")
    assert names(tmp_path) == sorted([f".file.{os.getpid()}.0b", ".file.notes.txt"])
    assert (temporary.is_running(os.getpid()), temporary.is_running(gone)) == (True, False)
