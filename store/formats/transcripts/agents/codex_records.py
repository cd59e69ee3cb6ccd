"""What the lines of a rollout tell: prompts, calls and their outputs, calls within scripts, sub-agents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypedDict
from uuid import UUID

from ....platform.translation import _
from ....records.events import ToolUse
from ..json_records import Record, mapping, parsed, text, texts

THREAD = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.jsonl?\b|$)")
WRAPPED = ("session_meta", "turn_context", "event_msg", "compacted", "token_usage_record")
AGENT_WENT_ON = ("agent_message", "agent_reasoning", "agent_reasoning_raw_content")
TURN_BEGINS = ("task_started", "turn_started")
TURN_ENDS = ("task_complete", "turn_complete", "turn_aborted")

INJECTED = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<hook_prompt",
    "<permissions instructions>",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_instructions>",
    "<user_shell_command>",
)

HEADING = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Exit code|Process exited|Process running|Original token count"
    r"|Total output lines)\b[^\n]*\n)+Output:\n"
)
EXIT = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d+)", re.MULTILINE)


def unwrap(record: Record) -> tuple[str, Record]:
    """Return a line's kind and payload. Raises ValueError where it has no payload that is an object.

    The oldest files hold bare metas and bare items.
    """
    kind = text(record.get("type"))
    if "payload" in record or kind in WRAPPED:
        payload = record.get("payload")
        if not isinstance(payload, dict):
            raise ValueError(
                _("A line of the kind {kind!r} has no object as payload.", kind=kind or "unknown")
            )
        return kind, payload
    if not kind:
        return ("session_meta" if "id" in record and "timestamp" in record else ""), record
    return "response_item", record


def find_parent(payload: Record) -> tuple[bool, str]:
    """Return whether a session's meta is a sub-agent's, and the id of the session that it works for."""
    source = mapping(payload.get("source")).get("subagent")
    spawn = mapping(mapping(source).get("thread_spawn"))
    parent = text(payload.get("parent_thread_id")) or text(spawn.get("parent_thread_id"))
    if not (source or parent):
        return False, ""
    root = text(payload.get("session_id"))
    return True, root if root and root != payload.get("id") else parent


def agent_path(payload: Record) -> str:
    """Return the path by which the agents of a session call a sub-agent, of its session's meta; ""
    where it has none."""
    spawn = mapping(mapping(mapping(payload.get("source")).get("subagent")).get("thread_spawn"))
    return text(payload.get("agent_path")) or text(spawn.get("agent_path"))


def creation_ms(identity: object) -> int | None:
    """Return when an id was made, ms since the epoch: a UUID of version 7 holds it; None for any other."""
    try:
        uuid = UUID(text(identity))
    except ValueError:
        return None
    return uuid.int >> 80 if uuid.version == 7 else None


def thread_id(path: Path) -> str:
    """Return the id of a thread in its file's name; else the whole name."""
    match = THREAD.search(path.name)
    return match.group() if match else path.stem


def shows_progress(kind: str, payload: Record) -> bool:
    """Return whether a line shows the agent at work, so that the prompt before it is final."""
    inner = text(payload.get("type"))
    if kind == "response_item":
        return inner not in ("", "message") or payload.get("role") == "assistant"
    if kind == "event_msg":
        item = text(mapping(payload.get("item")).get("type"))
        known = inner in AGENT_WENT_ON or inner in TURN_ENDS
        return known or item not in ("", "UserMessage", "HookPrompt")
    return kind == "compacted"


class Source(StrEnum):
    """The lines that may hold a prompt: the item since 0.169, the message before, or the model's input."""

    ITEM = "item"
    MESSAGE = "message"
    MODEL = "model"


def find_prompt(kind: str, payload: Record) -> tuple[Source, str, str | None] | None:
    """Return the source, the prompt, and its turn's id if the line has it; None for any other line."""
    if kind == "event_msg":
        turn = text(payload.get("turn_id")) or None
        item = mapping(payload.get("item"))
        if payload.get("type") == "user_message":
            return user_prompt(Source.MESSAGE, text(payload.get("message")), turn)
        if payload.get("type") == "item_completed" and item.get("type") == "UserMessage":
            return user_prompt(Source.ITEM, texts(item.get("content"), ""), turn)
    elif kind == "response_item" and payload.get("role") == "user":
        if payload.get("type", "message") != "message":
            return None
        label = mapping(payload.get("internal_chat_message_metadata_passthrough"))
        kinds = label.get("content_item_kinds")
        if isinstance(kinds, list) and kinds and not any(text(k).startswith("user.") for k in kinds):
            return None
        turn = text(label.get("turn_id")) or None
        return user_prompt(Source.MODEL, texts(payload.get("content"), ""), turn)
    return None


def user_prompt(source: Source, content: str, turn: str | None) -> tuple[Source, str, str | None] | None:
    """Return the prompt, unless Codex itself wrote it."""
    injected = not content.strip() or content.lstrip().startswith(INJECTED)
    return None if injected else (source, content, turn)


class PromptLog:
    """Which prompts were found, kept in a reader's state.

    The model's input comes first and may be all there is. It is held until a better source has the
    prompt, or until the agent goes on without one.
    """

    def __init__(self, state: Record) -> None:
        self._state = state

    @property
    def held(self) -> list[Record]:
        """The prompts of the model's input that no better source has had yet."""
        results: list[Record] = self._state["held"]
        return results

    def hold(self, prompt: Record) -> None:
        """Keep a prompt of the model's input, unless this rollout has a better source."""
        if self._state["source"] not in (Source.ITEM, Source.MESSAGE):
            self.held.append(prompt)

    def release(self) -> Iterator[Record]:
        """Return the prompts that were held, and forget them: no better source has them."""
        released, self._state["held"] = self.held, []
        for prompt in released:
            self._state |= {"source": Source.MODEL, "last": text_hash(prompt["text"])}
            yield prompt

    def is_new(self, source: Source, content: str) -> bool:
        """Return whether another source has not had the same prompt just before."""
        self._state["held"] = []
        last, by = self._state["last"], self._state["source"]
        if by != source and last == text_hash(content):
            return False
        self._state |= {"source": source, "last": text_hash(content)}
        return True


def new_prompt_log() -> Record:
    """Return the state before any prompt: prompts held, and hash and source of the last one found."""
    return {"held": [], "last": None, "source": None}


def text_hash(content: str) -> str:
    """Return a hash of a text, the same whatever its blanks."""
    return sha256(" ".join(content.split()).encode(errors="replace")).hexdigest()[:16]


class PendingCall(TypedDict):
    """A call that waits for its output; `tokens` is None until its answer's are known."""

    name: str
    input: object
    failed: bool
    tokens: int | None
    is_script: bool
    """Whether it is a script of code mode, whose own calls are events by themselves."""


def begun_call(kind: str, payload: Record) -> PendingCall | None:
    """Return the call that an item of a response begins; None where it begins none."""
    if not kind.endswith("_call"):
        return None
    name = text(payload.get("name"))
    given = payload.get("arguments", payload.get("action", payload.get("input")))
    if kind == "function_call":
        given = parsed(given)
        server = text(payload.get("namespace"))
        if server.startswith("mcp__") and not name.startswith(server):
            name = f"{server.rstrip('_')}__{name}"
    elif name == "apply_patch" and isinstance(given, str):
        # As its hook names it, so that one rule reads a patch whichever way it came.
        given = {"command": given}
    return {
        "name": name or kind.removesuffix("_call"),
        "input": given,
        "failed": payload.get("status") in ("failed", "incomplete"),
        "tokens": None,
        "is_script": "cell_id" in mapping(given)
        if name == "wait"
        else name == "exec" and kind == "custom_tool_call",
    }


def calls_tools(script: object) -> bool:
    """Return whether a script calls any tool."""
    return isinstance(script, str) and "tools." in script


REFUSED = re.compile(
    r"\s*(?:apply_patch verification failed|unsupported (?:custom )?(?:tool )?call\b"
    r"|patch rejected|invalid patch|failed to (?:apply|parse|find)\b|apply_patch (?:handler|failed)"
    r"|(?:exec_command|write_stdin|apply_patch|\w+ tool) failed\b|execution error|aborted by user"
    r"|collab \w+ failed|error: )",
    re.IGNORECASE,
)
"""How a call's answer begins that Codex refused or could not carry out, where it says so in words alone."""


def call_output(output: object) -> tuple[object, bool]:
    """Return what a call answered, without what Codex puts around it, and whether it failed."""
    if isinstance(output, dict) and "content" in output:
        content, failed = call_output(output["content"])
        return content, failed or is_failure(output)
    if isinstance(output, list) and (content := texts(output)):
        return call_output(content)
    if not isinstance(output, str):
        return output, is_failure(mapping(output))
    wrapped = mapping(parsed(output)) if output.startswith("{") else {}
    if "output" in wrapped:
        return wrapped["output"], is_failure(wrapped) or is_failure(mapping(wrapped.get("metadata")))
    if heading := HEADING.match(output):
        code = EXIT.search(heading.group())
        return output[heading.end() :], code is not None and int(code.group(1)) != 0
    return output, is_failure(wrapped) or REFUSED.match(output) is not None


def exit_code_in(output: object) -> int | None:
    """Return the exit code that Codex puts around what a call answered; None where there is none."""
    if isinstance(output, dict):
        code = mapping(output.get("metadata")).get("exit_code", output.get("exit_code"))
        if isinstance(code, int) and not isinstance(code, bool):
            return code
        return exit_code_in(output["content"]) if "content" in output else None
    if isinstance(output, list):
        return exit_code_in(texts(output))
    if not isinstance(output, str):
        return None
    if output.startswith("{"):
        wrapped = mapping(parsed(output))
        return exit_code_in(wrapped) if "output" in wrapped else None
    heading = HEADING.match(output)
    code = EXIT.search(heading.group()) if heading else None
    return int(code.group(1)) if code else None


def is_failure(fields: Record) -> bool:
    """Return whether an object about a tool's end says that it failed."""
    return (
        fields.get("exit_code") not in (None, 0)
        or fields.get("success") is False
        or fields.get("isError") is True
        or fields.get("status") in ("failed", "declined")
    )


LEGACY_ITEMS = {
    "exec_command_end": "CommandExecution",
    "patch_apply_end": "FileChange",
    "mcp_tool_call_end": "McpToolCall",
}
"""Messages that tell what an item tells since 0.169, in nearly the same fields."""


class NestedCall(NamedTuple):
    """A call that a script of code mode made: its id, which its hooks have too, and its use."""

    key: str
    tool: ToolUse


def nested_call(payload: Record) -> NestedCall | None:
    """Return the call of a script that a message completes; None for any other message."""
    item = mapping(payload.get("item"))
    kind = text(item.get("type")) if item else LEGACY_ITEMS.get(text(payload.get("type")), "")
    item = item or payload
    key = text(item.get("id")) or text(item.get("call_id"))
    if not key.startswith("exec-") or item.get("source") == "unified_exec_interaction":
        return None
    failed = is_failure(item)
    match kind:
        case "CommandExecution":
            given = {"command": item.get("command")}
            output = item.get("aggregated_output", item.get("formatted_output")) or ""
            code = item.get("exit_code")
            is_known = isinstance(code, int) and not isinstance(code, bool)
            tool = ToolUse("Bash", given, output, failed, code if is_known else None)
        case "FileChange":
            words = "\n".join(filter(None, (text(item.get("stdout")), text(item.get("stderr")))))
            given = {"command": patch_of(mapping(item.get("changes")))}
            tool = ToolUse("apply_patch", given, words, failed)
        case "McpToolCall":
            made = mapping(item.get("invocation")) or item
            result, error = item.get("result"), mapping(item.get("error"))
            inner = mapping(result)
            failed = failed or bool(error) or "Err" in inner or is_failure(inner)
            answer = inner.get("Ok", inner.get("Err", text(error.get("message")) or result))
            name = f"mcp__{text(made.get('server'))}__{text(made.get('tool'))}"
            tool = ToolUse(name, made.get("arguments"), answer or "", failed)
        case "WebSearch":
            tool = ToolUse("web_search", {"query": item.get("query")}, item.get("result") or "")
        case "CollabAgentToolCall" if text(item.get("tool")).lower().startswith("spawn"):
            started = item.get("receiver_thread_ids")
            answer = {"agent_id": started[0]} if isinstance(started, list) and started else ""
            tool = ToolUse("spawn_agent", {"message": item.get("prompt")}, answer, failed)
        case "DynamicToolCall":
            answer = texts(item.get("content_items")) or text(item.get("error"))
            tool = ToolUse(text(item.get("tool")), item.get("arguments"), answer, failed)
        case _:
            return None
    return NestedCall(key, tool)


def patch_of(changes: Record) -> str:
    """Return the patch that makes these changes, by the path of each, as a model writes it."""
    parts = ["*** Begin Patch"]
    for path, about in changes.items():
        change = mapping(about)
        kind = text(change.get("type")) or next(iter(change), "")
        change = mapping(change.get(kind)) or change
        if kind == "add":
            lines = [f"+{line}" for line in text(change.get("content")).splitlines()]
            parts += [f"*** Add File: {path}", *lines]
        elif kind == "delete":
            parts.append(f"*** Delete File: {path}")
        else:
            moved = text(change.get("move_path"))
            parts.append(f"*** Update File: {path}")
            parts += [f"*** Move to: {moved}"] if moved else []
            parts.append(text(change.get("unified_diff")).rstrip("\n"))
    return "\n".join([*parts, "*** End Patch"])


def started_subagent(payload: Record) -> tuple[str, str, str] | None:
    """Return the id of a call, of the sub-agent that it started, and that one's path; None for a message
    about anything else."""
    item = mapping(payload.get("item"))
    if item.get("type") != "SubAgentActivity" or item.get("kind") not in (None, "started"):
        return None
    call, thread = text(item.get("id")), text(item.get("agent_thread_id"))
    return (call, thread, text(item.get("agent_path"))) if call and thread else None


def message_of_agent(kind: str, payload: Record) -> tuple[str, str] | None:
    """Return who wrote a message from one agent to another, and what; None for any other line."""
    inner = payload if kind == "inter_agent_communication" else {}
    if kind == "response_item" and payload.get("type") == "agent_message":
        inner = payload
    if kind == "response_item" and payload.get("type", "message") == "message":
        words = texts(payload.get("content")).strip()
        if words.startswith("{") and '"author"' in words[:4_000] and '"recipient"' in words:
            inner = mapping(parsed(words))
    author, content = text(inner.get("author")), inner.get("content")
    said = content if isinstance(content, str) else texts(content)
    return (author, said) if author and said.strip() and "recipient" in inner else None
