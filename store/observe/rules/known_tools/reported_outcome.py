"""What a known tool's own output tells of its outcome, also where no exit status is told or a pipe
hides it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ....records.dataclasses import dataclass
from ....text.late_pattern import late_pattern
from .. import shell_commands, tools
from ..command_output import head_and_tail
from ..shell import ShellCommand
from ..tools import ParsedToolUse
from . import KnownTool, Sign
from .building import BUILDS, PACKAGES, REPOSITORIES
from .running import CHECKS, OPERATIONS

KNOWN_TOOLS: tuple[KnownTool, ...] = (*CHECKS, *BUILDS, *PACKAGES, *OPERATIONS, *REPOSITORIES)


LONGEST = 90
"""Characters of a phrase."""
MOST = 3
"""Phrases that are told of one line."""

SILENT = frozenset(
    (
        shell_commands.NOTHING, shell_commands.OWN, shell_commands.LIST, shell_commands.FILTER,
        shell_commands.READ, shell_commands.SEARCH,
    )
)  # fmt: skip
"""Kinds of commands that print what stands elsewhere: it is no outcome of theirs."""

DOES = frozenset(
    (
        shell_commands.TEST, shell_commands.CHECK, shell_commands.BUILD, shell_commands.FORMAT,
        shell_commands.INSTALL,
    )
)  # fmt: skip
LOGS = frozenset(("logs", "log", "--log", "--log-failed", "history", "inspect", "describe"))
"""Words that ask for what was written down before."""

RUNS_OTHERS = late_pattern(r"^(?:\.{0,2}/|[\w./-]+\.(?:sh|bash|zsh|ps1|cmd|bat)$)")
"""Scripts, by their names."""

TASK_RUNNERS = frozenset(
    "make gmake just task mise npm pnpm yarn bun deno rake poetry composer hatch pdm tox nox invoke inv nx "
    "turbo lerna mix ant".split()
)
"""Programs whose tasks run other programs."""

WRAPPED = {
    "uv": ("run",), "poetry": ("run",), "pdm": ("run",), "pipenv": ("run",), "rye": ("run",),
    "hatch": ("run",), "bundle": ("exec",), "pnpm": ("exec", "dlx"), "yarn": ("exec", "dlx", "run"),
    "npm": ("exec",), "mise": ("exec", "x"), "nix": ("develop",), "direnv": ("exec",),
}  # fmt: skip
"""Programs and their verbs that run the program named after them."""

CONTAINERS = {
    "docker": (("exec",), ("run",), ("compose", "exec"), ("compose", "run")),
    "podman": (("exec",), ("run",)),
    "docker-compose": (("exec",), ("run",)),
    "kubectl": (("exec",),),
    "ssh": ((),),
}
TAKES_VALUE = frozenset(
    ("-e", "--env", "-w", "--workdir", "-u", "--user", "-v", "--volume", "-p", "--publish", "--name", "-n",
     "--namespace", "-c", "--container", "--network", "-i", "-C", "--directory", "--project", "--with",
     "--python", "--extra", "--group", "-f", "--file", "--filter", "-F", "--prefix", "--context", "-o")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReportedOutcome:
    """What an output tells: whether the tool failed (None where it doesn't say), and a phrase for the
    title ("" for none)."""

    failed: bool | None = None
    phrase: str = ""


NOTHING_REPORTED = ReportedOutcome()

PARTS = (
    "ror", "iled", "No ", "ucc", "ERR", "oul", "AIL", "lre", "iss", "plet", "ting ", "no ", "tal", "uil",
    "gra", "rge",
)  # fmt: skip
"""Parts of words that many marks share: where one isn't in an output, none of these marks is."""


def reported_outcome(use: ParsedToolUse) -> ReportedOutcome:
    """Return what the output of a tool use tells by the table of known tools.

    What a line that ends well and hides no status is said to have failed by is only believed of tools
    that the line itself names.
    """
    if not use.output.text or use.action not in (tools.RUN, tools.WAIT):
        return NOTHING_REPORTED
    text = head_and_tail(use.output.text)
    named, runs_others = _named_by(use)
    certain = use.output.succeeded and not use.hides_status
    outcomes = list(_told(named, text))
    if certain and use.kind not in (shell_commands.TEST, shell_commands.CHECK):
        outcomes = [outcome for outcome in outcomes if not outcome.failed]
    if runs_others:
        known = {tool.name for tool in named}
        others = [tool for tool in _in_scripts() if tool.name not in known]
        # There are many signs, and what a script ends with stands at its output's end.
        ends = head_and_tail(text, 1_000, 4_000)
        outcomes += [item for item in _told(others, ends) if not (certain and item.failed)]
    failures = [entry for entry in outcomes if entry.failed]
    reported_outcomes = failures or outcomes
    if not reported_outcomes:
        return NOTHING_REPORTED
    phrases = list(dict.fromkeys(one.phrase for one in reported_outcomes if one.phrase))
    telling = [phrase for phrase in phrases if phrase != "failed"] or phrases
    failed = True if failures else False if any(one.failed is False for one in reported_outcomes) else None
    return ReportedOutcome(failed, ", ".join(telling[:MOST]).replace("), failed (", ", ")[:LONGEST])


def _named_by(use: ParsedToolUse) -> tuple[list[KnownTool], bool]:
    """Return the known tools that a line names, and whether it runs what its words don't tell."""
    if use.action == tools.WAIT:
        return [], True
    results: dict[str, KnownTool] = {}
    runs_others = False
    for command in use.commands:
        kind = shell_commands.kind_of(command)
        if kind in SILENT or not LOGS.isdisjoint(command.arguments):
            continue
        recognised = tools_of(program_words(command))
        for tool in recognised:
            results[tool.name] = tool
        is_runner = command.name in TASK_RUNNERS or RUNS_OTHERS.match(command.program)
        runs_others = runs_others or bool(is_runner) or (kind in DOES and not recognised)
    return list(results.values()), runs_others


def program_words(command: ShellCommand) -> tuple[str, ...]:
    """Return the words of a command from the program that does the work, without what runs it: `uv run`,
    `docker exec web`, `python -m`."""
    words = command.words
    for _ in range(4):
        name = (
            words[0].rpartition("/")[2].lower().removesuffix(".exe").removesuffix(".cmd") if words else ""
        )
        if name in WRAPPED and words[1:2] and words[1] in WRAPPED[name]:
            words = _after_options(words[2:], 0)
        elif (
            name in CONTAINERS
            and (
                verb := next((verb for verb in CONTAINERS[name] if words[1 : 1 + len(verb)] == verb), None)
            )
            is not None
        ):
            inner = _after_options(words[1 + len(verb) :], 1)
            if not inner:
                return words
            words = inner
        elif name in ("npx", "bunx", "uvx", "pipx") and name != "pipx":
            words = _after_options(words[1:], 0)
        elif name.startswith("python") and "-m" in words[1:4]:
            words = words[words.index("-m") + 1 :]
        elif (
            name in ("python", "python3", "php", "ruby", "node")
            and words[1:2]
            and words[1].rpartition("/")[2] in ("manage.py", "artisan", "rspec")
        ):
            words = words[1:]
        else:
            return (name, *words[1:]) if name else words
    return words


def _after_options(words: Sequence[str], skipped: int) -> tuple[str, ...]:
    """Return words without leading options and then without so many words more."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "--":
            at += 1
            break
        at += 2 if words[at] in TAKES_VALUE else 1
    at += skipped
    rest = tuple(words[at:])
    return rest[1:] if rest[:1] == ("--",) else rest


@lru_cache(maxsize=1_024)
def tools_of(words: tuple[str, ...]) -> tuple[KnownTool, ...]:
    """Return the known tools that a command's words name, the most exact first."""
    if not words:
        return ()
    arguments = shell_commands.git_words(words) if words[0] == "git" else words[1:]
    plain = tuple(word for word in arguments if not word.startswith("-"))
    results = []
    for rest, tool in _by_program().get(words[0], ()):
        options = tuple(word for word in rest if word.startswith("-"))
        verbs = tuple(word for word in rest if not word.startswith("-"))
        if all(option in arguments for option in options) and all(
            place < len(plain) and plain[place] in verb.split("|") for place, verb in enumerate(verbs)
        ):
            results.append((len(rest), tool))
    results.sort(key=lambda pair: -pair[0])
    return tuple(dict.fromkeys(tool for _, tool in results))


@lru_cache(maxsize=1)
def _by_program() -> dict[str, list[tuple[tuple[str, ...], KnownTool]]]:
    results: dict[str, list[tuple[tuple[str, ...], KnownTool]]] = {}
    for tool in KNOWN_TOOLS:
        for command in tool.commands:
            words = command.split()
            if words[:2] == ["python", "-m"]:
                words = words[2:]
            elif words[0] == "python":
                words = words[1:]
            results.setdefault(words[0], []).append((tuple(words[1:]), tool))
    return results


@lru_cache(maxsize=1)
def _in_scripts() -> tuple[KnownTool, ...]:
    return tuple(tool for tool in KNOWN_TOOLS if tool.in_scripts)


@lru_cache(maxsize=1)
def _part_of_marks() -> dict[str, str]:
    """Return the first of `PARTS` in each mark, else the mark itself."""
    marks = [sign.mark for tool in KNOWN_TOOLS for sign in tool.signs]
    return {mark: next((part for part in PARTS if part in mark), mark) for mark in marks}


def _told(named: Sequence[KnownTool], text: str) -> Iterator[ReportedOutcome]:
    """Yield what each of these tools tells, by the first of its signs; no line tells twice."""
    content: set[int] = set()
    looks = PARTS if len(named) > len(PARTS) else ()
    missing = frozenset(part for part in looks if part not in text)
    parts = _part_of_marks()
    for tool in named:
        for sign in tool.signs:
            # Few of the marks stand in an output: most are told to be missing by a part that many share.
            if (
                parts[sign.mark] not in missing
                and sign.mark in text
                and (matches := list(_compiled(sign.pattern).finditer(text)))
            ):
                if matches[0].start() not in content:
                    yield _read(sign, matches)
                content.update(match.start() for match in matches)
                break


def _read(sign: Sign, matches: Sequence[re.Match[str]]) -> ReportedOutcome:
    """Return what a sign tells by its matches.

    The first of several failures is told, for it may cause the others, and the last of other lines.
    """
    if sign.is_counted:
        counts = Counter(match[1] for match in matches).most_common(MOST)
        return ReportedOutcome(sign.fails, ", ".join(f"{count} {word}" for word, count in counts))
    groups = [(group or "").strip() for group in matches[0 if sign.fails else -1].groups()]
    more = f" and {len(matches) - 1} more" if len(matches) > 1 else ""
    said = sign.phrase.format(*groups, n=len(matches), more=more)
    phrase = " ".join(said.split()).replace(" ()", "")
    return ReportedOutcome(sign.fails, singular(phrase))


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


ONE = late_pattern(
    r"\b1 ((?:[\w-]+ )?)(error|issue|problem|warning|file|test|package|hook|offense|violation|place|session"
    r"|suite|spec|contract|migration|chart|container|line|hunk|task|vulnerabilitie|row)s\b"
)


def singular(phrase: str) -> str:
    """Return a phrase in which one of a thing stands in the singular: `1 error`, not `1 errors`."""
    return ONE.sub(
        lambda match: f"1 {match[1]}{match[2].replace('vulnerabilitie', 'vulnerability')}", phrase
    )
