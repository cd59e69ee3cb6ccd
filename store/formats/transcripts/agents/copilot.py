"""Copilot CLI's transcripts: a session's events, those of its sub-agents among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ....records.dataclasses import replace
from ....records.events import AgentName, Event, ToolUse, Usage
from ..json_records import Record, items, mapping, moment_of, number, string, text_of
from ..reader import OpenCalls, State, new_branch

TYPED = (None, "user", "immediate-prompt")
"""Sources of a user's own message; others name the skill, agent or hook that wrote it."""

READ = (
    "user.message", "assistant.message", "session.usage_record", "tool.execution_start",
    "tool.execution_complete", "session.compaction_complete", "session.shutdown",
)  # fmt: skip
"""What begins a session whose own beginning is missing."""

_GUIDANCE = re.compile(r'\n\nTool "[^"\n]*" \w+\. Additional guidance from \w+ hooks:\n.*\Z', re.DOTALL)
"""What hooks, ours among them, add to a result."""


RECORDS = ("session.", "user.message", "assistant.", "tool.execution_", "hook.", "system.message")
"""How the types of its records begin."""


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is of a transcript of Copilot's."""
    kind = record.get("type")
    return isinstance(kind, str) and kind.startswith(RECORDS) and isinstance(record.get("data"), dict)


class CopilotReader:
    """Reads `session-state/ID/events.jsonl`, or `session-state/ID.jsonl` of older versions."""

    agent: AgentName = "copilot"

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state = state
        self.calls = OpenCalls(self.agent, state, shared=False)
        self.costs: dict[str, int] = state.setdefault("costs", {})
        state.setdefault("session", path.parent.name if path.stem == "events" else path.stem)

    def events(self, record: Record) -> Iterator[Event]:
        """Yield the events that a line completes."""
        kind, data = record.get("type"), mapping(record.get("data"))
        base = self._base(kind, record, data)
        if kind in READ and not self.state.get("started"):
            yield from self._start(base)
        match kind:
            case "session.start" | "session.resume":
                yield from self._start(base)
            case "session.context_changed" if base["branch"]:
                yield Event(**base | {"kind": "session_start"})
            case "session.title_changed" if title := string(data.get("title")):
                yield Event(**base | {"kind": "session_start", "title": title})
            case "user.message":
                yield from self._prompt(base, data)
            case "session.usage_record":
                yield from self._cost(base, mapping(data.get("usage")))
            case "assistant.message":
                yield from self._answer(base, data)
            case "tool.execution_start":
                yield from self._call(base, data, "toolName")
            case "tool.execution_complete":
                yield from self._result(base, data)
            case "session.compaction_complete" if data.get("success") is not False:
                text = string(data.get("summaryContent")) or ""
                yield Event(**base | {"kind": "compaction", "text": text})
            case "session.shutdown":
                failed = data.get("shutdownType") == "error"
                yield Event(**base | {"kind": "session_end", "failed": failed})

    def pending(self) -> Iterator[Event]:
        """Yield calls without results."""
        yield from self.calls.pending()

    def _base(self, kind: object, record: Record, data: Record) -> Record:
        """Return what the events of a record have in common; the session's directory may change."""
        if kind == "session.start":
            self.state["session"] = string(data.get("sessionId")) or self.state["session"]
        context = data if kind == "session.context_changed" else mapping(data.get("context"))
        self.state["cwd"] = string(context.get("cwd")) or self.state.get("cwd")
        return {
            "branch": new_branch(self.state, context.get("branch")),
            "agent": self.agent,
            "session": self.state["session"],
            "cwd": self.state["cwd"],
            "at": moment_of(record.get("timestamp")),
            "key": string(record.get("id")),
            "subagent": string(record.get("agentId")),
        }

    def _start(self, base: Record) -> Iterator[Event]:
        self.state["started"] = True
        start = {"kind": "session_start", "subagent": None, "transcript": str(self.path)}
        yield Event(**base | start)

    def _prompt(self, base: Record, data: Record) -> Iterator[Event]:
        text = text_of(data.get("content"))
        if text and not base["subagent"] and data.get("source") in TYPED:
            yield Event(**base | {"kind": "prompt", "text": text})

    def _cost(self, base: Record, fields: Record) -> Iterator[Event]:
        names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
        usage = Usage(*(number(fields.get(name)) for name in names))
        cached = usage.cache_read + usage.cache_written
        if usage.input >= cached:
            # All that was read, as the makers of most models count it.
            usage = replace(usage, input=usage.input - cached)
        self.costs[base["subagent"] or ""] = usage.output
        model = string(fields.get("model")) or ""
        yield Event(**base | {"kind": "usage", "usage": usage, "model": model})

    def _answer(self, base: Record, data: Record) -> Iterator[Event]:
        """Yield its calls; the first of them bears the cost, whose record came just before."""
        tokens = self.costs.pop(base["subagent"] or "", 0)
        requests = [mapping(request) for request in items(data.get("toolRequests"))]
        for request in requests:
            yield from self._call(base | {"tokens": tokens}, request, "name")
            tokens = 0
        text = text_of(data.get("content"))
        if text and not base["subagent"]:
            yield Event(**base | {"kind": "reply", "text": text, "is_final": not requests})

    def _call(self, base: Record, fields: Record, name: str) -> Iterator[Event]:
        key = string(fields.get("toolCallId"))
        if key and key not in self.calls.calls:
            tool = ToolUse(string(fields.get(name)) or "", fields.get("arguments"))
            yield from self.calls.open(key, Event(**base | {"kind": "tool", "tool": tool}))

    def _result(self, base: Record, data: Record) -> Iterator[Event]:
        failed = data.get("success") is False
        fields = mapping(data.get("error" if failed else "result"))
        response = string(fields.get("message" if failed else "content"))
        response = response or string(fields.get("detailedContent")) or ""
        key = string(data.get("toolCallId")) or ""
        yield from self.calls.close(key, _GUIDANCE.sub("", response), failed=failed, at=base["at"])
