"""Pi's sessions: a tree of lines, of which a fork copies those of its parent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ....records.events import Event, ToolUse, Usage
from ..json_records import Record, mapping, moment_of, number, objects, string, text, text_of
from ..reader import Branches, Identity, Link, OpenCalls, ReplyReader, State


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is of a session of Pi's."""
    if record.get("type") == "session":
        return "cwd" in record and "id" in record and "timestamp" in record
    return record.get("type") == "message" and {"id", "parentId", "message"} <= record.keys()


def link_of(record: Record) -> Link:
    """Return the id of an entry, and that of the one that it follows; the first ones follow the root."""
    root = "root" if "parentId" in record else None
    return string(record.get("id")), string(record.get("parentId")) or root


class PiReader(ReplyReader):
    """Reads `sessions/--<slug>--/<time>_<id>.jsonl`. An entry's id is the key of what it says, a call's id
    that of a tool use; sessions of the first version have no ids."""

    agent = "pi"

    def __init__(self, path: Path, state: State) -> None:
        fresh: State = {"session": None, "cwd": None, "at": None, "reply": None}
        self.path = path
        self.state: State = fresh | state
        self.calls = OpenCalls("pi", self.state, shared=True)
        self.branches = Branches(path, self.state, link_of)

    def identity(self, record: Record) -> Identity | None:
        """Return by what an entry is known that a fork copies, or that is told again."""
        is_entry = record.get("type") != "session"
        return self._identity(record, self.state["session"], "id", "parentId") if is_entry else None

    def events(self, record: Record) -> Iterator[Event]:
        """Yield the events that a line completes."""
        state, key = self.state, text(record.get("id")) or None
        state["at"] = moment_of(record.get("timestamp")) or state["at"]
        if state["session"] is None:
            named = key if record.get("type") == "session" else None
            state["session"] = named or self.path.stem.rpartition("_")[2]
            state["cwd"] = string(record.get("cwd"))
            yield self._event("session_start", transcript=str(self.path))
        if record.get("type") == "session":
            return
        is_prompt = mapping(record.get("message")).get("role") == "user"
        yield from self._went_back(self.branches, record, is_prompt=is_prompt)
        match record.get("type"):
            case "message":
                yield from self._message(mapping(record.get("message")), key)
            case "compaction" | "branch_summary":
                if summary := string(record.get("summary")):
                    yield self._event("compaction", key=key, text=summary)
            case "session_info":
                if title := string(record.get("name")):
                    yield self._event("session_start", title=title)

    def pending(self) -> Iterator[Event]:
        """Yield tool calls that have not ended, and the last answer unless the agent is at work."""
        yield from self.calls.pending()
        if not self.calls:
            yield from self._reply()

    def _message(self, message: Record, key: str | None) -> Iterator[Event]:
        content, role = message.get("content"), message.get("role")
        if role == "user" and (said := text_of(content)):
            yield from self._reply()
            self.state["reply"] = None
            yield self._event("prompt", key=key, text=said)
        elif role == "assistant":
            yield from self._answered(message, key)
        elif role == "toolResult":
            answer = {"output": text_of(content), "details": message.get("details")}
            failed = message.get("isError") is True
            response: object = answer["output"] if failed else answer
            yield from self.calls.close(text(message.get("toolCallId")), response, failed=failed)

    def _answered(self, message: Record, key: str | None) -> Iterator[Event]:
        state, used = self.state, mapping(message.get("usage"))
        if said := text_of(message.get("content")):
            yield from self._reply(is_final=False)
            state["reply"] = {"text": said, "key": key, "at": state["at"]}
        if used:
            fields = ("input", "output", "cacheRead", "cacheWrite")
            spent = Usage(*(number(used.get(name)) for name in fields))
            yield self._event("usage", key=key, usage=spent, model=text(message.get("model")))
        tokens = number(used.get("output"))
        for index, part in enumerate(objects(message.get("content"))):
            if part.get("type") == "toolCall":
                use = ToolUse(text(part.get("name")) or "unknown", part.get("arguments"))
                call = self._event("tool", tool=use, tokens=tokens)
                yield from self.calls.open(text(part.get("id")) or f"{key}:{index}", call)
                tokens = 0
