"""Codex, whose hooks speak Claude Code's dialect."""

from .base import CLAUDE_ENVELOPE, Agent, grouped


class Codex(Agent):
    """Codex; a turn's id names a prompt in its hooks and in its rollouts alike."""

    name = "codex"
    position = 20

    precedence = 70
    own_fields = (("turn_id", "model"),)
    own_path = "/rollout-"
    status_in_transcript = True
    own_prompts = (
        "# AGENTS.md instructions", "<environment_context>", "<user_instructions>",
        "<permissions instructions>", "<subagent_notification>", "<turn_aborted>",
        "<user_shell_command>", "<hook_prompt",
    )  # fmt: skip

    # Its instructions are an AGENTS.md.
    handoff_heading = "# Handoff"

    envelope = CLAUDE_ENVELOPE
    prompt_events = ("UserPromptSubmit",)
    hooks = {
        "SessionStart": grouped(None, 10),
        "UserPromptSubmit": grouped(None, 10),
        "PostToolUse": grouped("*", 10),
        "PreCompact": grouped(None, 10),
        "PostCompact": grouped(None, 10),
        "SubagentStop": grouped(None, 10),
        "Stop": grouped(None, 10),
        "Interrupt": grouped(None, 3),
        "SessionEnd": grouped(None, 3),  # the most that Codex grants it, and an interrupt
    }
    home_folders = (".codex",)
    home_variable = "CODEX_HOME"
    programs = ("codex",)
    resuming = ("codex", "resume", "{id}")
    forking = ("codex", "fork", "{id}")
    imports = ("claude-code",)
    prompting = ("codex", "{prompt}")
    project_configuration = ".codex/hooks.json"
    next_steps = (
        "Start codex once and choose “Trust all and continue” (older ones: type /hooks); until then "
        "`codex exec` silently skips them.",
        "An older codex needs `[features] hooks = true` in its config.toml; 0.125 calls it `codex_hooks`.",
    )
    project_steps = ("Codex runs a project's hooks only in a trusted project.",)
    # Its own prompts were given up for skills: `$memtui` calls ours.
    server_configuration = "config.toml"
    server_key = "mcp_servers"
    skill = "skills/memtui/SKILL.md"

    silent_remedy = (
        "Start Codex and choose “Trust all and continue”, or type /hooks; `codex exec` silently skips "
        "untrusted hooks."
    )

    transcript_folders = ("sessions", "archived_sessions")
    transcript_names = r"^(.*/)?rollout-[^/]*\.(jsonl?|jsonl\.zst)$"
    line_reader = "codex.CodexReader"
    file_readers = {
        ".json": "codex.CodexFile",
        ".zst": "codex.CodexFile",
        "history.jsonl": "codex.CodexHistory",
    }
    history = "history.jsonl"


AGENT = Codex()
