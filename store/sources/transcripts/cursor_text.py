"""Cursor's older transcripts: plain text, with a line before each speaker, call and result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...capture.events import Event, ToolUse
from .cursor import place, typed

LARGEST = 64 * 1024 * 1024

_SPEAKER = re.compile(r"^(user|assistant):[ \t]*\n", re.MULTILINE)
_TAG = re.compile(r"<(/?)user_query>")
_PART = re.compile(r"^\[(Thinking|Tool call|Tool result)\][ \t]*(.*)$")
_ARGUMENT = re.compile(r"^\s+(\w+)=(.*)$")


class CursorTextReader:
    """Reads `agent-transcripts/ID.txt`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def events(self) -> Iterator[Event]:
        """All its events; ValueError for a file that no such transcript is."""
        if self.path.stat().st_size > LARGEST:
            raise ValueError(f"is larger than {LARGEST:,} bytes")
        text = self.path.read_text("utf-8-sig", "replace").replace("\r\n", "\n")
        turns = list(_turns(f"{text}\n"))
        if not turns:
            raise ValueError("has no line that names a speaker")
        base = place(self.path)
        yield Event(**base | {"kind": "session_start", "transcript": str(self.path)})
        for number, (speaker, said) in enumerate(turns):
            if speaker == "user":
                if prompt := typed(said.strip()):
                    yield Event(**base | {"kind": "prompt", "key": f"{number}", "text": prompt})
                continue
            calls, words = _answer(said)
            for place_in_turn, tool in enumerate(calls):
                key = f"{number}-{place_in_turn}"
                yield Event(**base | {"kind": "tool", "key": key, "tool": tool})
            if words:
                yield Event(**base | {"kind": "reply", "key": f"{number}", "text": words})


def _turns(text: str) -> Iterator[tuple[str, str]]:
    """Who said what; a line that names a speaker inside a user's own words does not count."""
    speaker, start, seen, is_quoting = "", 0, 0, False
    for mark in _SPEAKER.finditer(text):
        tags = _TAG.findall(text, seen, mark.start())
        seen = mark.end()
        is_quoting = tags[-1] == "" if tags else is_quoting
        if is_quoting:
            continue
        if speaker:
            yield speaker, text[start : mark.start()]
        speaker, start = mark[1], mark.end()
    if speaker:
        yield speaker, text[start:]


def _answer(said: str) -> tuple[list[ToolUse], str]:
    """The calls of an assistant's turn with their results, and its words after the last of them."""
    calls: list[ToolUse] = []
    given: dict[str, Any] = {}
    lines: list[str] = []
    part = ""
    for line in said.split("\n"):
        if mark := _PART.match(line):
            part = mark[1]
            if part == "Tool call":
                given, lines = {}, []
                calls.append(ToolUse(mark[2].strip(), given))
            elif part == "Tool result" and calls:
                lines = []
                calls[-1] = ToolUse(calls[-1].name, given, "")
        elif part == "Tool call" and (argument := _ARGUMENT.match(line)):
            given[argument[1]] = argument[2]
        elif part == "Tool call" and line[:1].isspace() and given:
            given[list(given)[-1]] += f"\n{line.strip()}"
        elif part == "Tool result" and calls and line[:1].isspace():
            before = calls[-1].response
            text = f"{before}\n{line.strip()}" if before else line.strip()
            calls[-1] = ToolUse(calls[-1].name, given, text)
        else:
            part = ""
            lines.append(line)
    return calls, "\n".join(lines).strip()
