"""Whether a tool use failed, wherever its agent says so, and how its title tells it."""

import json
from typing import Any

from memtui.store.observe.rules.observation import observation_fields
from memtui.store.observe.rules.tool_output import parted, read_output
from memtui.store.records.events import ToolUse
from tests.tables import table

PIP_RETRIES = (
    "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by "
    "'NewConnectionError('<pip>: Failed to establish a new connection')': /simple/nosuch/\n"
    * 5
    + "ERROR: Could not find a version that satisfies the requirement nosuch (from versions: none)\n"
    "ERROR: No matching distribution found for nosuch"
)
FAILURES: tuple[tuple[str, Any, bool, int | None], ...] = (
    ("claude's first line", "Error: Exit code 3\nno", True, 3),
    ("claude's, interrupted", {"stdout": "", "stderr": "", "interrupted": True}, False, None),
    ("codex's wrapper", "Chunk ID: 1\nWall time: 0.1\nProcess exited with code 3\nOutput:\nno", False, 3),
    ("codex's older one", "Exit code: 3\nWall time: 1 seconds\nOutput:\nno", False, 3),
    ("codex's JSON", json.dumps({"output": "no", "metadata": {"exit_code": 3}}), False, 3),
    ("gemini's last lines", {"llmContent": f"Output: {'x' * 9_000}\nError: (none)\nExit Code: 3\n"
     "Signal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 7"}, False, 3),
    ("gemini's, fenced", {"llmContent": "<untrusted_context>\nOutput: no\nExit Code: 3\nProcess Group PGID: "
     "7\n</untrusted_context>"}, False, 3),
    ("gemini's signal", {"llmContent": "Output: no\nSignal: SIGTERM\nProcess Group PGID: 7"}, False, None),
    ("copilot's", {"resultType": "success", "textResultForLlm": "no\n<shellId: 0 completed with exit code "
     "3>"}, False, 3),
    ("copilot's other", {"textResultForLlm": "no\n<exited with exit code 3>"}, False, 3),
    ("copilot's contents", {"content": "no", "contents": [{"type": "shell_exit", "exitCode": 3}]}, False, 3),
    ("opencode's", {"output": "no", "metadata": {"exit": 3}}, False, 3),
    ("opencode's timeout", {"output": "no\n<bash_metadata>\nbash tool terminated command after exceeding "
     "timeout 120000 ms\n</bash_metadata>"}, False, None),
    ("cursor's", '{"exitCode": 3, "stdout": "no"}', False, 3),
    ("cursor's in words", "exit 3", True, 3),
    ("cursor's block", "Exit code: 3\n\nCommand output:\n\n```\nno\n```\n\nCommand completed in 208 ms.",
     False, 3),
    ("a nested one", {"success": {"exitCode": 3, "stdout": "no"}}, False, 3),
    ("as a tag", "no\n<exit_code>3</exit_code>", False, 3),
    ("in brackets", "no\n[The command completed with exit code 3.]", False, 3),
    ("a start that failed", "exec_command failed for `x`: CreateProcess { message: \"no\" }", False, None),
)  # fmt: skip


@table(("why", "response", "failed", "code"), FAILURES)
def test_an_exit_status_is_read_wherever_an_agent_tells_it(
    why: str, response: Any, failed: bool, code: int | None
) -> None:
    found = read_output(ToolUse("Bash", {"command": "./run"}, response, failed))
    assert found.failed, why
    assert not found.succeeded
    assert found.exit_code == code
    made = observation_fields(ToolUse("Bash", {"command": "./run"}, response, failed))
    assert made["type"] == "error"
    for mark in ("shellId", "PGID", "Exit Code:", "exit_code>", "```", "Wall time"):
        assert mark not in (made["narrative"] or "")


@table(
    "response",
    [
        "a log says: Process exited with code 1\nand goes on",
        {"llmContent": "Output: The docs say: Exit Code: 1 is a failure\nProcess Group PGID: 7"},
        {"stdout": "exit code 1 means no match", "stderr": "", "interrupted": False},
        "<shellId: 0 completed with exit code 0>",
        {"output": "exited with exit code 2\n", "metadata": {"exit": 0}},
        "Process running with session ID 71\nOutput:\nlistening on :8080",
    ],
)
def test_words_of_an_output_are_no_exit_status(response: Any) -> None:
    assert not read_output(ToolUse("Bash", {"command": "./run"}, response)).failed


def title(command: str, response: Any, description: str = "", failed: bool = False) -> str:
    given = {"command": command, "description": description} if description else {"command": command}
    return observation_fields(ToolUse("Bash", given, response, failed), "/w")["title"]


DONE = {"stdout": "", "stderr": "", "interrupted": False}


@table(
    ("command", "response", "description", "told"),
    [
        # What isn't known to have succeeded ran.
        ("pip install x", "", "", "Ran pip install x"),
        ("pip install x", DONE, "", "Installed x"),
        ("pip install -q x | tail -1", DONE, "", "Ran pip install -q x"),
        ("pip install x || true", DONE, "", "Ran pip install x"),
        ("pip install x", PIP_RETRIES, "", "Failed to install x (not found)"),
        ("pip install x 2>&1 | tail -3", DONE | {"stdout": PIP_RETRIES}, "", "Failed to install x (not found)"),
        ("npm i x; ls", DONE, "", "Ran npm i x && ls"),
        ("gh pr create --title 'Add x'", "", "", "Ran gh pr create: Add x"),
        ("gh pr create --title 'Add x'", DONE | {"stdout": "https://git.example/a/b/pull/13"}, "",
         "Opened pull request #13: Add x"),
        ("make build 2>&1 | tail", DONE | {"stdout": "make: *** [Makefile:3: build] Error 1"}, "Build it",
         "Build it: failed (build)"),
        ("kubectl get pods", DONE | {"stdout": "a-1  0/1  CrashLoopBackOff  9  2d\na-2  0/1  CrashLoopBackOff  "
         "9  2d"}, "List prod pods", "List prod pods: 2 CrashLoopBackOff"),
        ("curl -s :80/health", DONE | {"stdout": '{"status": "degraded"}'}, "Check the health endpoint",
         "Check the health endpoint: degraded"),
        ("mise run fmt && mise run lint", "Error: Exit code 1\n[lint] a.go:3:1: x (y)\n1 issues:\n* y: 1",
         "Format and lint the code", "Format and lint the code: failed (1 issue)"),
        ("go build ./...", DONE, "Verify that it compiles", "Verify that it compiles: succeeded"),
        ("pytest -q", "E   AssertionError: 1 != 2\nFAILED a.py::test_x\n1 failed, 2 passed in 0.1s",
         "Run the unit tests", "Run the unit tests: 2 passed, 1 failed (AssertionError: 1 != 2)"),
        ("./deploy.sh", "Error: Exit code 2\nfatal: no space left on device", "- Deploy",
         "Failed: Deploy (fatal: no space left on device)"),
        ("npm ci && npm test", "Error: Exit code 1\nadded 12 packages\nTests:       1 failed, 3 passed, 4 total",
         "Install and test", "Install and test: 3 passed, 1 failed"),
        ("npm outdated", "Error: Exit code 1\nPackage Current\nx 1", "Check outdated packages",
         "Check outdated packages: exit code 1 (Package Current)"),
        ("diff a b", "Error: Exit code 1\n1c1\n< a\n> b", "Compare them", "Compare them"),
        ("npm test | grep -c failing", "Error: Exit code 1", "Count failures", "Count failures"),
        ("python3 - <<'EOF'\nprint(1)\nEOF", "1", "", "Ran python3 - (1 line): 1"),
    ],
)  # fmt: skip
def test_the_title_tells_the_outcome(command: str, response: Any, description: str, told: str) -> None:
    assert title(command, response, description) == told


@table(
    ("output", "error"),
    [
        (PIP_RETRIES, "ERROR: Could not find a version that satisfies the requirement nosuch (from versions: "
         "none)"),
        ("npm warn deprecated x\nnpm error code E404\nnpm error 404 Not Found - GET x", "404 Not Found - GET x"),
        ("-----------\n==========\nerror: no such command", "error: no such command"),
        ("Traceback (most recent call last):\n  File \"a.py\"\nUserWarning: old\nKeyError: 'x'\n", "KeyError: 'x'"),
    ],
)  # fmt: skip
def test_the_line_that_ended_it_is_the_error(output: str, error: str) -> None:
    made = observation_fields(ToolUse("Bash", {"command": "./run"}, output, failed=True))
    assert made["subtitle"] == error
    assert not any("error: error" in fact.lower() for fact in made["facts"])


def test_history_keeps_a_few_lines_and_no_more() -> None:
    log = "\n".join(f"{number:07x} fix: part {number} of the cart" for number in range(40))
    made = observation_fields(ToolUse("Bash", {"command": "git log --oneline"}, log))
    assert made["type"] == "discovery"
    assert made["title"] == "Ran git log --oneline: 0000000 fix: part 0 of the cart"
    assert 5 <= len((made["narrative"] or "").splitlines()) <= 12
    stat = " a.py | 3 ++-\n b.py | 9 +++++++++\n 2 files changed, 11 insertions(+), 1 deletion(-)"
    made = observation_fields(ToolUse("Bash", {"command": "git status && git diff --stat"}, stat))
    assert made["title"].endswith("2 files changed, 11 insertions(+),…")
    assert "b.py | 9" in (made["narrative"] or "")


@table(
    ("answer", "is_declined"),
    [
        ("aborted by user after 3.2s", False), ("aborted by user", False),
        ("[Operation Cancelled] Reason: User cancelled the operation.", False),
        ("Tool execution aborted", False), ("User aborted the command", False),
        ("Command was interrupted", False), ("Tool execution canceled by user", False),
        ("The execution of this tool, or a previous tool was interrupted.", False),
        ("Interrupted by the user to make a correction", False),
        ("The user rejected permission to use this specific tool call.", True),
        ("The user doesn't want to proceed with this tool use.", True),
        ("User denied permission", True), ("[Operation Cancelled] Reason: User did not allow tool call", True),
        ("The user has declined to run this tool", True), ("rejected by user", True),
    ],
)  # fmt: skip
def test_what_was_stopped_was_not_declined_and_is_no_change(answer: str, is_declined: bool) -> None:
    made = observation_fields(ToolUse("Bash", {"command": "python3 wait.py"}, answer, failed=True))
    assert made["title"].startswith("Declined by the user: ") == is_declined
    assert made["type"] == ("note" if is_declined else "error")
    assert is_declined or "interrupted before it ended" in made["title"]


def test_what_a_terminal_is_told_beside_the_text_is_left_out() -> None:
    for code in (
        "\x1b[1;31m",
        "\x1b(B",
        "\x1b)0",
        "\x1b]0;title\x07",
        "\x1b]8;;http://a.example\x1b\\",
        "\x1b=",
    ):
        assert parted(f"one {code}two")[1] == "one two", code
