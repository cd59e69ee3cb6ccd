"""Claude Code's texts: which of them a human typed, and what a compaction's summary says."""

from __future__ import annotations

import re
from typing import Any

from .fields import mapping

NO_PROMPT = (
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<system-reminder>",
    "Caveat: The messages below",
    "[Request interrupted",
    "Operation stopped by hook:",
)
"""How texts begin that stand where a prompt would, and are none."""

NOT_TYPED = ("system", "loop_wakeup", "schedule_wakeup", "poll_event", "task-notification")
"""What a prompt's record says of its origin where no human wrote it."""

_EDITOR = re.compile(r"<(ide_\w+|memtui-context)>.*?</\1>\s*", re.DOTALL)
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)
_TAGGED = re.compile(r"<summary>(.*)</summary>", re.DOTALL)
_BEFORE = re.compile(
    r"This session is being continued from a previous conversation that ran out of context\.\s*"
    r"(?:The summary below covers the earlier portion of the conversation\.|"
    r"The conversation is summarized below:)?\s*"
)
_HEADING = re.compile(r"^Summary:[ \t]*\n?", re.MULTILINE)
_AFTER = re.compile(
    r"\n\s*(?:If you need specific details from before compaction|"
    r"(?:Please c|C)ontinue the conversation from where (?:we|it) left|"
    r"The messages after this summary are the most recent)"
)


def typed(text: str) -> str | None:
    """What a human typed of a prompt's text; None where it is a command, a notice or the like.

    What an editor adds of itself, and what we injected, is taken out.
    """
    rest = _EDITOR.sub("", text).strip()
    return None if not rest or rest.startswith(NO_PROMPT) else rest


def is_human(record: dict[str, Any]) -> bool:
    """Whether nothing in a prompt's record says that it came of itself."""
    origin = mapping(record.get("origin")).get("kind")
    return record.get("promptSource") not in NOT_TYPED and origin not in NOT_TYPED


def summary(text: str) -> str:
    """What a compaction's summary says, alike whether its hook or the transcript told it.

    The hook tells it between tags, after an analysis; the transcript between instructions to go on.
    """
    if tagged := _TAGGED.search(text):
        return tagged[1].strip()
    rest, is_framed = _BEFORE.subn("", _REMINDER.sub("", text).strip(), count=1)
    if not is_framed:
        return rest.strip()
    if heading := _HEADING.search(rest):
        rest = rest[heading.end() :]
    # The summary may quote these sentences; the frame's own stand at the end.
    ends = [found.start() for found in _AFTER.finditer(rest)]
    tail = max(0, len(rest) - 1_500)
    return rest[: next((end for end in ends if end >= tail), len(rest))].strip()
