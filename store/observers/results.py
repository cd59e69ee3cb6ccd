"""What came of a tool use: whether it failed, its sum in a few words, and the facts worth keeping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from . import changes, commands, packages, repository, tools
from .changes import Change, change_of
from .errors_told import error_of
from .outcomes import Tests, check_of, tests_of
from .use import Use

TESTED = (commands.TEST, commands.RUN, commands.BUILD, commands.CHECK, commands.FORMAT)
PROBLEMS = re.compile(r"\b[1-9]\d* (?:errors?|problems?|issues?)\b|[1-9]\d* ?个(?:错误|问题)")
MOST = 12


@dataclass(frozen=True, slots=True)
class Results:
    """What came of it. `outcome` sums up a test run or a check, `error` is the line that tells why."""

    failed: bool
    outcome: str
    error: str | None
    facts: list[str]
    counts: str
    change: Change | None


def results_of(use: Use) -> Results:
    """What came of a tool use."""
    text = use.answer.text
    tests = check = None
    if use.action == tools.WAIT or (use.action == tools.RUN and use.kind in TESTED):
        tests = tests_of(text)
        check = None if tests else check_of(text)
    failed = use.failed or bool(tests and tests.failed) or bool(check and PROBLEMS.search(check))
    error = _error(use, text) if failed else None
    change = change_of(use) if use.action in (tools.EDIT, tools.WRITE) else None
    outcome = str(tests) if tests else (check or "")
    if use.failed and not (tests and tests.failed) and not (check and PROBLEMS.search(check)):
        # What passed before it broke off is no sum of a run that failed.
        outcome = ""
    facts = list(dict.fromkeys(_facts(use, tests, check, error, change)))[:MOST]
    return Results(failed, outcome, error, facts, change.counts if change else "", change)


def _error(use: Use, text: str) -> str | None:
    if use.is_declined:
        _, said, words = text.partition("the user said:")
        return words.strip().splitlines()[0] if said and words.strip() else None
    return error_of(text, in_code=use.kind in (commands.TEST, commands.CHECK, commands.BUILD))


def _facts(
    use: Use, tests: Tests | None, check: str | None, error: str | None, change: Change | None
) -> Iterator[str]:
    if tests:
        yield f"tests: {tests}"
        yield from (f"failed: {name}" for name in tests.failures)
    elif check:
        yield check
    if error:
        yield f"the user said: {error}" if use.is_declined else f"error: {error}"
    if use.action == tools.RUN:
        if use.answer.exit_code:
            yield f"exit code {use.answer.exit_code}"
        yield from _of_commands(use)
    elif use.action == tools.WRITE and not use.failed and (text := changes.written(use)):
        count = len(text.splitlines())
        yield f"{count} line{'s' * (count != 1)} written"
    elif change and change.counts and not use.failed:
        yield change.counts
    elif use.action == tools.SEARCH and not use.failed:
        yield from _found(use)


def _of_commands(use: Use) -> Iterator[str]:
    text = use.answer.text
    if use.kind in (commands.COMMIT, commands.PUSH, commands.REQUEST, commands.REPOSITORY):
        yield from repository.facts_of(text)
    if use.kind == commands.INSTALL:
        yield from packages.facts_of(text)
    if use.main is not None and (version := packages.version_told(use.main, text)):
        yield version
    if use.kind == commands.SEARCH and not use.failed:
        yield from _found(use)


def _found(use: Use) -> Iterator[str]:
    lines = [line for line in use.answer.text.splitlines() if line.strip()]
    if not lines or lines[0].lower().startswith(("no matches", "no files", "no results", "未找到")):
        if use.answer.told:
            yield "no match"
    elif lines[0].startswith("Found ") and len(lines[0]) < 60:
        yield lines[0].rstrip(":")
    else:
        yield f"{len(lines)} line{'s' * (len(lines) != 1)} found"
