"""Claude Code: the hooks whose dialect others speak too."""

from __future__ import annotations

from .base import CLAUDE_ENVELOPE, Agent, Json, grouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any


LAST_BYTES = 262_144
"""The bytes of a transcript's end in which the calls of sub-agents are looked for."""


class ClaudeCode(Agent):
    """Claude Code, its events in the dialect that `Agent.events` reads."""

    name = "claude-code"
    position = 10
    aliases = ("claude",)

    precedence = 80
    own_path = ".claude/projects"
    variable = "CLAUDECODE"
    is_inherited = True
    turn_field = "prompt_id"
    own_prompts = (
        "<command-name>", "<command-message>", "<command-args>",
        "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>",
        "<bash-input>", "<bash-stdout>", "<bash-stderr>", "<task-notification>",
        "<system-reminder>", "Caveat: The messages below", "[Request interrupted",
        "Operation stopped by hook:",
    )  # fmt: skip

    takes_tags = True
    envelope = CLAUDE_ENVELOPE
    prompt_events = ("UserPromptSubmit",)
    subagent_events = ("SubagentStart",)
    file_hooks = {"PreToolUse": grouped("Read|Edit|MultiEdit|Write|NotebookEdit", 10)}
    hooks = {
        "SessionStart": grouped("startup|resume|clear|compact|fork", 10),
        "InstructionsLoaded": grouped("session_start|include", 10),
        "UserPromptSubmit": grouped(None, 10),
        "PostToolUse": grouped("*", 10),
        "PostToolUseFailure": grouped("*", 10),
        "PreCompact": grouped(None, 20),
        "PostCompact": grouped(None, 20),
        "SubagentStart": grouped(None, 10),
        "SubagentStop": grouped(None, 10),
        "Stop": grouped(None, 20),
        "StopFailure": grouped(None, 20),
        "SessionEnd": grouped(None, 20),
    }
    home_folders = (".claude",)
    home_variable = "CLAUDE_CONFIG_DIR"
    states = "sessions"
    programs = ("claude",)
    resuming = ("claude", "--resume", "{id}")
    forking = ("claude", "--resume", "{id}", "--fork-session")
    prompting = ("claude", "{prompt}")
    configuration = "settings.json"
    project_configuration = ".claude/settings.local.json"
    next_steps = ("Restart open sessions: until then they may not run the hooks.",)

    skill = "skills/memtui/SKILL.md"
    commands = "commands/{name}.md"
    typed_words = "$ARGUMENTS"

    transcript_folders = ("projects",)
    transcript_names = r"^[^/]+/(?!(.*/)?(journal|audit)\.jsonl$).+\.jsonl$"
    line_reader = "claude_code.ClaudeCodeReader"
    file_readers = {"history.jsonl": "claude_code.ClaudeHistory"}
    history = "history.jsonl"

    def task_of(self, event: Mapping[str, Any]) -> str:
        """The prompts of the calls for such a sub-agent that wait for their answers: its transcript ends
        with them."""
        import json
        from contextlib import suppress

        waiting: dict[str, str] = {}
        with suppress(OSError, ValueError, TypeError):
            with open(str(event.get("transcript_path") or ""), "rb") as file:  # noqa: PTH123 - slow
                file.seek(max(0, file.seek(0, 2) - LAST_BYTES))
                lines = file.read().split(b"\n")
            for line in lines:
                if b'"tool_use' not in line:
                    continue
                with suppress(ValueError, AttributeError, TypeError):
                    for part in json.loads(line)["message"]["content"]:
                        input = part.get("input") or {}
                        if part.get("name") in ("Agent", "Task") and event.get("agent_type") == input.get(
                            "subagent_type", "general-purpose"
                        ):
                            waiting[str(part.get("id"))] = str(input.get("prompt") or "")
                        waiting.pop(str(part.get("tool_use_id")), None)
        return "\n".join(waiting.values())

    def transcript_places(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Also those of sessions that Claude's program for the desktop runs."""
        desktop = self.settings_root(home, environment) / "Claude/local-agent-mode-sessions"
        return (*super().transcript_places(home, environment), desktop)

    def server_configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """`.claude.json` in CLAUDE_CONFIG_DIR, else in the home directory."""
        return (home / (environment.get("CLAUDE_CONFIG_DIR") or "") / ".claude.json",)

    def server(self, words: Sequence[str]) -> Json:
        """As `claude mcp add --scope user` writes it."""
        return {"type": "stdio", **super().server(words), "env": {}}


AGENT = ClaudeCode()
