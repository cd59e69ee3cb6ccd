"""Qwen Code's chats: a tree of lines like Claude Code's, whose messages have Gemini's parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ....agents.subagents import notified
from ....records.events import Event, ToolUse, Usage
from ..json_records import Record, mapping, moment_of, number, objects, text, texts, with_thoughts
from ..reader import Branches, Identity, ReplyReader, State, new_branch
from .claude_code import link_of

INJECTED = ("<system-reminder>", "<state_snapshot>", "This is the Qwen Code.")
COMPRESSED = "chat_compression"


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is of a chat of Qwen Code's."""
    message = mapping(record.get("message"))
    return {"uuid", "parentUuid", "sessionId"} <= record.keys() and (
        "parts" in message or record.get("subtype") in ("ui_telemetry", "attribution_snapshot")
    )


class QwenCodeReader(ReplyReader):
    """Reads `projects/<slug>/chats/<id>.jsonl`. A line's uuid is the key of what it says, a call's id that
    of a tool use."""

    agent = "qwen-code"

    def __init__(self, path: Path, state: State) -> None:
        fresh: State = {"session": None, "cwd": None, "at": None, "reply": None, "calls": {}}
        self.path = path
        self.state: State = fresh | state
        self.branches = Branches(path, self.state, link_of)

    def identity(self, record: Record) -> Identity | None:
        """Return by what a line is known that a fork copies, or that is told again."""
        session = self.state["session"] or text(record.get("sessionId")) or self.path.stem
        return self._identity(record, session, "uuid", "parentUuid")

    def events(self, record: Record) -> Iterator[Event]:
        """Yield the events that a line completes."""
        state = self.state
        state["at"] = moment_of(record.get("timestamp")) or state["at"]
        branch = new_branch(state, record.get("gitBranch"))
        if state["session"] is None:
            state["session"] = text(record.get("sessionId")) or self.path.stem
            state["cwd"] = text(record.get("cwd")) or None
            yield self._event("session_start", transcript=str(self.path), branch=branch)
        elif branch:
            yield self._event("session_start", branch=branch)
        yield from self._went_back(self.branches, record, is_prompt=record.get("type") == "user")
        key, message = text(record.get("uuid")), mapping(record.get("message"))
        match record.get("type"):
            case "user":
                yield from self._asked(texts(message.get("parts")).strip(), key)
            case "assistant":
                yield from self._answered(record, message, key)
            case "tool_result":
                yield from self._called(record, message)
            case "system" if record.get("subtype") == COMPRESSED:
                yield from self._compressed(mapping(record.get("systemPayload")), key)

    def pending(self) -> Iterator[Event]:
        """Yield tool calls that have not ended, and the last answer unless the agent is at work."""
        for key, call in self.state["calls"].items():
            yield self._tool(key, call, ToolUse(call["name"], call["input"]))
        if not self.state["calls"]:
            yield from self._reply()

    def _asked(self, content: str, key: str) -> Iterator[Event]:
        if not content or content.startswith(INJECTED):
            return
        if report := notified(content):
            about = {"subagent": report.subagent, "text": report.text, "call": report.call}
            yield self._event("report", **about)
            return
        yield from self._reply()
        self.state["reply"] = None
        yield self._event("prompt", key=key, text=content)

    def _answered(self, record: Record, message: Record, key: str) -> Iterator[Event]:
        state, parts = self.state, objects(message.get("parts"))
        usage = mapping(record.get("usageMetadata"))
        if content := texts(parts).strip():
            yield from self._reply(is_final=False)
            state["reply"] = {"text": content, "key": key, "at": state["at"]}
        if usage:
            cached = number(usage.get("cachedContentTokenCount"))
            given, output = (number(usage.get(f"{name}TokenCount")) for name in ("prompt", "candidates"))
            thoughts, whole = (number(usage.get(f"{name}TokenCount")) for name in ("thoughts", "total"))
            spent = Usage(max(given - cached, 0), with_thoughts(output, thoughts, given, whole), cached)
            yield self._event("usage", key=key, usage=spent, model=text(record.get("model")))
        for index, part in enumerate(parts):
            if call := mapping(part.get("functionCall")):
                name = text(call.get("name")) or "unknown"
                state["calls"][text(call.get("id")) or f"{key}:{index}"] = {
                    "name": name, "input": call.get("args"), "at": state["at"],
                    "tokens": 0 if index else number(usage.get("candidatesTokenCount")),
                }  # fmt: skip

    def _called(self, record: Record, message: Record) -> Iterator[Event]:
        result = mapping(record.get("toolCallResult"))
        for part in objects(message.get("parts")):
            answer = mapping(part.get("functionResponse"))
            key = text(answer.get("id")) or text(result.get("callId"))
            call = self.state["calls"].pop(key, None)
            if call is None:
                continue
            response = mapping(answer.get("response"))
            failed = result.get("status") == "error" or bool(response.get("error"))
            fields: Record = {
                "llmContent": response.get("output"),
                "returnDisplay": result.get("resultDisplay"),
                "error": response.get("error"),
            }
            said = {name: value for name, value in fields.items() if value}
            yield self._tool(key, call, ToolUse(call["name"], call["input"], said or "", failed))

    def _compressed(self, payload: Record, key: str) -> Iterator[Event]:
        history = objects(payload.get("compressedHistory"))
        summary = next((said for entry in history if (said := texts(entry.get("parts")).strip())), "")
        if summary:
            yield self._event("compaction", key=key, text=summary)

    def _tool(self, key: str, call: Record, use: ToolUse) -> Event:
        return self._event("tool", key=key, at=call["at"], tool=use, tokens=call["tokens"])
