"""The prompts in Claude Code's records: what a human typed, what waited while the agent worked, and the
summary that a compaction leaves in a prompt's place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b

from ....agents import claude_code
from ....agents.payload import HOUSEKEEPING, notified_report
from ....records.events import Event
from ....tables.base import read_object
from ..json_records import Record, mapping, moment_of, string, text_of
from ..reader import State

MOST_WAITING = 64
"""The most prompts of a queue, and the most deliveries, that are remembered."""

NO_PROMPT = claude_code.AGENT.own_prompts
"""Beginnings of texts that stand where a prompt would, and are none."""
NOT_TYPED = ("system", "loop_wakeup", "schedule_wakeup", "poll_event", "task-notification")
"""Sources in a prompt's record where no human wrote it."""
TYPED = (None, "human", "user", "keyboard", "cli", "sdk", "ide", "voice")
"""Origins in a prompt's record where one may have."""

_EDITOR = re.compile(r"<(ide_\w+|memtui-context)>.*?</\1>\s*", re.DOTALL)
_COMMAND = re.compile(r"<command-name>\s*(/\S+?)\s*</command-name>")
_ARGUMENTS = re.compile(r"<command-args>\s*(.*?)\s*</command-args>", re.DOTALL)
_COMMAND_TAG = re.compile(r"<(command-\w+)>.*?</\1>", re.DOTALL)
_TEAMMATE = re.compile(r"</?teammate-message\b[^>]*>")
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


def queued_prompts(state: State, record: Record, base: Record) -> Iterator[Event]:
    """Yield the prompt that a step of the queue gave to the agent while it worked.

    What is dequeued becomes a prompt with a record of its own; what is removed was given to the
    agent on the way, and has none. All is taken back when it is edited again.
    """
    queue: list[Record] = state.setdefault("queue", [])
    operation, text = record.get("operation"), text_of(record.get("content"))
    if operation == "enqueue":
        queue.append({"text": text, "at": moment_of(record.get("timestamp"))})
        del queue[:-MOST_WAITING]
    elif operation == "popAll":
        queue.clear()
    elif operation in ("dequeue", "remove") and queue:
        named = (place for place, waiting in enumerate(queue) if waiting["text"] == text)
        taken = queue.pop(next(named, 0))
        if operation != "remove" or is_repeated_delivery(state, "remove", taken["text"]):
            return
        if report := notified_report(taken["text"], base):
            yield report
        elif prompt := typed_text(taken["text"]):
            fields = {"kind": "prompt", "text": prompt, "at": taken["at"]}
            key = f"queued-{taken['at']}"
            yield Event(**base | fields | {"key": key, "extra": {"steering": True}})


def delivered_prompt(state: State, record: Record, base: Record) -> Iterator[Event]:
    """Yield the prompt that was given to the agent while it worked, unless the queue has told it."""
    about = mapping(record.get("attachment"))
    text = text_of(about.get("prompt"))
    if about.get("type") != "queued_command" or not text or base["subagent"]:
        return
    if is_repeated_delivery(state, "attachment", text):
        return
    if report := notified_report(text, base):
        yield report
        return
    is_prompt = about.get("commandMode") in (None, "prompt") and is_human(about | record)
    if is_prompt and (prompt := typed_text(text)):
        key = string(record.get("uuid")) or f"delivered-{base['at']}"
        fields = {"kind": "prompt", "text": prompt, "key": key, "extra": {"steering": True}}
        yield Event(**base | fields)


def is_repeated_delivery(state: State, source: str, text: str) -> bool:
    """Return whether the other of the two sources of what was delivered has told this; note it if not."""
    content: list[list[str]] = state.setdefault("delivered", [])
    mark = blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=6).hexdigest()
    other = next((item for item in content if item[0] != source and item[1] == mark), None)
    if other:
        content.remove(other)
        return True
    content.append([source, mark])
    del content[:-MOST_WAITING]
    return False


def typed_text(text: str) -> str | None:
    """Return what a human typed of a prompt's text; None where it is a bare command, a notice or the
    like. A command is told as its hook tells it: with the words behind it, without what it stands for.

    What an editor adds by itself, and what we injected, is taken out.
    """
    rest = _EDITOR.sub("", text).strip()
    if not rest.startswith("<command-"):
        return None if not rest or rest.startswith(NO_PROMPT) else rest
    words = _ARGUMENTS.search(rest)
    stands_for = _COMMAND_TAG.sub("", rest).strip()
    is_asking = (words and words[1]) or (stands_for and not stands_for.startswith(NO_PROMPT))
    return bare_command(rest, words[1] if words else "") if is_asking else None


def bare_command(text: str, words: str = "") -> str | None:
    """Return the command that a prompt's text names, with the words behind it; None for none, and for one
    that is to the program itself."""
    command = _COMMAND.search(text)
    typed = f"{command[1]} {words}".strip() if command else ""
    return typed if typed and not HOUSEKEEPING.fullmatch(typed) else None


def teammate(record: Record) -> str:
    """Return the name of the agent of a session that the lead of a team of agents started, else ``."""
    return (string(record.get("teamName")) and string(record.get("agentName"))) or ""


def first_line_of_task(text: str) -> str:
    """Return the first line of what one agent told another; of a task that it assigned, its subject."""
    task = _TEAMMATE.sub("", text).strip()
    return (string(read_object(task).get("subject")) or task.partition("\n")[0])[:200]


def is_human(record: Record) -> bool:
    """Return whether nothing in a prompt's record says that no human wrote it."""
    origin = mapping(record.get("origin")).get("kind")
    return record.get("promptSource") not in NOT_TYPED and origin in TYPED


def summary_text(text: str) -> str:
    """Return a compaction's summary, the same for its hook and for the transcript.

    The hook has it between tags, after an analysis; the transcript between instructions to go on.
    """
    if tagged := _TAGGED.search(text):
        return tagged[1].strip()
    rest, is_framed = _BEFORE.subn("", _REMINDER.sub("", text).strip(), count=1)
    if not is_framed:
        return rest.strip()
    if heading := _HEADING.search(rest):
        rest = rest[heading.end() :]
    # The summary may quote these sentences; the frame's own stand at the end.
    ends = [match.start() for match in _AFTER.finditer(rest)]
    tail = max(0, len(rest) - 1_500)
    return rest[: next((end for end in ends if end >= tail), len(rest))].strip()
