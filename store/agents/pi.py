"""Pi, through our extension, whose events speak Claude Code's dialect."""

from .base import Agent


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
    home_folders = (".pi/agent",)
    home_variable = "PI_CODING_AGENT_DIR"
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


AGENT = Pi()
