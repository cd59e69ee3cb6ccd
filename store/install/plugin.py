"""OpenCode's plugin: a file of our own, since OpenCode runs no commands at its events."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from ..errors import ConfigurationError
from .config_file import Condition, Content
from .json_config import Plan
from .launcher import still_works_as

PLACEHOLDER = 'const COMMAND = ["COMMAND"]'
MARK = "// memtui for OpenCode:"
COMMAND_LINE = re.compile(r"^const COMMAND = (\[.*\])$", re.MULTILINE)


def plugin(arguments: Sequence[str]) -> bytes:
    """The plugin that runs a command, given as separate words."""
    template = files(__package__).joinpath("opencode_plugin.js").read_text(encoding="utf-8")
    words = json.dumps(list(arguments))
    return template.replace(PLACEHOLDER, f"const COMMAND = {words}").encode()


def installing(path: Path, arguments: Sequence[str]) -> Plan:
    """Puts the plugin in its place, over an older one."""

    def plan(found: Content) -> Content:
        _check(path, found.file)
        return Content(plugin(arguments), found.backup)

    return plan


def uninstalling(path: Path) -> Plan:
    """Removes the plugin."""

    def plan(found: Content) -> Content:
        _check(path, found.file)
        return Content(None)

    return plan


def condition(content: bytes | None) -> Condition:
    """Whether the plugin is in a file of this content."""
    if content is None or not _is_ours(content):
        return "no"
    line = COMMAND_LINE.search(content.decode("utf-8", "replace"))
    try:
        words = json.loads(line[1]) if line else []
    except ValueError:
        words = []
    current = content == plugin(words) and still_works_as(words)
    return "yes" if current else "outdated"


def _is_ours(content: bytes) -> bool:
    return content.startswith(MARK.encode())


def _check(path: Path, content: bytes | None) -> None:
    if content is not None and not _is_ours(content):
        raise ConfigurationError(
            f"{path} is not memtui's; it was left as it was. Give it another name, then do this "
            "again."
        )
