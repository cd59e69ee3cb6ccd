"""What a conversation is made of (prompts, steps, replies and summaries), and how it is written as
Markdown; one step of it whole: what a tool was given, and what came back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal

from ..context.compaction import Dropped
from ..observe.boundary import judged, plain_fields
from ..observe.rules import tools
from ..observe.rules.edit_diff import unified_diff_of, written_content
from ..observe.rules.tools import parse_tool_use
from ..records.dataclasses import dataclass, replace
from ..records.events import ToolUse
from ..text.markup import language_of
from ..text.truncation import truncate

EntryKind = Literal["prompt", "step", "reply", "summary"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing that was said or done. `at` is in ms since the epoch, UTC; `title` is a line, and `text`, of
    what was said, all of it as Markdown. `type` is what lists show it as.

    `refs` are the memories that were made of it, none where it became none. `uses` are the uses of a tool,
    as far as the transcript tells them: one, or all edits of a file in a turn. `path` is the file that an
    edit changed.

    `parent` is the place of the step that started the sub-agent which did it, None for the session's own
    agent; `depth` is how many such there are above it, and `below` how many steps are below this one.
    Of what an agent wrote when it compacted the session (`is_compaction`), `lost` is what that lacks.
    `key` is the same whenever the conversation is read again.
    """

    key: str
    kind: EntryKind
    at: int
    title: str
    type: str
    text: str = ""
    refs: tuple[str, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    path: str = ""
    times: int = 1
    parent: int | None = None
    depth: int = 0
    below: int = 0
    is_compaction: bool = False
    lost: tuple[Dropped, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """All entries of a session in order, each sub-agent's below the step that started it.

    `source` says in a sentence where what became no memory is read, or why it can't be.
    """

    entries: tuple[Entry, ...]
    source: str = ""

    def with_first(self, entry: Entry) -> Conversation:
        """Return the conversation with another entry at its beginning."""
        moved = (
            item if item.parent is None else replace(item, parent=item.parent + 1) for item in self.entries
        )
        return Conversation((entry, *moved), self.source)

    def place_of(self, ref: str) -> int | None:
        """Return the place of the entry that became this memory."""
        return next((at for at, item in enumerate(self.entries) if ref in item.refs), None)


_RUN = re.compile(r"^[^\S\n]*(`+)", re.MULTILINE)

LONGEST_SHOWN = 20_000
"""Characters that are shown of what a tool was given, and of what came back."""


def conversation_markdown(conversation: Conversation, title: str) -> str:
    """Return a conversation: each prompt under a heading, steps as a list, replies as they were written."""
    blocks = [f"# {title}"]
    steps: list[str] = []
    for entry in conversation.entries:
        if entry.kind == "step":
            steps.append(f"{'  ' * entry.depth}- {entry.title}{times(entry)}{_refs(entry)}")
            continue
        if steps:
            blocks.append("\n".join(steps))
            steps = []
        if entry.kind in ("prompt", "summary"):
            blocks.append(f"## {entry.kind.title()}{_refs(entry)}")
        if entry.text.strip():
            blocks.append(entry.text.strip())
    if steps:
        blocks.append("\n".join(steps))
    if conversation.source:
        blocks.append(f"_{conversation.source}_")
    return "\n\n".join(blocks) + "\n"


def times(entry: Entry) -> str:
    """Return how many edits a step stands for, in brackets; `` for one."""
    return f" ({entry.times} edits)" if entry.times > 1 else ""


def use_markdown(use: ToolUse) -> str:
    """Return a use of a tool: an edit as a diff, a command with its output, else what was given and what
    came back."""
    parts, _failure = judged(
        lambda: list(_parts(use)), lambda: [fenced(plain_fields(use)["narrative"] or "", "")]
    )
    return "\n\n".join(parts)


def fenced(text: str, language: str) -> str:
    """Return a text in a fence that nothing in it can end."""
    text = truncate(text, LONGEST_SHOWN).rstrip("\n")
    runs: list[str] = _RUN.findall(text)
    fence = "`" * max(3, *(len(run) + 1 for run in runs), 0)
    return f"{fence}{language}\n{text}\n{fence}"


def _refs(entry: Entry) -> str:
    """Return the memories that were made of an entry, in brackets; `` for none."""
    return f" [mem {', '.join(entry.refs)}]" if entry.refs else ""


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
