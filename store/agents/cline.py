"""Cline, which runs a file of its own for each event."""

from __future__ import annotations

from .base import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from ..records.events import Event, SpoolRecord, ToolUse

RUNS = "run_commands"


class Cline(Agent):
    """Cline's command line; what was asked stands in its messages only."""

    name = "cline"
    position = 110

    precedence = 35
    own_fields = (("hookName", "taskId"),)
    ends_with_turns = True
    own_prompts = ("<environment_details>",)

    plugin = "cline_hook.sh"
    configuration = "hooks/{event}.sh"
    project_configuration = ".cline/hooks/{event}.sh"
    plugin_events = (
        "TaskStart", "UserPromptSubmit", "PostToolUse", "TaskComplete", "SessionShutdown",
    )  # fmt: skip
    home_folders = (".cline",)
    home_variable = "CLINE_DIR"
    programs = ("cline",)
    resuming = ("cline", "--id", "{id}")
    notes = ("Cline gives hooks no way to hand a memory to a starting session.",)

    skill = "skills/memtui/SKILL.md"
    commands = "workflows/{name}.md"

    transcript_folders = ("sessions",)
    transcript_names = r"^[^/]+/[^/]+\.messages\.json$"
    file_readers = {".json": "cline.ClineMessages"}

    def events(self, record: SpoolRecord) -> list[Event]:
        """The event of a hook."""
        from pathlib import Path

        from ..records.events import Event
        from .payload import session_of, text, time_of

        payload = record.event
        context, roots = payload.get("sessionContext"), payload.get("workspaceRoots")
        named = context if isinstance(context, dict) else {}
        session = session_of({**payload, **named}, "rootSessionId", "taskId")
        root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
        is_child = bool(text(payload, "parent_agent_id"))
        common: dict[str, Any] = {
            "agent": self.name,
            "session": session,
            "subagent": text(payload, "agent_id") if is_child else None,
            "at": time_of(payload, record),
            "cwd": root or record.cwd or None,
        }
        match text(payload, "hookName"):
            case "agent_start":
                return [Event(kind="session_start", **common)]
            case "prompt_submit":
                submitted = payload.get("userPromptSubmit")
                prompt = typed(text(submitted, "prompt")) if isinstance(submitted, dict) else ""
                return [Event(kind="prompt", text=prompt, **common)]
            case "tool_result":
                tool_result = payload.get("tool_result")
                result: dict[str, Any] = tool_result if isinstance(tool_result, dict) else {}
                failed, key = bool(text(result, "error")), text(result, "id") or None
                tool = used_tool(text(result, "name"), result.get("input"), result.get("output"), failed)
                return [Event(kind="tool", tool=tool, key=key, shared=bool(key), **common)]
            case "agent_end":
                import os

                turn = payload.get("turn")
                reply = text(turn, "outputText") if isinstance(turn, dict) else ""
                folder = self.transcript_root(Path.home(), os.environ) / "sessions" / session
                path = None if is_child else str(folder / f"{session}.messages.json")
                return [Event(kind="reply", text=reply, transcript=path, **common)]
            case "session_shutdown" if not is_child:
                return [Event(kind="session_end", **common)]
        return []

    def transcript_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """CLINE_DATA_DIR, else `data` there."""
        return home / (environment.get("CLINE_DATA_DIR") or self.folders(home, environment)[0] / "data")

    def server_configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """With the settings, among its data."""
        root = self.transcript_root(home, environment)
        return (root / "settings" / "cline_mcp_settings.json",)


def typed(prompt: str) -> str:
    """A prompt without the tag that says in which mode it was typed."""
    import re

    return re.sub(r"\A\s*<user_input\b[^<>]*>|</user_input>\s*\Z", "", prompt).strip()


def used_tool(name: str, given: object, output: object, failed: bool) -> ToolUse:
    """A tool's use. One call runs many commands, and answers each; what failed says so."""
    import json
    from contextlib import suppress

    from ..records.events import ToolUse

    if isinstance(output, str) and output[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            output = json.loads(output)
    outputs = output if isinstance(output, list) else [output]
    answers = [answer for answer in outputs if answer is not None]
    results = [answer for answer in answers if isinstance(answer, dict) and "success" in answer]
    if results and len(results) == len(answers):
        failed = failed or any(result["success"] is False for result in results)
        texts = [result.get("result") or result.get("error") or "" for result in results]
        output = {"output": "\n".join(map(str, texts))}
    if name == RUNS and isinstance(given, dict) and isinstance(given.get("commands"), list):
        lines = [
            command.get("command") if isinstance(command, dict) else command
            for command in given["commands"]
        ]
        given = {"command": "\n".join(line for line in lines if isinstance(line, str))}
    return ToolUse(name or "unknown", given, output, failed)


AGENT = Cline()
