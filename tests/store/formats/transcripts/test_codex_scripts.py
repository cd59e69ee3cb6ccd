"""Codex's code mode: each call of a script once, with its outcome; a refused patch is no edit."""

from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.formats.transcripts.agents.codex import CodexReader
from memtui.store.records.events import Event, ToolUse

from .readings import of, told
from .rollouts import THREAD, Line, begun, call, ended, given, item, line, meta, output, spent

PATH = Path(f"rollout-2026-02-02T02-40-00-{THREAD}.jsonl")
PATCH = "@@ -1,2 +1,2 @@\n def ttl():\n-    return 1\n+    return 60\n"


def script(key: str, code: str, second: int = 2) -> Line:
    about = {"name": "exec", "namespace": "functions", "input": code, "call_id": key}
    return line("response_item", second, type="custom_tool_call", **about)


def answer(key: str, text: object, second: int = 5) -> Line:
    about = {"call_id": key, "output": text}
    return line("response_item", second, type="custom_tool_call_output", **about)


def ran(key: str, command: str, out: str, code: int, second: int = 3) -> Line:
    about: dict[str, Any] = {
        "command": ["/bin/bash", "-lc", command],
        "aggregated_output": out,
        "exit_code": code,
    }
    status = "failed" if code else "completed"
    return item("CommandExecution", second, id=f"exec-{key}", status=status, **about)


def changed(key: str, status: str = "completed", second: int = 4) -> Line:
    changes = {"/home/dev/atlas/ttl.py": {"type": "update", "unified_diff": PATCH, "move_path": None}}
    return item("FileChange", second, id=f"exec-{key}", status=status, changes=changes)


CODE_MODE = [
    meta(), begun(), given("fix the TTL"),
    script("call_1", 'const a = await tools.exec_command({cmd: "python3 check.py"}); text(a);'),
    spent("r1", 42),
    ran("1", "python3 check.py", "AssertionError: expected 600, got 10\n", 1),
    answer("call_1", "Script completed\nWall time 0.1 seconds\nOutput:\n{}"),
    script("call_2", 'text(await tools.apply_patch("*** Begin Patch"));'),
    changed("2"),
    item("McpToolCall", 4, id="exec-3", server="memtui", tool="search", status="completed",
         arguments={"query": "ttl"}, result={"content": [{"type": "text", "text": "12 ttl"}]}),
    item("McpToolCall", 4, id="exec-4", server="tracker", tool="list_issues", status="failed",
         arguments={}, error={"message": "no such project"}),
    answer("call_2", "Script completed\nOutput:\n{}"),
    call("call_3", name="wait", cell_id="7"),
    output("call_3", "Script completed\nOutput:\n1 passed"),
    script("call_5", "text(1 + 1)"), answer("call_5", "2"),
    ended("Done."),
]  # fmt: skip


def stored(store: Store, lines: list[Line]) -> dict[str, Any]:
    for event in told(CodexReader, lines, PATH):
        ingest_event(store, event, "transcript")
    rows = store.observations.where("tool_name <> 'reply' ORDER BY id")
    return {one.title or "": one for one in rows}


def test_each_call_of_a_script_is_told_once_by_its_own_id() -> None:
    tools = of("tool", told(CodexReader, CODE_MODE, PATH))

    assert [event.key for event in tools] == ["exec-1", "exec-2", "exec-3", "exec-4"]
    assert all(event.shared for event in tools)
    assert [event.tokens for event in tools] == [42, 0, 0, 0]


def test_calls_of_a_script_have_their_outcomes(store: Store) -> None:
    rows = stored(store, CODE_MODE)

    (check,) = [one for title, one in rows.items() if "check.py" in title]
    assert (check.type, check.discovery_tokens) == ("error", 42)
    (edit,) = [one for title, one in rows.items() if "ttl.py" in title]
    assert (edit.type, edit.files_modified) == ("change", ("ttl.py",))
    assert [one.type for title, one in rows.items() if "memtui" in title] == ["noise"]
    assert [one.type for title, one in rows.items() if "tracker" in title] == ["error"]
    assert not any("tools." in title or "text(" in title for title in rows)


def test_what_the_hook_of_a_call_has_told_is_not_told_again(store: Store) -> None:
    hook = Event(
        kind="tool", agent="codex", session=THREAD, key="exec-1", shared=True, at=1_770_000_003_000,
        tool=ToolUse("Bash", {"command": "python3 check.py"}, "AssertionError: expected 600, got 10"),
    )  # fmt: skip
    ingest_event(store, hook, "hook")
    rows = stored(store, CODE_MODE)
    assert [one.type for title, one in rows.items() if "check.py" in title] == ["error"]


@pytest.mark.parametrize("status", ["failed", "declined"])
def test_a_patch_that_was_not_applied_is_no_edit(store: Store, status: str) -> None:
    lines = [meta(), begun(), script("c", "await tools.apply_patch(p)"), changed("1", status)]
    (row,) = stored(store, [*lines, answer("c", "Script failed")]).values()
    assert (row.type, row.files_modified) == ("error", ())


@pytest.mark.parametrize(
    "refusal",
    [
        "apply_patch verification failed: Failed to find expected lines in ttl.py",
        "unsupported custom tool call: apply_patch",
        "patch rejected: writing outside of the project",
    ],
)
def test_a_patch_that_codex_refused_is_no_edit(store: Store, refusal: str) -> None:
    patch = "*** Begin Patch\n*** Update File: ttl.py\n@@\n-a\n+b\n*** End Patch"
    about = {"name": "apply_patch", "input": patch, "call_id": "c"}
    lines = [meta(), begun(), line("response_item", 2, type="custom_tool_call", **about)]
    (row,) = stored(store, [*lines, answer("c", refusal)]).values()
    assert (row.type, row.files_modified) == ("error", ())


def test_a_sub_agents_end_is_its_calls_answer(store: Store) -> None:
    spawn = call(
        "c1", name="spawn_agent", namespace="collaboration", message="Count the files", task_name="count"
    )
    about = {"id": "c1", "kind": "started", "agent_thread_id": "t-2", "agent_path": "/root/count"}
    started = line("event_msg", 3, type="item_completed", item={"type": "SubAgentActivity"} | about)
    said = line("response_item", 5, type="agent_message", author="/root/count", recipient="/root",
                content=[{"type": "input_text", "text": "legacy.py is imported by nobody."}])  # fmt: skip
    lines = [meta(), begun(), spawn, started, output("c1", '{"task_name":"/root/count"}', 4), said]
    rows = stored(store, lines)

    (row,) = rows.values()
    assert (row.title, row.subtitle) == ("Delegated: count", "legacy.py is imported by nobody.")


OWN_NAMES = (
    "mcp__memtui__search", "mcp_memtui_search", "memtui-search", "memtui_search",
    "mcp__plugin_memtui_memtui__get", "memtui.search",
)  # fmt: skip


@pytest.mark.parametrize("name", OWN_NAMES)
def test_the_memorys_own_tools_are_noise_under_every_name(store: Store, name: str) -> None:
    use = ToolUse(name, {"query": "ttl"}, "12 ttl")
    ingest_event(store, Event(kind="tool", agent="copilot", session="s", tool=use), "hook")
    assert [one.type for one in store.observations.where("true")] == ["noise"]
