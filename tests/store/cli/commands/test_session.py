"""`mem session`, `mem prompt` and `mem summary`."""

from __future__ import annotations

import pytest

from ..runner import Mem


def test_start_prints_a_number_and_starting_again_finds_it(mem: Mem) -> None:
    assert mem.ok("session", "start", "c-1", "--agent", "codex", "--project", "payments") == "@1"
    assert mem.ok("session", "start", "c-1", "--agent", "codex") == "@1"
    assert mem.ok("session", "start", "c-2") == "@2"


def test_start_without_an_id_is_the_manual_session_of_the_repository(mem: Mem) -> None:
    session = mem.json("session", "start")
    assert (session["content_session_id"], session["project"]) == ("manual-atlas", "atlas")


def test_start_takes_all_that_is_known(mem: Mem) -> None:
    session = mem.json(
        "session",
        "start",
        "c-1",
        "--title",
        "Login",
        "--project-path",
        "/src/x",
        "--at",
        "2026-02-18",
    )
    assert (session["title"], session["project_path"]) == ("Login", "/src/x")
    assert session["started_at"] == session["created_at"]
    assert session["status"] == "active"


def test_end_marks_it(mem: Mem) -> None:
    mem.ok("session", "start", "c-1")
    assert mem.ok("session", "end", "c-1", "--at", "2026-02-18") == "@1"
    assert mem.json("session", "show", "c-1")["session"]["status"] == "completed"
    assert mem.json("session", "end", "@1", "--status", "failed")["status"] == "failed"
    assert "'lost' is not one of" in mem.refused(
        "session", "end", "c-1", "--status", "lost", code=2
    )


def test_link_gives_it_its_memory_id_once(mem: Mem) -> None:
    mem.ok("session", "start", "c-1")
    mem.ok("session", "start", "c-2")
    mem.ok("session", "link", "c-1", "m-1")
    assert mem.json("session", "show", "m-1")["session"]["content_session_id"] == "c-1"
    assert "belongs to session @1 already" in mem.refused("session", "link", "c-2", "m-1")


@pytest.mark.parametrize("command", [("show",), ("end",), ("link", "m-1")])
def test_an_unknown_session_is_refused(mem: Mem, command: tuple[str, ...]) -> None:
    mem.ok("add", "Title")
    name, *rest = command
    assert "There is no session c-9" in mem.refused("session", name, "c-9", *rest)


def test_list_gives_counts_and_narrows(mem: Mem) -> None:
    mem.ok("session", "start", "c-1", "--agent", "codex", "--project", "payments", "--at", "2h")
    mem.ok("session", "start", "c-2", "--project", "other", "--at", "1h")
    mem.ok("prompt", "why?", "--session", "c-1")
    mem.ok("add", "Title", "--session", "c-1")
    mem.ok("summary", "--session", "c-1", "--completed", "Added a leeway\nand more")
    both = mem.json("session", "list")
    assert [row["content_session_id"] for row in both] == ["c-2", "c-1"]
    counts = {"prompts": 1, "observations": 1, "summaries": 1, "summary_line": "Added a leeway"}
    assert both[1].items() >= counts.items()
    for flags in (("--project", "payments"), ("--agent", "codex"), ("-n", "1", "--offset", "1")):
        assert [row["ref"] for row in mem.json("session", "list", *flags)] == ["@1"]
    assert mem.json("session", "list", "--project", "none") == []


def test_show_holds_what_happened(mem: Mem) -> None:
    assert mem.ok("prompt", "why?", "--session", "c-1", "--agent", "codex") == "p1"
    mem.ok("add", "Title", "--session", "c-1")
    assert mem.ok("summary", "--session", "c-1", "--request", "Login fails") == "s1"
    shown = mem.json("session", "show", "c-1")
    assert shown["session"]["agent"] == "codex"
    assert [one["text"] for one in shown["prompts"]] == ["why?"]
    assert [one["title"] for one in shown["observations"]] == ["Title"]
    assert [one["request"] for one in shown["summaries"]] == ["Login fails"]
    told = mem.ok("session", "show", "@1")
    for part in ("session @1", "prompt p1", "text: why?", "summary s1", "1: note Title"):
        assert part in told


def test_prompts_are_numbered_and_may_come_from_standard_input(mem: Mem) -> None:
    first = mem.json("prompt", "-", "--session", "c-1", input="long\nquestion\n")
    second = mem.json("prompt", "and?", "--session", "c-1", "--private")
    third = mem.json("prompt", "then?", "--session", "c-1", "--prompt-number", "9")
    assert first["text"] == "long\nquestion"
    assert [one["prompt_number"] for one in (first, second, third)] == [1, 2, 9]
    assert second["private"] is True


def test_a_summary_has_all_its_parts(mem: Mem) -> None:
    parts = {
        "request": "a", "investigated": "b", "learned": "c", "completed": "d", "next_steps": "e",
        "notes": "f",
    }  # fmt: skip
    flags = [part for name, text in parts.items() for part in (f"--{name.replace('_', '-')}", text)]
    summary = mem.json(
        "summary", "--session", "c-1", *flags, "--read", "a.py", "--edited", "b.py",
        "--level", "brief", "--prompt-number", "2", "--tokens", "7", "--project", "payments",
    )  # fmt: skip
    assert summary.items() >= parts.items()
    others = {
        "level": "brief", "files_read": ["a.py"], "files_edited": ["b.py"], "prompt_number": 2,
        "discovery_tokens": 7, "project": "payments",
    }  # fmt: skip
    assert summary.items() >= others.items()


def test_a_summary_of_nothing_is_wrong_usage(mem: Mem) -> None:
    assert "at least one of" in mem.refused("summary", "--session", "c-1", code=2)
    assert "Missing option '--session'" in mem.refused("summary", "--request", "x", code=2)
    assert "Missing option '--session'" in mem.refused("prompt", "x", code=2)
