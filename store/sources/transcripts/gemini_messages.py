"""What a message of Gemini's says, without what the program itself put into it."""

from __future__ import annotations

import re

from .fields import mapping
from .parts import Record, objects, text

UNFINISHED = ("validating", "scheduled", "awaiting_approval", "executing")
SUMMARY_BEGINS = "<state_snapshot>"
INJECTED = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context for our chat.",
    "System: Please continue.",
)

# What a hook adds is escaped, so that no "<" stands in it.
HOOK_CONTEXT = re.compile(r"<hook_context>[^<]*+</hook_context>\s*+")


def without_hooks(said: str) -> str:
    """A prompt without what hooks added to it."""
    return HOOK_CONTEXT.sub("", said).strip()


def is_injected(said: str) -> bool:
    """Whether the program said it, not the user; so it is where nothing is said at all."""
    return not said or said.startswith(INJECTED)


def response(call: Record) -> object:
    """What a tool answered, in the shape in which its hook tells it; None where it didn't."""
    parts = [mapping(part.get("functionResponse")) for part in objects(call.get("result"))]
    answers = [mapping(part.get("response")) for part in parts]
    said = "\n".join(text(answer.get("output")) for answer in answers if answer.get("output"))
    error = "\n".join(text(answer.get("error")) for answer in answers if answer.get("error"))
    shown = call.get("resultDisplay")
    told: Record = {"llmContent": said, "returnDisplay": shown, "error": error}
    return {name: value for name, value in told.items() if value} or call.get("result") or None
