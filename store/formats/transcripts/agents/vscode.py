"""VS Code's chats: one object, whole or as a log of changes that make it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ....platform.translation import _
from ....records.events import Event, ToolUse, Usage
from ..json_records import (
    Record,
    items,
    mapping,
    moment_of,
    number,
    objects,
    parsed,
    records_of,
    string,
    text,
)
from ..reader import FileReader, read_beside, read_object
from ..whole_sessions import ChatAnswer, ChatCall, ChatMessage, Teller, message_events
from .copilot import CopilotReader

WHOLE, SET, PUSH, DELETE = range(4)
"""The kinds of changes in a log."""

DEEPEST = 12
NO_WORDS = ("thinking", "undoStop", "codeblockUri", "prepareToolInvocation", "confirmation")
"""Parts of an answer whose value is none of its words."""


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is a chat of VS Code's, or the first line of its log."""
    chat = mapping(record.get("v")) if record.get("kind") == WHOLE else record
    return isinstance(chat.get("requests"), list) and ("sessionId" in chat or "responderUsername" in chat)


class VSCodeChat(FileReader):
    """Reads `chatSessions/ID.json` or `.jsonl`; the folder it was held in stands in `workspace.json`."""

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where the file is no chat."""
        chat = _replayed(self.path) if self.path.suffix == ".jsonl" else read_object(self.path, "requests")
        session = string(chat.get("sessionId")) or self.path.stem
        tell = Teller("vscode", session, folder_of_workspace(self.path.parent.parent))
        requests = objects(chat.get("requests"))
        if not requests:
            return
        title = string(chat.get("customTitle")) or string(chat.get("computedTitle"))
        yield from tell.start(moment_of(chat.get("creationDate")), str(self.path), title)
        messages = (message for request in requests for message in _turn(request))
        is_open = not requests[-1].get("result") and not requests[-1].get("isCanceled")
        yield from message_events(messages, tell, used_tool, is_open=is_open)


class VSCodeTranscript(CopilotReader):
    """Reads `GitHub.copilot-chat/transcripts/ID.jsonl`, in which newer versions keep a chat as Copilot CLI
    does."""

    agent = "vscode"


def folder_of_workspace(path: Path) -> str | None:
    """Return the folder of the window whose storage lies at `path`; None where that is unknown."""
    about = read_beside(path / "workspace.json")
    return folder_of(text(about.get("folder")) or text(about.get("workspace")))


def folder_of(uri: str) -> str | None:
    """Return the folder that a URI of a workspace names; None where it names none."""
    with suppress(ValueError):
        place = urlsplit(uri)
        if place.scheme in ("file", "vscode-remote") and place.path:
            folder = Path(unquote(place.path))
            return str(folder.parent if folder.suffix == ".code-workspace" else folder)
    return None


def used_tool(name: str, given: object, response: object, failed: bool) -> ToolUse:
    """Return a tool's use, its name without whose it is."""
    for affix in ("copilot_", "vscode_"):
        name = name.removeprefix(affix)
    said = mapping(response)
    code = said.get("exitCode")
    return ToolUse(
        name.removesuffix("_internal") or "unknown", given, response, failed or code not in (None, 0)
    )


def _turn(request: Record) -> Iterator[ChatMessage]:
    """Yield the messages of a request: what was asked, what was said before each tool, and the answer."""
    key, at = string(request.get("requestId")), moment_of(request.get("timestamp"))
    asked = mapping(request.get("message"))
    said = text(asked.get("text")) or "".join(
        text(part.get("text")) for part in objects(asked.get("parts"))
    )
    yield ChatMessage(True, said.strip(), key, at)
    result = mapping(request.get("result"))
    about = mapping(result.get("metadata"))
    given = _calls_with_input(about)
    model = text(about.get("resolvedModel")) or text(request.get("modelId")).removeprefix("copilot/")
    spent = Usage(number(about.get("promptTokens")), number(about.get("outputTokens")))
    usage = spent if spent != Usage() else None
    answered = at + number(mapping(result.get("timings")).get("totalElapsed")) if at else None
    words: list[str] = []
    number_of_message = 0
    edited: list[str] = []
    has_calls = False
    for part in [mapping(part) for part in items(request.get("response"))]:
        kind = part.get("kind")
        if kind == "toolInvocationSerialized":
            number_of_message += 1
            has_calls = True
            call, answer = _call(part, given)
            yield ChatMessage(
                False, "".join(words).strip(), f"{key}:{number_of_message}", at, (call,),
                {call.key: answer} if answer else {},
            )  # fmt: skip
            words = []
        elif kind == "textEditGroup":
            edited.append(_place(mapping(part.get("uri"))))
        elif kind == "inlineReference":
            name = string(part.get("name")) or _place(mapping(part.get("inlineReference")))
            words.append(f"`{name}`" if name else "")
        elif kind not in NO_WORDS:
            words.append(_words(part))
    if edited and not has_calls:
        call = ChatCall(f"{key}:edit", "edit_files", {"files": list(dict.fromkeys(filter(None, edited)))})
        yield ChatMessage(False, "", f"{key}:edit", at, (call,), {call.key: ChatAnswer("")})
    yield ChatMessage(False, "".join(words).strip(), key, answered or at, usage=usage, model=model)


def _words(part: Record) -> str:
    content = part.get("content", part.get("value"))
    return text(mapping(content).get("value")) if isinstance(content, dict) else text(content)


def _place(uri: Record) -> str:
    uri = mapping(uri.get("uri")) or uri
    return text(uri.get("fsPath")) or text(uri.get("path"))


def _calls_with_input(about: Record) -> dict[str, tuple[str, object, object]]:
    """Return the name, input and answer of each call that the model's own rounds tell, by its id."""
    answers = mapping(about.get("toolCallResults"))
    results: dict[str, tuple[str, object, object]] = {}
    for turn in objects(about.get("toolCallRounds")):
        for call in objects(turn.get("toolCalls")):
            key, given = text(call.get("id")), call.get("arguments")
            given = parsed(given)
            answer = answers.get(key)
            said = "\n".join(_texts(answer, DEEPEST)) if answer is not None else None
            results[key] = (text(call.get("name")), given, said)
    return results


def _texts(value: object, depth: int) -> Iterator[str]:
    """Yield the texts in an answer, which may be a tree of what was shown to the model."""
    if not depth:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _texts(inner, depth - 1)
    elif isinstance(value, dict):
        for name in ("text", "value", "content", "node", "children"):
            inner = value.get(name)
            if isinstance(inner, str):
                yield inner
            elif inner is not None:
                yield from _texts(inner, depth - 1)


def _call(part: Record, given: dict[str, tuple[str, object, object]]) -> tuple[ChatCall, ChatAnswer | None]:
    """Return a call and its answer, None for one that is still open."""
    key = text(part.get("toolCallId"))
    name, input, said = given.get(key, ("", None, None))
    data, details = mapping(part.get("toolSpecificData")), mapping(part.get("resultDetails"))
    line = mapping(data.get("commandLine"))
    command = text(data.get("command")) or next(
        (text(line.get(form)) for form in ("userEdited", "toolEdited", "original") if line.get(form)), ""
    )
    shown = _message(part, "pastTenseMessage") or _message(part, "invocationMessage")
    if input is None:
        own = details.get("input", data.get("rawInput"))
        input = {"command": command} if command else parsed(own)
    if input is None:
        input = {"description": shown} if shown else None
    if said is None:
        said = "\n".join(_texts(details.get("output"), DEEPEST)) or None
    state = mapping(data.get("terminalCommandState"))
    response: Record = {"output": said} if said is not None else {}
    if not said and (output := text(mapping(data.get("terminalCommandOutput")).get("text"))):
        response = {"output": output}
    if isinstance(state.get("exitCode"), int):
        response["exitCode"] = state["exitCode"]
    is_done = part.get("isComplete") is not False or said is not None
    answer = ChatAnswer(response or "", details.get("isError") is True) if is_done else None
    return ChatCall(key, text(part.get("toolId")) or name or "unknown", input), answer


def _message(part: Record, name: str) -> str:
    value = part.get(name)
    return text(mapping(value).get("value")) if isinstance(value, dict) else text(value)


def _replayed(path: Path) -> Record:
    """Return the chat that a log of changes makes; a damaged line is left out. Raises ValueError where
    none of it is a chat."""
    chat: Any = None
    for record in records_of(path):
        keys = [key for key in items(record.get("k")) if isinstance(key, str | int)]
        if record.get("kind") == WHOLE and isinstance(record.get("v"), dict):
            chat = record["v"]
        elif chat is not None and keys:
            with suppress(KeyError, IndexError, TypeError):
                _change(chat, record, keys)
    if not isinstance(chat, dict):
        raise ValueError(_("{path} is not a chat of VS Code's: no line of it holds one.", path=path))
    return chat


def _change(chat: Any, record: Record, keys: list[Any]) -> None:
    """Do one change. Raises KeyError, IndexError or TypeError where there is no such place."""
    *above, last = keys
    holder = chat
    for key in above:
        holder = holder[key]
    if record.get("kind") == SET:
        if isinstance(holder, list) and last == len(holder):
            holder.append(record.get("v"))
        else:
            holder[last] = record.get("v")
    elif record.get("kind") == DELETE:
        del holder[last]
    elif record.get("kind") == PUSH:
        known = holder.setdefault(last, []) if isinstance(holder, dict) else holder[last]
        if not isinstance(known, list):
            raise TypeError(last)
        start = record.get("i")
        if isinstance(start, int) and not isinstance(start, bool) and start >= 0:
            del known[start:]
        known.extend(items(record.get("v")))
