"""Cursor's transcripts: who said what, without times, ids, or answers of tools."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path

from ....platform.regular_file import open_regular, read_regular
from ....platform.translation import _
from ....records.events import Event, ToolUse
from ..json_records import Record, items, mapping, moment_of, string, text_of
from ..reader import FileReader, State

AGENT = "cursor"

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_CONTEXT = re.compile(r"<([a-z][a-z_]*)\b[^<>]*>.*?</\1>\s*", re.DOTALL)

_SIGN = re.compile(r"[^A-Za-z0-9]")

LARGEST = 64 * 1024 * 1024

_SPEAKER = re.compile(r"^(user|assistant):[ \t]*\n", re.MULTILINE)
_TAG = re.compile(r"<(/?)user_query>")
_PART = re.compile(r"^\[(Thinking|Tool call|Tool result)\][ \t]*(.*)$")
_ARGUMENT = re.compile(r"^\s+(\w+)=(.*)$")


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is of a transcript of Cursor's."""
    return (
        record.get("type") is None
        and record.get("role") in ("user", "assistant")
        and bool(mapping(record.get("message")))
    )


def event_base(path: Path) -> Record:
    """Return what every event of a transcript has in common, by the path of the file.

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


def typed_text(text: str) -> str:
    """Return what a human typed of a message, without what the editor has put around it."""
    if queries := _QUERY.findall(text):
        return "\n".join(queries).strip()
    return _CONTEXT.sub("", text).strip() if text.startswith("<") else text.strip()


class CursorReader:
    """Reads `agent-transcripts/ID.jsonl` or `agent-transcripts/ID/ID.jsonl`.

    An event's key is its position in the file, which only grows.
    """

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state = state
        state.setdefault("records", 0)
        if "place" not in state:
            state["place"] = event_base(path)

    def events(self, record: Record) -> Iterator[Event]:
        """Yield the events that a line completes."""
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
            raise ValueError(_("has a message that is not an object"))
        content = record["message"].get("content")
        text = text_of(content)
        if role == "user":
            yield from self.pending()
            self.state.pop("words", None)
            if (prompt := typed_text(text)) and not base["subagent"]:
                yield Event(**base | {"kind": "prompt", "key": f"{count}", "text": prompt})
            return
        if text and not base["subagent"]:
            if before := self.state.get("words"):
                yield Event(**before | {"is_final": False})
            self.state["words"] = base | {"kind": "reply", "key": f"{count}", "text": text}
        for number, block in enumerate(map(mapping, items(content))):
            if block.get("type") == "tool_use":
                tool = ToolUse(string(block.get("name")) or "", block.get("input"))
                key = string(block.get("id")) or f"{count}-{number}"
                yield Event(**base | {"kind": "tool", "key": key, "tool": tool})

    def pending(self) -> Iterator[Event]:
        """Yield the last words."""
        if words := self.state.get("words"):
            yield Event(**words)


@lru_cache(maxsize=256)
def directory_of(slug: str, top: Path = Path("/")) -> str | None:
    """Return the one directory below `top` whose path makes this short name; None for none or several."""
    paths = list(islice(_directories(top, slug), 2))
    return str(paths[0]) if len(paths) == 1 else None


def _directories(folder: Path, rest: str) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            short = _SIGN.sub("-", entry.name)
            if rest != short and not rest.startswith(f"{short}-"):
                continue
            with suppress(OSError):
                if not entry.is_dir():
                    continue
                if rest == short:
                    yield folder / entry.name
                else:
                    yield from _directories(folder / entry.name, rest[len(short) + 1 :])


class CursorTextReader(FileReader):
    """Reads `agent-transcripts/ID.txt`."""

    @classmethod
    def recognizes_file(cls, path: Path) -> bool:
        """Return whether a text file is a transcript of Cursor's, by its first line."""
        with open_regular(path) as file:
            first = file.readline(64).decode("utf-8-sig", "replace").strip()
        return first in ("user:", "assistant:")

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError for a file that is no such transcript."""
        if self.path.stat().st_size > LARGEST:
            raise ValueError(_("is larger than {largest} bytes", largest=f"{LARGEST:,}"))
        raw = read_regular(self.path, LARGEST)
        text = raw.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
        turns = list(_turns(f"{text}\n"))
        if not turns:
            raise ValueError(_("has no line that names a speaker"))
        base = event_base(self.path)
        yield Event(**base | {"kind": "session_start", "transcript": str(self.path)})
        for number, (speaker, said) in enumerate(turns):
            if speaker == "user":
                if prompt := typed_text(said.strip()):
                    yield Event(**base | {"kind": "prompt", "key": f"{number}", "text": prompt})
                continue
            calls, words = _answer(said)
            for place_in_turn, tool in enumerate(calls):
                key = f"{number}-{place_in_turn}"
                yield Event(**base | {"kind": "tool", "key": key, "tool": tool})
            if words:
                yield Event(**base | {"kind": "reply", "key": f"{number}", "text": words})


def _turns(text: str) -> Iterator[tuple[str, str]]:
    """Yield speaker and words; a line that names a speaker inside a user's own words does not count."""
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
    """Return the calls of an assistant's turn with their results, and its words after the last of them."""
    calls: list[ToolUse] = []
    given: Record = {}
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
