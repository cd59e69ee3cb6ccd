"""What commands print: the part of it that is read, installed packages, versions."""

from __future__ import annotations

import re

from ...text.late_pattern import late_pattern
from .shell import ShellCommand
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
NO_PACKAGE = frozenset(
    (".", "..", "-r", "--", "install", "add", "i", "ci", "get", "sync", "require", "pip")
)


def installed_by(command: ShellCommand) -> list[str]:
    """Return the packages that a command's words name to be installed; none where a file names them."""
    name = "pip" if "pip" in command.arguments[:3] else command.name
    verbs = INSTALLERS.get(name, ("install",))
    words = list(command.arguments)
    at = next((place for place, word in enumerate(words) if word in verbs), len(words))
    results: list[str] = []
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
            results.append(word)
    return results


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
