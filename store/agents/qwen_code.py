"""Qwen Code, whose hooks speak Claude Code's dialect with Gemini's tools; they name no turns."""

from __future__ import annotations

from .base import CLAUDE_ENVELOPE, Agent, grouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..records.events import Event, SpoolRecord

TIMEOUT_MS = 10_000


class QwenCode(Agent):
    """Qwen Code."""

    name = "qwen-code"
    position = 90
    aliases = ("qwen",)

    precedence = 55
    own_path = ".qwen/projects"
    is_believed = True
    ends_with_turns = True
    own_prompts = ("<system-reminder>", "<state_snapshot>")

    envelope = CLAUDE_ENVELOPE
    prompt_events = ("UserPromptSubmit",)
    hooks = {
        "SessionStart": grouped(None, TIMEOUT_MS, "memtui"),
        "UserPromptSubmit": grouped(None, TIMEOUT_MS, "memtui"),
        "PostToolUse": grouped("*", TIMEOUT_MS, "memtui"),
        "PostToolUseFailure": grouped("*", TIMEOUT_MS, "memtui"),
        "SubagentStop": grouped(None, TIMEOUT_MS, "memtui"),
        "Stop": grouped(None, TIMEOUT_MS, "memtui"),
        "SessionEnd": grouped(None, TIMEOUT_MS, "memtui"),
    }
    home_folders = (".qwen",)
    home_variable = "QWEN_HOME"
    programs = ("qwen",)
    resuming = ("qwen", "--resume", "{id}")
    prompting = ("qwen", "--prompt-interactive", "{prompt}")
    configuration = "settings.json"
    project_configuration = ".qwen/settings.json"

    server_configuration = "settings.json"
    skill = "skills/memtui/SKILL.md"
    commands = "commands/{name}.md"
    typed_words = "{{args}}"

    transcript_folders = ("projects",)
    transcript_names = r"^[^/]+/chats/.+\.jsonl$"
    line_reader = "qwen_code.QwenCodeReader"

    def events(self, record: SpoolRecord) -> list[Event]:
        """The event of a hook. After every tool it reports an empty prompt, which is none; its hooks and
        its transcript name a tool call differently, and a Stop comes again with the same words."""
        from ..records.dataclasses import replace
        from .payload import text, time_of, with_content_key

        payload = record.event
        if payload.get("hook_event_name") == "UserPromptSubmit" and not text(payload, "prompt"):
            return []
        stamp = str(payload.get("timestamp") or "") or None
        at = time_of(payload, record)
        events = [replace(event, at=at, shared=False) for event in super().events(record)]
        return [event if event.key else with_content_key(replace(event, key=stamp)) for event in events]


AGENT = QwenCode()
