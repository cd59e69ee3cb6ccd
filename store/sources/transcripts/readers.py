"""Which reader reads a transcript: one for lines, or one for a file that is rewritten as a whole."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from ...capture.events import Agent
from ...errors import SourceError
from .reader import FileReader, LineReader, State

MakeLineReader = Callable[[Path, State], LineReader]
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
    ("codex", ".json"): "codex_file.CodexFile",
    ("codex", ".zst"): "codex_file.CodexFile",
    ("cursor", ".txt"): "cursor_text.CursorTextReader",
    ("gemini", ".json"): "gemini_file.GeminiFile",
    ("opencode", ".db"): "opencode.OpenCodeDatabase",
    ("opencode", ".json"): "opencode_files.OpenCodeExport",
}
"""Readers of whole files, by agent and suffix."""


def line_reader(path: Path, agent: Agent) -> MakeLineReader | None:
    """What reads a file of lines; None for one that is read as a whole.

    Raises SourceError where nothing reads such a file of this agent's.
    """
    if (agent, path.suffix) in FILES:
        return None
    if agent not in LINES:
        raise SourceError(f"{path} is no transcript of {agent}'s that can be read. Check the path.")
    found: MakeLineReader = _named(LINES[agent])
    return found


def file_reader(path: Path, agent: Agent) -> MakeFileReader:
    """What reads a file as a whole, where `line_reader` gives nothing."""
    name = FILES[agent, path.suffix]
    if agent == "opencode" and path.suffix == ".json" and path.parts[-3:-2] == ("session",):
        name = "opencode_files.OpenCodeStorage"
    found: MakeFileReader = _named(name)
    return found


def _named(name: str) -> Any:
    module, _, found = name.partition(".")
    return getattr(import_module(f".{module}", __package__), found)
