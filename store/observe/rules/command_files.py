"""The files that commands read, write and search, as far as their words tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from . import commands
from .shell import ShellCommand

SCRIPTED = frozenset(("sed", "awk", "jq", "yq", "grep", "egrep", "fgrep", "rg", "ag", "ack"))
"""Programs whose first word is no file, but what they look for or do."""

TAKES_VALUE = frozenset(
    ("-n", "-c", "-A", "-B", "-C", "-m", "-e", "-f", "-F", "-v", "--lines", "--bytes", "-t", "-g", "--arg",
     "--glob", "--type", "--include", "--exclude", "--exclude-dir", "-d", "-s", "-r", "-k", "-L")
)  # fmt: skip
NO_FILE = re.compile(r"[*?$`{}|<>\n]|^-|^\d+[,p]|^[+]\d+$|^https?:")
LONGEST = 260


def read_by(found: Sequence[ShellCommand]) -> Iterator[str]:
    """The files whose content the commands show."""
    for command in found:
        kind = commands.kind_of(command)
        if kind == commands.READ and command.name != "git":
            yield from files_of(command)


def changed_by(found: Sequence[ShellCommand]) -> Iterator[str]:
    """The files that the commands write, move or remove."""
    for command in found:
        kind = commands.kind_of(command)
        yield from command.writes
        if command.name == "sed" and kind == commands.WRITE:
            yield from files_of(command)
        elif command.name in ("tee", "touch", "patch", "truncate") or kind == commands.REMOVE:
            yield from filter(is_file, command.plain)
        elif kind == commands.MOVE and command.name in ("mv", "cp"):
            named = [word for word in command.plain if is_file(word)]
            yield from named if command.name == "mv" else named[-1:]
        elif command.name == "git" and command.plain[:1] in (("mv",), ("rm",)):
            yield from filter(is_file, command.plain[1:])


def files_of(command: ShellCommand) -> list[str]:
    """The files that are among a command's words."""
    words: list[str] = []
    skips = False
    has_script = any(word in ("-e", "-f", "--regexp") for word in command.arguments)
    for word in command.arguments:
        if skips:
            skips = False
        elif word.startswith("-") and len(word) > 1:
            # `sed -n` takes no value, `head -n` does.
            skips = word in TAKES_VALUE and not (
                command.name in SCRIPTED and word in ("-n", "-r", "-c", "-s")
            )
        else:
            words.append(word)
    if command.name in SCRIPTED and not has_script:
        words = words[1:]
    return [word for word in words if is_file(word)]


def search_terms(command: ShellCommand) -> tuple[str, list[str]]:
    """What a search looks for, and where."""
    arguments = command.arguments
    if command.name == "git":
        arguments = arguments[arguments.index("grep") + 1 :] if "grep" in arguments else arguments
        command = ShellCommand(("grep", *arguments), command.writes)
    for option in ("-e", "--regexp"):
        if option in arguments[:-1]:
            return arguments[arguments.index(option) + 1], files_of(command)
    words: list[str] = []
    skips = False
    for word in arguments:
        if skips:
            skips = False
        elif word.startswith("-") and len(word) > 1:
            skips = word in TAKES_VALUE and word not in ("-n", "-r", "-c", "-s", "-v", "-L")
        else:
            words.append(word)
    return (words[0] if words else ""), words[1:]


def is_file(word: str) -> bool:
    """Whether a word can be the name of a file."""
    return (
        0 < len(word) <= LONGEST
        and not NO_FILE.search(word)
        and word not in (".", "..", "/", "-", ")")
    )
