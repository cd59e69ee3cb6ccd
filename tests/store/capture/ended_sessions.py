"""Whole sessions of every kind of agent, as their hooks tell them, from a start to an end, or to none."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memtui.store.agents.registry import agent_called
from memtui.store.capture.hook_process import HandedOver
from memtui.store.capture.hook_process.child import store_event

from .hooks import Machine, Start

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AgentSession:
    """A session's events: the `first` and the `last` are given to hooks that are waited for, those
    `between` lie in the spool by then. Without a `first` nothing tells its start."""

    agent: str
    first: Event | None
    between: tuple[Event, ...]
    last: Event
    files: dict[str, str] = field(default_factory=dict)
    """Transcripts, by their paths in the home directory, which are there before the end."""

    def begin(self, machine: Machine, **variables: str | None) -> str:
        """Run the hook of its start, and of its first prompt where it is told at that; what it is given."""
        if self.first is None:
            return ""
        given = self._run(machine, self.first, variables)
        agent = agent_called(self.agent)
        is_told_later = agent is not None and agent.start_event
        return self._run(machine, self.between[0], variables) if is_told_later else given

    def end(self, machine: Machine, **variables: str | None) -> None:
        """Leave the events between in the spool, and run the hook of its last event."""
        for name, text in self.files.items():
            path = machine.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for event in self.between:
            spool_event(machine, self.agent, event)
        self._run(machine, self.last, variables)

    def _run(self, machine: Machine, event: Event, variables: dict[str, str | None]) -> str:
        start = Start(json.dumps(event).encode(), (self.agent,), variables=variables)
        return machine.run(start).out.decode()


def spool_event(machine: Machine, agent: str, event: Event) -> None:
    """Leave an event in the machine's spool, as a hook does."""
    raw = json.dumps(event).encode()
    handed_over = HandedOver(os.fsencode(machine.database), agent, raw, time.monotonic_ns())
    handed_over.folder = os.fsencode(machine.folder / "project")
    assert store_event(handed_over, b"")


def told(number: int) -> str:
    """What a session says that the next one has to be told."""
    return f"the root cause was leap table {number:05d}"


def claude(machine: Machine, number: int, agent: str = "claude-code", **more: Any) -> AgentSession:
    common = {"session_id": f"{agent}-{number}", "cwd": str(machine.folder / "project"), **more}

    def event(name: str, **fields: Any) -> Event:
        return {**common, "hook_event_name": name, **fields}

    return AgentSession(
        agent,
        event("SessionStart", source="startup"),
        (
            event("UserPromptSubmit", prompt="why does the clock drift?", turn_id=f"t{number}"),
            event(
                "PostToolUse",
                tool_name="Bash",
                tool_input={"command": "make build"},
                tool_response="built",
                tool_use_id=f"call-{number}",
            ),
            event("Stop", last_assistant_message=f"Found it: {told(number)}.", turn_id=f"t{number}"),
        ),
        event("SessionEnd", reason="exit"),
    )


def codex(machine: Machine, number: int) -> AgentSession:
    return claude(machine, number, "codex", model="m")


def codex_without_end(machine: Machine, number: int) -> AgentSession:
    """As version 0.125, which tells no session's end."""
    whole = codex(machine, number)
    return AgentSession("codex", whole.first, whole.between[:-1], whole.between[-1])


def killed(machine: Machine, number: int) -> AgentSession:
    """One that was killed amid its first turn: the prompt is all that was said."""
    whole = claude(machine, number)
    asked = {**whole.between[0], "prompt": f"see whether {told(number)}"}
    return AgentSession("claude-code", whole.first, (asked,), whole.between[1])


def trae(machine: Machine, number: int) -> AgentSession:
    """Trae tells the end of a turn, without the reply, and no session's end."""
    whole = claude(machine, number, "trae")
    asked = {**whole.between[0], "prompt": f"see whether {told(number)}"}
    stop = {**whole.between[2], "last_assistant_message": None}
    return AgentSession("trae", whole.first, (asked, whole.between[1]), stop)


def qwen(machine: Machine, number: int) -> AgentSession:
    """Qwen Code speaks Claude Code's dialect, and reports an empty prompt after a tool."""
    whole = claude(machine, number, "qwen-code")
    place = {"transcript_path": f"/home/dev/.qwen/projects/p/chats/{number}.jsonl"}
    events = (whole.first, *whole.between, whole.last)
    first, *between, last = ({**event, **place} for event in events if event)
    return AgentSession("qwen-code", first, (*between, {**between[0], "prompt": ""}), last)


def pi(machine: Machine, number: int) -> AgentSession:
    return claude(
        machine, number, "pi", transcript_path=f"/home/dev/.pi/agent/sessions/--p--/{number}.jsonl"
    )


def cline(machine: Machine, number: int) -> AgentSession:
    """Cline tells no prompts: they stand in its messages."""
    session = f"cline-{number}"

    def event(name: str, **fields: Any) -> Event:
        return {
            "taskId": f"conv_{number}", "sessionContext": {"rootSessionId": session}, "hookName": name,
            "workspaceRoots": [str(machine.folder / "project")], "parent_agent_id": None, **fields,
        }  # fmt: skip

    asked = [{"type": "text", "text": '<user_input mode="act">why does the clock drift?</user_input>'}]
    messages = {"sessionId": session, "agent": "lead", "messages": [{"role": "user", "content": asked}]}
    folder = f".cline/data/sessions/{session}"
    return AgentSession(
        "cline",
        None,
        (event("agent_start"), event("agent_end", turn={"outputText": f"Found it: {told(number)}."})),
        event("session_shutdown"),
        {
            f"{folder}/{session}.messages.json": json.dumps(messages),
            f"{folder}/{session}.json": json.dumps({"cwd": str(machine.folder / "project")}),
        },
    )


def cursor(machine: Machine, number: int) -> AgentSession:
    common = {
        "conversation_id": f"cursor-{number}",
        "generation_id": f"g{number}",
        "cursor_version": "2.4",
        "workspace_roots": [str(machine.folder / "project")],
    }

    def event(name: str, **fields: Any) -> Event:
        return {**common, "hook_event_name": name, **fields}

    return AgentSession(
        "cursor",
        event("sessionStart", session_id=common["conversation_id"]),
        (
            event("beforeSubmitPrompt", prompt="why does the clock drift?"),
            event("afterAgentResponse", text=f"Found it: {told(number)}."),
            event("stop", status="completed"),
        ),
        event("sessionEnd", reason="completed", final_status="completed"),
    )


def gemini(machine: Machine, number: int) -> AgentSession:
    def event(name: str, second: int, **fields: Any) -> Event:
        at = time.strftime("%Y-%m-%dT%H:%M", time.gmtime()) + f":{second:02d}.{number % 1000:03d}Z"
        return {
            "session_id": f"gemini-{number}",
            "cwd": str(machine.folder / "project"),
            "hook_event_name": name,
            "timestamp": at,
            **fields,
        }

    prompt = "why does the clock drift?"
    return AgentSession(
        "gemini",
        event("SessionStart", 0, source="startup"),
        (
            event("BeforeAgent", 1, prompt=prompt),
            event("AfterAgent", 2, prompt=prompt, prompt_response=f"Found it: {told(number)}."),
        ),
        event("SessionEnd", 3, reason="exit"),
    )


def opencode(machine: Machine, number: int) -> AgentSession:
    def event(name: str, **fields: Any) -> Event:
        return {
            "session_id": f"ses_{number}",
            "cwd": str(machine.folder / "project"),
            "hook_event_name": name,
            **fields,
        }

    return AgentSession(
        "opencode",
        event("session.created"),
        (
            event("chat.message", message_id=f"m{number}", prompt="why does the clock drift?"),
            event(
                "session.idle", message_id=f"r{number}", last_assistant_message=f"Found it: {told(number)}."
            ),
        ),
        event("server.instance.disposed"),
    )


def copilot(machine: Machine, number: int, **more: Any) -> AgentSession:
    """Copilot's hooks don't tell the reply: it stands in the transcript."""
    session, begun = f"copilot-{number}", int(time.time() * 1_000)
    name = f".copilot/session-state/{session}/events.jsonl"

    def event(step: int, **fields: Any) -> Event:
        place = str(machine.folder / "project")
        return {"sessionId": session, "timestamp": begun + step, "cwd": place, **fields}

    return AgentSession(
        "copilot",
        event(0, source="new"),
        (
            event(1, prompt="why does the clock drift?"),
            event(9, stopReason="end_turn", transcriptPath=str(machine.home / name)),
        ),
        event(10, reason="complete"),
        {name: copilot_transcript(session, begun, [told(number)])},
    )


def copilot_transcript(session: str, begun: int, replies: list[str], apart: int = 8) -> str:
    """A transcript in which prompts were answered so, each `apart` ms after the last."""

    def line(kind: str, step: int, **data: Any) -> str:
        at = begun + step
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at // 1_000))
        return json.dumps(
            {
                "type": kind,
                "data": data,
                "id": f"{session}-{kind}-{step}",
                "timestamp": f"{stamp}.{at % 1_000:03d}Z",
            }
        )

    lines = [line("session.start", 0, sessionId=session)]
    for turn, reply in enumerate(replies):
        lines.append(line("assistant.message", turn * apart + 5, content=f"Found it: {reply}."))
    return "\n".join(lines) + "\n"


def windsurf(machine: Machine, number: int) -> AgentSession:
    """Windsurf knows sessions neither to start nor to end."""

    def event(name: str, **info: Any) -> Event:
        return {
            "agent_action_name": name,
            "trajectory_id": f"windsurf-{number}",
            "execution_id": f"e{number}",
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "tool_info": info,
        }

    return AgentSession(
        "windsurf",
        None,
        (event("pre_user_prompt", user_prompt="why does the clock drift?"),),
        event("post_cascade_response", response=f"Found it: {told(number)}."),
    )


KINDS: dict[str, Callable[[Machine, int], AgentSession]] = {
    "claude-code": claude,
    "codex": codex,
    "codex without ends": codex_without_end,
    "cursor": cursor,
    "gemini": gemini,
    "opencode": opencode,
    "copilot": copilot,
    "windsurf": windsurf,
    "trae": trae,
    "qwen-code": qwen,
    "pi": pi,
    "cline": cline,
    "killed": killed,
}
