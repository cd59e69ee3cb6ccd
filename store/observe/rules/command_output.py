"""What commands print: the part of it that is read, installed packages, versions; the totals of test runs,
whatever ran them, and the lines in which checks sum up."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable

from ...records.dataclasses import dataclass
from ...text.late_pattern import late_pattern
from .shell import ShellCommand, operands
from .shell_commands import INSTALLERS

HEAD, TAIL = 4_000, 8_000
"""Characters of an output that are read, from its head and its tail: totals stand at the end."""
LONGEST = 160
"""Characters of a line that is told."""
WIDEST = 1_000
"""Characters of a line that are read: no pattern takes long on so few."""
EXCERPT = 2_000
"""Characters of a tool's output that the narrative keeps, from its head and its tail."""
SEARCHED = 12_000
"""Characters of an output's middle that are searched for telling lines."""
TELLING_LINES, TELLING_WIDTH = 4, 120
TELLING = late_pattern(
    r"https?://[\w.-]+:\d|\b(?:listening|running|started|serving|deployed) (?:on|at|to)\b"
    r"|\bport[ :=]{1,2}\d{2,5}\b|\bversion[ :=]{1,2}v?\d+\.\d"
    r"|^(?:E  |error(?:\[\w+\])?:|fatal:|panic:|FAIL(?:ED)?\b)|[A-Z]\w+(?:Error|Exception): "
    r"|^(?:total|took|elapsed|duration|found|wrote|created|processed)\b.{0,40}\d",
    re.IGNORECASE,
)
"""Lines with a value or an error that is asked for later."""
TELLING_MARKS = (
    "://", "listening ", "running ", "started ", "serving ", "deployed ", "port ", "port:", "port=",
    "version", "e  ", "error:", "error[", "fatal:", "panic:", "fail", "exception:", "total", "took ",
    "elapsed", "duration", "found ", "wrote ", "created ", "processed ",
)  # fmt: skip
"""Words of which a telling line holds one, in lower case."""


def head_and_tail(output: str, head: int = HEAD, tail: int = TAIL) -> str:
    """Return the head and the tail of an output, or all of it where it isn't long; long lines are cut."""
    text = output if len(output) <= head + tail else f"{output[:head]}\n{output[-tail:]}"
    if "\r" in text:
        # What was overwritten on a terminal, as progress is, was read by nobody.
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    if len(text) > WIDEST and max(map(len, text.split("\n"))) > WIDEST:
        text = "\n".join(line[:WIDEST] for line in text.split("\n"))
    return text


def excerpt(text: str, *, is_output: bool = True) -> str:
    """Return a text of at most about `EXCERPT` characters: its head, its tail, and between them, of an
    output, those few lines that tell a value or an error."""
    if len(text) <= EXCERPT:
        return text.strip("\n")
    tail = EXCERPT // 4
    telling = _telling_lines(text[EXCERPT // 2 : -tail][:SEARCHED]) if is_output else []
    head = EXCERPT * 3 // 4 - sum(len(line) + 1 for line in telling)
    between = "".join(f"{line}\n…\n" for line in ["\n".join(telling)] if line)
    end = _break_before(text, len(text) - tail)
    return f"{text[: _break_before(text, head)].rstrip()}\n…\n{between}{text[end:].lstrip()}"


def _break_before(text: str, place: int) -> int:
    """Return where a line or a word ends a little before a place in a text; else the place."""
    ends = (
        text.rfind("\n", place - TELLING_WIDTH, place),
        text.rfind(" ", place - TELLING_WIDTH // 2, place),
    )
    return next((end for end in ends if end > 0), place)


def _telling_lines(text: str) -> list[str]:
    """Return at most `TELLING_LINES` short lines of an output's middle that name an error, an address, a
    port, a version or what was counted."""
    folded = text.lower()
    # Most outputs hold few of the words, which is quicker to see than to match line by line.
    marks = [mark for mark in TELLING_MARKS if mark in folded]
    telling_lines: dict[str, None] = {}
    for line in text.splitlines()[1:-1] if marks else ():
        if not (8 <= len(line) <= 2 * TELLING_WIDTH):
            continue
        lowered = line.lower()
        if not any(mark in lowered for mark in marks):
            continue
        plain = line.strip()
        if len(plain) <= TELLING_WIDTH and TELLING.search(plain):
            telling_lines[plain] = None
            if len(telling_lines) == TELLING_LINES:
                break
    return list(telling_lines)


PIP = late_pattern(r"^Successfully installed (.+)$", re.MULTILINE)
PIP_ONE = late_pattern(r"^(.+)-(\d[\w.!+\-]*)$")
PLUS = late_pattern(r"^\s*\+ ([@\w./\-]+?)(?:==|@| )v?(\d[\w.\-+]*)\s*$", re.MULTILINE)
ADDED = late_pattern(
    r"^(added \d+ packages?(?:, (?:and )?(?:removed|changed|audited) \d+ packages?)*)", re.MULTILINE
)
GO = late_pattern(r"^go: (added|upgraded|downgraded) (\S+) (v\S+)(?: => (v\S+))?", re.MULTILINE)
CARGO_INSTALLED = late_pattern(
    r"^\s*(?:Adding|Installed package `?|Installed) ?([\w\-]+) (v\d[\w.\-+]*)", re.MULTILINE
)
GEM = late_pattern(r"^Successfully installed ([\w\-]+)-(\d[\w.]*)$", re.MULTILINE)
VERSION = late_pattern(r"^(?:v|[\w .+\-]{1,40}?\bv?(?:version )?)(\d+\.\d+[\w.\-+]*)", re.MULTILINE)
NO_PACKAGE = frozenset((".", "..", "-", "install", "add", "i", "ci", "get", "sync", "require", "pip"))
WITH_VALUE = frozenset("-r --requirement -c --index-url -i --target --group --extra".split())


def installed_by(command: ShellCommand) -> list[str]:
    """Return the packages that a command's words name to be installed; none where a file names them."""
    name = "pip" if "pip" in command.arguments[:3] else command.name
    verbs = INSTALLERS.get(name, ("install",))
    words = list(command.arguments)
    at = next((place for place, word in enumerate(words) if word in verbs), len(words))
    return [word for word in operands(words[at + 1 :], WITH_VALUE) if word not in NO_PACKAGE]


def package_facts(output: str) -> list[str]:
    """Return what an installer printed as installed: at most ten packages with versions, and its sum."""
    text = head_and_tail(output)
    results: list[str] = []
    for line in PIP.findall(text):
        pairs = filter(None, map(PIP_ONE.match, line.split()))
        results += [f"installed {match[1]} {match[2]}" for match in pairs]
    results += [f"installed {name} {version}" for name, version in PLUS.findall(text)]
    results += [f"{did} {name} {new or version}" for did, name, version, new in GO.findall(text)]
    results += [f"installed {name} {version}" for name, version in CARGO_INSTALLED.findall(text)]
    if not results:
        results += [f"installed {name} {version}" for name, version in GEM.findall(text)]
    return list(dict.fromkeys(results))[:10] + ADDED.findall(text)[:1]


def version_in(command: ShellCommand, output: str) -> str | None:
    """Return the version that a program printed (`ruff 0.8.1`); None where it wasn't asked for it."""
    is_version_query = command.arguments in (("--version",), ("-V",), ("-v",), ("version",))
    match = VERSION.search(output[:200]) if is_version_query else None
    return f"{command.name} {match[1]}" if match else None


PYTEST = late_pattern(
    r"^[=\s]*((?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun)\b,? ?)+)"
    r"(?: ?in [\d.:]+ ?m?s?\b.*)?=*$",
    re.MULTILINE,
)
JEST = late_pattern(r"^\s*Tests:?\s+((?:\d+ (?:passed|failed|skipped|todo|total)[,| ]*)+)", re.MULTILINE)
PLAYWRIGHT = late_pattern(r"^\s*(\d+) (passed|failed|skipped|flaky)(?: \([\d.]+m?s\))?\s*$", re.MULTILINE)
CARGO = late_pattern(r"test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored")
MOCHA = late_pattern(r"^\s*(\d+) (passing|failing|pending)\b", re.MULTILINE)
UNITTEST = late_pattern(r"^Ran (\d+) tests? in ", re.MULTILINE)
UNITTEST_BAD = late_pattern(r"^FAILED \((.*)\)", re.MULTILINE)
MAVEN = late_pattern(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?")
DOTNET = late_pattern(r"Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+)")
PHPUNIT = late_pattern(r"^OK \((\d+) tests?,", re.MULTILINE)
PHPUNIT_BAD = late_pattern(
    r"^Tests: (\d+), Assertions: \d+, (?:Errors: (\d+), )?(?:Failures: (\d+))?", re.M
)
RSPEC = late_pattern(r"^(\d+) examples?, (\d+) failures?", re.MULTILINE)
TAP = late_pattern(r"^[#ℹ] (pass|fail|skipped) (\d+)$", re.MULTILINE)
CHINESE = late_pattern(r"(\d+) ?(?:个|项|条)?(?:测试|用例|单元测试)?(?:已|全部)?(通过|失败|跳过)")
GO_TEST = late_pattern(r"^\s*--- (PASS|FAIL|SKIP): (\S+)", re.MULTILINE)
GO_PACKAGE = late_pattern(r"^(ok|FAIL)[ \t]+(\S+/\S+|\S+\.\S+)[ \t]", re.MULTILINE)
NAMED_FAILURE = late_pattern(
    r"^(?:FAILED|ERROR) (\S+::\S+|\S+\.py\b\S*)|^\s*--- FAIL: (\S+)|^test (\S+) \.\.\. FAILED"
    r"|^\s*(?:●|✕|×|✗) (?!.*\d+ problems?)(.{3,100})$|^(?:FAIL|ERROR): (\w+ \([\w.]+\))",
    re.MULTILINE,
)
CHECKED = late_pattern(
    r"^(All checks passed!?|Success: no issues found.*|Found \d+ (?:errors?|warnings?|issues?|problems?).*"
    r"|✖ \d+ problems?.*|\d+ issues?[.:].*|\d+ (?:errors?|warnings?)(?: and \d+ \w+)?(?: generated)?\.?"
    r"|\d+ files? (?:would be )?(?:reformatted|left unchanged).*|All matched files use .*"
    r"|Your code has been rated at [-\d.]+/10|Contracts: \d+ kept, \d+ broken\.?"
    r"|发现 ?\d+ ?个(?:错误|问题|警告).*)$",
    re.MULTILINE,
)
WORDS = {
    "passed": "passed", "passing": "passed", "pass": "passed", "通过": "passed", "xpassed": "passed",
    "flaky": "passed", "failed": "failed", "failing": "failed", "fail": "failed", "失败": "failed",
    "error": "failed", "errors": "failed", "skipped": "skipped", "pending": "skipped", "跳过": "skipped",
    "skip": "skipped", "ok": "passed", "xfailed": "skipped", "ignored": "skipped", "todo": "skipped",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunTotals:
    """How many tests passed, failed and were skipped, and the names of the first five that failed;
    `unit` is what was counted where that is no single test (`packages `)."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: tuple[str, ...] = ()
    unit: str = ""

    def __str__(self) -> str:
        counts = {"passed": self.passed, "failed": self.failed, "skipped": self.skipped}
        return ", ".join(f"{count} {self.unit}{word}" for word, count in counts.items() if count)


def totals_of(output: str) -> RunTotals | None:
    """Return the totals that a test run printed, whatever ran it; None where it printed none."""
    text = head_and_tail(output)
    for marks, count in COUNTS:
        # Most outputs have none of the words, which is quicker to see than to match.
        if any(mark in text for mark in marks):
            totals = count(text)
            if totals is not None and totals.passed + totals.failed + totals.skipped:
                failures = _failures(text) if totals.failed else ()
                return RunTotals(totals.passed, totals.failed, totals.skipped, failures, totals.unit)
    return None


def check_of(output: str) -> str | None:
    """Return the last line in which a linter, formatter or type checker sums up; None for none."""
    match = _last(CHECKED, head_and_tail(output))
    return match[1].strip().rstrip(".:!")[:LONGEST] if match else None


def _in_line(match: re.Match[str] | None) -> RunTotals | None:
    """Return the totals that stand side by side in a line: `3 passed, 1 failed`."""
    return _of_pairs(re.findall(r"(\d+) (\w+)", match[1])) if match else None


def _in_lines(pattern: re.Pattern[str]) -> Callable[[str], RunTotals | None]:
    """Return what reads totals of which each has a line, the last four that match."""
    return lambda text: _of_pairs(pattern.findall(text)[-4:])


def _sums(text: str) -> RunTotals | None:
    if "test result:" in text:
        sums = [tuple(map(int, result)) for result in CARGO.findall(text)]
        return RunTotals(*(sum(column) for column in zip(*sums, strict=True))) if sums else None
    if match := UNITTEST.search(text):
        bad = sum(
            map(int, re.findall(r"(?:failures|errors)=(\d+)", "".join(UNITTEST_BAD.findall(text)[:1])))
        )
        return RunTotals(int(match[1]) - bad, bad)
    if "Tests run:" in text and (all_found := MAVEN.findall(text)):
        ran, failures, errors, skipped = (int(part or 0) for part in all_found[-1])
        return RunTotals(ran - failures - errors - skipped, failures + errors, skipped)
    if match := DOTNET.search(text):
        return RunTotals(int(match[2]), int(match[1]), int(match[3]))
    if match := PHPUNIT.search(text):
        return RunTotals(int(match[1]))
    if match := PHPUNIT_BAD.search(text):
        bad = int(match[2] or 0) + int(match[3] or 0)
        return RunTotals(int(match[1]) - bad, bad)
    if match := RSPEC.search(text):
        return RunTotals(int(match[1]) - int(match[2]), int(match[2]))
    return None


def _tap(text: str) -> RunTotals | None:
    return _of_pairs([(count, word) for word, count in TAP.findall(text)])


def _go(text: str) -> RunTotals | None:
    tests = GO_TEST.findall(text)
    packages = GO_PACKAGE.findall(text)
    if tests and len(packages) <= 1:
        return _of_pairs([("1", word.lower()) for word, _ in tests])
    if packages:
        plural = "packages " if len(packages) > 1 else "package "
        counted = _of_pairs([("1", word.lower()) for word, _ in packages])
        return counted and RunTotals(counted.passed, counted.failed, 0, (), plural)
    return None


def _of_pairs(pairs: list[tuple[str, str]]) -> RunTotals | None:
    sums = {"passed": 0, "failed": 0, "skipped": 0}
    for count, word in pairs:
        if (meant := WORDS.get(word)) is not None:
            sums[meant] += int(count)
    return RunTotals(sums["passed"], sums["failed"], sums["skipped"]) if any(sums.values()) else None


def _failures(text: str) -> tuple[str, ...]:
    matches = NAMED_FAILURE.finditer(text)
    names = (next(filter(None, match.groups()), "").strip() for match in matches)
    return tuple(dict.fromkeys(filter(None, names)))[:5]


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next(iter(deque(pattern.finditer(text), maxlen=1)), None)


COUNTS: tuple[tuple[tuple[str, ...], Callable[[str], RunTotals | None]], ...] = (
    ((" passed", " failed", " error", " skipped"), lambda text: _in_line(_last(PYTEST, text))),
    (("Tests",), lambda text: _in_line(JEST.search(text))),
    (("test result:", "Ran ", "Tests", "Passed:", "OK (", " example"), _sums),
    ((" passed", " failed"), _in_lines(PLAYWRIGHT)),
    ((" passing", " failing"), _in_lines(MOCHA)),
    (("通过", "失败"), _in_lines(CHINESE)),
    (("# pass", "ℹ pass", "# fail", "ℹ fail"), _tap),
    (("--- ", "ok ", "FAIL", "ok\t"), _go),
)
"""The words without which an output holds no totals of a kind, and what reads them."""
