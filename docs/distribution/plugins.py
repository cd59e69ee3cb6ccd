"""Plugins of agents: hooks, MCP server, skill and commands, as `mem install` gives them.

One folder an agent, and beside them the files that make all of it a marketplace. What is installed finds
the program by itself (`hook.sh`), for no plugin knows the machine that it comes to.
"""

from __future__ import annotations

import json
from pathlib import Path

from memtui.store.agents.base import Json
from memtui.store.agents.registry import BY_NAME
from memtui.store.install import Surroundings
from memtui.store.install.parts import own_files

from .icon import png
from .project import (
    AUTHOR,
    HOMEPAGE,
    KEYWORDS,
    LICENCE,
    NAME,
    SUMMARY,
    TOP,
    VERSION,
    write_json,
    write_text,
)

HOOK = "hooks/memtui"
"""The script. Without a suffix no Windows takes it for a program, or for a file to be opened."""
SERVER = ("mem", "mcp")
ROOTS = {
    "claude-code": "${CLAUDE_PLUGIN_ROOT}",
    "codex": "${PLUGIN_ROOT}",
    "gemini": "${extensionPath}",
    "qwen-code": "${CLAUDE_PLUGIN_ROOT}",
}
"""What stands for the folder of a plugin in its own files."""
ABOUT = {"name": NAME, "version": VERSION, "description": SUMMARY}
MORE = {"author": AUTHOR, "homepage": HOMEPAGE, "license": LICENCE, "keywords": KEYWORDS}
ICON = "assets/icon.png"

README = """# memtui for {agent}

{summary}

This plugin tells [memtui]({homepage}) what happens in your sessions, and gives {agent} its
memory: hooks store prompts, edits, commands and replies on this machine, a new session begins with what
matters for its project, and {agent} can search the store itself, by an MCP server{parts}.

It needs the program: `uv tool install memtui` (or `pipx install memtui`); then `memtui` opens the browser.
Secrets are taken out before anything is stored, nothing leaves the machine, and `mem pause` and
`mem exclude` say what isn't remembered. In the place of this plugin `mem install {name}` does the same;
with both, everything is still stored and told once. On Windows the plugin's hooks don't run.

Licence: {licence}.
"""
TITLES = {"claude-code": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "qwen-code": "Qwen Code"}


def write(folder: Path) -> None:
    """Write the plugins of all agents that take some, and the marketplace."""
    for agent, root in ROOTS.items():
        _write_plugin(folder / agent, agent, root)
    entry = {"name": NAME, "source": "./claude-code", **ABOUT, **MORE, "category": "productivity"}
    market = {"name": NAME, "owner": AUTHOR, "metadata": {"description": SUMMARY, "version": VERSION}}
    write_json(folder / ".claude-plugin/marketplace.json", {**market, "plugins": [entry]})
    for_codex = {
        "name": NAME,
        "source": {"source": "local", "path": "./codex"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity",
    }
    listed = {"name": NAME, "interface": {"displayName": NAME}, "plugins": [for_codex]}
    write_json(folder / ".agents/plugins/marketplace.json", listed)


def _write_plugin(folder: Path, agent: str, root: str) -> None:
    known = BY_NAME[agent]
    hooks = {event: [_entry(event, agent, root)] for event in known.hooks}
    write_json(folder / "hooks/hooks.json", {"hooks": hooks})
    script = (TOP / "docs/distribution/hook.sh").read_text("utf-8")
    write_text(folder / HOOK, script.replace("agent=AGENT", f"agent={agent}"))
    (folder / HOOK).chmod(0o755)
    elsewhere = Surroundings(Path("/"), {})
    (top,) = known.editions(elsewhere.home, elsewhere.environment)
    for own in own_files(agent, elsewhere):
        write_text(folder / own.path.relative_to(top), own.template.replace("{mem}", "mem"))
    parts = " and a skill" if known.commands is None else ", a skill and the commands `mem` and `remember`"
    texts = {"summary": SUMMARY, "homepage": HOMEPAGE, "licence": LICENCE, "name": agent, "parts": parts}
    write_text(folder / "README.md", README.format(agent=TITLES[agent], **texts))
    write_text(folder / "LICENSE", (TOP / "LICENSE").read_text("utf-8"))
    (folder / "assets").mkdir()
    (folder / ICON).write_bytes(png())
    servers = {"mcpServers": {NAME: {"command": SERVER[0], "args": list(SERVER[1:])}}}
    match agent:
        case "claude-code":
            # Hooks, server, skill and commands are found where they lie; what is named too comes twice.
            write_json(folder / ".claude-plugin/plugin.json", {**ABOUT, **MORE})
            write_json(folder / ".mcp.json", servers)
        case "codex":
            shown = {
                "displayName": NAME, "shortDescription": SUMMARY, "developerName": AUTHOR["name"],
                "category": "Productivity", "composerIcon": f"./{ICON}", "logo": f"./{ICON}",
            }  # fmt: skip
            found = {"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/hooks.json"}
            write_json(folder / ".codex-plugin/plugin.json", {**ABOUT, **MORE, **found, "interface": shown})
            write_json(folder / ".mcp.json", servers)
        case "gemini":
            write_json(folder / "gemini-extension.json", {**ABOUT, **servers})
        case _:
            write_json(folder / "qwen-extension.json", {**ABOUT, **servers})


def _entry(event: str, agent: str, root: str) -> Json:
    """What `mem install` registers for an event, with our script for its command, which Claude Code starts
    without a shell."""
    said = ["start"] if event == "SessionStart" else []
    command = " ".join((f'"{root}/{HOOK}"', *said))
    entry: Json = json.loads(json.dumps(BY_NAME[agent].hooks[event](command)))
    for handler in entry["hooks"]:  # type: ignore[attr-defined]
        if agent == "claude-code":
            handler |= {"command": f"{root}/{HOOK}", "args": said}
        if agent == "codex":
            handler["commandWindows"] = f"mem hook {agent}"
    return entry
