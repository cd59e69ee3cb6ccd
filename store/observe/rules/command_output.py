"""What commands print: totals of tests, results of checks, commits, requests, and installed packages."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator

from ...records.dataclasses import dataclass
from .shell import ShellCommand, parse_commands
from .shell_commands import INSTALLERS

HEAD, TAIL = 4_000, 8_000
"""Characters of an output that are read, from its head and its tail: totals stand at the end."""
LONGEST = 160

PYTEST = re.compile(
    r"^[=\s]*((?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun)\b,? ?)+)"
    r"(?: ?in [\d.:]+ ?m?s?\b.*)?=*$",
    re.MULTILINE,
)
JEST = re.compile(
    r"^\s*Tests:?\s+((?:\d+ (?:passed|failed|skipped|todo|total)[,| ]*)+)", re.MULTILINE
)
PLAYWRIGHT = re.compile(
    r"^\s*(\d+) (passed|failed|skipped|flaky)(?: \([\d.]+m?s\))?\s*$", re.MULTILINE
)
CARGO = re.compile(r"test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored")
MOCHA = re.compile(r"^\s*(\d+) (passing|failing|pending)\b", re.MULTILINE)
UNITTEST = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
UNITTEST_BAD = re.compile(r"^FAILED \((.*)\)", re.MULTILINE)
MAVEN = re.compile(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?")
DOTNET = re.compile(r"Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+)")
PHPUNIT = re.compile(r"^OK \((\d+) tests?,", re.MULTILINE)
PHPUNIT_BAD = re.compile(
    r"^Tests: (\d+), Assertions: \d+, (?:Errors: (\d+), )?(?:Failures: (\d+))?", re.M
)
RSPEC = re.compile(r"^(\d+) examples?, (\d+) failures?", re.MULTILINE)
TAP = re.compile(r"^[#ℹ] (pass|fail|skipped) (\d+)$", re.MULTILINE)
CHINESE = re.compile(r"(\d+) ?(?:个|项|条)?(?:测试|用例|单元测试)?(?:已|全部)?(通过|失败|跳过)")
GO_TEST = re.compile(r"^\s*--- (PASS|FAIL|SKIP): (\S+)", re.MULTILINE)
GO_PACKAGE = re.compile(r"^(ok|FAIL)[ \t]+(\S+/\S+|\S+\.\S+)[ \t]", re.MULTILINE)
NAMED_FAILURE = re.compile(
    r"^(?:FAILED|ERROR) (\S+::\S+|\S+\.py\b\S*)|^\s*--- FAIL: (\S+)|^test (\S+) \.\.\. FAILED"
    r"|^\s*(?:●|✕|×|✗) (?!.*\d+ problems?)(.{3,100})$|^(?:FAIL|ERROR): (\w+ \([\w.]+\))",
    re.MULTILINE,
)
CHECKED = re.compile(
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
        parts = [
            f"{count} {self.unit}{word}"
            for count, word in (
                (self.passed, "passed"),
                (self.failed, "failed"),
                (self.skipped, "skipped"),
            )
            if count
        ]
        return ", ".join(parts)


def totals_of(output: str) -> RunTotals | None:
    """Return the totals that a test run printed, whatever ran it; None where it printed none."""
    text = head_and_tail(output)
    for marks, count in COUNTS:
        # Most outputs have none of the words, which is quicker to see than to match.
        if any(mark in text for mark in marks):
            found = count(text)
            if found is not None and found.passed + found.failed + found.skipped:
                failures = _failures(text) if found.failed else ()
                return RunTotals(found.passed, found.failed, found.skipped, failures, found.unit)
    return None


def check_of(output: str) -> str | None:
    """Return the last line in which a linter, formatter or type checker sums up; None for none."""
    found = _last(CHECKED, head_and_tail(output))
    return found[1].strip().rstrip(".:!")[:LONGEST] if found else None


def head_and_tail(output: str) -> str:
    """Return the head and the tail of an output, or all of it where it isn't long."""
    return output if len(output) <= HEAD + TAIL else f"{output[:HEAD]}\n{output[-TAIL:]}"


def _pytest(text: str) -> RunTotals | None:
    found = _last(PYTEST, text)
    return _of_pairs(re.findall(r"(\d+) (\w+)", found[1])) if found else None


def _jest(text: str) -> RunTotals | None:
    found = JEST.search(text)
    return _of_pairs(re.findall(r"(\d+) (\w+)", found[1])) if found else None


def _sums(text: str) -> RunTotals | None:
    if "test result:" in text:
        sums = [tuple(map(int, found)) for found in CARGO.findall(text)]
        return RunTotals(*(sum(column) for column in zip(*sums, strict=True))) if sums else None
    if found := UNITTEST.search(text):
        bad = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", _first(UNITTEST_BAD, text))))
        return RunTotals(int(found[1]) - bad, bad)
    if "Tests run:" in text and (all_found := MAVEN.findall(text)):
        ran, failures, errors, skipped = (int(part or 0) for part in all_found[-1])
        return RunTotals(ran - failures - errors - skipped, failures + errors, skipped)
    if found := DOTNET.search(text):
        return RunTotals(int(found[2]), int(found[1]), int(found[3]))
    if found := PHPUNIT.search(text):
        return RunTotals(int(found[1]))
    if found := PHPUNIT_BAD.search(text):
        bad = int(found[2] or 0) + int(found[3] or 0)
        return RunTotals(int(found[1]) - bad, bad)
    if found := RSPEC.search(text):
        return RunTotals(int(found[1]) - int(found[2]), int(found[2]))
    return None


def _playwright(text: str) -> RunTotals | None:
    return _of_pairs(PLAYWRIGHT.findall(text)[-4:])


def _mocha(text: str) -> RunTotals | None:
    return _of_pairs(MOCHA.findall(text)[-4:])


def _chinese(text: str) -> RunTotals | None:
    return _of_pairs(CHINESE.findall(text)[-4:])


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
    return (
        RunTotals(sums["passed"], sums["failed"], sums["skipped"]) if any(sums.values()) else None
    )


def _failures(text: str) -> tuple[str, ...]:
    def named() -> Iterator[str]:
        for found in NAMED_FAILURE.finditer(text):
            yield next(filter(None, found.groups()), "").strip()

    return tuple(dict.fromkeys(filter(None, named())))[:5]


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next(iter(deque(pattern.finditer(text), maxlen=1)), None)


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


COUNTS: tuple[tuple[tuple[str, ...], Callable[[str], RunTotals | None]], ...] = (
    ((" passed", " failed", " error", " skipped"), _pytest),
    (("Tests",), _jest),
    (("test result:", "Ran ", "Tests", "Passed:", "OK (", " example"), _sums),
    ((" passed", " failed"), _playwright),
    ((" passing", " failing"), _mocha),
    (("通过", "失败"), _chinese),
    (("# pass", "ℹ pass", "# fail", "ℹ fail"), _tap),
    (("--- ", "ok ", "FAIL", "ok\t"), _go),
)
"""The words without which an output holds no totals of a kind, and what reads them."""


HEREDOC_MESSAGE = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?\s*\n(.*?)\n\s*\1\b", re.DOTALL)
COMMITTED = re.compile(r"^\[([^\]\s]+(?: \(root-commit\))?) ([0-9a-f]{7,40})\] (.*)$", re.MULTILINE)
CHANGED = re.compile(
    r"^ ?(\d+ files? changed(?:, \d+ insertions?\(\+\))?(?:, \d+ deletions?\(-\))?)", re.MULTILINE
)
PUSHED = re.compile(
    r"^ [*+ ] ?(?:\[new (?:branch|tag)\]|[0-9a-f.]+)\s+(\S+) -> (\S+)", re.MULTILINE
)
REQUEST = re.compile(r"https?://[\w.\-]+/[\w.\-/]+/(?:pull|pulls|merge_requests|issues)/\d+")
CONFLICT = re.compile(r"^CONFLICT \([^)]*\): .*?(?:in|of) (\S+)", re.MULTILINE)

COMMIT_TYPES = (
    ("bugfix", re.compile(
        r"^(?:fix(?:es|ed)?|bugfix|hotfix|resolve[sd]?|repair(?:ed)?|correct(?:ed)?)\b"
        r"|^修复|^修正|^解决", re.IGNORECASE,
    )),
    ("feature", re.compile(
        r"^(?:feat(?:ure)?|add(?:s|ed)?|implement(?:s|ed)?|introduce[sd]?|support)\b"
        r"|^新增|^添加|^增加|^实现|^支持", re.IGNORECASE,
    )),
    ("refactor", re.compile(
        r"^(?:refactor(?:s|ed)?|rename[sd]?|simplif(?:y|ies|ied)|extract(?:ed)?|clean ?up|restructure)\b"
        r"|^重构|^优化|^简化|^重命名", re.IGNORECASE,
    )),
)  # fmt: skip


def commit_message(line: str, commands: tuple[ShellCommand, ...]) -> str:
    """Return the message that a commit was given on its command line; "" where there is none."""
    for command in commands:
        words = command.arguments
        for place, word in enumerate(words):
            if word in ("-m", "--message", "-am", "-sm", "-asm") and place + 1 < len(words):
                return _of_word(words[place + 1], line)
            if word.startswith("--message="):
                return _of_word(word.partition("=")[2], line)
        if command.script and ("-F" in words or "--file" in words):
            return command.script.strip()
    return ""


def _of_word(word: str, line: str) -> str:
    if word.startswith("$(") and (found := HEREDOC_MESSAGE.search(line)):
        return found[2].strip()
    return word.replace("\\n", "\n").strip()


def commit_type(message: str) -> str:
    """Return the type of observation that a commit's message names: bugfix, feature, refactor or change."""
    return next((kind for kind, words in COMMIT_TYPES if words.search(message)), "change")


def request_title(line: str) -> str:
    """Return the title that a pull request or an issue was given; "" where there is none."""
    for command in parse_commands(line):
        words = command.arguments
        for place, word in enumerate(words[:-1]):
            if word in ("--title", "-t"):
                return words[place + 1]
    return ""


def commit_facts(output: str) -> list[str]:
    """Return facts of an output: the commit that was made, what it changed, where it was pushed, conflicts,
    and the request's address."""
    text = output[:20_000]
    found = [
        f"commit {match[2]} on {match[1].split(' ')[0]}" for match in COMMITTED.finditer(text)
    ][:1]
    found += [match[1] for match in CHANGED.finditer(text)][:1]
    found += [f"pushed {match[1]} to {match[2]}" for match in PUSHED.finditer(text)][:1]
    found += [f"conflict in {file}" for file in CONFLICT.findall(text)][:8]
    return found + REQUEST.findall(text)[:1]


def committed_subject(output: str) -> str:
    """Return the subject of the commit that git printed; "" where it printed none."""
    found = COMMITTED.search(output[:20_000])
    return found[3] if found else ""


PIP = re.compile(r"^Successfully installed (.+)$", re.MULTILINE)
PIP_ONE = re.compile(r"^(.+)-(\d[\w.!+\-]*)$")
PLUS = re.compile(r"^\s*\+ ([@\w./\-]+?)(?:==|@| )v?(\d[\w.\-+]*)\s*$", re.MULTILINE)
ADDED = re.compile(
    r"^(added \d+ packages?(?:, (?:and )?(?:removed|changed|audited) \d+ packages?)*)", re.MULTILINE
)
GO = re.compile(r"^go: (added|upgraded|downgraded) (\S+) (v\S+)(?: => (v\S+))?", re.MULTILINE)
CARGO_INSTALLED = re.compile(
    r"^\s*(?:Adding|Installed package `?|Installed) ?([\w\-]+) (v\d[\w.\-+]*)", re.MULTILINE
)
GEM = re.compile(r"^Successfully installed ([\w\-]+)-(\d[\w.]*)$", re.MULTILINE)
VERSION = re.compile(r"^(?:v|[\w .+\-]{1,40}?\bv?(?:version )?)(\d+\.\d+[\w.\-+]*)", re.MULTILINE)
NO_PACKAGE = frozenset(
    (".", "..", "-r", "--", "install", "add", "i", "ci", "get", "sync", "require", "pip")
)


def installed_by(command: ShellCommand) -> list[str]:
    """Return the packages that a command's words name to be installed; none where a file names them."""
    name = "pip" if "pip" in command.arguments[:3] else command.name
    verbs = INSTALLERS.get(name, ("install",))
    words = list(command.arguments)
    at = next((place for place, word in enumerate(words) if word in verbs), len(words))
    found: list[str] = []
    skips = False
    for word in words[at + 1 :]:
        if skips:
            skips = False
        elif word in (
            "-r",
            "--requirement",
            "-c",
            "--index-url",
            "-i",
            "--target",
            "--group",
            "--extra",
        ):
            skips = True
        elif not word.startswith("-") and word not in NO_PACKAGE:
            found.append(word)
    return found


def package_facts(output: str) -> list[str]:
    """Return what an installer printed as installed: at most ten packages with versions, and its sum."""
    text = head_and_tail(output)
    found: list[str] = []
    for line in PIP.findall(text):
        pairs = filter(None, map(PIP_ONE.match, line.split()))
        found += [f"installed {one[1]} {one[2]}" for one in pairs]
    found += [f"installed {name} {version}" for name, version in PLUS.findall(text)]
    found += [f"{did} {name} {new or version}" for did, name, version, new in GO.findall(text)]
    found += [f"installed {name} {version}" for name, version in CARGO_INSTALLED.findall(text)]
    if not found:
        found += [f"installed {name} {version}" for name, version in GEM.findall(text)]
    return list(dict.fromkeys(found))[:10] + ADDED.findall(text)[:1]


def version_in(command: ShellCommand, output: str) -> str | None:
    """Return the version that a program printed (`ruff 0.8.1`); None where it wasn't asked for it."""
    asked = command.arguments in (("--version",), ("-V",), ("-v",), ("version",))
    found = VERSION.search(output[:200]) if asked else None
    return f"{command.name} {found[1]}" if found else None
