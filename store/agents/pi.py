"""Pi, through our extension, whose events speak Claude Code's dialect."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Pi(Agent):
    """Pi; its sessions are trees, of which forks copy the beginning."""

    name = "pi"
    position = 100

    precedence = 5
    own_path = ".pi/agent/sessions"
    is_believed = True
    turn_field = "entry_id"

    envelope = "SELECT :text"
    """The extension adds the text to the system prompt."""
    prompt_events = ("UserPromptSubmit",)
    plugin = "pi_extension.ts"
    programs = ("pi",)
    resuming = ("pi", "--session", "{id}")
    forking = ("pi", "--fork", "{id}")
    prompting = ("pi", "{prompt}")
    configuration = "extensions/memtui.ts"
    project_configuration = ".pi/extensions/memtui.ts"
    next_steps = ("Type /reload in open sessions, or restart them.",)

    skill = "skills/memtui/SKILL.md"
    commands = "prompts/{name}.md"
    typed_words = "$ARGUMENTS"

    transcript_folders = ("sessions",)
    transcript_names = r"^[^/]+/[^/]+\.jsonl$"
    line_reader = "pi.PiReader"

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """PI_CODING_AGENT_DIR, else ~/.pi/agent."""
        return (home / (environment.get("PI_CODING_AGENT_DIR") or ".pi/agent"),)


AGENT = Pi()
