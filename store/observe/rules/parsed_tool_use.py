"""A tool use parsed once, for every rule to look at: its action, files, commands and output."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...events import ToolUse
from . import commands, tools
from .commands import NOTHING, RUN, SEARCH, heaviest
from .shell import ShellCommand, parse_commands
from .tools import ToolOutput, read_output

PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)
MOVED = re.compile(r"^\*\*\* Move to: (.+)$", re.MULTILINE)
SCRIPTED = re.compile(
    r'tools\.(\w+)\(\s*\{.*?"?(?:cmd|command|q|query|url)"?\s*:\s*"((?:[^"\\]|\\.)*)"', re.DOTALL
)
"""A tool called from a script: what it is called and what it is given."""


DECLINED = re.compile(
    r"user (?:doesn't want to|declined|rejected|denied|cancelled)|rejected by (?:the )?user", re.I
)


@dataclass(frozen=True, slots=True)
class ParsedToolUse:
    """A tool use: what was done, to what, and what came of it.

    `paths` are the files that the tool was given, `commands` those of a command line, `kind` what the
    heaviest of them does (`commands.kind_of`) and `main` that command.
    """

    name: str
    action: str
    given: Mapping[str, Any]
    paths: tuple[str, ...]
    line: str
    commands: tuple[ShellCommand, ...]
    kind: str
    main: ShellCommand | None
    answer: ToolOutput
    is_new: bool
    """Whether the agent says that the file which it wrote was not there before."""
    original: str
    """The file as it was before an edit, where the agent tells it."""
    root: str | None

    @property
    def failed(self) -> bool:
        """Whether it came to nothing; a search that finds nothing has not failed."""
        if self.kind == SEARCH and self.answer.exit_code == 1 and not self.answer.text:
            return False
        return self.answer.failed

    @property
    def is_declined(self) -> bool:
        """Whether the user did not let the agent do it."""
        return self.answer.failed and bool(DECLINED.search(self.answer.text, 0, 200))

    @property
    def files_read(self) -> list[str]:
        """The files whose content was seen, as people name them; none where that failed."""
        if self.failed:
            return []
        if self.action == tools.READ:
            return self.named(self.paths)
        return self.named(commands.read_by(self.commands))

    @property
    def files_changed(self) -> list[str]:
        """The files that were written, moved or removed; none where that failed."""
        if self.failed:
            return []
        if self.action in (tools.EDIT, tools.WRITE):
            return self.named(self.paths)
        return self.named(commands.changed_by(self.commands))

    def named(self, paths: Iterable[str]) -> list[str]:
        """Paths as people name them, each once."""
        return list(dict.fromkeys(relative_path(path, self.root) for path in paths))


def parse_tool_use(tool: ToolUse, root: str | None = None) -> ParsedToolUse:
    """A tool use taken apart; paths below `root` are told from there."""
    given = tool.input if isinstance(tool.input, Mapping) else {"input": tool.input}
    name, given = _unscripted(tool.name, given)
    action = tools.action_of(name, given)
    line = command_line(given) if action == tools.RUN else ""
    commands = parse_commands(line) if line else ()
    kind, main = heaviest(commands) if commands else (RUN if line else NOTHING, None)
    paths = tuple(dict.fromkeys(_paths(given, action)))
    return ParsedToolUse(
        name,
        action,
        given,
        paths,
        line,
        commands,
        kind,
        main,
        read_output(tool),
        _is_new(tool.response),
        _original(tool.response),
        root,
    )


def command_line(given: Mapping[str, Any]) -> str:
    """The command line that a tool was given, without the shell that runs it."""
    for field in tools.SUBJECTS[tools.RUN]:
        value = given.get(field)
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return value[2] if len(value) == 3 and value[1] in ("-c", "-lc") else " ".join(value)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def relative_path(path: str, root: str | None) -> str:
    """A path as people name it: from the project's root where it lies below."""
    if root and path.rstrip("/\\") == root.rstrip("/\\"):
        return "."
    if root and len(path) > len(root):
        base = root.rstrip("/\\")
        if path.startswith(base) and path[len(base)] in "/\\" and base:
            inner = path[len(base) + 1 :]
            return posixpath.normpath(inner) if "\\" not in inner else inner.replace("\\", "/")
    return path


def _is_new(response: object) -> bool:
    if not isinstance(response, Mapping):
        return False
    shown = response.get("returnDisplay")
    return response.get("type") == "create" or (
        isinstance(shown, Mapping) and shown.get("isNewFile") is True
    )


def _original(response: object) -> str:
    found = response.get("originalFile") if isinstance(response, Mapping) else None
    return found if isinstance(found, str) else ""


def _paths(given: Mapping[str, Any], action: str) -> Iterator[str]:
    for field in tools.PATHS:
        value = given.get(field)
        for one in value if isinstance(value, list) else (value,):
            path = one.get("path", one.get("file_path")) if isinstance(one, Mapping) else one
            if isinstance(path, str) and path.strip() and "\n" not in path:
                yield path
    if action == tools.EDIT:
        for field in tools.PATCHES:
            patch = given.get(field)
            if isinstance(patch, str) and "*** " in patch:
                yield from (found[2].strip() for found in PATCHED.finditer(patch))
                yield from (found[1].strip() for found in MOVED.finditer(patch))


def _unscripted(name: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """What a script that calls one tool comes to: that tool, and what it is given."""
    script = given.get("input", given.get("code"))
    if (
        isinstance(script, str)
        and "tools." in script
        and (found := SCRIPTED.search(script, 0, 4_000))
    ):
        told = found[2].replace('\\"', '"').replace("\\n", "\n")
        return found[1], {"command" if "exec" in found[1] else "query": told}
    return name, given
