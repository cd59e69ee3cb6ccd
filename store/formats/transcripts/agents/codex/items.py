"""What the messages of a rollout tell of calls within scripts, and of sub-agents."""

from __future__ import annotations

from typing import NamedTuple

from .....records.events import ToolUse
from ...fields import Record, mapping, parsed, text, texts
from .records import is_failure

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
