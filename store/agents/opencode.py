"""OpenCode, through our plugin: an envelope for each event that the plugin hears of."""

from __future__ import annotations

from .base import Agent, Json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from ..records.events import Event, SpoolRecord


class OpenCode(Agent):
    """OpenCode; a session with a parent is a sub-agent's."""

    name = "opencode"
    position = 50

    precedence = 50
    own_events = (
        "session.created", "session.updated", "session.idle", "session.compacted",
        "session.deleted", "chat.message", "tool.execute.after", "server.instance.disposed",
    )  # fmt: skip
    is_believed = True
    directory_fields = ("cwd", "worktree")

    envelope = "SELECT :text"
    """The plugin adds the text to the system prompt."""
    prompt_events = ("chat.message",)
    plugin = "opencode_plugin.js"
    programs = ("opencode",)
    resuming = ("opencode", "-s", "{id}")
    forking = ("opencode", "-s", "{id}", "--fork")
    prompting = ("opencode", "--prompt", "{prompt}")
    configuration = "plugins/memtui.js"
    project_configuration = ".opencode/plugins/memtui.js"
    next_steps = (
        "Restart OpenCode: it loads plugins when it starts.",
        "For any plugin OpenCode asks npm's registry, and starts 70 to 95 s later where that can't be "
        "reached. There do without: `mem uninstall opencode`, `mem install opencode --no-hooks`, and "
        "`mem import opencode` reads its sessions.",
    )

    server_key = "mcp"
    skill = "skills/memtui/SKILL.md"
    commands = "commands/{name}.md"
    typed_words = "$ARGUMENTS"

    import_position = 65
    transcript_folders = ("opencode",)
    transcript_names = r"^(opencode[^/]*\.db|storage/session/[^/]+/[^/]+\.json)$"
    file_readers = {".db": "opencode.OpenCodeDatabase", ".json": "opencode.OpenCodeExport"}

    def events(self, record: SpoolRecord) -> list[Event]:
        """The event of an envelope."""
        from ..records.events import Event
        from .payload import session_of, text, tool_of

        payload = record.event
        name = text(payload, "hook_event_name")
        session, parent = session_of(payload, "session_id"), text(payload, "parent_id")
        common: dict[str, Any] = {
            "agent": self.name,
            "session": parent or session,
            "subagent": session if parent else None,
            "at": record.at,
            "cwd": text(payload, "cwd", "worktree") or record.cwd or None,
        }
        message = text(payload, "message_id") or None
        title = stored_title(text(payload, "title"))
        if name == "session.created":
            return [Event(kind="session_start", title=title, **common)]
        if name == "chat.message":
            prompt = unquoted(text(payload, "prompt"))
            return [Event(kind="prompt", text=prompt, key=message, shared=bool(message), **common)]
        if name == "tool.execute.after":
            call = text(payload, "tool_use_id") or None
            response, failed = payload.get("tool_response", ""), payload.get("failed") is True
            tool = tool_of(payload, response, failed=failed)
            return [Event(kind="tool", tool=tool, key=call, shared=bool(call), **common)]
        if name == "session.idle":
            reply = text(payload, "last_assistant_message", "text")
            return [Event(kind="reply", text=reply, key=message, title=title, **common)]
        if name == "session.compacted" and (summary := text(payload, "compact_summary")):
            return [Event(kind="compaction", text=summary, **common)]
        if name in ("session.deleted", "server.instance.disposed"):
            return [Event(kind="session_end", **common)]
        return []

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """OPENCODE_CONFIG_DIR, else `opencode` where the platform keeps configurations; and its data."""
        base = home / (environment.get("XDG_CONFIG_HOME") or ".config") / "opencode"
        data = self.transcript_root(home, environment) / "opencode"
        return (home / (environment.get("OPENCODE_CONFIG_DIR") or base), data)

    def server_configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The user's own file, with comments or without: it reads both."""
        folder = self.folders(home, environment)[0]
        with_comments = folder / "opencode.jsonc"
        return (with_comments if with_comments.exists() else folder / "opencode.json",)

    def server(self, words: Sequence[str]) -> Json:
        """The command is one list."""
        return {"type": "local", "command": list(words), "enabled": True}

    def transcript_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """XDG_DATA_HOME, else ~/.local/share."""
        return home / (environment.get("XDG_DATA_HOME") or ".local/share")

    def file_reader(self, path: Path) -> str | None:
        """By suffix, but for the files of the first versions, one for each session."""
        if path.suffix == ".json" and path.parts[-3:-2] == ("session",):
            return "opencode.OpenCodeStorage"
        return super().file_reader(path)


def stored_title(title: str) -> str | None:
    """A session's title; None for what OpenCode calls it until its model has found one."""
    import re

    pattern = r"(New|Child) session - \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
    return None if re.fullmatch(pattern, title) else title or None


def unquoted(prompt: str) -> str:
    """A prompt without the quotes that `opencode run "a b"` puts around it."""
    if len(prompt) > 1 and prompt[0] == prompt[-1] == '"' and '"' not in prompt[1:-1]:
        return prompt[1:-1]
    return prompt


AGENT = OpenCode()
