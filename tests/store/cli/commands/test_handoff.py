"""`mem handoff`: whose session, in which shape, and what programs read of it."""

from __future__ import annotations

from ..runner import Mem, filling


@filling
def told(mem: Mem) -> None:
    """A session of the project here, an older one of it, and one of another project."""
    for name, project, at in (("c-1", "atlas", "3h"), ("c-2", "atlas", "2h"), ("c-3", "x", "1h")):
        mem.ok("session", "start", name, "--agent", "codex", "--project", project, "--at", at)
        mem.ok("add", f"Mended the valve of {name}", "--session", name, "--type", "bugfix")


def test_the_newest_session_here_is_handed_over_as_markdown(told: Mem) -> None:
    text = told.ok("handoff")
    assert text.startswith("# Hand over: ")
    assert "- Mended the valve of c-2 [mem 2]" in text
    assert "c-3" not in text
    assert "Mended the valve of c-3 [mem 3]" in told.ok("handoff", "--project", "x")
    assert "About " in told("handoff").stderr


def test_a_session_is_named_by_itself_or_a_memory_of_it(told: Mem) -> None:
    for ref in ("@1", "c-1", "1"):
        assert "Mended the valve of c-1 [mem 1]" in told.ok("handoff", ref)


def test_a_query_is_handed_over_to_an_agent(told: Mem) -> None:
    text = told.ok("handoff", "--query", "valve", "--to", "codex", "--budget", "400")
    assert text.startswith("# Handoff\n\n<memtui-handoff id=")
    assert all(f"[mem {number}]" in text for number in (1, 2, 3))


def test_json_has_the_text_and_what_it_rests_on(told: Mem) -> None:
    found = told.json("handoff", "c-1", "--to", "claude-code")
    assert (found["to"], found["refs"], found["left_out"]) == ("claude-code", ["1"], 0)
    assert found["session"] == {"ref": "@1", "id": "c-1", "agent": "codex", "project": "atlas"}
    assert found["sections"] == {
        "Done": [{"text": "Mended the valve of c-1", "refs": ["1"], "reported_wrong": False}]
    }
    assert "[mem 1]" in found["text"]
    assert 0 < found["tokens"] < 300
    assert told.json("handoff", "--query", "valve")["session"] is None


def test_what_is_wrong_is_said(told: Mem) -> None:
    assert "exclude each other" in told.refused("handoff", "@1", "--query", "x", code=2)
    assert "The query is empty" in told.refused("handoff", "--query", " ", code=2)
    assert "There is no agent nobody" in told.refused("handoff", "@1", "--to", "nobody")
    assert "There is no observation 99" in told.refused("handoff", "99")
    assert "No memory matches “quokka”" in told.refused("handoff", "--query", "quokka")
    assert "No session of none" in told.refused("handoff", "--project", "none")
    told.ok("private", "1")
    assert "nothing to hand over of session @1" in told.refused("handoff", "@1")
