"""An agent's plugin or script: a file of our own, for an agent whose configuration takes no commands.

It is made from a template in this package, which says up to its first colon whose it is.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from ..platform.errors import ConfigurationError
from .config_file import Condition, Content, Plan

TELLING = "// TELLING\n", "telling.js"
"""The line of a program where what tells `mem` of an event stands, and the file that holds that."""
PLACEHOLDERS = ('const COMMAND = ["COMMAND"]', "set -- COMMAND")
"""The lines of a program and of a shell's script that hold the command."""
COMMAND_LINE = re.compile(r"^(?:const COMMAND = (\[.*\])|set -- (.*))$", re.MULTILINE)


def render(template: str, arguments: Sequence[str]) -> bytes:
    """The plugin that runs a command, given as separate words."""
    program, script = PLACEHOLDERS
    words = json.dumps(list(arguments))
    text = (
        _read(template).replace(TELLING[0], _read(TELLING[1])).replace(program, f"const COMMAND = {words}")
    )
    return text.replace(script, f"set -- {shlex.join(arguments)}").encode()


def install_plan(path: Path, template: str, arguments: Sequence[str]) -> Plan:
    """A plan that writes the plugin, over an older one."""

    def plan(content: Content) -> Content:
        _check(path, template, content.file)
        return Content(render(template, arguments), content.backup)

    return plan


def uninstall_plan(path: Path, template: str) -> Plan:
    """A plan that removes the plugin."""

    def plan(content: Content) -> Content:
        _check(path, template, content.file)
        return Content(None)

    return plan


def condition(content: bytes | None, template: str) -> tuple[Condition, tuple[str, ...]]:
    """Whether the plugin is in a file of this content, and the words of the command that it runs."""
    if content is None or not _is_ours(template, content):
        return "no", ()
    line = COMMAND_LINE.search(content.decode("utf-8", "replace"))
    try:
        known = json.loads(line[1]) if line and line[1] else shlex.split(line[2] if line else "")
        words = tuple(map(str, known))
    except ValueError:
        words = ()
    return ("yes" if content == render(template, words) else "outdated"), words


def _read(template: str) -> str:
    return files(__package__).joinpath(template).read_text(encoding="utf-8")


def _is_ours(template: str, content: bytes) -> bool:
    mark, colon, _ = _read(template).partition(":")
    return content.startswith((mark + colon).encode())


def _check(path: Path, template: str, content: bytes | None) -> None:
    if content is not None and not _is_ours(template, content):
        raise ConfigurationError(
            "{path} is not memtui's; it was left as it was. Give it another name, then do this again.",
            path=path,
        )
