"""The fields of an observation, from one tool use: without any model and without a network.

From what a tool was given and what it answered; docs/rules.md says what good is, and
tests/store/observe/rules/examples.jsonl shows it.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TypedDict

from ...events import ToolUse
from ...kinds import NOISE
from . import commands, commits, edit_diff, titles, tools
from .concepts import concepts_of
from .noise import Noise, noise_of
from .outcome import ToolOutcome, outcome_of
from .parsed_tool_use import ParsedToolUse, parse_tool_use
from .titles import LINE, one_line, purpose_of

EXCERPT = 2_000
"""Characters of a tool's answer that the narrative keeps, from its head and its tail."""
OUTLINED = 16_000
"""Characters of a file that was read in which names are looked for."""
BEGINNING = 400

TYPES = {
    tools.READ: "discovery", tools.SEARCH: "discovery", tools.WEB: "discovery", tools.LIST: "discovery",
    tools.EDIT: "change", tools.WRITE: "change", tools.DELEGATE: "discovery", tools.TODO: "note",
    tools.PLAN: "decision", tools.WAIT: "discovery", tools.OTHER: "note",
}  # fmt: skip
CHANGING = frozenset(
    (commands.FORMAT, commands.INSTALL, commands.PUSH, commands.REQUEST, commands.REPOSITORY,
     commands.WRITE, commands.REMOVE, commands.MOVE)
)  # fmt: skip
LOOKING = (
    "check", "verify", "show", "get", "find", "list", "view", "inspect", "look", "see", "confirm",
    "debug",
    "test", "compare", "examine", "read", "search", "print", "count", "measure", "查看", "检查", "确认",
    "验证", "查找", "测试",
)  # fmt: skip


class ObservationFields(TypedDict):
    """The fields of an observation, by their columns."""

    type: str
    title: str
    subtitle: str | None
    narrative: str | None
    facts: list[str]
    concepts: list[str]
    files_read: list[str]
    files_modified: list[str]


def observe(
    tool: ToolUse, root: str | None = None, known: Container[str] = ()
) -> ObservationFields | None:
    """What is to be remembered of a tool use; None where that is nothing (`store.observers.noise`).

    Paths below `root` are told from there. `known` are the files that the session has read or
    changed before, told in the same way: to read one again is no news.
    """
    made = observation_fields(tool, root, known)
    return None if made["type"] == NOISE else made


def observation_fields(
    tool: ToolUse, root: str | None = None, known: Container[str] = ()
) -> ObservationFields:
    """As `observe`, but noise too is told: that it was and why it is none, and nothing of its content."""
    use = parse_tool_use(tool, root)
    noise = noise_of(use, known)
    return _observation(use) if noise is None else _noise_row(use, noise)


_NO_OUTCOME = ToolOutcome(failed=False, outcome="", error=None, facts=[], counts="", change=None)


def _noise_row(use: ParsedToolUse, noise: Noise) -> ObservationFields:
    listed = f"Listed {tools.first_text(use.given, tools.SUBJECTS[tools.LIST]) or 'files'}"
    title = listed if use.action == tools.LIST else titles.title_of(use, _NO_OUTCOME)
    return ObservationFields(
        type=NOISE,
        title=one_line(title),
        subtitle=noise,
        narrative=None,
        facts=[],
        concepts=[],
        files_read=[],
        files_modified=[],
    )


def _observation(use: ParsedToolUse) -> ObservationFields:
    results = outcome_of(use)
    kind = _type_of(use, results)
    read, changed = use.files_read, use.files_changed
    return ObservationFields(
        type=kind,
        title=titles.title_of(use, results),
        subtitle=titles.subtitle_of(use, results),
        narrative=_narrative_of(use, results),
        facts=results.facts,
        concepts=concepts_of(use, kind, [*changed, *read]),
        files_read=read,
        files_modified=changed,
    )


def _type_of(use: ParsedToolUse, results: ToolOutcome) -> str:
    if use.is_declined:
        return "note"
    if results.failed:
        return "error"
    if use.action != tools.RUN:
        return (
            "note"
            if use.action == tools.PLAN and "plan" not in use.name.lower()
            else TYPES[use.action]
        )
    if use.kind == commands.COMMIT:
        return commits.type_of(
            commits.message_of(use.line, use.commands) or commits.subject_in(use.answer.text)
        )
    if use.kind in CHANGING:
        return "change"
    if use.kind == commands.RUN:
        return "discovery" if purpose_of(use.given).lower().startswith(LOOKING) else "change"
    return "discovery"


def _narrative_of(use: ParsedToolUse, results: ToolOutcome) -> str | None:
    """What was changed or run, and what came of it, both cut to what a person would read."""
    parts: list[str] = []
    if results.change and results.change.lines:
        parts.append(results.change.text)
    elif use.action == tools.WRITE:
        parts.append(edit_diff.written(use))
    if use.action == tools.PLAN:
        parts.append(tools.first_text(use.given, tools.SUBJECTS[tools.PLAN]))
    if use.action == tools.RUN and ("\n" in use.line or len(use.line) > LINE - 20):
        parts.append(use.line)
    if use.action == tools.READ and not use.failed:
        parts.append(_outline(use))
    elif use.action not in (tools.EDIT, tools.WRITE) or results.failed:
        parts.append(use.answer.text)
    return "\n\n".join(excerpt(part) for part in parts if part.strip()) or None


def _outline(use: ParsedToolUse) -> str:
    """What a file that was read holds: the names that it defines, else how it begins.

    Its content stands in the file; here it would only be found in the place of what was done.
    """
    text = _unnumbered(use.answer.text[:OUTLINED])
    names = edit_diff.names_in(text, use.paths[0] if use.paths else "")
    return f"Defines {', '.join(names)}" if names else text[:BEGINNING].strip()


def _unnumbered(text: str) -> str:
    """A file's text without the numbers that agents put before its lines."""
    lines = text.splitlines()
    if not lines or not any(mark in lines[0][:12] for mark in ("→", "\t", "|")):
        return text
    parts = [
        line.partition("→" if "→" in line[:12] else "|" if "|" in line[:12] else "\t")
        for line in lines
    ]
    if all(number.strip().lstrip("L").isdecimal() for number, _, _ in parts[:-1] or parts):
        return "\n".join(rest for _, _, rest in parts)
    return text


def excerpt(text: str) -> str:
    """The head and the tail of a text that is too long to read."""
    if len(text) <= EXCERPT:
        return text.strip("\n")
    head, tail = EXCERPT * 3 // 4, EXCERPT // 4
    return f"{text[:head].rstrip()}\n…\n{text[-tail:].lstrip()}"
