"""Commits and requests: their messages, files and what git printed of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...text.late_pattern import late_pattern
from .command_output import LONGEST, head_and_tail
from .shell import ShellCommand, parse_commands
from .shell_commands import COMMIT, git_words, is_file, kind_of

HEREDOC_MESSAGE = late_pattern(r"<<-?\s*['\"]?(\w+)['\"]?\s*\n(.*?)\n\s*\1\b", re.DOTALL)
COMMITTED = late_pattern(r"^\[([^\]\s]+(?: \(root-commit\))?) ([0-9a-f]{7,40})\] (.*)$", re.MULTILINE)
CHANGED = late_pattern(
    r"^ ?(\d+ files? changed(?:, \d+ insertions?\(\+\))?(?:, \d+ deletions?\(-\))?)", re.MULTILINE
)
PUSHED = late_pattern(r"^ [*+ ] ?(?:\[new (?:branch|tag)\]|[0-9a-f.]+)\s+(\S+) -> (\S+)", re.MULTILINE)
REQUEST = late_pattern(r"https?://[\w.\-]+/[\w.\-/]+/(?:pull|pulls|merge_requests|issues)/\d+")
CONFLICT = late_pattern(r"^CONFLICT \([^)]*\): .*?(?:in|of) (\S+)", re.MULTILINE)
LISTED_FILE = late_pattern(
    r"^ ?(?:(?:create|delete) mode \d+ (\S.*)|rename (\S.{0,200}?) \(\d+%\)"
    r"|(\S.{0,200}?) +\| +(?:\d+|Bin)\b.*)$",
    re.MULTILINE,
)
RENAMED = late_pattern(r"\{?([^{}\s]*) => ([^{}\s]*)\}?")
MESSAGE_OPTION = late_pattern(r"-[a-zA-Z]*m\Z")
GLUED_MESSAGE = late_pattern(r"-[aqsnevS]*m(?=.)(.+)\Z", re.DOTALL)
VARIABLE = late_pattern(r"\A\$\{?([A-Za-z_]\w*)\}?\Z")
LOG_LINE = late_pattern(
    r"^(?:[*|/\\_ ]{0,20}(?:commit )?[0-9a-f]{7,40}\b.*|Merge: .*|Date: .*|    \S.*"
    r"| ?\S.{0,200}? +\| +(?:\d+ ?[+-]*|Bin .*)| ?\d+ files? changed.*"
    r"|Merge made by .*|Fast-forward|Updating [0-9a-f]{7,40}\.\..*|Auto-merging .*)$",
    re.MULTILINE,
)
HISTORY_LINES, HISTORY_LENGTH = 10, 600
"""Lines and characters that are kept of a log."""

COMMIT_TYPES = (
    ("bugfix", late_pattern(
        r"^(?:fix(?:es|ed)?|bugfix|hotfix|resolve[sd]?|repair(?:ed)?|correct(?:ed)?)\b"
        r"|^修复|^修正|^解决", re.IGNORECASE,
    )),
    ("feature", late_pattern(
        r"^(?:feat(?:ure)?|add(?:s|ed)?|implement(?:s|ed)?|introduce[sd]?|support)\b"
        r"|^新增|^添加|^增加|^实现|^支持", re.IGNORECASE,
    )),
    ("refactor", late_pattern(
        r"^(?:refactor(?:s|ed)?|rename[sd]?|simplif(?:y|ies|ied)|extract(?:ed)?|clean ?up|restructure)\b"
        r"|^重构|^优化|^简化|^重命名", re.IGNORECASE,
    )),
)  # fmt: skip


def commit_message(line: str, commands: Sequence[ShellCommand]) -> str:
    """Return the message that a commit was given on its command line; "" where there is none."""
    for place, command in enumerate(commands):
        if kind_of(command) != COMMIT:
            continue
        words = git_words(command.words)[1:]
        for at, word in enumerate(words):
            following = words[at + 1] if at + 1 < len(words) else ""
            if word == "--":
                break
            if word == "--message" or (MESSAGE_OPTION.match(word) and not word.startswith("--")):
                return _of_word(following, line)
            if word.startswith("--message="):
                return _of_word(word.partition("=")[2], line)
            if word.startswith("--fixup"):
                return f"fixup! {word.partition('=')[2] or following}"
            if not word.startswith("--") and (glued := GLUED_MESSAGE.match(word)):
                return _of_word(glued[1], line)
            if word in ("-F", "--file", "--file=-", "-F-"):
                return _of_file(following, command, commands[:place])
    return ""


def _of_file(name: str, command: ShellCommand, before: Sequence[ShellCommand]) -> str:
    """Return the message that a commit reads from a file or its standard input, where the line holds it."""
    if command.script:
        return command.script.strip()
    if command.is_piped and before and before[-1].name in ("echo", "printf"):
        return " ".join(before[-1].plain).replace("\\n", "\n").strip()
    for other in before:
        if name in other.writes and other.script:
            return other.script.strip()
        if name in other.writes and other.name in ("echo", "printf"):
            return " ".join(other.plain).replace("\\n", "\n").strip()
    return ""


def _of_word(word: str, line: str) -> str:
    if word.startswith("$(") and (match := HEREDOC_MESSAGE.search(line)):
        return match[2].strip()
    if named := VARIABLE.match(word):
        value = re.search(rf"(?:^|[\s;&]){named[1]}=(\"[^\"]*\"|'[^']*'|\S+)", line)
        return value[1].strip("\"'").strip() if value and not value[1].startswith("$") else ""
    return "" if word.startswith(("$(", "`")) else word.replace("\\n", "\n").strip()


def is_amended(commands: Sequence[ShellCommand]) -> bool:
    """Return whether a commit replaces the one before."""
    return any("--amend" in command.arguments for command in commands if kind_of(command) == COMMIT)


def commit_type(message: str) -> str:
    """Return the type of observation that a commit's message names: bugfix, feature, refactor or change."""
    return next((kind for kind, words in COMMIT_TYPES if words.search(message)), "change")


def committed_files(commands: Sequence[ShellCommand], output: str) -> list[str]:
    """Return the files of a commit: those that git printed, else those that the line added or named."""
    listed = [_renamed(next(filter(None, result))) for result in LISTED_FILE.findall(output[:20_000])]
    if listed:
        return list(dict.fromkeys(listed))
    return list(dict.fromkeys(_named_files(commands)))


def _renamed(path: str) -> str:
    """Return the new name in what git prints of a renamed file: `src/{a.py => b.py}`."""
    return RENAMED.sub(r"\2", path).replace("//", "/").strip()


def _named_files(commands: Sequence[ShellCommand]) -> Iterator[str]:
    for command in commands:
        if command.name != "git":
            continue
        verb, *words = git_words(command.words) or ("",)
        if verb in ("add", "rm", "mv", "stage"):
            yield from (word for word in words if not word.startswith("-") and is_file(word))
        elif verb == "commit" and "--" in words:
            yield from filter(is_file, words[words.index("--") + 1 :])


def request_title(line: str) -> str:
    """Return the title that a pull request or an issue was given; "" where there is none."""
    for command in parse_commands(line):
        words = command.arguments
        for place, word in enumerate(words):
            if word in ("--title", "-t") and place + 1 < len(words):
                return words[place + 1]
            if word.startswith("--title="):
                return word.partition("=")[2]
    return ""


def request_number(output: str) -> str:
    """Return the number of the pull request or issue that an output names, as " #13"; "" where it names
    none."""
    match = REQUEST.search(output[:20_000])
    return f" #{match[0].rpartition('/')[2]}" if match else ""


def commit_facts(output: str) -> list[str]:
    """Return facts of an output: the commit that was made, what it changed, where it was pushed, conflicts,
    and the request's address."""
    text = output[:20_000]
    results = [f"commit {match[2]} on {match[1].split(' ')[0]}" for match in COMMITTED.finditer(text)][:1]
    results += [match[1] for match in CHANGED.finditer(text)][:1]
    results += [f"pushed {match[1]} to {match[2]}" for match in PUSHED.finditer(text)][:1]
    results += [f"conflict in {file}" for file in CONFLICT.findall(text)][:8]
    return results + REQUEST.findall(text)[:1]


def committed_subject(output: str) -> str:
    """Return the subject of the commit that git printed; "" where it printed none."""
    match = COMMITTED.search(output[:20_000])
    return match[3] if match else ""


def history_lines(output: str) -> str:
    """Return a few lines of a log, a sum of changes or a merge; "" where none are of these."""
    text = head_and_tail(output)
    lines = [match[0].rstrip()[:LONGEST] for match in LOG_LINE.finditer(text)]
    sums = [line for line in lines if CHANGED.match(line)]
    kept: list[str] = []
    for line in lines:
        if len(kept) == HISTORY_LINES or sum(map(len, kept)) + len(line) > HISTORY_LENGTH:
            break
        kept.append(line)
    return "\n".join(kept + [line for line in sums[-1:] if line not in kept])


def history_phrase(output: str) -> str:
    """Return what a log or a sum of changes comes to in a phrase: what changed, else the newest commit."""
    lines = history_lines(output).splitlines()
    if sums := [line.strip() for line in lines if CHANGED.match(line)]:
        return sums[-1]
    newest = next((line.strip(" *|") for line in lines), "")
    if newest.startswith("commit "):
        return next((line.strip() for line in lines if line.startswith("    ")), newest)
    return newest
