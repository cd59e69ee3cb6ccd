"""`mem files edit`, `new`, `move`, `delete`, `diff` and `sync`, and what takes them back."""

import sys
from pathlib import Path

import pytest

from tests.store.cli.runner import Mem


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "CLAUDE.md"
    path.write_bytes(b"one\r\ntwo\r\n")
    return path


def test_an_edit_is_undone_redone_and_reverted(mem: Mem, file: Path) -> None:
    assert mem.ok("files", "edit", str(file), "--text", "one\n2\n") == str(file)
    assert file.read_bytes() == b"one\r\n2\r\n"
    assert mem.ok("undo") == f"Undone: {file} edited."
    assert file.read_bytes() == b"one\r\ntwo\r\n"
    mem.ok("redo")
    assert file.read_bytes() == b"one\r\n2\r\n"
    mem.ok("revert", "c1")
    assert file.read_bytes() == b"one\r\ntwo\r\n"


def test_a_file_is_edited_in_the_editor(
    mem: Mem, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "file.write_text(file.read_text() + 'three\\n')\n"
    )
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script}")
    mem.ok("files", "edit", str(file))
    assert file.read_bytes() == b"one\r\ntwo\r\nthree\r\n"


def test_the_same_text_is_no_change(mem: Mem, file: Path) -> None:
    assert "Nothing was changed" in mem.refused("files", "edit", str(file), "--text", "one\ntwo\n")


def test_what_is_not_there_is_said(mem: Mem, tmp_path: Path) -> None:
    said = mem.refused("files", "edit", str(tmp_path / "no.md"), "--text", "a")
    assert "There is no file" in said


def test_versions_of_a_file_are_listed_compared_and_brought_back(mem: Mem, file: Path) -> None:
    mem.ok("files", "edit", str(file), "--text", "one\n2\n")
    history = mem.json("history", str(file))
    assert [version["version"] for version in history["versions"]] == [2, 1]
    assert [change["what"] for change in history["changes"]] == [f"{file} edited"]
    assert mem.json("files", "diff", str(file))["before"] == "one\ntwo\n"
    mem.ok("restore", str(file), "--version", "1")
    assert file.read_bytes() == b"one\r\ntwo\r\n"
    assert "no longer" not in mem.ok("history", str(file))


def test_a_note_is_made_moved_and_deleted(mem: Mem, tmp_path: Path) -> None:
    index = tmp_path / "MEMORY.md"
    index.write_text("# Memory\n")
    note, moved = tmp_path / "pnpm.md", tmp_path / "tools.md"
    mem.ok("files", "new", str(note), "--text", "Use pnpm.", "--description", "why")
    mem.ok("files", "move", str(note), str(moved))
    assert index.read_text() == "# Memory\n- [pnpm](tools.md) — why\n"
    mem.ok("files", "delete", str(moved))
    assert index.read_text() == "# Memory\n"
    mem.ok("undo", "3")
    assert index.read_text() == "# Memory\n"
    assert not note.exists()


def test_one_file_imports_what_another_says(mem: Mem, file: Path, tmp_path: Path) -> None:
    whole = tmp_path / "AGENTS.md"
    whole.write_text("one\nthree\n")
    before = file.read_bytes()
    mem.ok("files", "sync", str(file), str(whole), "--dry-run")
    assert file.read_bytes() == before
    mem.ok("files", "sync", str(file), str(whole))
    assert file.read_bytes() == b"@AGENTS.md\r\n\r\ntwo\r\n"
    assert "already" in mem.ok("files", "sync", str(file), str(whole))
    mem.ok("undo")
    mem.ok("files", "sync", str(file), str(whole), "--copy")
    assert file.read_bytes() == b"one\r\nthree\r\n\r\ntwo\r\n"


def test_a_tracked_file_is_named_and_not_committed(mem: Mem, tmp_path: Path) -> None:
    import subprocess

    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        done = subprocess.run(
            ["git", "-C", str(tmp_path), *identity, *arguments], capture_output=True, check=True
        )
        return done.stdout.decode()

    file = tmp_path / "CLAUDE.md"
    file.write_text("one\n")
    git("init", "-q")
    git("remote", "add", "origin", "https://example.org/us/shop.git")
    git("add", "CLAUDE.md")
    git("commit", "-qm", "one")
    result = mem("files", "edit", str(file), "--text", "one\ntwo\n")
    said = "which goes to example.org/us/shop: 1 line changed. Nothing was committed."
    assert said in result.stderr
    assert git("log", "--oneline").count("\n") == 1
    assert git("status", "--porcelain", "CLAUDE.md") == " M CLAUDE.md\n"


def test_a_memory_is_promoted_and_a_line_adopted(mem: Mem, file: Path) -> None:
    fact = mem.ok("fact", "add", "Use pnpm.")
    assert mem.ok("files", "promote", fact, "--to", f"{file}:Tools") == str(file)
    assert b"## Tools\r\n\r\n- Use pnpm. <!-- memtui: " in file.read_bytes()
    assert mem.ok("files", "adopt", f"{file}:1") == "f2"
    assert mem.ok("files", "adopt", f"{file}:1") == "f2"
    assert "promoted" in mem.refused("files", "adopt", f"{file}:6")
    assert "isn't one of" in mem.refused("files", "promote", fact, "--to", "nobody")
