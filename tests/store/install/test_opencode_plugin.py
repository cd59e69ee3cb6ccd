"""The plugin tells each event to the command, gives sessions their context, and never throws."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memtui.store.install import Launcher

from .machine import Machine

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not on this machine")

DRIVER = Path(__file__).with_name("plugin_driver.mjs")
HOOK = """
import json, sys
with open({heard!r}, "a", encoding="utf-8") as heard:
    envelope = json.loads(sys.stdin.buffer.read())
    heard.write(json.dumps(["argv", *sys.argv[1:]]) + json.dumps(envelope) + "\\n")
if envelope["hook_event_name"] == "session.created":
    print("context of " + envelope["session_id"])
if "tokens" in envelope.get("prompt", ""):
    print("hint")
"""

Step = tuple[str, Any, Any]


@dataclass
class OpenCode:
    """Runs the installed plugin, and keeps what the command heard."""

    plugin: Path
    heard_by: Path

    def run(
        self, *steps: Step, known: dict[str, Any] | None = None, is_hanging: bool = False
    ) -> dict[str, Any]:
        module = self.plugin.with_suffix(".mjs")
        shutil.copy(self.plugin, module)
        told = {"plugin": str(module), "steps": steps, "known": known or {}, "isHanging": is_hanging}
        assert NODE is not None
        done = subprocess.run(
            [NODE, str(DRIVER)], input=json.dumps(told).encode(), capture_output=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, b"")
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    @property
    def heard(self) -> list[dict[str, Any]]:
        if not self.heard_by.exists():
            return []
        lines = self.heard_by.read_text().splitlines()
        assert all(line.startswith('["argv", "opencode"]') for line in lines)
        return [json.loads(line.removeprefix('["argv", "opencode"]')) for line in lines]


@pytest.fixture
def opencode(machine: Machine, tmp_path: Path) -> OpenCode:
    """OpenCode with the plugin, whose command writes down what it hears."""
    script = tmp_path / "store" / "capture" / "hook.py"
    script.parent.mkdir(parents=True)
    script.write_text(HOOK.format(heard=str(tmp_path / "heard.jsonl")))
    return OpenCode(installed(machine, Path(sys.executable), script), tmp_path / "heard.jsonl")


def installed(machine: Machine, python: Path, script: Path) -> Path:
    from memtui.store.install import install

    launcher = Launcher(python, script)
    (change,) = install("opencode", surroundings=machine.surroundings, launcher=launcher).changes
    return change.path


def event(kind: str, **properties: Any) -> Step:
    return ("event", {"event": {"type": kind, "properties": properties}}, None)


def created(session: str, **info: Any) -> Step:
    return event("session.created", info={"id": session, "title": "New", **info})


def prompt(session: str, text: str) -> Step:
    parts = [{"type": "text", "text": text}, {"type": "text", "text": "added", "synthetic": True}]
    return ("chat.message", {"sessionID": session}, {"message": {"id": "m1"}, "parts": parts})


def system(session: str) -> Step:
    return ("experimental.chat.system.transform", {"sessionID": session}, {"system": ["be good"]})


def reply(session: str, *texts: str, summary: bool = False) -> list[Step]:
    message = f"m-{texts[0]}"
    info = {"id": message, "sessionID": session, "role": "assistant", "summary": summary}
    return [
        event("message.updated", info=info),
        *(
            event(
                "message.part.updated",
                part={
                    "type": "text",
                    "id": f"part{number}",
                    "messageID": message,
                    "sessionID": session,
                    "text": text,
                },
            )
            for number, text in enumerate(texts)
        ),
        event("message.updated", info=info),
    ]


def test_a_session_is_told_from_its_start_to_its_end(opencode: OpenCode) -> None:
    used = {"tool": "bash", "sessionID": "s1", "callID": "c1", "args": {"command": "ls"}}
    opencode.run(
        created("s1"),
        prompt("s1", "list the files"),
        ("tool.execute.after", used, {"title": "ls", "output": "a\nb", "metadata": {"exit": 0}}),
        event("session.updated", info={"id": "s1", "title": "Files"}),
        *reply("s1", "There are", "two files."),
        event("session.status", sessionID="s1", status={"type": "idle"}),
        event("session.idle", sessionID="s1"),
        event("server.instance.disposed"),
        ("dispose", None, None),
    )
    place = {"session_id": "s1", "cwd": "/srv/atlas", "worktree": "/srv/atlas", "project_id": "p1"}
    assert opencode.heard == [
        {"hook_event_name": "session.created", **place, "source": "startup", "title": "New"},
        {"hook_event_name": "chat.message", **place, "message_id": "m1", "prompt": "list the files"},
        {
            "hook_event_name": "tool.execute.after",
            **place,
            "tool_name": "bash",
            "tool_use_id": "c1",
            "tool_input": {"command": "ls"},
            "tool_response": {"title": "ls", "output": "a\nb", "metadata": {"exit": 0}},
        },
        {
            "hook_event_name": "session.idle",
            **place,
            "title": "Files",
            "message_id": "m-There are",
            "last_assistant_message": "There are\ntwo files.",
        },
        {"hook_event_name": "server.instance.disposed", **place},
    ]


def test_a_tool_that_throws_is_told_at_once_and_once(opencode: OpenCode) -> None:
    def part(status: str, **more: Any) -> Step:
        state = {"status": status, "input": {"filePath": "a.py"}, **more}
        piece = {"type": "tool", "sessionID": "s1", "callID": "c1", "tool": "edit", "state": state}
        return event("message.part.updated", part=piece)

    opencode.run(created("s1"), part("running"), *2 * [part("error", error="no such text")])
    _, failure = opencode.heard
    assert failure["tool_response"] == {"error": "no such text"}
    assert (failure["failed"], failure["tool_use_id"]) == (True, "c1")


def test_the_agents_shell_names_its_session(opencode: OpenCode) -> None:
    asked: list[tuple[Any, Any]] = [({"sessionID": "s1"}, {"env": {}}), ({}, {"env": {}})]
    done = opencode.run(*(("shell.env", *step) for step in asked))
    assert [output["env"] for output in done["outputs"]] == [{"OPENCODE_SESSION_ID": "s1"}, {}]


def test_a_new_session_is_given_its_context_at_every_call(opencode: OpenCode) -> None:
    done = opencode.run(created("s1"), system("s1"), system("s1"))
    assert [output and output["system"] for output in done["outputs"]] == [
        None,
        ["be good", "context of s1\n"],
        ["be good", "context of s1\n"],
    ]
    assert done["asked"] == []


def test_a_continued_session_is_given_its_context_too(opencode: OpenCode) -> None:
    known = {"s1": {"id": "s1", "title": "Files", "directory": "/srv/other"}}
    done = opencode.run(prompt("s1", "go on"), system("s1"), known=known)
    assert done["outputs"][1]["system"] == ["be good", "context of s1\n"]
    assert done["asked"] == ["s1"]
    begun, asked = opencode.heard
    assert (begun["source"], begun["title"], begun["cwd"]) == ("resume", "Files", "/srv/other")
    assert asked["prompt"] == "go on"


def test_what_a_prompt_is_about_is_told_from_then_on(opencode: OpenCode) -> None:
    asked = [prompt("s1", "how long do tokens live?"), system("s1"), prompt("s1", "go on")]
    done = opencode.run(created("s1"), *asked, system("s1"))
    told = [output["system"] for output in done["outputs"] if output and "system" in output]
    assert told == [["be good", "context of s1\n", "hint\n"]] * 2


def test_a_sub_agents_events_name_their_parent(opencode: OpenCode) -> None:
    known = {"s3": {"id": "s3", "parentID": "s1"}}
    opencode.run(
        created("s2", parentID="s1"),
        prompt("s2", "help"),
        prompt("s3", "help"),
        ("dispose", None, None),
        known=known,
    )
    assert {one["parent_id"] for one in opencode.heard} == {"s1"}
    assert "server.instance.disposed" not in {one["hook_event_name"] for one in opencode.heard}


def test_a_summary_is_told_when_the_session_was_compacted(opencode: OpenCode) -> None:
    opencode.run(
        created("s1"),
        *reply("s1", "We fixed the clock.", summary=True),
        event("session.compacted", sessionID="s1"),
        event("session.idle", sessionID="s1"),
    )
    _, compacted, idle = opencode.heard
    assert compacted["compact_summary"] == "We fixed the clock."
    assert "last_assistant_message" not in idle


ODD: list[Step] = [
    event("session.created"),
    event("session.idle"),
    event("session.deleted", info=None),
    event("message.part.updated"),
    event("message.updated", info={"role": "assistant"}),
    event("nobody.knows", x=1),
    ("event", {}, None),
    ("event", None, None),
    ("chat.message", {}, {}),
    ("chat.message", None, None),
    ("chat.message", {"sessionID": "s1"}, {"parts": None}),
    ("tool.execute.after", {}, None),
    ("tool.execute.after", {"sessionID": "s1"}, None),
    ("experimental.chat.system.transform", {}, {"system": []}),
    ("experimental.chat.system.transform", {"sessionID": "s1"}, {}),
    ("dispose", None, None),
]


def test_odd_events_never_throw(opencode: OpenCode) -> None:
    opencode.run(*ODD)


@pytest.mark.parametrize("missing", ["python", "script"])
def test_a_missing_installation_never_throws(machine: Machine, tmp_path: Path, missing: str) -> None:
    python = tmp_path / "gone" if missing == "python" else Path(sys.executable)
    plugin = installed(machine, python, tmp_path / "store" / "capture" / "hook.py")
    opencode = OpenCode(plugin, tmp_path / "heard.jsonl")
    done = opencode.run(created("s1"), prompt("s1", "x"), system("s1"), *ODD)
    assert done["outputs"][2]["system"] == ["be good"]


def test_an_answer_that_never_comes_is_not_waited_for(opencode: OpenCode) -> None:
    done = opencode.run(system("s1"), is_hanging=True)
    assert done["outputs"][0]["system"] == ["be good", "context of s1\n"]


def test_a_command_that_hangs_is_given_up(machine: Machine, tmp_path: Path) -> None:
    script = tmp_path / "store" / "capture" / "hook.py"
    script.parent.mkdir(parents=True)
    script.write_text(f"open({str(tmp_path / 'begun')!r}, 'a').write('x')\nimport signal\nsignal.pause()\n")
    opencode = OpenCode(installed(machine, Path(sys.executable), script), tmp_path / "heard")
    opencode.run(*(prompt("s1", str(number)) for number in range(6)))
    assert (tmp_path / "begun").read_text() == "xxx"


def test_a_compaction_is_not_given_the_context(opencode: OpenCode) -> None:
    compacting: Step = ("experimental.session.compacting", {"sessionID": "s1"}, {"context": []})
    done = opencode.run(
        created("s1"),
        compacting,
        system("s1"),
        *reply("s1", "What was done.", summary=True),
        system("s1"),
        event("session.compacted", sessionID="s1"),
        system("s1"),
    )
    systems = [output["system"] for output in done["outputs"] if output and "system" in output]
    assert systems == [["be good"], ["be good"], ["be good", "context of s1\n"]]


def test_a_title_call_is_not_given_the_context(opencode: OpenCode) -> None:
    hook, given, _ = system("s1")
    title: Step = (hook, given, {"system": ["You are a title generator. Answer with a title."]})
    done = opencode.run(created("s1"), title, system("s1"))
    systems = [output["system"] for output in done["outputs"] if output and "system" in output]
    assert [len(texts) for texts in systems] == [1, 2]


def test_the_end_of_a_turn_is_told_once_by_whichever_event(opencode: OpenCode) -> None:
    is_idle = event("session.status", sessionID="s1", status={"type": "idle"})
    opencode.run(
        created("s1"),
        event("session.status", sessionID="s1", status={"type": "busy"}),
        *reply("s1", "Done."),
        is_idle,
        *reply("s1", "Again."),
        event("session.idle", sessionID="s1"),
        is_idle,
    )
    told = [one.get("last_assistant_message") for one in opencode.heard[1:]]
    assert told == ["Done.", "Again."]


def test_opencode_2_tells_the_same_events(opencode: OpenCode) -> None:
    module = opencode.plugin.with_suffix(".mjs")
    shutil.copy(opencode.plugin, module)
    call = {"sessionID": "s-1", "tool": "shell", "input": {"command": "make"}}
    told = {
        "plugin": str(module),
        "prompts": [{"sessionID": "s-1", "messageID": "m-1", "prompt": {"text": "Fix the tokens"}}],
        "calls": [
            call | {"id": "c-1", "status": "completed", "result": {"content": [{"text": "ok"}]}},
            call | {"id": "c-2", "status": "error", "error": {"message": "no such target"}},
        ],
        "events": [
            {"type": "session.created", "data": {"sessionID": "s-0", "location": {"directory": "/other"}}},
            {
                "type": "session.text.ended",
                "data": {"sessionID": "s-1", "assistantMessageID": "m-2", "text": "Done."},
            },
            {"type": "session.execution.succeeded", "data": {"sessionID": "s-1"}},
        ],
    }
    assert NODE is not None
    driver = DRIVER.with_name("plugin_driver_2.mjs")
    done = subprocess.run(
        [NODE, str(driver)], input=json.dumps(told).encode(), capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {"id": "memtui", "system": ["be good", "context of s-1\n", "hint\n"]}
    heard = {envelope["hook_event_name"]: envelope for envelope in opencode.heard}
    assert heard["chat.message"]["prompt"] == "Fix the tokens"
    assert heard["session.idle"]["last_assistant_message"] == "Done."
    assert {envelope["session_id"] for envelope in opencode.heard} == {"s-1"}
    tools = [e for e in opencode.heard if e["hook_event_name"] == "tool.execute.after"]
    assert [(e["tool_name"], e["tool_response"], e.get("failed")) for e in tools] == [
        ("bash", {"output": "ok"}, None),
        ("bash", {"error": "no such target"}, True),
    ]
