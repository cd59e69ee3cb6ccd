"""Cursor. Its postToolUse reports shells and edits; their own events would report them twice."""

from __future__ import annotations

from .base import Agent, Json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from ..records.events import Event, SpoolRecord


def entry(command: str) -> Json:
    """An entry of its configuration; the timeout in seconds."""
    return {"command": command, "timeout": 10}


class Cursor(Agent):
    """Cursor; a session is a conversation, a turn a generation."""

    name = "cursor"
    position = 30

    precedence = 20
    own_fields = (("cursor_version",), ("conversation_id", "generation_id"))
    directory_fields = ("workspace_roots", "cwd")
    tells_answers = False

    envelope = "SELECT json_object('additional_context', :text)"
    hooks = dict.fromkeys(
        (
            "sessionStart beforeSubmitPrompt postToolUse postToolUseFailure "
            "afterAgentResponse preCompact stop sessionEnd"
        ).split(),
        entry,
    )
    header = {"version": 1}
    home_folders = (".cursor",)
    programs = ("cursor", "cursor-agent")
    resuming = ("cursor-agent", "--resume={id}")
    prompting = ("cursor-agent", "{prompt}")
    project_configuration = ".cursor/hooks.json"
    next_steps = ("Restart Cursor.",)
    notes = (
        "Cursor runs Claude Code's hooks too: where both are installed an event comes twice, and "
        "is stored once.",
    )

    server_configuration = "mcp.json"
    skill = "skills/memtui/SKILL.md"
    commands = "commands/{name}.md"
    commands_have_heads = False

    transcript_folders = ("projects",)
    transcript_names = r"^[^/]+/agent-transcripts/.+\.(jsonl|txt)$"
    line_reader = "cursor.CursorReader"
    file_readers = {
        ".txt": "cursor.CursorTextReader",
        ".db": "cursor_chats.CursorDatabase",
        ".vscdb": "cursor_chats.CursorDatabase",
    }

    def events(self, record: SpoolRecord) -> list[Event]:
        """The event of a hook."""
        from ..records.events import Event
        from .payload import session_of, text, tool_of

        payload = record.event
        name = text(payload, "hook_event_name")
        roots = payload.get("workspace_roots")
        root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
        generation = text(payload, "generation_id")
        common: dict[str, Any] = {
            "agent": self.name,
            "session": session_of(payload, "conversation_id", "session_id"),
            "at": record.at,
            "cwd": root or text(payload, "cwd") or record.cwd or None,
            "transcript": text(payload, "transcript_path") or None,
        }
        if name == "sessionStart":
            return [Event(kind="session_start", **common)]
        if name == "beforeSubmitPrompt":
            prompt = text(payload, "prompt")
            return [Event(kind="prompt", text=prompt, key=generation or None, **common)]
        if name in ("postToolUse", "postToolUseFailure"):
            failed = name == "postToolUseFailure"
            output = text(payload, "error_message") if failed else payload.get("tool_output", "")
            tool = tool_of(payload, output, failed=failed)
            call = text(payload, "tool_use_id") or None
            return [Event(kind="tool", tool=tool, key=call, **common)]
        if name == "afterAgentResponse":
            reply = text(payload, "text")
            key = generation and f"{generation} {reply[:200]}"
            return [Event(kind="reply", text=reply, key=key or None, **common)]
        if name == "sessionEnd":
            failed = "error" in (text(payload, "final_status"), text(payload, "reason"))
            return [Event(kind="session_end", failed=failed, **common)]
        return []

    def resumes(self, transcript: Path) -> bool:
        """Return whether cursor-agent wrote it: conversations of the window lie in another folder."""
        return transcript.parent.name == "agent-transcripts"

    def transcript_places(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Also the database of the window's chats."""
        database = self.settings_root(home, environment) / "Cursor/User/globalStorage/state.vscdb"
        return (*super().transcript_places(home, environment), database)


AGENT = Cursor()
