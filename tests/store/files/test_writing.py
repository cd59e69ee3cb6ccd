"""The one writer keeps a file's style, and leaves alone what isn't to be written."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.leaves.files import writing
from memtui.store.leaves.files.editing import FileEditing
from memtui.store.leaves.files.writing import FileWriter, existing, in_style_of, show, text_of
from memtui.store.platform.errors import ConflictError, FileConflictError, ReadOnlyError

TEXT = st.text(st.sampled_from("ab\n "), max_size=20)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """The memory of an agent: an index, and two notes."""
    folder = tmp_path / "claude/projects/-w-shop/memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- [pnpm](use-pnpm.md) — why pnpm\n- [b](build.md)\n")
    (folder / "use-pnpm.md").write_text("---\nname: use-pnpm\ndescription: why\n---\nSee [[build]].\n")
    (folder / "build.md").write_text("Build fast.\n")
    return folder


def everything(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        path.name: (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (b"a\r\nb\r\n", "a\nc\nb\n", b"a\r\nc\r\nb\r\n"),
        (b"\xef\xbb\xbfa\nb", "a\nb\nc\n", b"\xef\xbb\xbfa\nb\nc"),
        (b"a\r\nb\nc\r\n", "a\nb!\nc\n", b"a\r\nb!\r\nc\r\n"),
        (b"a\n", "a", b"a"),
        (b"a\rb\n", "a\rb\nc\n", b"a\rb\nc\n"),
        (b"\xff\n", "\udcff\nx\n", b"\xff\nx\n"),
        (None, "a\n", b"a\n"),
    ],
)
def test_a_text_gets_the_style_of_its_file(before: bytes | None, text: str, after: bytes) -> None:
    assert in_style_of(before, text) == after


@given(st.binary(max_size=40))
def test_a_text_that_was_not_changed_changes_no_byte(content: bytes) -> None:
    assert in_style_of(content, text_of(content)) == content


@given(TEXT, TEXT)
def test_a_text_is_read_as_it_was_written(before: str, after: str) -> None:
    written = text_of(in_style_of(before.replace("\n", "\r\n").encode(), after))
    assert written.rstrip("\n") == after.rstrip("\n")


def test_a_link_is_edited_at_what_it_leads_to(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "AGENTS.md"
    target.write_text("a\n")
    link = tmp_path / "CLAUDE.md"
    link.symlink_to(target)
    shown = existing(link)
    FileWriter(store).write(shown, "b\n", "edited")
    assert link.is_symlink()
    assert target.read_text() == "b\n"


@pytest.mark.parametrize(
    "name", ["auth.json", ".env", "file-history/1/a@v1", "x.key", "state.vscdb", "settings.json"]
)
def test_what_may_hold_keys_is_never_written(store: Store, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("key")
    with pytest.raises(ReadOnlyError):
        FileWriter(store, is_forced=True).write(show(path), "other", "edited")
    assert path.read_text() == "key"


def test_a_project_may_lie_in_a_directory_of_any_name(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "uploads/debug/CLAUDE.md"
    path.parent.mkdir(parents=True)
    path.write_text("a\n")
    FileWriter(store).write(existing(path), "b\n", "edited")
    assert path.read_text() == "b\n"


def test_a_link_to_a_file_of_another_kind_is_not_followed(store: Store, tmp_path: Path) -> None:
    target = tmp_path / ".bashrc"
    target.write_text("alias a=b\n")
    link = tmp_path / "CLAUDE.md"
    link.symlink_to(target)
    with pytest.raises(ReadOnlyError, match="Name that file itself"):
        existing(link)
    assert existing(target).path == target


def test_a_link_to_what_may_hold_keys_is_not_followed(store: Store, tmp_path: Path) -> None:
    (tmp_path / "auth.json").write_text("key")
    (tmp_path / "CLAUDE.md").symlink_to(tmp_path / "auth.json")
    with pytest.raises(ReadOnlyError):
        existing(tmp_path / "CLAUDE.md")


def test_what_a_team_shares_is_written_only_by_force(store: Store, memory: Path) -> None:
    note = memory / "team/mount/a.md"
    note.parent.mkdir(parents=True)
    note.write_text("a\n")
    with pytest.raises(ReadOnlyError, match="--force"):
        FileWriter(store).write(existing(note), "b\n", "edited")
    FileWriter(store, is_forced=True).write(existing(note), "b\n", "edited")
    assert note.read_text() == "b\n"


def test_what_codex_rewrites_is_written_only_by_force(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "codex/memories"
    notes = folder / "extensions/ad_hoc/notes"
    notes.mkdir(parents=True)
    for path in (folder / "memory_summary.md", notes / "a.md"):
        path.write_text("v1\n")
    with pytest.raises(ReadOnlyError, match="ad_hoc"):
        FileWriter(store).write(existing(folder / "memory_summary.md"), "b\n", "edited")
    FileWriter(store).write(existing(notes / "a.md"), "b\n", "edited")


@pytest.mark.parametrize("name", [".consolidate-lock", "consolidation.lock"])
def test_who_rewrites_a_memory_is_waited_for(
    store: Store, memory: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(writing, "PATIENCE_SECONDS", 0)
    lock = memory / name
    lock.write_text(str(os.getpid()))
    with pytest.raises(ConflictError, match=name):
        FileWriter(store).write(existing(memory / "build.md"), "b\n", "edited")
    os.utime(lock, (0, 0))
    FileWriter(store).write(existing(memory / "build.md"), "b\n", "edited")


def test_where_both_changed_a_line_both_are_told(store: Store, memory: Path) -> None:
    shown = existing(memory / "build.md")
    shown.path.write_text("theirs\n")
    with pytest.raises(FileConflictError) as error:
        FileWriter(store).write(shown, "ours\n", "edited")
    assert (error.value.ours, error.value.theirs) == (b"ours\n", b"theirs\n")
    assert shown.path.read_text() == "theirs\n"
    assert store.journal.next_undo() is None


def test_a_note_is_made_with_its_line_in_the_index(store: Store, memory: Path) -> None:
    before = everything(memory)
    FileEditing(store).new(memory / "retry.md", "Retry.", "how often", "feedback")
    assert "name: retry\ndescription: how often\n" in (memory / "retry.md").read_text()
    assert (memory / "MEMORY.md").read_text().endswith("- [retry](retry.md) — how often\n")
    store.undo()
    assert everything(memory) == before


def test_a_note_goes_with_its_line(store: Store, memory: Path) -> None:
    before = everything(memory)
    FileEditing(store).delete(memory / "use-pnpm.md")
    assert (memory / "MEMORY.md").read_text() == "- [b](build.md)\n"
    assert not (memory / "use-pnpm.md").exists()
    store.undo()
    assert everything(memory) == before


def test_index_and_links_follow_a_note(store: Store, memory: Path) -> None:
    before = everything(memory)
    FileEditing(store).move(memory / "build.md", memory / "fast.md")
    assert (memory / "MEMORY.md").read_text().endswith("- [b](fast.md)\n")
    assert "[[fast]]" in (memory / "use-pnpm.md").read_text()
    assert (memory / "fast.md").stat().st_mtime_ns == before["build.md"][2]
    store.undo()
    assert everything(memory) == before


def test_a_note_that_moves_to_another_memory_takes_its_line_along(
    store: Store, memory: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other/memory"
    other.mkdir(parents=True)
    (other / "MEMORY.md").write_text("# Index\n")
    FileEditing(store).move(memory / "use-pnpm.md", other)
    assert (memory / "MEMORY.md").read_text() == "- [b](build.md)\n"
    assert (other / "MEMORY.md").read_text() == "# Index\n- [pnpm](use-pnpm.md) — why pnpm\n"


def test_a_new_file_is_as_private_as_its_directory(store: Store, memory: Path) -> None:
    memory.chmod(0o700)
    made = FileEditing(store).new(memory / "a.md", "a")
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
