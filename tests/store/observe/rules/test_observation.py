"""What the rules make of a tool use."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store.observe.rules.command_output import EXCERPT
from memtui.store.observe.rules.observation import observation_fields
from memtui.store.observe.rules.title_text import LINE
from memtui.store.records.events import ToolUse
from memtui.store.records.kinds import NOISE
from tests.tables import table

ROOT = "/home/dev/atlas"
EXAMPLES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "examples.jsonl").read_text("utf-8").splitlines()
]


def seen(name: str, given: Any, response: Any = "", failed: bool = False) -> dict[str, Any]:
    made = observation_fields(ToolUse(name, given, response, failed), ROOT)
    assert made["type"] != NOISE
    return dict(made)


def tool_of(row: dict[str, Any]) -> ToolUse:
    return ToolUse(row["tool"], row["given"], row["answer"], row.get("failed", False))


@table("row", EXAMPLES)
def test_an_example_is_told_as_people_would_tell_it(row: dict[str, Any]) -> None:
    made = dict(observation_fields(tool_of(row), ROOT, row.get("known", ())))
    if "noise" in row["want"]:
        assert (made["type"], made["subtitle"]) == (NOISE, row["want"]["noise"])
    else:
        assert {name: made[name] for name in row["want"]} == row["want"]


def test_the_examples_are_many_and_in_both_languages() -> None:
    titles = [row["want"].get("title", "") for row in EXAMPLES]
    assert len(titles) >= 80
    assert sum(any("\u4e00" <= char <= "\u9fff" for char in title) for title in titles) >= 5


def test_noise_tells_nothing_of_its_content() -> None:
    listing = ToolUse("Bash", {"command": "ls src"}, {"stdout": "secret-plans.md"})
    made = observation_fields(listing, ROOT)
    assert made["title"] == "Ran ls src"
    assert made["narrative"] is None
    assert not (made["facts"] or made["concepts"] or made["files_read"] or made["files_modified"])


@pytest.mark.parametrize(
    "response",
    [{"stdout": "3 files"}, {"output": "3 files"}, [{"type": "text", "text": "3 files"}],
     {"llmContent": "3 files"}, '{"output": "3 files", "metadata": {"exit_code": 0}}', "3 files"],
)  # fmt: skip
def test_an_answer_is_found_wherever_an_agent_puts_it(response: Any) -> None:
    assert seen("Bash", {"command": "./count"}, response)["narrative"] == "3 files"


@table(
    "response",
    [{"exit_code": 2}, {"is_error": True}, {"resultType": "failure"}, {"error": "no"},
     {"metadata": {"exit": 2}}, {"success": False}, "Exit code: 2\nno", "Process exited with code 2\n"],
)  # fmt: skip
def test_a_failure_is_an_error_and_changes_nothing(response: Any) -> None:
    observed = seen("Edit", {"file_path": "a.py"}, response)
    assert observed["type"] == "error"
    assert observed["title"] == "Failed to edit a.py"
    assert observed["files_modified"] == []
    assert seen("Bash", {"command": "x"}, "no such command", failed=True)["type"] == "error"


def test_long_texts_are_cut_to_what_people_read() -> None:
    observed = seen("Bash", {"command": "run " + "y" * 999, "description": ""}, "z" * 99_999)
    assert len(observed["title"]) <= LINE
    assert len(observed["narrative"]) < 2 * EXCERPT + 99
    long = {"file_path": "a.py", "old_string": "x\n" * 9_000, "new_string": "y\n" * 9_000}
    assert len(seen("Edit", long)["narrative"]) < EXCERPT + 99


def test_a_sub_agents_answer_begins_once_and_is_cut_between_words() -> None:
    words = " ".join(f"word{number}" for number in range(900))
    answer = f"All three checks pass in `main`.\n\n{words}"
    fields = observation_fields(ToolUse("Task", {"description": "Check", "prompt": "check " * 99}, answer))
    assert fields["subtitle"] == "All three checks pass in `main`."
    assert "All three" not in (fields["narrative"] or "")
    kept = (fields["narrative"] or "").split("\n\n", 1)[1]
    assert {*kept.split()} - {*words.split()} == {"…"}


@pytest.mark.parametrize(
    "given",
    [None, 7, [], "text", {"command": 3}, {"edits": [1, {}]}, {"file_path": None}, {"paths": [None, {}]},
     {"command": "\x00'\"$(`((<<EOF\n"}, {"todos": "x", "path": "a\nb"}, {"patch": "*** \n@@"}],
)  # fmt: skip
def test_whatever_a_tool_was_given_something_can_be_told(given: Any) -> None:
    for name in ("Edit", "Bash", "Read", "Task", "WebFetch", "wait", "ExitPlanMode", "unheard of", ""):
        for failed in (False, True):
            assert observation_fields(ToolUse(name, given, given, failed), ROOT)["type"]


@pytest.mark.long
@table(
    "piece",
    ["make: *** [", "Exit Code: ", "<shellId: ", "HTTP/1.1 5", "\"a\"=\"", "open(", " | ", "x = 'a\n", "-> ",
     "Error: ", "1 passed, ", "--- FAIL: a\n", "$(", "\"", "<<EOF\n", "CONFLICT (", "def ", "\n", "[a ",
     "[x] ", "Exit code 1\n", "(((", "\\", "a/b "],
)  # fmt: skip
def test_a_flood_comes_to_an_end(piece: str) -> None:
    # A pattern that matches in exponentially many ways would never come back.
    text = piece * (20_000 // len(piece))
    for name, given in (
        ("Bash", {"command": "make test"}),
        ("Bash", {"command": "curl x; git merge x; kubectl get pods; docker ps; terraform plan"}),
        ("Bash", {"command": f"python - <<'X'\n{text}\nX"}),
        ("AskUserQuestion", {"questions": [{"question": text[:900]}]}),
        ("Bash", {"command": text}),
        ("Read", {"file_path": "a.md"}),
        ("Edit", {"file_path": "a.py", "old_string": text[:9_000], "new_string": text}),
        ("apply_patch", {"input": f"*** Begin Patch\n{text}"}),
    ):
        assert observation_fields(ToolUse(name, given, text, True), ROOT)["title"]


def test_the_same_use_is_told_the_same() -> None:
    for row in EXAMPLES:
        assert observation_fields(tool_of(row), ROOT) == observation_fields(tool_of(row), ROOT)


@pytest.mark.parametrize(
    "answer",
    [
        "<untrusted_context>\nhello\nworld\nProcess Group PGID: 24379\n</untrusted_context>",
        "hello\nworld\n<shellId: 0 completed with exit code 0>",
        "hello\r\nworld\r\n<shellId: a-1 completed with exit code 0>\r\n",
    ],
)
def test_what_an_agent_puts_around_an_answer_is_not_observed(answer: str) -> None:
    for response in (answer, {"llmContent": answer}, {"textResultForLlm": answer}):
        narrative = observation_fields(ToolUse("Bash", {"command": "./run"}, response), ROOT)["narrative"]
        assert narrative is not None
        assert narrative.split()[-2:] == ["hello", "world"]


def test_a_value_in_the_middle_of_a_long_output_is_kept() -> None:
    lines = [f"step {number} of the build is done, on with the next one" for number in range(400)]
    lines[200] = "Server listening on http://localhost:8431"
    narrative = seen("Bash", {"command": "./run"}, "\n".join(lines))["narrative"]
    assert "localhost:8431" in narrative
    assert len(narrative) < EXCERPT + 99


@table(
    ("tool", "given", "answer", "kind", "title"),
    [
        ("Bash", {"command": "cat a.ts 2>/dev/null"}, {"stdout": "", "interrupted": False}, "discovery",
         "Ran cat a.ts: printed nothing"),
        ("Bash", {"command": "cat a.ts"}, {"stdout": "x = 1", "interrupted": False}, "discovery", "Read a.ts"),
        ("Bash", {"command": "make all"}, "Error: Cancelled: parallel tool call Read(b) errored", "noise",
         "Not run: run make all"),
        ("Read", {"file_path": "a.py"}, "<tool_use_error>Sibling tool call errored</tool_use_error>", "noise",
         "Not run: read a.py"),
        ("Bash", {"command": "sqlite3 x.db 'SELECT name FROM t'"}, "a", "discovery",
         "Ran sqlite3 x.db SELECT name FROM t: a"),
        ("Bash", {"command": "psql -c 'select 1; show tables'"}, "1", "discovery",
         "Ran psql -c select 1; show tables: 1"),
        ("Bash", {"command": "sqlite3 x.db .schema"}, "a", "discovery", "Ran sqlite3 x.db .schema: a"),
        ("Bash", {"command": "sqlite3 x.db 'SELECT 1; DROP TABLE t'"}, "1", "change",
         "Ran sqlite3 x.db SELECT 1; DROP TABLE t: 1"),
        ("Bash", {"command": "mysql -e 'update t set a = 1'"}, "", "change",
         "Ran mysql -e update t set a = 1"),
    ],
)  # fmt: skip
def test_a_title_tells_what_happened(tool: str, given: Any, answer: Any, kind: str, title: str) -> None:
    made = observation_fields(ToolUse(tool, given, answer, failed="errored" in str(answer)))
    assert (made["type"], made["title"]) == (kind, title)
    assert made["files_read"] == (["a.ts"] if made["title"].startswith("Read") else [])


@table(
    ("tool", "given", "answer", "title"),
    [
        ("Grep", {"pattern": "lamp", "path": f"{ROOT}/pier"}, "Found 3 files\na.py\nb.py\nc.py",
         "Searched for “lamp” in pier: found 3 files"),
        ("Bash", {"command": "gh pr checks 12", "description": "List failing checks"},
         "Error: Exit code 1\nlint fail 4s", "List failing checks: exit code 1 (lint fail 4s)"),
        ("Bash", {"command": "cat pier/lamp.md 2>/dev/null", "description": "Read about the lamp"},
         {"stdout": "", "stderr": ""}, "Read about the lamp: printed nothing"),
        ("Read", {"file_path": f"{ROOT}/lamp.md"}, "Error: File does not exist.", "Failed to read lamp.md"),
        ("Bash", {"command": "sqlite3 x.db 'SELECT count(*) FROM t'", "description": "Count lamps"}, "12",
         "Count lamps: 12"),
    ],
)  # fmt: skip
def test_a_title_tells_how_it_came_out(tool: str, given: Any, answer: Any, title: str) -> None:
    failed = isinstance(answer, str) and answer.startswith("Error: ")
    assert seen(tool, given, answer, failed)["title"] == title


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("plans/phases/12-rigging-of-western-boats/12-notes.md", "…ging-of-western-boats/12-notes.md"),
        (r"C:\Users\dev\AppData\Local\Temp\agent\D--boats\15735695-7dd4-4367-9b11-3a8b95df\notes\mast.ps1",
         r"…\notes\mast.ps1"),
        ("out/results/the-ferry-waits-at-the-western-pier-until-the-mail-coach-is-there-webkit/error.md",
         "coach-is-there-webkit/error.md"),
    ],
)  # fmt: skip
def test_a_long_path_keeps_the_end_that_tells_it_apart(path: str, told: str) -> None:
    made = observation_fields(ToolUse("Read", {"file_path": path}, "brass"))
    assert told in made["title"]
