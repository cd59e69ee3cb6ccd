"""Gemini CLI's chats: lines of messages, each repeated whenever it has grown, and whole files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from ....platform.regular_file import LONGEST as LARGEST
from ....platform.regular_file import read_regular
from ....platform.translation import _
from ....records.events import Event, EventKind, ToolUse, Usage
from ..json_records import Record, mapping, moment_of, number, objects, records_of, text, texts
from ..reader import FileReader, ReplyReader, State, read_beside, read_json

UNFINISHED = ("validating", "scheduled", "awaiting_approval", "executing")
SUMMARY_BEGINS = "<state_snapshot>"
INJECTED = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context for our chat.",
    "System: Please continue.",
)

# What a hook adds is escaped, so that no "<" stands in it.
HOOK_CONTEXT = re.compile(r"<hook_context>[^<]*+</hook_context>\s*+")

ABSOLUTE = re.compile(r"/[^\s\"'\\<>:*?|`,;()\[\]{}]+")


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is of a chat of Gemini's."""
    if "$set" in record or "$rewindTo" in record or record.get("type") == "gemini":
        return True
    return "sessionId" in record and ("projectHash" in record or "startTime" in record)


class GeminiReader(ReplyReader):
    """Reads `tmp/<project>/chats/session-….jsonl`, and those of sub-agents in a folder beneath.

    Whatever was once said gives events, also what a checkpoint takes back; a rewind takes back the prompts
    behind it. A message's id is the key of all its events, so that repeating it changes nothing.
    """

    agent = "gemini"

    def __init__(self, path: Path, state: State) -> None:
        fresh: State = {"session": None, "subagent": None, "cwd": None, "title": None}
        fresh |= {"at": None, "reply": None, "calls": {}, "used": None, "asked": []}
        self.path = path
        self.state: State = fresh | state

    def events(self, record: Record) -> Iterator[Event]:
        """Yield the events that a line completes; what is no message and no beginning completes none."""
        if "$set" in record:
            change = mapping(record["$set"])
            for message in objects(change.get("messages")):
                yield from self._message(message, is_repeated=True)
            yield from self._titled(text(change.get("summary")))
        elif "$rewindTo" in record:
            yield from self._rewind(text(record["$rewindTo"]))
        elif "type" in record:
            yield from self._message(record)
        else:
            if "sessionId" in record:
                yield from self._session(record)
            for message in objects(record.get("messages")):
                yield from self._message(message)

    def pending(self) -> Iterator[Event]:
        """Yield tool calls that have not ended, and the last answer unless the agent is at work."""
        for key, call in self.state["calls"].items():
            use = ToolUse(call["name"], call["input"])
            yield self._event("tool", at=call["at"], key=key, tool=use, tokens=call["tokens"])
        reply = self.state["reply"]
        if reply and not reply["is_open"]:
            yield from self._reply()

    def _session(self, record: Record) -> Iterator[Event]:
        """Yield the session's start: a chat describes itself when it begins, and whenever it is resumed."""
        state = self.state
        identity = text(record.get("sessionId")) or self.path.stem
        is_nested = record.get("kind") == "subagent"
        folder = self.path.parent
        parent = folder.name if is_nested and folder.parent.name == "chats" else identity
        title = text(record.get("summary")) or state["title"]
        known = {"session": parent, "subagent": identity if is_nested else None, "title": title}
        if known.items() <= state.items():
            return
        state |= known
        state["cwd"] = state["cwd"] or working_directory(self.path, text(record.get("projectHash")))
        state["at"] = moment_of(record.get("startTime")) or state["at"]
        about = {} if is_nested else {"title": title, "transcript": str(self.path)}
        yield self._event("session_start", **about)

    def _rewind(self, message: str) -> Iterator[Event]:
        """Yield that what was asked in a message and behind it was taken back."""
        asked: list[str] = self.state["asked"]
        before = asked[: asked.index(message)] if message in asked else self._asked_before(message)
        gone = tuple(key for key in asked if key not in before)
        self.state["asked"] = before
        yield from self._reply()
        self.state["reply"] = None
        if gone:
            yield self._event("rewind", taken_back=gone)

    def _asked_before(self, answer: str) -> list[str]:
        """Return what was asked before an answer, as the file tells it; all where it isn't there."""
        told: list[str] = []
        with suppress(OSError):
            for record in records_of(self.path):
                told.append(text(record.get("id")))
                if told[-1] == answer:
                    return [key for key in self.state["asked"] if key in told]
        return list(self.state["asked"])

    def _titled(self, title: str) -> Iterator[Event]:
        if title and title != self.state["title"] and not self.state["subagent"]:
            self.state["title"] = title
            yield self._event("session_start", title=title)

    def _message(self, message: Record, *, is_repeated: bool = False) -> Iterator[Event]:
        key = text(message.get("id")) or None
        at = moment_of(message.get("timestamp")) or self.state["at"]
        if message.get("type") == "user":
            if key and key not in self.state["asked"]:
                self.state["asked"].append(key)
            yield from self._asked(message, key, at)
        elif message.get("type") == "gemini" and not is_repeated:
            # A checkpoint has answers in the model's own form, without results and times.
            self.state["at"] = at
            yield from self._answered(message, key, at)

    def _asked(self, message: Record, key: str | None, at: int | None) -> Iterator[Event]:
        content = texts(message.get("displayContent")) or texts(message.get("content"))
        content = HOOK_CONTEXT.sub("", content).strip()
        if not content or content.startswith(INJECTED):
            return
        yield from self._reply()
        self.state["reply"] = None
        kind: EventKind = "compaction" if content.startswith(SUMMARY_BEGINS) else "prompt"
        yield self._event(kind, at=at, key=key, text=content)

    def _answered(self, message: Record, key: str | None, at: int | None) -> Iterator[Event]:
        state = self.state
        tokens, calls = mapping(message.get("tokens")), objects(message.get("toolCalls"))
        if content := texts(message.get("content")).strip():
            if state["reply"] and state["reply"]["key"] != key:
                yield from self._reply(is_final=False)
            state["reply"] = {"text": content, "key": key, "at": at, "is_open": bool(calls)}
        elif calls and state["reply"]:
            state["reply"]["is_open"] = True
        if tokens and (key is None or key != state["used"]):
            state["used"] = key
            yield self._usage(tokens, key, at, text(message.get("model")))
        for index, call in enumerate(calls):
            spent = 0 if index else number(tokens.get("output"))
            yield from self._called(call, text(call.get("id")) or f"{key}:{index}", at, spent)

    def _called(self, call: Record, key: str, at: int | None, spent: int) -> Iterator[Event]:
        name, given = text(call.get("name")) or "unknown", call.get("args")
        at = moment_of(call.get("timestamp")) or at
        if call.get("status") in UNFINISHED:
            self.state["calls"][key] = {"name": name, "input": given, "at": at, "tokens": spent}
            return
        self.state["calls"].pop(key, None)
        failed = call.get("status") in ("error", "cancelled")
        use = ToolUse(name, given, tool_response(call), failed)
        yield self._event("tool", at=at, key=key, tool=use, tokens=spent)

    def _usage(self, tokens: Record, key: str | None, at: int | None, model: str) -> Event:
        cached = number(tokens.get("cached"))
        # What tools give to the model, and what it thinks, count beside the others.
        given = number(tokens.get("input")) + number(tokens.get("tool"))
        output = number(tokens.get("output")) + number(tokens.get("thoughts"))
        usage = Usage(max(given - cached, 0), output, cached)
        return self._event("usage", at=at, key=key, usage=usage, model=model)

    def _event(self, kind: EventKind, **fields: Any) -> Event:
        state = self.state
        who = {"session": state["session"] or self.path.stem, "subagent": state["subagent"]}
        return super()._event(kind, **who | fields)


class GeminiFile(FileReader):
    """Reads `tmp/<project>/chats/session-….json`."""

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where the file is no chat."""
        content = read_regular(self.path, LARGEST)
        chat = read_json(self.path, content)
        chat = {"messages": chat} if isinstance(chat, list) else mapping(chat)
        if not isinstance(chat.get("messages"), list):
            raise ValueError(
                _("{path} is not a Gemini CLI chat: it has no list of messages.", path=self.path)
            )
        project = text(chat.get("projectHash"))
        directory = working_directory(self.path, project, content.decode(errors="replace"))
        reader = GeminiReader(self.path, {"cwd": directory})
        yield from reader.events(chat)
        yield from reader.pending()


def tool_response(call: Record) -> object:
    """Return what a tool answered, in the shape of its hook; "" where it ended without an answer."""
    parts = [mapping(part.get("functionResponse")) for part in objects(call.get("result"))]
    answers = [mapping(part.get("response")) for part in parts]
    content = "\n".join(text(answer.get("output")) for answer in answers if answer.get("output"))
    error = "\n".join(text(answer.get("error")) for answer in answers if answer.get("error"))
    shown = call.get("resultDisplay")
    fields: Record = {"llmContent": content, "returnDisplay": shown, "error": error}
    return {name: value for name, value in fields.items() if value} or call.get("result") or ""


def working_directory(path: Path, project_hash: str = "", content: str = "") -> str | None:
    """Return the directory in which the chat at `path` was held; None where that is unknown.

    `project_hash` is SHA-256 of that directory. Where the program kept no list of projects, the
    absolute paths in the chat's `content` are tried.
    """
    folder = next((parent.parent for parent in path.parents if parent.name == "chats"), None)
    if folder:
        with suppress(OSError, UnicodeDecodeError):
            if root := read_regular(folder / ".project_root", 1 << 16).decode().strip():
                return root
    projects = known_projects(folder.parent.parent) if folder else {}
    for directory, name in projects.items():
        if folder and folder.name in (name, directory_hash(directory)):
            return directory
    if not project_hash:
        return None
    known = (*projects, *directories_in(content))
    return next((directory for directory in known if directory_hash(directory) == project_hash), None)


def known_projects(home: Path) -> dict[str, object]:
    """Return the projects that the program has listed: directories, and the names it gave them."""
    return mapping(read_beside(home / "projects.json").get("projects"))


def directories_in(content: str) -> Iterator[str]:
    """Yield every directory, once, above the absolute paths in a text."""
    results: set[str] = set()
    for path in set(ABSOLUTE.findall(content)):
        for parent in PurePosixPath(path).parents:
            if str(parent) not in results:
                results.add(str(parent))
                yield str(parent)


def directory_hash(directory: str) -> str:
    """Return the name that the program gives to a project's directory."""
    return sha256(directory.encode(errors="replace")).hexdigest()
