"""An agent's plugin: a file of our own, for an agent that runs no commands at its events.

It is made from a template in this package, whose first line says up to a colon whose it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from ..errors import ConfigurationError
from .config_file import Condition, Content
from .splice import Plan

PLACEHOLDER = 'const COMMAND = ["COMMAND"]'
COMMAND_LINE = re.compile(r"^const COMMAND = (\[.*\])$", re.MULTILINE)


def render(template: str, arguments: Sequence[str]) -> bytes:
    """The plugin that runs a command, given as separate words."""
    words = json.dumps(list(arguments))
    return _read(template).replace(PLACEHOLDER, f"const COMMAND = {words}").encode()


def install_plan(path: Path, template: str, arguments: Sequence[str]) -> Plan:
    """A plan that writes the plugin, over an older one."""

    def plan(found: Content) -> Content:
        _check(path, template, found.file)
        return Content(render(template, arguments), found.backup)

    return plan


def uninstall_plan(path: Path, template: str) -> Plan:
    """A plan that removes the plugin."""

    def plan(found: Content) -> Content:
        _check(path, template, found.file)
        return Content(None)

    return plan


def condition(content: bytes | None, template: str) -> tuple[Condition, tuple[str, ...]]:
    """Whether the plugin is in a file of this content, and the words of the command that it runs."""
    if content is None or not _is_ours(template, content):
        return "no", ()
    line = COMMAND_LINE.search(content.decode("utf-8", "replace"))
    try:
        words = tuple(map(str, json.loads(line[1]))) if line else ()
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
            f"{path} is not memtui's; it was left as it was. Give it another name, then do this "
            "again."
        )
