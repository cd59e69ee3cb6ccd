"""Where each agent's parts lie, and how its MCP entry looks, as its documentation says."""

import json
import tomllib
from pathlib import Path
from typing import Any

from memtui.store.agents.registry import BY_NAME
from memtui.store.install.server_entry import server_words
from memtui.store.records.events import AgentName

from ..machine import Machine

SERVERS: dict[AgentName, str] = {
    "claude-code": ".claude.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "copilot": ".copilot/mcp-config.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "trae": ".config/Trae/User/mcp.json",
    "qwen-code": ".qwen/settings.json",
    "vscode": ".config/Code/User/mcp.json",
    "cline": ".cline/data/settings/cline_mcp_settings.json",
}
SKILLS: dict[AgentName, str] = {
    "claude-code": ".claude/skills/memtui/SKILL.md",
    "codex": ".codex/skills/memtui/SKILL.md",
    "cursor": ".cursor/skills/memtui/SKILL.md",
    "gemini": ".gemini/skills/memtui/SKILL.md",
    "opencode": ".config/opencode/skills/memtui/SKILL.md",
    "copilot": ".copilot/skills/memtui/SKILL.md",
    "windsurf": ".codeium/windsurf/skills/memtui/SKILL.md",
    "trae": ".trae/skills/memtui/SKILL.md",
    "qwen-code": ".qwen/skills/memtui/SKILL.md",
    "pi": ".pi/agent/skills/memtui/SKILL.md",
    "cline": ".cline/skills/memtui/SKILL.md",
}
COMMANDS: dict[AgentName, str] = {
    "claude-code": ".claude/commands/{}.md",
    "cursor": ".cursor/commands/{}.md",
    "qwen-code": ".qwen/commands/{}.md",
    "pi": ".pi/agent/prompts/{}.md",
    "cline": ".cline/workflows/{}.md",
    "gemini": ".gemini/commands/{}.toml",
    "opencode": ".config/opencode/commands/{}.md",
    "windsurf": ".codeium/windsurf/global_workflows/{}.md",
}
JSON_SERVERS: tuple[AgentName, ...] = tuple(agent for agent in SERVERS if agent != "codex")


def server_file(machine: Machine, agent: AgentName) -> Path:
    """An agent's configuration of MCP servers; its directory is made."""
    path = machine.home / SERVERS[agent]
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def servers_in(path: Path, agent: AgentName) -> dict[str, Any]:
    """The MCP servers that a configuration holds, by name."""
    text = path.read_text(encoding="utf-8-sig")
    values = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    found = values.get(BY_NAME[agent].server_key, {})
    assert isinstance(found, dict)
    return found


def words(machine: Machine, *more: str) -> list[str]:
    """The command that starts our server on this machine."""
    return [*server_words(machine.launcher()), *more]
