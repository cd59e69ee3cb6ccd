"""The outcome of a tool use: whether it failed and by which error, its totals, the diff of an edit, and the
facts worth keeping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from ...records.dataclasses import dataclass
from . import command_output, shell_commands, tools
from .command_output import RunTotals, check_of, head_and_tail, totals_of
from .parsed_tool_use import ParsedToolUse

COMPARED = 200
"""Lines a side up to which two texts are compared line by line; beyond it all count as changed."""

AROUND = 6_000
"""Characters before an edit that are searched for the function or heading around it."""

DEFINES = re.compile(
    r"^[ \t]*(?:(?:export|default|public|private|protected|internal|static|async|abstract|final"
    r"|pub(?:\(\w+\))?|const|override|inline|unsafe|extern|sealed|partial|data|open|suspend)[ \t]+)*"
    r"(?:def|class|func|function\*?|fn|interface|type|struct|enum|trait|protocol|object|module|namespace|record"
    r"|macro_rules!|CREATE TABLE(?: IF NOT EXISTS)?)[ \t]+"
    r"(?:\([^()\n]{0,80}\)[ \t]*)?[\"`]?([A-Za-z_\u0080-\uffff][\w$]*)"
    r"|^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[ \t]*=[ \t]*"
    r"(?:async[ \t]*)?(?:\(|function)",
    re.MULTILINE,
)
HEADING = re.compile(r"^#{1,4}[ \t]+(.{1,80}?)[ \t#]*$", re.MULTILINE)
DATA = (
    ".mod",
    ".toml",
    ".json",
    ".jsonl",
    ".yaml",
    ".yml",
    ".lock",
    ".txt",
    ".ini",
    ".csv",
    ".log",
    ".sum",
)
PROSE = (".md", ".mdx", ".rst", ".markdown")


@dataclass(frozen=True, slots=True)
class EditDiff:
    """The changed lines of an edit, each with its sign (`+ ` or `- `), and how many were added
    and removed."""

    lines: tuple[str, ...]
    added: int
    removed: int

    @property
    def text(self) -> str:
        """The lines, joined."""
        return "\n".join(self.lines)

    @property
    def counts(self) -> str:
        """The counts in words: `12 lines added, 3 removed`; "" where nothing changed."""
        parts = []
        if self.added:
            parts.append(f"{self.added} line{'s' * (self.added != 1)} added")
        if self.removed:
            parts.append(
                f"{self.removed} removed"
                if parts
                else f"{self.removed} line{'s' * (self.removed != 1)} removed"
            )
        return ", ".join(parts)


def diff_of(use: ParsedToolUse) -> EditDiff:
    """Return the diff of an edit, as far as its input holds it."""
    lines: list[str] = []
    for before, after in _edits(use.given):
        lines += _compared(before.splitlines(), after.splitlines())
    if not lines:
        lines = list(_patched(use.given))
    added = sum(1 for line in lines if line.startswith("+"))
    return EditDiff(tuple(lines), added, sum(1 for line in lines if line.startswith("-")))


def names_changed(use: ParsedToolUse, diff: EditDiff, path: str) -> list[str]:
    """Return the names that the changed lines define; else the name of the definition around them."""
    changed = names_in("\n".join(line[2:] for line in diff.lines if line[:1] in ("+", "-")), path)
    if changed:
        return changed
    for before, _ in _edits(use.given):
        if around := names_in(before, path):
            return around[-1:]
        if place := use.original.find(before) if before else 0:
            return names_in(
                use.original[max(0, place - AROUND) : max(0, place)], path, limit=1_000
            )[-1:]
    return []


def written_content(use: ParsedToolUse) -> str:
    """Return the content that a tool wrote into a file."""
    return tools.first_text(use.given, tools.CONTENT)


def names_in(text: str, path: str = "", limit: int = 30) -> list[str]:
    """Return the names that a text defines, in order: functions and types of code, headings of prose."""
    if path.lower().endswith(DATA):
        return []
    if path.lower().endswith(PROSE):
        found = (match[1] for match in HEADING.finditer(text))
    else:
        found = (match[1] or match[2] for match in DEFINES.finditer(text))
    names: dict[str, None] = {}
    for name in found:
        names[name] = None
        if len(names) == limit:
            break
    return list(names)


def _edits(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    listed = given.get("edits") or given.get("replacements") or given.get("ReplacementChunks")
    edits = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    for edit in (given, *edits):
        before, after = tools.first_text(edit, tools.BEFORE), tools.first_text(edit, tools.AFTER)
        if before or after:
            yield before, after


def _compared(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(before), len(after)) > COMPARED or not before or not after:
        yield from (f"- {line}" for line in before)
        yield from (f"+ {line}" for line in after)
        return
    for what, left, left_end, right, right_end in SequenceMatcher(
        None, before, after
    ).get_opcodes():
        if what != "equal":
            yield from (f"- {line}" for line in before[left:left_end])
            yield from (f"+ {line}" for line in after[right:right_end])


def _patched(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the changed lines of a patch."""
    for field in tools.PATCHES:
        patch = given.get(field)
        if isinstance(patch, str) and ("*** " in patch or "@@" in patch):
            for line in patch.splitlines():
                if line[:1] in ("+", "-") and not line.startswith(("+++ ", "--- ")):
                    yield f"{line[0]} {line[1:]}"
                elif line.startswith("*** ") and "File: " in line:
                    yield line
            return


LONGEST = 200
STRONG = re.compile(
    r"^(?:\S{0,80}:\s*)?(?:(?:fatal|panic|error|ERROR|Error|FATAL|E)(?:\[\w+\])?[: ]\s*\S"
    r"|[A-Z]\w*(?:Error|Exception|Interrupt)\b|CONFLICT\b|ERR!|错误[：:]|致命错误|异常[：:])",
)
WEAK = re.compile(
    r"\b(?:error|failed|failure|cannot|can't|could not|couldn't|unable to|not found|no such file|denied"
    r"|undefined|invalid|refused|timed? ?out|unexpected|unknown|already exists|required)\b"
    r"|错误|失败|异常|找不到|未找到|无法|不存在|拒绝|超时|权限不足",
    re.IGNORECASE,
)
PLACED = re.compile(r"^\S{1,120}[:(]\d+(?:[:,]\d+)?\)?:? +\S")
RAISED = re.compile(
    r"^(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration)\b.*$", re.M
)
EMPTY = re.compile(
    r"^(?:Error: )?(?:Exit code:? \d+|exit status \d+|Command failed.{0,20})$|^[\W_]*$", re.I
)
PREFIX = re.compile(r"^(?:\[\S{1,40}\]\s*|E\s{2,}|npm ERR! ?|\d{4}-\d\d-\d\dT\S+\s+)+")

TESTED = (
    shell_commands.TEST,
    shell_commands.RUN,
    shell_commands.BUILD,
    shell_commands.CHECK,
    shell_commands.FORMAT,
)
PROBLEMS = re.compile(r"\b[1-9]\d* (?:errors?|problems?|issues?)\b|[1-9]\d* ?个(?:错误|问题)")
MOST = 12


def error_of(output: str, *, in_code: bool = False) -> str | None:
    """Return the line of an output that names the error, else its first line; None where it is empty.

    `in_code` prefers a line that names a place in code: what compilers, linters and tests print.
    """
    text = head_and_tail(output)
    if "Traceback (most recent call last)" in text and (raised := RAISED.findall(text)):
        return str(raised[-1])[:LONGEST]
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not EMPTY.match(line)]
    if in_code and (placed := next(filter(PLACED.match, lines), None)):
        return placed[:LONGEST]
    for pattern in (STRONG, WEAK):
        for line in lines:
            plain = PREFIX.sub("", line)
            if plain and (pattern.match(plain) if pattern is STRONG else pattern.search(plain)):
                return _bare(plain)
    return _bare(PREFIX.sub("", lines[0])) or None if lines else None


def _bare(line: str) -> str:
    return line.removeprefix("Error: ").removeprefix("- ")[:LONGEST]


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What came of a tool use. `totals` sums up a test run or a check in words, `error` is the line that
    names the error, `counts` the lines of an edit in words."""

    failed: bool
    totals: str
    error: str | None
    facts: list[str]
    counts: str
    diff: EditDiff | None


def outcome_of(use: ParsedToolUse) -> ToolOutcome:
    """Return the outcome of a tool use."""
    text = use.output.text
    tests = check = None
    if use.action == tools.WAIT or (use.action == tools.RUN and use.kind in TESTED):
        tests = totals_of(text)
        check = None if tests else check_of(text)
    failed = use.failed or bool(tests and tests.failed) or bool(check and PROBLEMS.search(check))
    error = _error(use, text) if failed else None
    diff = diff_of(use) if use.action in (tools.EDIT, tools.WRITE) else None
    totals = str(tests) if tests else (check or "")
    if use.failed and not (tests and tests.failed) and not (check and PROBLEMS.search(check)):
        # What passed before a run broke off is no total of a run that failed.
        totals = ""
    facts = list(dict.fromkeys(_facts(use, tests, check, error, diff)))[:MOST]
    return ToolOutcome(failed, totals, error, facts, diff.counts if diff else "", diff)


def _error(use: ParsedToolUse, text: str) -> str | None:
    if use.is_declined:
        words = text.partition("the user said:")[2].strip()
        return words.splitlines()[0] if words else None
    return error_of(
        text, in_code=use.kind in (shell_commands.TEST, shell_commands.CHECK, shell_commands.BUILD)
    )


def _facts(
    use: ParsedToolUse,
    tests: RunTotals | None,
    check: str | None,
    error: str | None,
    diff: EditDiff | None,
) -> Iterator[str]:
    if tests:
        yield f"tests: {tests}"
        yield from (f"failed: {name}" for name in tests.failures)
    elif check:
        yield check
    if error:
        yield f"the user said: {error}" if use.is_declined else f"error: {error}"
    if use.action == tools.RUN:
        if use.output.exit_code:
            yield f"exit code {use.output.exit_code}"
        yield from _of_commands(use)
    elif use.action == tools.WRITE and not use.failed and (text := written_content(use)):
        count = len(text.splitlines())
        yield f"{count} line{'s' * (count != 1)} written"
    elif diff and diff.counts and not use.failed:
        yield diff.counts
    elif use.action == tools.SEARCH and not use.failed:
        yield from _found(use)


def _of_commands(use: ParsedToolUse) -> Iterator[str]:
    text = use.output.text
    if use.kind in (
        shell_commands.COMMIT,
        shell_commands.PUSH,
        shell_commands.REQUEST,
        shell_commands.REPOSITORY,
    ):
        yield from command_output.commit_facts(text)
    if use.kind == shell_commands.INSTALL:
        yield from command_output.package_facts(text)
    if use.main is not None and (version := command_output.version_in(use.main, text)):
        yield version
    if use.kind == shell_commands.SEARCH and not use.failed:
        yield from _found(use)


def _found(use: ParsedToolUse) -> Iterator[str]:
    lines = [line for line in use.output.text.splitlines() if line.strip()]
    if not lines or lines[0].lower().startswith(("no matches", "no files", "no results", "未找到")):
        if use.output.answered:
            yield "no match"
    elif lines[0].startswith("Found ") and len(lines[0]) < 60:
        yield lines[0].rstrip(":")
    else:
        yield f"{len(lines)} line{'s' * (len(lines) != 1)} found"
