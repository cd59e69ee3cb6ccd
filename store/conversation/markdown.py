"""A conversation as Markdown, and one step of it whole: what a tool was given, and what came back."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..events import ToolUse
from ..observe.boundary import judged, plain_fields
from ..observe.rules import tools
from ..observe.rules.edit_diff import unified_diff_of, written_content
from ..observe.rules.parsed_tool_use import parse_tool_use
from ..text.markup.code import language_of
from ..text.truncation import truncate
from .entries import Conversation, Entry

LONGEST = 20_000
"""Characters that are shown of what a tool was given, and of what came back."""


def conversation_markdown(conversation: Conversation, title: str) -> str:
    """Return a conversation: each prompt under a heading, steps as a list, replies as they were written."""
    blocks = [f"# {title}"]
    steps: list[str] = []
    for entry in conversation.entries:
        if entry.kind == "step":
            steps.append(f"{'  ' * entry.depth}- {step_line(entry)}")
            continue
        if steps:
            blocks.append("\n".join(steps))
            steps = []
        blocks += _said(entry)
    if steps:
        blocks.append("\n".join(steps))
    if conversation.source:
        blocks.append(f"_{conversation.source}_")
    return "\n\n".join(blocks) + "\n"


def step_line(entry: Entry) -> str:
    """Return a step as a line: what was done, how often, and the memories that were made of it."""
    refs = f" [mem {', '.join(entry.refs)}]" if entry.refs else ""
    return f"{entry.title}{times(entry)}{refs}"


def times(entry: Entry) -> str:
    """Return how many edits a step stands for, in brackets; `` for one."""
    return f" ({entry.times} edits)" if entry.times > 1 else ""


def _said(entry: Entry) -> Iterator[str]:
    refs = f" [mem {', '.join(entry.refs)}]" if entry.refs else ""
    match entry.kind:
        case "prompt":
            yield f"## Prompt{refs}"
        case "summary":
            yield f"## Summary{refs}"
    if entry.text.strip():
        yield entry.text.strip()


def use_markdown(use: ToolUse) -> str:
    """Return a use of a tool: an edit as a diff, a command with its output, else what was given and what
    came back."""
    parts, _failure = judged(
        lambda: list(_parts(use)), lambda: [fenced(plain_fields(use)["narrative"] or "", "")]
    )
    return "\n\n".join(parts)


def _parts(use: ToolUse) -> Iterator[str]:
    parsed = parse_tool_use(use)
    path = next(iter(parsed.paths), "")
    answer = parsed.output.text
    if parsed.action in (tools.EDIT, tools.WRITE):
        if diff := unified_diff_of(parsed):
            yield fenced(diff, "diff")
        elif content := written_content(parsed):
            yield fenced(content, language_of(path))
        if not parsed.failed:
            return
    elif parsed.line:
        yield fenced(parsed.line, "sh")
    elif use.input not in (None, "", {}):
        as_json = not isinstance(use.input, str)
        given = json.dumps(use.input, indent=2, ensure_ascii=False) if as_json else str(use.input)
        yield fenced(given, "json" if as_json else "")
    if answer.strip():
        yield fenced(answer, language_of(path) if parsed.action == tools.READ else "")


def fenced(text: str, language: str) -> str:
    """Return a text in a fence that nothing in it can end."""
    text = truncate(text, LONGEST).rstrip("\n")
    longest = max((len(run) for run in _runs(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _runs(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        stripped = line.lstrip()
        yield stripped[: len(stripped) - len(stripped.lstrip("`"))]
