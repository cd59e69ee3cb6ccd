"""What every transcript reader is: lines or a whole file in, events out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from ...errors import SourceError
from ...events import AgentName, Event

State = dict[str, Any]
"""What a reader remembers between two readings of a growing file; JSON values only."""


class LineReader(Protocol):
    """Reads a file that grows by lines, each a JSON object.

    It may stop after any line and go on in another process from its `state`. A record it does not
    know is nothing; one that is not what it should be raises ValueError with a sentence, and the
    next goes on.
    """

    state: State

    def __init__(self, path: Path, state: State) -> None: ...

    def events(self, record: dict[str, Any]) -> Iterator[Event]:
        """The events that a line completes."""
        ...

    def pending(self) -> Iterator[Event]:
        """What is begun and may never be completed (a tool call without its result), for a file
        that is at rest; told again when the rest comes, under the same key."""
        ...


MakeLineReader = Callable[[Path, State], LineReader]


class FileReader(Protocol):
    """Reads a file that is rewritten as a whole each time it changes."""

    def __init__(self, path: Path) -> None: ...

    def events(self) -> Iterator[Event]:
        """All its events; ValueError with a sentence where the file isn't what it should be."""
        ...


MakeFileReader = Callable[[Path], FileReader]

LINES = {
    "claude-code": "claude_code.ClaudeCodeReader",
    "codex": "codex.CodexReader",
    "copilot": "copilot.CopilotReader",
    "cursor": "cursor.CursorReader",
    "gemini": "gemini.GeminiReader",
}
"""Readers of `.jsonl`, by agent."""

FILES = {
    ("codex", ".json"): "codex.CodexFile",
    ("codex", ".zst"): "codex.CodexFile",
    ("cursor", ".txt"): "cursor.CursorTextReader",
    ("gemini", ".json"): "gemini.GeminiFile",
    ("opencode", ".db"): "opencode.OpenCodeDatabase",
    ("opencode", ".json"): "opencode.OpenCodeExport",
}
"""Readers of whole files, by agent and suffix."""


def line_reader(path: Path, agent: AgentName) -> MakeLineReader | None:
    """What reads a file of lines; None for one that is read as a whole.

    Raises SourceError where nothing reads such a file of this agent's.
    """
    if (agent, path.suffix) in FILES:
        return None
    if agent not in LINES:
        raise SourceError(f"{path} is no transcript of {agent}'s that can be read. Check the path.")
    found: MakeLineReader = _named(LINES[agent])
    return found


def file_reader(path: Path, agent: AgentName) -> MakeFileReader:
    """What reads a file as a whole, where `line_reader` gives nothing."""
    name = FILES[agent, path.suffix]
    if agent == "opencode" and path.suffix == ".json" and path.parts[-3:-2] == ("session",):
        name = "opencode.OpenCodeStorage"
    found: MakeFileReader = _named(name)
    return found


def _named(name: str) -> Any:
    module, _, found = name.partition(".")
    return getattr(import_module(f".{module}", __package__), found)
