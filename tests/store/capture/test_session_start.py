"""The start of a session in the plain case is answered as the store would answer it."""

import json
import re
import signal
import time
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.hook_process.session_start import LAST_SECONDS, fast_answer, full_answer

from .hooks import Machine, Start, prompt, session_start

CLAUDE = {"session_id": "s-1", "hook_event_name": "SessionStart", "source": "startup"}
STARTS: dict[str, dict[str, Any]] = {
    "claude-code": CLAUDE,
    "codex": {**CLAUDE, "turn_id": "t-1", "model": "m"},
    "gemini": {**CLAUDE, "timestamp": "2026-11-01T10:00:00Z"},
    "trae": CLAUDE,
    "qwen-code": {**CLAUDE, "transcript_path": "/home/dev/.qwen/projects/p/chats/s-1.jsonl"},
    "pi": {**CLAUDE, "transcript_path": "/home/dev/.pi/agent/sessions/--p--/s-1.jsonl"},
    "vscode": {"sessionId": "s-1", "hookEventName": "SessionStart", "source": "new"},
    "cursor": {
        "conversation_id": "s-1", "generation_id": "g-1", "hook_event_name": "sessionStart",
        "cursor_version": "2.1",
    },
    "opencode": {"session_id": "s-1", "hook_event_name": "session.created"},
    "copilot": {"sessionId": "s-1", "timestamp": 1_771_364_160_000, "source": "new"},
}  # fmt: skip


def plain(machine: Machine, agent: str, told: dict[str, Any]) -> tuple[bytes, bool] | None:
    raw = json.dumps(told).encode()
    found = fast_answer(agent, raw, str(machine.database).encode())
    return found and found[:2]


def without_word(answer: bytes) -> str:
    """An answer without the random word of its block."""
    return re.sub(r'id=\\*"[0-9a-f]{8}', "id=", answer.decode())


@pytest.mark.parametrize(("agent", "told"), STARTS.items())
def test_it_is_what_the_store_answers(machine: Machine, agent: str, told: dict[str, Any]) -> None:
    machine.remember('a "lesson" \\ für\n刷新')
    folder = str(machine.folder / "project")
    place = {"workspace_roots": [folder]} if agent == "cursor" else {"cwd": folder}
    found = plain(machine, agent, told | place)
    full = full_answer(agent, json.dumps(told | place).encode(), str(machine.database).encode())
    assert found is not None and found[1]
    assert "lesson" in full.decode()
    assert without_word(found[0]) == without_word(full)


def test_what_is_not_plain_is_left_to_the_store(machine: Machine) -> None:
    folder = str(machine.folder / "project")
    assert plain(machine, "claude-code", {**CLAUDE, "cwd": folder}) is None
    machine.remember("a lesson")
    assert plain(machine, "claude-code", {**CLAUDE, "cwd": folder}) is not None
    for more in (
        {"cwd": str(machine.folder)},
        {"cwd": folder, "agent_id": "child"},
        {"cwd": folder, "hook_event_name": "SessionEnd"},
    ):
        assert plain(machine, "claude-code", CLAUDE | more) is None
    assert plain(machine, "nobody", {**CLAUDE, "cwd": folder}) is None


def test_what_waits_is_stored_before_it_is_told_but_what_no_context_shows(machine: Machine) -> None:
    machine.remember("a lesson")
    told = {**CLAUDE, "cwd": str(machine.folder / "project")}
    machine.hook(session_start("s-0") | {"agent_id": "child"})
    machine.hook({"session_id": "s-1", "hook_event_name": "InstructionsLoaded", "file_path": "a.md"})
    found = plain(machine, "claude-code", told)
    assert found is not None and found[1]
    machine.hook(prompt("fix the parser"))
    found = plain(machine, "claude-code", told)
    assert found is not None and not found[1]


@pytest.mark.parametrize("source", ["resume", "compact"])
def test_one_that_starts_again_is_told_what_it_does_not_hold_or_what_it_lost(
    machine: Machine, source: str
) -> None:
    machine.remember("an older lesson")
    event = {"session_id": "s-1", "hook_event_name": "SessionStart", "source": "startup"}
    first = machine.run(Start(json.dumps(event).encode()))
    assert b"an older lesson" in first.out
    with Store.open(machine.database) as memory:
        project, _ = memory.known_projects.of(str(machine.folder / "project"))
        row = memory.sessions.start("s-1", agent="claude-code", project=project)
        memory.observations.add(row, title="its own lesson", project=project)
        memory.observations.add("other", title="a newer lesson", project=project)
    again = machine.run(Start(json.dumps(event | {"source": source}).encode()))
    wanted, other = (b"a newer lesson", b"its own lesson")[:: 1 if source == "resume" else -1]
    assert wanted in again.out
    assert other not in again.out and b"an older lesson" not in again.out


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("claude-code", CLAUDE),
        ("copilot", {"sessionId": "s-1", "timestamp": 1_771_364_160_000, "source": "new"}),
    ],
)
def test_a_start_that_a_busy_machine_let_wait_still_tells_what_is_stored(
    machine: Machine, agent: str, told: dict[str, Any]
) -> None:
    machine.remember("a lesson")
    event = json.dumps({**told, "cwd": str(machine.folder / "project")}).encode()
    start = Start(event, (agent,), variables={"MEMTUI_HOOK_SECONDS": None})
    with machine.begin(start) as process:
        process.send_signal(signal.SIGSTOP)
        # Longer than a start takes that has something to print; the process doesn't run meanwhile.
        time.sleep(2 * LAST_SECONDS)
        process.send_signal(signal.SIGCONT)
        answer, _errors = process.communicate(event)
    assert b"a lesson" in answer
