"""`mem files`: the list."""

from pathlib import Path

import pytest

from tests.store.cli.runner import Mem


def test_without_a_command_the_files_are_listed(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CLAUDE.md").write_text("Use pnpm\n")
    monkeypatch.chdir(tmp_path)
    paths = [file["path"] for file in mem.json("files")]
    assert str(tmp_path / "CLAUDE.md") in paths
    assert mem.json("files", "list") == mem.json("files")


@pytest.mark.parametrize("command", ["show", "edit", "history", "diff"])
def test_a_link_that_leads_round_is_told_in_a_sentence(mem: Mem, tmp_path: Path, command: str) -> None:
    path = tmp_path / "CLAUDE.md"
    path.symlink_to(path.name)
    words = ("history",) if command == "history" else ("files", command)
    done = mem.process(*words, str(path))
    assert b"Traceback" not in done.stderr
    assert command != "show" or b"CLAUDE.md can't be read" in done.stderr


def test_the_text_that_is_told_holds_what_reading_a_file_adds(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "CLAUDE.md").write_text("Use pnpm\n")
    (tmp_path / "pkg/CLAUDE.md").write_text("Use tabs\n")
    monkeypatch.chdir(tmp_path)
    assert "Use tabs" not in mem.ok("files", "told", "--as-text")
    added = mem.ok("files", "told", "--as-text", "--touch", "pkg/app.py")
    assert "Use pnpm" in added and added.endswith("Use tabs")


@pytest.mark.parametrize(
    "words",
    [
        ("import", "LOOP"), ("import", "LOOP/x"), ("import", "claude-code", "LOOP"),
        ("files", "told", "LOOP"),
        ("files", "told", "--touch", "LOOP"), ("files", "check", "LOOP"), ("files", "cost", "LOOP"),
        ("--db", "LOOP", "add", "x"), ("--db", "LOOP/x", "add", "x"),
        ("embeddings", "set", "static", "--directory", "LOOP"),
    ],
)  # fmt: skip
def test_a_path_that_leads_round_ends_no_command_in_a_traceback(
    mem: Mem, tmp_path: Path, words: tuple[str, ...]
) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop.name)
    mem.ok("add", "x")
    done = mem(*(word.replace("LOOP", str(loop)) for word in words))
    assert done.exit_code in (0, 1, 2)
    assert done.exit_code == 0 or done.stderr


def test_cost_names_what_is_told_beside_files_and_what_stands_twice(mem: Mem, tmp_path: Path) -> None:
    home, shop = Path.home(), tmp_path / "shop"
    for place in (home, shop):
        skill = place / ".claude/skills/commit/SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text("---\nname: commit\ndescription: Writes commits\n---\n")
    (home / ".claude/CLAUDE.md").write_text("Never push to main.\n")
    (shop / "CLAUDE.md").write_text("- Never push to main\n")
    result = mem("files", "cost", str(shop), "--agent", "claude-code")
    assert "skill\tcommit\t≈" in result.stdout
    assert "were never used" in result.stderr
    assert "Told twice: skill " in result.stderr and "Told twice: “Never push to main" in result.stderr
    [cost] = mem.json("files", "cost", str(shop), "--agent", "claude-code")
    [extra] = cost["beside_files"]
    assert (extra["kind"], extra["name"], extra["used"], len(extra["places"])) == ("skill", "commit", 0, 2)
    assert cost["doubles"] == [{"kind": "skill", "names": ["commit"]}]
    assert len(cost["told_twice"][0]["paths"]) == 2
