"""What agents put into prompts and transcripts that no user has typed."""

from __future__ import annotations

import re

from ...agents.registry import BY_NAME
from ...events import Event

NOT_TYPED = tuple(prompt for agent in BY_NAME.values() for prompt in agent.own_prompts)
"""Prompts that begin so were written by an agent."""

INJECTED = re.compile(
    r"<(ide_opened_file|ide_selection|hook_context|system_reminder|current_datetime|memtui-context)"
    r"\b[^<>]{0,512}>",
    re.IGNORECASE,
)
WRAPPED = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)


def is_noise(event: Event) -> bool:
    """Whether an event is none of the user's: an agent's own prompt, a sub-agent's talk."""
    if event.kind == "prompt":
        return bool(event.subagent) or event.text.lstrip().startswith(NOT_TYPED)
    return event.kind in ("reply", "compaction") and bool(event.subagent)


def without_injections(text: str) -> str:
    """A text without the blocks that agents and hooks, ours among them, put around it."""
    if "<" not in text:
        return text
    if wrapped := WRAPPED.search(text):
        text = wrapped[1]
    folded = text.lower()
    if len(folded) != len(text):
        return text
    kept: list[str] = []
    unclosed: set[str] = set()
    at = 0
    while block := INJECTED.search(text, at):
        name = block[1].lower()
        end = -1 if name in unclosed else folded.find(f"</{name}>", block.end())
        if end < 0:
            unclosed.add(name)
            kept.append(text[at : block.end()])
            at = block.end()
        else:
            kept.append(text[at : block.start()])
            at = end + len(name) + 3
    return "".join([*kept, text[at:]]).strip() if at else text
