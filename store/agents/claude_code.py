"""Claude Code: the hooks whose dialect others speak too."""

from __future__ import annotations

from .base import CLAUDE_ENVELOPE, Agent, grouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from .base import Json


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
    file_hooks = {"PreToolUse": grouped("Read|Edit|MultiEdit|Write|NotebookEdit", 10)}
    hooks = {
        "SessionStart": grouped("startup|resume|clear|compact|fork", 10),
        "InstructionsLoaded": grouped("session_start|include", 10),
        "UserPromptSubmit": grouped(None, 10),
        "PostToolUse": grouped("*", 10),
        "PostToolUseFailure": grouped("*", 10),
        "PreCompact": grouped(None, 20),
        "PostCompact": grouped(None, 20),
        "SubagentStop": grouped(None, 10),
        "Stop": grouped(None, 20),
        "StopFailure": grouped(None, 20),
        "SessionEnd": grouped(None, 20),
    }
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
    transcript_names = r"^[^/]+/(?!(.*/)?journal\.jsonl$).+\.jsonl$"
    line_reader = "claude_code.ClaudeCodeReader"

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """CLAUDE_CONFIG_DIR, else ~/.claude."""
        return (home / (environment.get("CLAUDE_CONFIG_DIR") or ".claude"),)

    def server_configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """`.claude.json` in CLAUDE_CONFIG_DIR, else in the home directory."""
        return (home / (environment.get("CLAUDE_CONFIG_DIR") or "") / ".claude.json",)

    def server(self, words: Sequence[str]) -> Json:
        """As `claude mcp add --scope user` writes it."""
        return {"type": "stdio", **super().server(words), "env": {}}


AGENT = ClaudeCode()
