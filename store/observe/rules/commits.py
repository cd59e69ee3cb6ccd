"""What the output and the words of commits, pushes and pull requests tell."""

from __future__ import annotations

import re

from .shell import ShellCommand, parse_commands

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
PREFIX = re.compile(r"^(\w+)(?:\([^)]*\))?!?[:：]\s*")

TYPES = (
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


def message_of(line: str, commands: tuple[ShellCommand, ...]) -> str:
    """The message that a commit was given; "" where it tells none."""
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


def type_of(message: str) -> str:
    """The type of observation that a commit's message speaks of."""
    return next((kind for kind, words in TYPES if words.search(message)), "change")


def title_of(line: str) -> str:
    """The title that a pull request or an issue was given; "" where it tells none."""
    for command in parse_commands(line):
        words = command.arguments
        for place, word in enumerate(words[:-1]):
            if word in ("--title", "-t"):
                return words[place + 1]
    return ""


def facts_of(output: str) -> list[str]:
    """The commit that was made, what it changed, where it was pushed, and the request's address."""
    text = output[:20_000]
    found = [
        f"commit {match[2]} on {match[1].split(' ')[0]}" for match in COMMITTED.finditer(text)
    ][:1]
    found += [match[1] for match in CHANGED.finditer(text)][:1]
    found += [f"pushed {match[1]} to {match[2]}" for match in PUSHED.finditer(text)][:1]
    found += [f"conflict in {file}" for file in CONFLICT.findall(text)][:8]
    return found + REQUEST.findall(text)[:1]


def subject_in(output: str) -> str:
    """The subject of the commit that git says it made; "" where it says none."""
    found = COMMITTED.search(output[:20_000])
    return found[3] if found else ""
