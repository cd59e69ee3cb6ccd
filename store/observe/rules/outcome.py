"""The outcome of a tool use: whether it failed and by which error, in a phrase, and the facts worth
keeping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...records.dataclasses import dataclass
from ...text.late_pattern import late_pattern
from . import command_output, commits, shell_commands, tools
from .command_output import RunTotals, check_of, head_and_tail, totals_of
from .edit_diff import EditDiff, conflicts_of, diff_of
from .known_tools.reported_outcome import ReportedOutcome, reported_outcome, singular
from .questions import questions_of
from .tools import ParsedToolUse

LONGEST = 200
BRIEF = 48
"""Characters of an answer of the user's that its title tells whole."""
STRONG = late_pattern(
    r"^(?:\S{0,80}:\s*)?(?:(?:fatal|panic|error|ERROR|Error|FATAL|E)(?:\[\w+\])?[: ]\s*\S"
    r"|[A-Z]\w*(?:Error|Exception|Interrupt)\b|CONFLICT\b|ERR!|错误[：:]|致命错误|异常[：:])"
)
WEAK = late_pattern(
    r"\b(?:error|failed|failure|cannot|can't|could not|couldn't|unable to|not found|no such file|denied"
    r"|undefined|invalid|refused|timed? ?out|unexpected|unknown|already exists|required|no rule to make"
    r"|unreachable|unresolved|missing|rejected|aborted|killed|out of memory|no space left|no matching"
    r"|not a directory|does not exist|doesn't exist|segmentation fault|timeout)\b"
    r"|错误|失败|异常|找不到|未找到|无法|不存在|拒绝|超时|权限不足",
    re.IGNORECASE,
)
PLACED = late_pattern(r"^\S{1,120}[:(]\d+(?:[:,]\d+)?\)?:? +[\w'\"`“(\[]")
WARNED = late_pattern(
    r"^(?:\S{1,40}:\s?)?\[?(?:WARN(?:ING)?|warning|Warning|warn|notice|NOTICE|note|DEBUG|INFO|info"
    r"|\w{0,40}Warning|npm warn|npm WARN|DEPRECATION|Retrying|retrying|正在重试|警告)\b"
    r"|\bRetry(?:ing)?\b.{0,40}\b(?:after|in|attempt)\b"
)
"""Lines that warn, or tell of another try: they name no error that ended a command."""
RAISED = late_pattern(r"^(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Iteration)\b.*$", re.M)
EMPTY = late_pattern(
    r"^(?:Error: )?(?:Exit code:? \d+|exit (?:status )?\d+|Command failed.{0,20})$|^[\W_]*$"
    r"|^\[[^\]]{1,40}\] (?:\$ |Finished in |ERROR task failed)|^(?:=+|-+|_+) .{0,60} (?:=+|-+|_+)$"
    r"|^Traceback \(most recent call last\):$",
    re.I,
)
PREFIX = late_pattern(
    r"^(?:\[\S{1,40}\]\s*|E\s{2,}|npm ERR! ?|npm error ?|\d{4}-\d\d-\d\dT\S+\s+|[│╷]\s*)+"
)
SUMMED = late_pattern(
    r"^(?:FAILED|FAIL:?|ERROR) \S|^FAILED \(|^FAIL$|^(?:FAIL|ok)\s+\S+\s+(?:[\d.]+s|\[)|^(?:npm ERR!"
    r"|npm error) (?:code|A complete log|errno|Lifecycle|Exit status)|^(?:Tests?:?|Tests run:|Test Suites:"
    r"|[= ]*)\s*\d+ (?:passed|failed|passing|failing|skipped|errors?)\b|Tests run: \d|^test result: "
    r"|^\d+ examples?, |个(?:测试|用例)|\d ?个(?:通过|失败)|^Ran \d+ tests? in|^Found \d+ errors?\b"
    r"|^\d+ (?:errors?|issues?|problems?)\b|^✖ \d|ELIFECYCLE|^g?make(?:\[\d+\])?: \*\*\* \["
    r"|^ninja: build stopped|^error Command failed|^error: (?:could not compile|test failed)"
)
"""Lines that only repeat that something failed, told where nothing says what."""

TESTED = (
    shell_commands.TEST,
    shell_commands.RUN,
    shell_commands.BUILD,
    shell_commands.CHECK,
    shell_commands.FORMAT,
)
IN_CODE = (shell_commands.TEST, shell_commands.CHECK, shell_commands.BUILD)
PROBLEMS = late_pattern(r"\b([1-9]\d*) (errors?|problems?|issues?)\b|([1-9]\d*) ?个(错误|问题)")
MOST = 12


def error_of(output: str, *, in_code: bool = False) -> str | None:
    """Return the line of an output that names the error, else its first line; None where it is empty.

    `in_code` prefers a line that names a place in code: what compilers, linters and tests print.
    """
    text = head_and_tail(output, 12_000, 20_000)
    if "Traceback (most recent call last)" in text and (raised := RAISED.findall(text)):
        return str(raised[-1])[:LONGEST]
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not EMPTY.match(line)]
    telling = [line for line in lines if not WARNED.search(line[:LONGEST])] or lines
    if in_code and (placed := next(filter(PLACED.match, telling), None)):
        return placed[:LONGEST]
    plainer = [line for line in telling if not SUMMED.search(line[:LONGEST])]
    for some in (plainer, telling):
        for pattern in (STRONG, WEAK):
            for line in some:
                plain = PREFIX.sub("", line)
                if plain and (pattern.match(plain) if pattern is STRONG else pattern.search(plain)):
                    return _bare(plain)
    return _bare(PREFIX.sub("", telling[0])) or None if telling else None


def _bare(line: str) -> str:
    return line.removeprefix("Error: ").removeprefix("- ")[:LONGEST]


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What came of a tool use.

    `phrase` says it in a few words, `error` is the line that names the error, `counts` the lines of an
    edit in words. `succeeded` is whether it is known not to have failed; neither where nothing tells.
    """

    failed: bool
    phrase: str
    error: str | None
    facts: list[str]
    counts: str
    diff: EditDiff | None
    succeeded: bool = False
    reason: str = ""
    """What names the failure best: the error's line, else the first test that failed; "" for neither."""


def outcome_of(use: ParsedToolUse) -> ToolOutcome:
    """Return the outcome of a tool use."""
    text = use.output.text
    tests = check = None
    reported = reported_outcome(use)
    if use.action == tools.WAIT or (use.action == tools.RUN and _tests(use)):
        tests = totals_of(text)
        check = None if tests or reported.phrase else check_of(text)
    is_certain = use.output.succeeded and not use.hides_status
    trusted = is_certain and use.kind == shell_commands.RUN
    problems = PROBLEMS.search(check) if check else None
    failed = (
        use.failed or bool(reported.failed) or (bool((tests and tests.failed) or problems) and not trusted)
    )
    error = _error(use, text) if failed else None
    diff = diff_of(use) if use.action in (tools.EDIT, tools.WRITE) else None
    phrase = _phrase(use, tests, check, problems, reported, failed=failed, is_certain=is_certain)
    facts = list(dict.fromkeys(_facts(use, tests, check or _checked(use, reported), error, diff)))[:MOST]
    return ToolOutcome(
        failed,
        phrase,
        error,
        facts,
        diff.counts if diff else "",
        diff,
        not failed and (is_certain or reported.failed is False or bool(tests and tests.passed)),
        _reason(error, tests),
    )


def _tests(use: ParsedToolUse) -> bool:
    """Return whether a line runs tests, checks or programs that may print their totals."""
    return use.kind in TESTED or (
        use.kind == shell_commands.INSTALL
        and any(shell_commands.kind_of(command) in IN_CODE for command in use.commands)
    )


def _reason(error: str | None, tests: RunTotals | None) -> str:
    """Return the error's line where it tells one, and is no more than the first of an output."""
    if error and not SUMMED.search(error):
        plain = PREFIX.sub("", error)
        signs = (STRONG.match, WEAK.search, PLACED.match, RAISED.match)
        if any(sign(plain) for sign in signs):
            return error
    return tests.failures[0] if tests and tests.failures else ""


def _checked(use: ParsedToolUse, reported: ReportedOutcome) -> str | None:
    """Return what a check, build or deployment came to, as a fact; None where other facts say it."""
    others = (shell_commands.INSTALL, shell_commands.COMMIT, shell_commands.PUSH, shell_commands.REPOSITORY)
    return reported.phrase if reported.phrase and use.kind not in others else None


def _phrase(
    use: ParsedToolUse,
    tests: RunTotals | None,
    check: str | None,
    problems: re.Match[str] | None,
    reported: ReportedOutcome,
    *,
    failed: bool,
    is_certain: bool,
) -> str:
    """Return the outcome in a few words; "" where nothing tells it.

    What passed before a run broke off is no total of a run that failed.
    """
    if tests and (tests.failed or not failed):
        return str(tests)
    if reported.phrase and (reported.failed or not failed):
        return f"{tests}, {reported.phrase}" if tests and reported.failed else reported.phrase
    if problems:
        return singular(f"failed ({problems[1] or problems[3]} {problems[2] or problems[4]})")
    if check and not failed:
        return singular(check)
    if use.output.interrupted:
        return "interrupted before it ended"
    if not failed and is_certain and use.kind in IN_CODE:
        return "succeeded"
    if use.kind == shell_commands.HISTORY and not failed:
        return commits.history_phrase(use.output.text)
    if use.prints_nothing and not failed:
        return "printed nothing"
    if use.output.running and not failed and use.action == tools.RUN:
        return "runs in the background"
    return ""


def _error(use: ParsedToolUse, text: str) -> str | None:
    if use.is_declined:
        words = text.partition("the user said:")[2].strip()
        return words.splitlines()[0] if words else None
    return error_of(text, in_code=use.kind in IN_CODE)


def _facts(
    use: ParsedToolUse, tests: RunTotals | None, check: str | None, error: str | None, diff: EditDiff | None
) -> Iterator[str]:
    if tests:
        yield f"tests: {tests}"
        yield from (f"failed: {name}" for name in tests.failures)
    elif check:
        yield check
    if error:
        yield f"the user said: {error}" if use.is_declined else _error_fact(error)
    if use.action == tools.RUN:
        if use.output.exit_code:
            yield f"exit code {use.output.exit_code}"
        yield from _of_commands(use)
    elif use.action == tools.ASK and not use.failed:
        answers = (question.answer for question in questions_of(use))
        yield from (f"the user said: {answer}" for answer in answers if len(answer) > BRIEF)
    elif diff and not use.failed:
        yield from conflicts_of(use)
    elif use.action == tools.SEARCH and not use.failed:
        yield from _found(use)


def _error_fact(error: str) -> str:
    return f"error: {error[6:].lstrip()}" if error[:6].lower() == "error:" else f"error: {error}"


def _of_commands(use: ParsedToolUse) -> Iterator[str]:
    text = use.output.text
    if use.kind in (
        shell_commands.COMMIT,
        shell_commands.PUSH,
        shell_commands.REQUEST,
        shell_commands.REPOSITORY,
    ):
        yield from commits.commit_facts(text)
    if use.kind == shell_commands.INSTALL:
        yield from command_output.package_facts(text)
    if use.main is not None and (version := command_output.version_in(use.main, text)):
        yield version
    if use.kind == shell_commands.SEARCH and not use.failed:
        yield from _found(use)


def _found(use: ParsedToolUse) -> Iterator[str]:
    lines = [line for line in use.output.text.splitlines() if line.strip()]
    said_none = ("no matches", "no files", "no results", "未找到")
    if use.output.answered and (not lines or lines[0].lower().startswith(said_none)):
        yield "no match"
