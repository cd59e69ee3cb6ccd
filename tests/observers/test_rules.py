"""What the rules make of a tool use."""

from __future__ import annotations

from typing import Any

import pytest

from store.capture.events import ToolUse
from store.observers.rules import EXCERPT, LINE, observe

ROOT = "/home/dev/atlas"


def seen(name: str, given: Any, response: Any = "", failed: bool = False) -> dict[str, Any]:
    return dict(observe(ToolUse(name, given, response, failed), ROOT))


TITLES = [
    ("Read", {"file_path": f"{ROOT}/src/auth.py"}, "discovery", "Read src/auth.py"),
    ("read_file", {"absolute_path": "/etc/hosts"}, "discovery", "Read /etc/hosts"),
    ("Edit", {"file_path": f"{ROOT}/a.py", "old_string": "x", "new_string": "y"}, "change", "Edited a.py"),
    ("write_file", {"file_path": f"{ROOT}/b.py", "content": "new"}, "change", "Wrote b.py"),
    ("Bash", {"command": "make test"}, "change", "Ran make test"),
    ("Bash", {"command": "git -C sub log -3"}, "discovery", "Ran git -C sub log -3"),
    ("Bash", {"command": "cat a > b"}, "change", "Ran cat a > b"),
    ("Bash", {"command": "make test", "description": "Run the tests"}, "change", "Run the tests"),
    ("shell", {"command": ["bash", "-lc", "pytest -q"]}, "change", "Ran pytest -q"),
    ("exec_command", {"cmd": "npm ci"}, "change", "Ran npm ci"),
    ("Grep", {"pattern": "refresh", "path": "src"}, "discovery", "Searched refresh"),
    ("WebFetch", {"url": "https://example.org"}, "discovery", "Looked up https://example.org"),
    ("Task", {"description": "list files", "prompt": "…"}, "change", "Delegated list files"),
    ("mcp__github__list_commits", {"owner": "o"}, "note", "Used mcp__github__list_commits"),
    ("apply_patch", {"command": "*** Begin Patch\n*** Add File: n.md\n+x"}, "change", "Edited n.md"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "kind", "title"), TITLES, ids=[row[3] for row in TITLES])
def test_a_tool_use_is_told_in_a_line(name: str, given: Any, kind: str, title: str) -> None:
    observed = seen(name, given)
    assert (observed["type"], observed["title"]) == (kind, title)


def test_files_are_told_from_the_project_s_root() -> None:
    assert seen("Read", {"file_path": f"{ROOT}/src/auth.py"})["files_read"] == ["src/auth.py"]
    assert seen("Edit", {"file_path": f"{ROOT}/src/auth.py"})["files_modified"] == ["src/auth.py"]
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Delete File: b.py\n*** End Patch"
    assert seen("apply_patch", {"input": patch})["files_modified"] == ["a.py", "b.py"]


def test_an_edit_tells_the_lines_that_went_and_came() -> None:
    edit = {"file_path": "a.py", "old_string": "ttl = 1", "new_string": "ttl = 24"}
    assert seen("Edit", edit)["narrative"] == "- ttl = 1\n+ ttl = 24"


@pytest.mark.parametrize(
    "response",
    [{"stdout": "3 passed"}, {"output": "3 passed"}, [{"type": "text", "text": "3 passed"}],
     {"llmContent": "3 passed"}, '{"output": "3 passed", "metadata": {"exit_code": 0}}', "3 passed"],
)  # fmt: skip
def test_an_answer_is_found_wherever_an_agent_puts_it(response: Any) -> None:
    observed = seen("Bash", {"command": "make test"}, response)
    assert observed["narrative"] == "3 passed"
    assert observed["type"] == "change"


@pytest.mark.parametrize(
    "response", [{"exit_code": 2}, {"is_error": True}, {"resultType": "failure"}, {"error": "no"}]
)
def test_a_failure_is_an_error_and_changes_nothing(response: Any) -> None:
    observed = seen("Edit", {"file_path": "a.py"}, response)
    assert observed["type"] == "error"
    assert observed["title"] == "Failed: Edited a.py"
    assert observed["files_modified"] == []
    assert seen("Bash", {"command": "x"}, "no such command", failed=True)["type"] == "error"


def test_long_texts_are_cut_to_what_people_read() -> None:
    observed = seen("Bash", {"command": "echo " + "y" * 999}, "z" * 99_999)
    assert len(observed["title"]) <= LINE
    assert len(observed["narrative"]) < 2 * EXCERPT + 99


@pytest.mark.parametrize(
    "given", [None, 7, [], "text", {"command": 3}, {"edits": [1, {}]}, {"file_path": None}]
)
def test_whatever_a_tool_was_given_something_can_be_told(given: Any) -> None:
    for name in ("Edit", "Bash", "Read", "unheard of"):
        assert seen(name, given, given)["title"]


@pytest.mark.parametrize(
    "answer",
    [
        "<untrusted_context>\nOutput: hello\nworld\nProcess Group PGID: 24379\n</untrusted_context>",
        "Output: hello\nworld\n<shellId: 0 completed with exit code 0>",
        "Output: hello\r\nworld\r\n<shellId: a-1 completed with exit code 0>\r\n",
    ],
)
def test_what_an_agent_puts_around_an_answer_is_not_observed(answer: str) -> None:
    for response in (answer, {"llmContent": answer}, {"textResultForLlm": answer}):
        narrative = seen("Bash", {"command": "make"}, response)["narrative"]
        assert narrative.splitlines() == ["Output: hello", "world"]


def test_an_answer_that_only_speaks_of_such_lines_stays() -> None:
    for answer in (
        "a <untrusted_context> is what Gemini writes",
        "> Process Group PGID: 7",
        "<shellId: 0 completed with exit code 2>",
    ):
        assert seen("Bash", {"command": "make"}, answer)["narrative"] == answer
