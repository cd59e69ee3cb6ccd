"""Gemini CLI. None of its events has an id, but each its time."""

from __future__ import annotations

from .base import CLAUDE_ENVELOPE, Agent, grouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from ..records.events import Event, SpoolRecord

TIMEOUT_MS = 10_000


class Gemini(Agent):
    """Gemini CLI."""

    name = "gemini"
    position = 40

    precedence = 60
    own_events = (
        "BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "BeforeModel", "AfterModel",
        "BeforeToolSelection", "PreCompress",
    )  # fmt: skip
    variable = "GEMINI_SESSION_ID"
    own_prompts = ("<session_context>", "System: Please continue.")

    envelope = CLAUDE_ENVELOPE
    prompt_events = ("BeforeAgent",)
    start_event = "BeforeAgent"
    hooks = {
        "SessionStart": grouped("*", TIMEOUT_MS, "memtui"),
        "BeforeAgent": grouped("*", TIMEOUT_MS, "memtui"),
        "AfterTool": grouped(".*", TIMEOUT_MS, "memtui"),
        "AfterAgent": grouped("*", TIMEOUT_MS, "memtui"),
        "SessionEnd": grouped("*", TIMEOUT_MS, "memtui"),
    }
    programs = ("gemini",)
    resuming = ("gemini", "--resume", "{id}")
    prompting = ("gemini", "--prompt-interactive", "{prompt}")
    configuration = "settings.json"
    project_configuration = ".gemini/settings.json"
    project_steps = (
        "Gemini runs a project's hooks only in a folder that it was told to trust.",
    )  # fmt: skip

    server_configuration = "settings.json"
    skill = "skills/memtui/SKILL.md"
    commands = "commands/{name}.toml"
    typed_words = "{{args}}"

    import_position = 25
    transcript_folders = ("tmp",)
    transcript_names = r"^[^/]+/chats/.+\.jsonl?$"
    line_reader = "gemini.GeminiReader"
    file_readers = {".json": "gemini.GeminiFile"}

    def events(self, record: SpoolRecord) -> list[Event]:
        """The event of a hook. PreCompress comes before every request and means nothing."""
        from ..records.events import Event
        from .payload import session_of, text, time_of, tool_of, with_content_key

        payload = record.event
        name = text(payload, "hook_event_name")
        common: dict[str, Any] = {
            "agent": self.name,
            "session": session_of(payload, "session_id"),
            "at": time_of(payload, record),
            "cwd": text(payload, "cwd") or record.cwd or None,
            "transcript": text(payload, "transcript_path") or None,
            "key": str(payload["timestamp"]) if payload.get("timestamp") else None,
        }
        if name == "SessionStart":
            return [Event(kind="session_start", **common)]
        if name == "BeforeAgent":
            return [Event(kind="prompt", text=text(payload, "prompt"), **common)]
        if name == "AfterTool":
            output = payload.get("tool_response")
            failed = isinstance(output, dict) and bool(output.get("error"))
            tool = tool_of(payload, output, failed=failed)
            return [with_content_key(Event(kind="tool", tool=tool, **common))]
        if name == "AfterAgent":
            return [Event(kind="reply", text=text(payload, "prompt_response"), **common)]
        if name == "SessionEnd":
            return [Event(kind="session_end", **common)]
        return []

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """`.gemini` in GEMINI_CLI_HOME, else in the home directory."""
        return (home / (environment.get("GEMINI_CLI_HOME") or "") / ".gemini",)

    def transcript_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """~/.gemini, whatever GEMINI_CLI_HOME says."""
        return home / ".gemini"


AGENT = Gemini()
