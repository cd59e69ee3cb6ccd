"""`mem report`: a memory is reported, shown with its reports, and settled."""

import pytest

from ..runner import Mem


def test_a_report_is_shown_found_and_cleared(mem: Mem) -> None:
    mem.ok("add", "Clock drift broke logins")
    assert mem.ok("report", "1", "wrong", "It was a proxy") == "1"
    assert "wrong by a person" in mem.ok("show", "1")
    assert mem.json("show", "1")[0]["reports"][0]["reason"] == "It was a proxy"
    assert "wrong by a person: It was a proxy" in mem.ok("show", "1", "--for-agent")
    assert [hit["id"] for hit in mem.json("search", "is:wrong")] == [1]
    mem.ok("report", "1", "clear")
    assert mem.json("search", "is:reported") == []
    mem.ok("undo")
    assert [hit["id"] for hit in mem.json("search", "is:reported")] == [1]


def test_an_agent_in_its_shell_is_who_reports(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    mem.ok("add", "Clock drift broke logins")
    monkeypatch.setenv("CLAUDE_SESSION_ID", "claude-77")
    assert mem.json("report", "1", "useful")["agent"] == "claude-code"


def test_what_is_no_memory_or_no_verdict_is_refused(mem: Mem) -> None:
    mem.ok("add", "Clock drift broke logins")
    assert "no" in mem.refused("report", "99", "wrong").lower()
    assert "wrong" in mem.refused("report", "1", "bad", code=2)


def test_its_help_names_what_is_given_plainly(mem: Mem) -> None:
    assert "mem report [OPTIONS] {ID} {wrong|useful|clear} [REASON]" in mem.ok("report", "--help")
