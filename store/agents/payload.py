"""Read a hook's payload, whatever it holds: texts, times, fields that agents share.

Claude Code's dialect is here as a whole, for others speak it too.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..records.dataclasses import replace
from ..records.events import AgentName, Event, SpoolRecord, ToolUse
from ..text.hashing import blake2b
from ..text.times import moment

Payload = dict[str, Any]

HOUSEKEEPING = re.compile(
    r"\s*/(?:(?:compact|compress|summarize|mcp|plugins?|add-dir|rename|resume)(?:\s.*)?"
    r"|(?:model|effort|config|permissions|hooks|output-style|theme|color|export|fast|agents|tasks|ide"
    r"|login|logout)(?:\s+\S+){0,2}"
    r"|clear|new|quit|exit|undo|redo|rewind|stats|help|memory|status|usage|context|cost|share|copy"
    r"|doctor|vim|release-notes|upgrade|statusline|terminal-setup)\s*",
    re.DOTALL,
)
"""Commands to an agent itself: no prompts, though some agents report them as such. Where more follows than
a name and a value, it is a request that begins like one."""


def text(payload: Payload, *names: str) -> str:
    """The first of these fields that holds a text with anything in it; "" when none does."""
    for name in names:
        result = payload.get(name)
        if isinstance(result, str) and result.strip():
            return result
    return ""


def session_of(payload: Payload, *names: str) -> str:
    """The session's id. Raises ValueError where it is missing: nothing is known of the event then."""
    if result := text(payload, *names):
        return result
    from ..platform.translation import _

    raise ValueError(_("the event names no session ({fields} is missing)", fields=_(" or ").join(names)))


def time_of(payload: Payload, record: SpoolRecord) -> int:
    """When it happened, ms since the epoch: as the agent says, else when the hook ran."""
    stamp = payload.get("timestamp")
    if isinstance(stamp, str):
        return moment(None, stamp) or record.at
    if isinstance(stamp, int | float) and not isinstance(stamp, bool):
        return moment(int(stamp), None) or record.at
    return record.at


def tool_of(payload: Payload, response: object, *, failed: bool) -> ToolUse:
    """The tool that was used, by the fields most agents share."""
    input = payload.get("tool_input", payload.get("toolArgs"))
    name = text(payload, "tool_name", "toolName") or "unknown"
    return ToolUse(name, input, response, failed)


def content_hash(event: Event) -> str:
    """A hash of an event's content, equal in both channels; 16 hexadecimal digits.

    Of a tool use it covers the input: the output is reported in many ways. Of a compaction it covers
    nothing, for only one of the channels has the whole summary.
    """
    content = event.text
    if event.tool is not None:
        content = json.dumps(event.tool.input, sort_keys=True)
    elif event.kind == "compaction":
        content = ""
    return blake2b(" ".join(content.split()).encode("utf-8", "replace"), digest_size=8).hexdigest()


def with_content_key(event: Event) -> Event:
    """An event whose key is its time, with a key that no other event of the same time has."""
    return replace(event, key=event.key and f"{event.key} {content_hash(event)}")


def claude_events(record: SpoolRecord, agent: AgentName, turn: str) -> list[Event]:
    """The event of a hook that speaks Claude Code's dialect; none for what reports nothing new or is
    of no lasting worth. `turn` is the field that names a turn."""
    payload = record.event
    name = text(payload, "hook_event_name")
    key = text(payload, turn) or None
    common: dict[str, Any] = {
        "agent": agent,
        "session": session_of(payload, "session_id"),
        "at": record.at,
        "cwd": text(payload, "cwd") or record.cwd or None,
        "subagent": text(payload, "agent_id") or None,
        "transcript": text(payload, "transcript_path") or None,
    }
    if name == "SessionStart":
        title = text(payload, "session_title") or None
        return [Event(kind="session_start", title=title, **common)]
    if name == "InstructionsLoaded":
        return [Event(kind="instructions", extra=loaded_file(payload), **common)]
    if name == "UserPromptSubmit":
        prompt = text(payload, "prompt")
        if report := notified_report(prompt, common):
            return [report]
        return [Event(kind="prompt", text=prompt, key=key, shared=bool(key), **common)]
    if name in ("PostToolUse", "PostToolUseFailure"):
        call = text(payload, "tool_use_id") or None
        failed = name == "PostToolUseFailure"
        output = text(payload, "error") or None if failed else payload.get("tool_response")
        if failed and payload.get("is_interrupt") is True:
            output = {"stdout": "", "stderr": output or "", "interrupted": True}
        tool = tool_of(payload, output if output is not None else "", failed=failed)
        return [Event(kind="tool", tool=tool, key=call, shared=bool(call), **common)]
    if name == "SubagentStop" and text(payload, "agent_type") and common["subagent"]:
        # One without a type is the agent's own work (a compaction, a suggestion), and no delegation.
        return [Event(kind="report", text=text(payload, "last_assistant_message"), **common)]
    if name in ("Stop", "StopFailure", "Interrupt"):
        # A turn ends by an error or by the user too: what was said until then stands.
        reply = text(payload, "last_assistant_message")
        return [Event(kind="reply", text=reply, key=key and f"{key} {reply[:200]}", **common)]
    if name == "PostCompact" and (compaction := text(payload, "compact_summary")):
        return [Event(kind="compaction", text=summary_in(compaction), key=key, **common)]
    if name == "SessionEnd":
        return [Event(kind="session_end", **common)]
    return []


def loaded_file(payload: Payload) -> dict[str, object]:
    """Return the path and type of a file of instructions that the agent has loaded, why it was loaded, and
    the file that names it."""
    return {
        "path": text(payload, "file_path"),
        "type": text(payload, "memory_type"),
        "reason": text(payload, "load_reason"),
        "parent": text(payload, "parent_file_path"),
    }


def notified_report(prompt: str, common: dict[str, Any]) -> Event | None:
    """The report in a message that stands in a prompt's place; None where there is none."""
    if prompt.lstrip()[:1] != "<":
        return None
    from .subagents import notified

    if (report := notified(prompt)) is None:
        return None
    about = {"subagent": report.subagent, "text": report.text, "call": report.call}
    return Event(kind="report", **common | about)


def summary_in(compaction: str) -> str:
    """The summary in what a compaction says, without the analysis that precedes it."""
    if "<summary>" in compaction:
        compaction = compaction.partition("<summary>")[2]
    return compaction.partition("</summary>")[0].strip()
