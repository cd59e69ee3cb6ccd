"""`mem export`, `mem import jsonl` and `mem store rebuild --from`."""

import json
from pathlib import Path

import pytest

from ..runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "clock drift", "--tag", "x")
    mem.ok("add", "a canary")
    mem.ok("private", "2")
    mem.ok("fact", "add", "clocks drift")


def test_jsonl_tells_what_it_wrote_and_what_it_left_out(filled: Mem, tmp_path: Path) -> None:
    result = filled("export", "jsonl", str(tmp_path / "out.jsonl"))
    assert "observations\t1" in result.stdout.splitlines()
    assert "Left out, since private, deleted or pending: 1 observation." in result.stderr
    assert b"canary" not in (tmp_path / "out.jsonl").read_bytes()
    made = filled.json("export", "jsonl", str(tmp_path / "all.jsonl"), "--with-private")
    assert (made["counts"]["observations"], made["left_out"]) == (2, {})
    assert b"canary" in (tmp_path / "all.jsonl").read_bytes()


def test_a_dash_prints_lines_and_nothing_else(filled: Mem) -> None:
    done = filled.process("export", "jsonl", "-")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0]["table"] == "memtui"
    assert lines[-1] == {"table": "end", "lines": len(lines)}
    assert done.stderr.startswith(b"Exported ")


def test_a_terminal_gets_no_raw_control_characters(filled: Mem) -> None:
    filled.ok("add", "evil \u202e\u009b31m title")
    sent = filled.on_terminal("export", "jsonl", "-")
    assert "\u202e" not in sent
    assert "\u009b" not in sent
    assert "evil" in sent


def test_it_comes_in_again(filled: Mem, tmp_path: Path) -> None:
    flags = ("--with-private", "--with-deleted")
    filled.ok("export", "jsonl", str(tmp_path / "a.jsonl"), *flags)
    other = ("--db", str(tmp_path / "other.db"))
    lines = filled.ok(*other, "import", str(tmp_path / "a.jsonl")).splitlines()
    assert any(line.startswith("observations\t2\t2\t0\t") for line in lines)
    assert filled.json(*other, "import", "jsonl", str(tmp_path / "a.jsonl"))["warnings"] == []
    filled.ok(*other, "export", "jsonl", str(tmp_path / "b.jsonl"), *flags)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


@pytest.mark.parametrize("format", ["claude-mem", "scheme-c", "markdown", "html"])
def test_every_format_is_written_and_those_of_memories_come_in_again(
    filled: Mem, tmp_path: Path, format: str
) -> None:
    filled.ok("export", format, str(tmp_path / "out"))
    written = b"".join(
        path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and "out" in str(path)
    )
    assert b"clock drift" in written
    assert b"canary" not in written
    if format not in ("markdown", "html"):
        other = ("--db", str(tmp_path / "other.db"))
        filled.ok(*other, "import", str(tmp_path / "out"))
        assert [hit["title"] for hit in filled.json(*other, "search", "kind:observation")] == [
            "clock drift"
        ]


def test_what_claude_mem_cant_hold_is_told(filled: Mem, tmp_path: Path) -> None:
    told = filled("export", "claude-mem", str(tmp_path / "out.db")).stderr
    assert "1 fact left out." in told
    assert "1 record left out, being private, deleted or pending" in told


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense", "out"), ("markdown", "-"), ("claude-mem", "out", "--with-private"),
        ("scheme-c", "out", "--with-deleted"), ("jsonl", "-", "--json"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_wrong_usage(filled: Mem, arguments: tuple[str, ...]) -> None:
    filled.refused("export", *arguments, code=2)


def test_what_is_there_is_replaced_only_with_force(filled: Mem, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("mine")
    assert "exists already" in filled.refused("export", "jsonl", str(target))
    assert target.read_text() == "mine"
    filled.ok("export", "jsonl", str(target), "--force")


def test_a_memory_is_rebuilt_from_an_export(filled: Mem, tmp_path: Path) -> None:
    export = str(tmp_path / "out.jsonl")
    filled.ok("export", "jsonl", export)
    filled.ok("add", "later")
    made = filled.json("rebuild", "--from", export)
    assert made["rows"]["observations"] == 1
    assert [hit["title"] for hit in filled.json("search", "kind:observation")] == ["clock drift"]
    assert filled.json("--db", made["before"], "stats")["observations"] == 2
    (tmp_path / "out.jsonl").write_bytes((tmp_path / "out.jsonl").read_bytes()[:-40])
    assert "not whole" in filled.refused("rebuild", "--from", export)
    filled.ok("rebuild", "--from", export, "--force")
    filled.refused("rebuild", "--force", code=2)


@pytest.mark.parametrize("format", ["markdown", "html"])
def test_a_shared_session_says_what_is_in_it_and_what_was_left_out(
    mem: Mem, tmp_path: Path, format: str
) -> None:
    mem.ok("session", "start", "c-1", "--agent", "codex", "--title", "Login")
    mem.ok("prompt", "why does login fail?", "--session", "c-1")
    mem.ok("add", "Fixed the clock", "--modified", "src/auth.py", "--session", "c-1")
    mem.ok("add", "Read a token", "--narrative", f"AKIA{'Q' * 8}7ZXW2345", "--session", "c-1")
    mem.ok("add", "a canary", "--session", "c-1")
    mem.ok("private", "3")
    result = mem("export", format, str(tmp_path / "out"), "--session", "@1")
    assert (
        "In it: 1 prompt, 1 change, 1 observation besides, 1 secret redacted. "
        "Left out, since private, deleted or pending: 1 observation." in " ".join(result.stderr.split())
    )
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert b"Fixed the clock" in written
    assert b"canary" not in written
    made = mem.json("export", format, str(tmp_path / "again"), "--session", "@1")
    assert made["session"] == {
        "holds": {"prompts": 1, "changes": 1, "observations besides": 1},
        "redacted": 1,
        "left_out": {"observations": 1},
    }


def test_a_shared_session_is_one_page_of_markdown(mem: Mem, tmp_path: Path) -> None:
    mem.ok("session", "start", "c-1", "--agent", "codex", "--title", "Login")
    mem.ok("add", "Fixed the clock", "--session", "c-1")
    mem.ok("session", "start", "c-2", "--agent", "codex")
    mem.ok("add", "a canary", "--session", "c-2")
    mem.ok("export", "markdown", str(tmp_path / "one.md"), "--session", "c-1")
    page = (tmp_path / "one.md").read_text()
    assert "# Login" in page
    assert "Fixed the clock" in page
    assert "canary" not in page
