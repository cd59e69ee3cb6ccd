"""What people typed, read from transcripts without any of the product's readers: a second opinion.

Claude Code (`.claude/projects/*/*.jsonl`), Codex (`.codex/sessions/**/*.jsonl`), Gemini CLI
(`.gemini/tmp/*/chats/*.json`, `.jsonl`) and OpenCode's exports (`opencode/*.json`).
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

GLOBS = {
    "claude-code": ".claude/projects/*/*.jsonl",
    "codex": ".codex/sessions/**/*.jsonl",
    "gemini": ".gemini/tmp/*/chats/*.json*",
    "opencode": "opencode/*.json",
}

OF_A_PROGRAM = re.compile(
    r"\s*(?:\[Request interrupted|\[SYSTEM|# AGENTS\.md instructions|This is the Gemini CLI\."
    r"|System: Please|This session is being continued from a previous|Caveat: |Stop hook feedback"
    r"|Operation stopped by hook|\{\"task_id\":"
    r"|<(?!command-(?:message|name)>)[a-z]+[-_a-z]*[ >])"
)
"""How a message begins that stands where a prompt stands, and was typed by nobody."""

COMMAND = re.compile(
    r"<command-name>\s*(/?\S+?)\s*</command-name>(?:.*?<command-args>(.*?)</command-args>)?", re.S
)
OF_THE_PROGRAM_ITSELF = frozenset(
    "/clear /exit /quit /compact /model /login /logout /status /cost /config /resume /rename /mcp /plugin"
    " /hooks /memory /permissions /help /doctor /ide /context /usage /fast /agents /theme /vim".split()
)
"""Commands that ask nothing of a model."""


class Typed(NamedTuple):
    """What was typed in a session, by its id as the agent has it: where, and what."""

    session: str
    message: str
    text: str


def transcripts(folder: Path) -> list[tuple[str, Path]]:
    """Return each transcript of a home with its agent."""
    return [(agent, path) for agent, glob in GLOBS.items() for path in sorted(folder.glob(glob))]


def prompts_on_disk(folder: Path) -> dict[str, dict[str, str]]:
    """Return the prompts of each session by their message's id, in order. A session that goes on from
    another one may begin with all of that one's, by the same ids."""
    prompts: dict[str, dict[str, str]] = defaultdict(dict)
    for agent, path in transcripts(folder):
        for typed in READERS[agent](path):
            text = _typed_text(typed.text)
            if text:
                prompts[typed.session].setdefault(typed.message, text)
    return prompts


def _typed_text(text: str) -> str:
    command = COMMAND.search(text) if text.lstrip().startswith("<command-") else None
    if command:
        name, arguments = command[1], (command[2] or "").strip()
        return "" if name in OF_THE_PROGRAM_ITSELF else f"/{name.lstrip('/')} {arguments}".strip()
    return "" if OF_A_PROGRAM.match(text) else text.strip()


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines()):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield number, record


def _document(path: Path) -> dict[str, Any]:
    """The object that a file is; an empty one where it is none."""
    try:
        document = json.loads(path.read_text("utf-8", "replace"))
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _of(record: dict[str, Any], name: str) -> dict[str, Any]:
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def _joined(content: object, kinds: tuple[str | None, ...] = ("text",)) -> str:
    """The text of a message that is a text or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part if isinstance(part, str) else part.get("text") for part in parts
             if isinstance(part, str) or part.get("type") in kinds]  # fmt: skip
    return "\n".join(text for text in texts if text)


def _claude(path: Path) -> Iterator[Typed]:
    waiting: list[Typed] = []
    given: list[Typed] = []
    attachments = False
    skills: set[str] = set()
    for number, record in _records(path):
        session = str(record.get("sessionId") or path.stem)
        content = _of(record, "message").get("content")
        blocks = (
            [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        )
        skills |= {
            str(_of(one, "input").get("skill")).rpartition(":")[2]
            for one in blocks
            if one.get("name") == "Skill"
        }
        attached = _of(record, "attachment")
        if record.get("type") == "queue-operation":
            match record.get("operation"):
                case "enqueue":
                    waiting.append(Typed(session, str(number), str(record.get("content") or "")))
                case "remove":  # and is given while the agent works
                    given += waiting[:1]
                    waiting = waiting[1:]
                case "dequeue":  # and is written as a message
                    waiting = waiting[1:]
                case _:  # it goes back to where it was typed
                    waiting = []
        elif attached.get("type") == "queued_command":
            if attached.get("commandMode") in (None, "prompt"):
                attachments = True
                yield Typed(session, str(record.get("uuid") or number), _joined(attached.get("prompt")))
        elif record.get("type") == "user" and not any(
            record.get(name) for name in ("isMeta", "isSidechain", "isCompactSummary", "toolUseResult")
        ):
            text = _joined(content)
            command = COMMAND.search(text)
            if command is None or command[1].lstrip("/").rpartition(":")[2] not in skills:
                yield Typed(session, str(record.get("uuid") or number), text)
    if not attachments:
        yield from given


def _codex(path: Path) -> Iterator[Typed]:
    session, said, given = path.stem, [], []
    for number, record in _records(path):
        payload = _of(record, "payload") or record
        kind = payload.get("type")
        if record.get("type") == "session_meta":
            session = str(payload.get("id") or session)
        elif kind == "user_message":
            said.append((str(number), str(payload.get("message") or "")))
        elif kind == "message" and payload.get("role") == "user":
            given.append((str(number), _joined(payload.get("content"), ("input_text",))))
    yield from (Typed(session, message, text) for message, text in said or given)


def _gemini(path: Path) -> Iterator[Typed]:
    if path.suffix == ".jsonl":
        records = [record for _, record in _records(path)]
        messages = [one for record in records for one in _of(record, "$set").get("messages") or [record]]
        session = next((str(one["sessionId"]) for one in records if "sessionId" in one), path.stem)
    else:
        chat = _document(path)
        session, messages = str(chat.get("sessionId") or path.stem), chat.get("messages") or []
    for number, message in enumerate(messages):
        if message.get("type") == "user":
            text = _joined(message.get("content"), (None, "text"))
            yield Typed(session, str(message.get("id") or number), text)


def _opencode(path: Path) -> Iterator[Typed]:
    export = _document(path)
    session = str(_of(export, "info").get("id") or path.stem)
    for number, message in enumerate(export.get("messages") or []):
        about = message.get("info") or message
        if about.get("role") == "user":
            parts = [part for part in message.get("parts") or [] if not part.get("synthetic")]
            yield Typed(session, str(about.get("id") or number), _joined(parts))


READERS = {"claude-code": _claude, "codex": _codex, "gemini": _gemini, "opencode": _opencode}
