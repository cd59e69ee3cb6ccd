"""What agents write about their sub-agents: who was started, and what came back, in the three ways in which
a report comes (the answer of the call, a hook at the sub-agent's end, a message to its parent)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from ..records.dataclasses import dataclass
from ..records.events import ToolUse

NOTIFICATION = "<task-notification>"
"""How Claude Code's message about a task in the background begins."""
PARENT_NOTIFICATION = "<subagent_notification>"
"""How Codex's message about a sub-agent's end begins."""

_FIELD = r"<{0}>\s*(.*?)\s*</{0}>"
_TASK = re.compile(_FIELD.format("task-id"), re.DOTALL)
_CALL = re.compile(_FIELD.format("tool-use-id"), re.DOTALL)
_RESULT = re.compile(r"<result>\s*(.*)\s*</result>", re.DOTALL)
_STARTED = re.compile(r"(?:^|\.)\s*(?:agentId|agent_id|task_id)\s*:\s*([\w.:/-]{3,100})", re.MULTILINE)

_WRAPPING = re.compile(
    r"\A\s*<task\b[^<>]{0,300}>\s*(?:<task_result>)?|(?:</task_result>\s*)?</task>\s*\Z"
    r"|<tools-used-before-summary>.{0,2000}?</tools-used-before-summary>"
    r"|^[ \t]*\[Subagent hand-back\][^\n]*\n?"
    r"|^agentId: [\w-]+ \(use SendMessage[^\n]*\n?"
    r"|^<usage>(?:(?!</usage>).){0,500}</usage>\s*\Z"
    r"|^<task_metadata>(?:(?!</task_metadata>).){0,500}</task_metadata>\s*\Z",
    re.DOTALL | re.MULTILINE,
)
_LAUNCHED = re.compile(
    r"\A\s*(?:Async agent launched|Agent (?:\S+ )?(?:was )?(?:started|launched) in (?:the )?background"
    r"|Spawned (?:agent|teammate)|Background (?:agent|task) (?:was )?(?:successfully )?(?:started|launched)"
    r"|Task started in (?:the )?background)",
    re.IGNORECASE,
)
_STATES = (
    "async_launched",
    "launched",
    "running",
    "started",
    "teammate_spawned",
    "remote_launched",
)


@dataclass(frozen=True, slots=True)
class SubagentReport:
    """What a sub-agent came to: its id as its agent names it, the id of the call that started it where
    that is told, and its words."""

    subagent: str
    text: str
    call: str | None = None


def notified(text: str) -> SubagentReport | None:
    """The report in a message that an agent writes to itself in the user's place; None for any other
    message, and for one of a task that is no sub-agent."""
    plain = text.lstrip()
    if plain.startswith(NOTIFICATION):
        task, result, call = _TASK.search(text), _RESULT.search(text), _CALL.search(text)
        if task and result:
            return SubagentReport(task[1], unwrapped(result[1]), call[1] if call else None)
    if plain.startswith(PARENT_NOTIFICATION):
        body = plain.removeprefix(PARENT_NOTIFICATION).partition("</subagent_notification>")[0]
        about = _object(body)
        who = about.get("agent_id", about.get("agent_path"))
        status = about.get("status")
        if isinstance(who, str) and isinstance(status, Mapping):
            words = status.get("completed", status.get("errored"))
            return SubagentReport(who, words) if isinstance(words, str) else None
    return None


def awaited(tool: ToolUse) -> Iterator[SubagentReport]:
    """Yield the reports that a call brought back which only waits for sub-agents, or reads of them."""
    about = _object(tool.response)
    status = about.get("status")
    for who, ended in status.items() if isinstance(status, Mapping) else ():
        words = ended.get("completed") if isinstance(ended, Mapping) else None
        if isinstance(who, str) and isinstance(words, str):
            yield SubagentReport(who, words)
    task = about.get("task")
    if isinstance(task, Mapping) and "agent" in str(task.get("task_type")):
        words = task.get("result")
        if isinstance(words, str) and isinstance(task.get("task_id"), str):
            yield SubagentReport(task["task_id"], unwrapped(words))


def started(tool: ToolUse) -> str | None:
    """The id of the sub-agent that a call started, where its answer tells it."""
    about = _object(tool.response)
    for name in ("agentId", "agent_id", "task_name", "subagent_id", "new_thread_id"):
        if isinstance(result := about.get(name), str) and result:
            return result
    result = _STARTED.search(_text(about.get("llmContent") or tool.response)[-2_000:])
    return result[1] if result else None


def is_launch(response: object) -> bool:
    """Whether an answer says no more than that a sub-agent was started."""
    about = _object(response)
    if "llmContent" in about:
        return is_launch(about["llmContent"])
    if about:
        if about.get("isAsync") is True or about.get("status") in _STATES:
            return True
        return about.keys() <= {"agent_id", "task_name", "nickname", "agent_path", "new_thread_id"}
    return bool(_LAUNCHED.match(_text(response)[:200]))


def unwrapped(text: str) -> str:
    """A sub-agent's words without what its agent puts around them."""
    return _WRAPPING.sub("", text).strip() if "<" in text or "agentId" in text or "[" in text else text


def _object(value: object) -> Mapping[str, object]:
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(
            text for part in value
            if isinstance(text := part.get("text") if isinstance(part, Mapping) else part, str)
        )  # fmt: skip
    return value if isinstance(value, str) else ""
