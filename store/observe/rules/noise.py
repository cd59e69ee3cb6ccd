"""What is not worth remembering of what agents do: it says nothing that is not known anyway."""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

from . import commands, tools
from .parsed_tool_use import ParsedToolUse

Noise = Literal["listing", "repeated read", "our own", "trivial", "to-do list"]

PROTOCOL = (
    "file has not been read yet", "file has been modified since", "file has been unexpectedly modified",
    "string to replace not found", "inputvalidationerror", "multiple validation errors",
    "no changes to make",
    "found 0 matches of the string", "you must read the file", "you must use your read tool",
    "could not find the string to replace",
)  # fmt: skip
"""What an agent's own tools answer when they were used wrongly: it does so again at once, and right."""

OWN_TOOLS = ("mcp__memtui", "mcp_memtui", "mcp__mem__")


def noise_of(use: ParsedToolUse, known: Container[str] = ()) -> Noise | None:
    """Why a tool use is noise; None where it is worth an observation.

    `known` are the files that the session has read or written before, as `Use` names them.
    """
    if use.name.startswith(OWN_TOOLS):
        return "our own"
    if use.action == tools.TODO:
        return "to-do list"
    if use.action == tools.LIST:
        return "listing"
    if use.action == tools.WAIT:
        return None if use.answer.text else "trivial"
    if use.action == tools.RUN:
        noise = _of_commands(use)
        if noise:
            return noise
    if use.answer.failed and any(told in use.answer.text[:400].lower() for told in PROTOCOL):
        return "trivial"
    return "repeated read" if _is_known(use, known) else None


def _of_commands(use: ParsedToolUse) -> Noise | None:
    """A line of commands is noise when none of them does more than to list or to say something."""
    if not use.commands:
        return None if use.line and use.answer.text else "trivial"
    kinds = {commands.kind_of(command) for command in use.commands}
    if commands.OWN in kinds and kinds <= {
        commands.OWN,
        commands.FILTER,
        commands.NOTHING,
        commands.LIST,
    }:
        return "our own"
    if not kinds <= {commands.NOTHING, commands.LIST, commands.FILTER}:
        return None
    if any(command.writes for command in use.commands):
        return None
    return "listing" if commands.LIST in kinds else "trivial"


def _is_known(use: ParsedToolUse, known: Container[str]) -> bool:
    """Whether it only reads what the session knows; a read that fails tells something else."""
    is_read = use.action == tools.READ or use.kind == commands.READ
    files = use.files_read
    return is_read and bool(files) and not use.failed and all(file in known for file in files)
