"""Cursor's transcripts: who said what, with neither times nor ids nor what tools answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...capture.events import Event, ToolUse
from .cursor_places import directory_of
from .fields import items, mapping, moment_of, string, text_of
from .reader import State

AGENT = "cursor"

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_CONTEXT = re.compile(r"<([a-z][a-z_]*)\b[^<>]*>.*?</\1>\s*", re.DOTALL)


def place(path: Path) -> dict[str, Any]:
    """What every event of a transcript has in common, told by where the file lies.

    The directory is that of its project's short name; None where that is ambiguous or gone.
    """
    folders = path.absolute().parts[:-1]
    is_below = folders[-1:] == ("subagents",)
    slug = None
    if "agent-transcripts" in folders[1:]:
        slug = folders[folders.index("agent-transcripts", 1) - 1]
    return {
        "agent": AGENT,
        "session": folders[-2] if is_below else path.stem,
        "subagent": path.stem if is_below else None,
        "cwd": slug and directory_of(slug),
    }


def typed(text: str) -> str:
    """What a human typed of a message, without what the editor has put around it."""
    if queries := _QUERY.findall(text):
        return "\n".join(queries).strip()
    return _CONTEXT.sub("", text).strip() if text.startswith("<") else text.strip()


class CursorReader:
    """Reads `agent-transcripts/ID.jsonl` or `agent-transcripts/ID/ID.jsonl`.

    Its events are called by their place in the file, which only grows.
    """

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state = state
        state.setdefault("records", 0)
        if "place" not in state:
            state["place"] = place(path)

    def events(self, record: dict[str, Any]) -> Iterator[Event]:
        """The events that a line completes."""
        self.state["records"] += 1
        count = self.state["records"]
        base = self.state["place"] | {"at": moment_of(record.get("timestamp"))}
        role = record.get("role")
        if role not in ("user", "assistant"):
            return
        if not self.state.get("started"):
            self.state["started"] = True
            transcript = None if base["subagent"] else str(self.path)
            yield Event(**base | {"kind": "session_start", "transcript": transcript})
        if not isinstance(record.get("message"), dict):
            raise ValueError("has a message that is no object")
        content = record["message"].get("content")
        text = text_of(content)
        if role == "user":
            yield from self._end_of_turn()
            if (prompt := typed(text)) and not base["subagent"]:
                yield Event(**base | {"kind": "prompt", "key": f"{count}", "text": prompt})
            return
        if text and not base["subagent"]:
            self.state["words"] = base | {"kind": "reply", "key": f"{count}", "text": text}
        for number, block in enumerate(map(mapping, items(content))):
            if block.get("type") == "tool_use":
                tool = ToolUse(string(block.get("name")) or "", block.get("input"))
                key = string(block.get("id")) or f"{count}-{number}"
                yield Event(**base | {"kind": "tool", "key": key, "tool": tool})

    def pending(self) -> Iterator[Event]:
        """The last words."""
        if words := self.state.get("words"):
            yield Event(**words)

    def _end_of_turn(self) -> Iterator[Event]:
        if words := self.state.pop("words", None):
            yield Event(**words)
