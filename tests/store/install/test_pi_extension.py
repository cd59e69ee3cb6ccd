"""Pi's extension tells each event to the command, gives prompts their context, and never throws."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memtui.store.install import Launcher, install

from .machine import Machine

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not on this machine")

DRIVER = """
import { readFileSync } from "node:fs"
const { extension, steps, entries } = JSON.parse(readFileSync(0, "utf8"))
const handlers = {}
const { default: extend } = await import(extension)
extend({ on: (name, handler) => (handlers[name] = handler) })
const sessionManager = {
  getSessionId: () => "i-1", getSessionFile: () => "/s/i-1.jsonl",
  getCwd: () => "/srv/atlas", getEntries: () => entries,
}
const outputs = []
for (const [name, event] of steps) outputs.push((await handlers[name](event, { sessionManager })) ?? null)
process.stdout.write(JSON.stringify(outputs))
"""
HOOK = """
import json, sys
event = json.loads(sys.stdin.buffer.read())
with open({heard!r}, "a", encoding="utf-8") as heard:
    heard.write(json.dumps(event) + "\\n")
if event["hook_event_name"] == "SessionStart":
    print("the context")
if "tokens" in event.get("prompt", ""):
    print("a hint")
"""
PLACE = {"session_id": "i-1", "transcript_path": "/s/i-1.jsonl", "cwd": "/srv/atlas"}
ASKED = {"prompt": "fix it", "systemPrompt": "be good"}


def words(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}, {"type": "image", "data": ""}]


class Pi:
    """Runs the installed extension as Pi does, and keeps what the command heard."""

    def __init__(self, machine: Machine, folder: Path) -> None:
        script = folder / "store" / "capture" / "hook.py"
        script.parent.mkdir(parents=True)
        self._heard = folder / "heard.jsonl"
        script.write_text(HOOK.format(heard=str(self._heard)))
        launcher = Launcher(Path(sys.executable), script)
        (change,) = install("pi", surroundings=machine.surroundings, launcher=launcher).changes
        self._module = change.path.with_suffix(".mjs")
        shutil.copy(change.path, self._module)

    def run(self, *steps: tuple[str, Any], entries: tuple[Any, ...] = ()) -> list[Any]:
        told = {"extension": str(self._module), "steps": steps, "entries": entries}
        assert NODE is not None
        done = subprocess.run(
            [NODE, "--input-type=module", "-e", DRIVER],
            input=json.dumps(told).encode(), capture_output=True, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        outputs: list[Any] = json.loads(done.stdout)
        return outputs

    @property
    def heard(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._heard.read_text().splitlines()]


@pytest.fixture
def pi(machine: Machine, tmp_path: Path) -> Pi:
    return Pi(machine, tmp_path)


def test_a_session_is_told_from_its_start_to_its_end(pi: Pi) -> None:
    done, failure = ({"content": words(text)} for text in ("x", "no such file"))
    read, edit = ({"toolCallId": id, "toolName": name} for id, name in (("c1", "read"), ("c2", "edit")))
    pi.run(
        ("session_start", {"reason": "startup"}),
        ("before_agent_start", ASKED),
        ("message_end", {"message": {"role": "user", "content": words("fix it")}}),
        ("tool_execution_start", {**read, "args": {"path": "a"}}),
        ("tool_execution_end", {**read, "result": done}),
        ("tool_execution_start", {**edit, "args": {"path": "b"}}),
        ("tool_execution_end", {**edit, "result": failure, "isError": True}),
        ("message_end", {"message": {"role": "user", "content": "and b"}}),
        ("agent_end", {"messages": [{"role": "assistant", "content": words("fixed")}, {"role": "user"}]}),
        ("session_compact", {"compactionEntry": {"id": "e1", "summary": "so far"}}),
        ("session_shutdown", {"reason": "quit"}),
    )  # fmt: skip
    expected: list[tuple[str, dict[str, Any]]] = [
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "fix it"}),
        ("PostToolUse", {
            "tool_name": "read", "tool_use_id": "c1", "tool_input": {"path": "a"},
            "tool_response": {"output": "x"},
        }),
        ("PostToolUseFailure", {
            "tool_name": "edit", "tool_use_id": "c2", "tool_input": {"path": "b"}, "error": "no such file",
        }),
        ("UserPromptSubmit", {"prompt": "and b"}),
        ("Stop", {"last_assistant_message": "fixed"}),
        ("PostCompact", {"entry_id": "e1", "compact_summary": "so far"}),
        ("SessionEnd", {"reason": "quit"}),
    ]  # fmt: skip
    assert pi.heard == [{"hook_event_name": name, **PLACE, **more} for name, more in expected]


def test_every_prompt_is_given_the_context_and_its_hints(pi: Pi) -> None:
    _, first, second = pi.run(
        ("session_start", {"reason": "startup"}),
        ("before_agent_start", ASKED),
        ("before_agent_start", {**ASKED, "prompt": "how long do tokens live?"}),
    )
    assert first == {"systemPrompt": "be good\n\nthe context\n"}
    assert second == {"systemPrompt": "be good\n\nthe context\n\n\na hint\n"}


def test_a_session_that_has_begun_before_is_resumed(pi: Pi) -> None:
    pi.run(
        ("session_start", {"reason": "startup"}),
        ("session_start", {"reason": "reload"}),
        entries=({"type": "message"},),
    )
    assert [event["source"] for event in pi.heard] == ["resume"]


def test_odd_events_never_throw(pi: Pi) -> None:
    names = "session_start before_agent_start message_end tool_execution_end agent_end session_compact"
    odd: tuple[Any, ...] = ({}, None)
    pi.run(*((name, event) for name in names.split() for event in odd))
