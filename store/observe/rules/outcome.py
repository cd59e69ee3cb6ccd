"""The outcome of a tool use: whether it failed and by which error, its totals, and the facts worth
keeping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...records.dataclasses import dataclass
from . import command_output, edit_diff, shell_commands, tools
from .command_output import RunTotals, check_of, head_and_tail, totals_of
from .edit_diff import EditDiff, diff_of
from .parsed_tool_use import ParsedToolUse

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
    elif use.action == tools.WRITE and not use.failed and (text := edit_diff.written(use)):
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
