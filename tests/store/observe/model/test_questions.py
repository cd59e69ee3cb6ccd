"""What a model is asked about a turn: what is new, without what says nothing, and each edit as a diff."""

import json
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.config import ModelSettings
from memtui.store.observe.jobs.job import process
from memtui.store.observe.jobs.model_observer import event_text
from memtui.store.records.events import Event, ToolUse
from tests.store.observe.scripted_model import asked_of, said
from tests.store.observe.turns import FIX, TEST, take_turn
from tests.store.scripted_server import ScriptedServer

OLD = "".join(f"line {number}\n" for number in range(200))
NEW = OLD.replace("line 100\n", "line one hundred\n")
CLAUDE_EDIT = ToolUse(
    "Edit",
    {"file_path": "/srv/atlas/a.py", "old_string": OLD, "new_string": NEW},
    {
        "filePath": "/srv/atlas/a.py", "oldString": OLD, "newString": NEW, "originalFile": OLD * 3,
        "structuredPatch": [{"lines": ["-line 100", "+line one hundred"]}],
    },
)  # fmt: skip


def test_an_edit_is_shown_as_a_diff_and_its_answer_not_at_all() -> None:
    shown = event_text(CLAUDE_EDIT, "/srv/atlas", 3_000)
    assert shown.keys() == {"paths", "edit"}
    assert shown["paths"] == "a.py"
    assert "-line 100\n+line one hundred\n" in shown["edit"]
    assert "line 50" not in shown["edit"]
    assert len(json.dumps(shown)) < 200


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (
            ToolUse("MultiEdit", {"file_path": "a.py", "edits": [
                {"old_string": "one", "new_string": "two"}, {"old_string": "x", "new_string": ""},
            ]}),
            ["-one", "+two", "-x"],
        ),
        (ToolUse("apply_patch", {"command": "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b"}),
         ["*** Update File: a.py", "-a", "+b"]),
        (ToolUse("Write", {"file_path": "a.py", "content": "print(1)"}, {"type": "create"}), ["print(1)"]),
        (ToolUse("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"},
                 "Error: String to replace not found", failed=True), ["-a", "not found"]),
        (ToolUse("Bash", {"command": "ls"}, {"stdout": "a.py", "stderr": "", "isImage": False}),
         ['"input": "ls"', '"response": "a.py"']),
        (ToolUse("odd", None, None), []),
        (ToolUse("Edit", {"edits": "no list", "old_string": 7}, [None]), []),
    ],
    ids=lambda value: value.name if isinstance(value, ToolUse) else "",
)  # fmt: skip
def test_each_tool_is_shown_by_what_it_did(tool: ToolUse, expected: list[str]) -> None:
    shown = json.dumps(event_text(tool, None, 3_000))
    for part in expected:
        assert part in shown
    assert '"isImage' not in shown


@pytest.mark.parametrize("room", [100, 3_000])
def test_what_is_shown_is_bounded(room: int) -> None:
    for tool in (
        ToolUse("Edit", {"old_string": "a\n" * 99_999, "new_string": "b\n" * 99_999}),
        ToolUse("Write", {"content": "x" * 99_999}),
        ToolUse("Read", {"file_path": "a.py"}, {"file": {"content": "y" * 99_999}}),
        ToolUse("Bash", {"command": "z" * 99_999}, {"stdout": "o" * 99_999}),
    ):
        assert sum(map(len, event_text(tool, None, room).values())) < 2 * room + 200


def edit(store: Store) -> None:
    event = Event(
        kind="tool", agent="claude-code", session="c-1", key="edit", cwd="/srv/atlas", tool=CLAUDE_EDIT
    )  # fmt: skip
    ingest_event(store, event, "hook")


def test_a_turn_is_told_with_what_is_new_and_the_answer_adds_to_the_summary(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    summaries: list[dict[str, Any]] = [
        {
            "request": "Find out why the clock drifts", "investigated": "clock.py and its tests",
            "learned": "The timer counts leap seconds twice.", "decisions": "We keep UTC everywhere.",
            "completed": "The leap second is counted once.", "next_steps": "Rename the timer.",
        },
        {"request": "", "learned": "", "completed": "The changelog tells of it."},
    ]  # fmt: skip
    server.answers = lambda _: said(
        json.dumps({"observations": [], "summary": summaries[len(server.bodies) - 1]})
    )
    take_turn(store, FIX, prompt="why does the clock drift?", reply="It is fixed.")
    edit(store)
    process(store, settings)
    take_turn(store, TEST, prompt="and write it down", reply="Done.")
    process(store, settings)
    first, second = (asked_of(body) for body in server.bodies[:2])
    assert first["summary_so_far"]["request"]
    assert "leap seconds twice" in second["summary_so_far"]["learned"]
    assert len(second["events"]) == 1, "only what is new is told"
    (detailed,) = (one for one in store.summaries.recent() if one.level == "detailed")
    told = " ".join(str(getattr(detailed, name)) for name in (
        "request", "investigated", "learned", "completed", "next_steps", "notes",
    ))  # fmt: skip
    for part in ("leap seconds twice", "keep UTC", "counted once", "changelog tells", "clock.py"):
        assert part in told
