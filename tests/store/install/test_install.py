"""Installing puts our hooks in and nothing else; uninstalling leaves what was there before."""

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from memtui.store.agents.registry import BY_NAME
from memtui.store.install.surroundings import GUARD
from memtui.store.records.events import AgentName

from .machine import HOOKED, JSON_AGENTS, Machine, commands

EVENTS: dict[AgentName, set[str]] = {
    "claude-code": {
        "SessionStart", "InstructionsLoaded", "UserPromptSubmit", "PostToolUse",
        "PostToolUseFailure", "PreCompact", "PostCompact", "SubagentStart", "SubagentStop", "Stop",
        "StopFailure", "SessionEnd",
    },
    "codex": {
        "SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact",
        "SubagentStop", "Stop", "Interrupt", "SessionEnd",
    },
    "cursor": {
        "sessionStart", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure",
        "afterAgentResponse", "preCompact", "stop", "sessionEnd",
    },
    "gemini": {"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "SessionEnd"},
    "copilot": {
        "sessionStart", "userPromptSubmitted", "postToolUse", "postToolUseFailure", "preCompact",
        "subagentStop", "agentStop", "sessionEnd",
    },
    "windsurf": {
        "pre_user_prompt", "post_write_code", "post_run_command", "post_read_code",
        "post_mcp_tool_use", "post_cascade_response",
    },
    "trae": {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"},
    "vscode": {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"},
    "qwen-code": {
        "SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SubagentStop", "Stop",
        "SessionEnd",
    },
}  # fmt: skip

FOREIGN = """{
    // mine
    "theme": "dark",
    "hooks": {
        "%(event)s": [
            %(entry)s // lint
        ],
        "Other": [] /* later */
    }
}
"""


def foreign(agent: AgentName) -> str:
    """A configuration with a hook of somebody else at an event that we want too, and comments."""
    event = sorted(EVENTS[agent])[0]
    handler = {"command": "lint --all"}
    is_grouped = "hooks" in BY_NAME[agent].hooks[event]("lint")
    entry = {"hooks": [{"type": "command", **handler}]} if is_grouped else handler
    return FOREIGN % {"event": event, "entry": json.dumps(entry)}


@pytest.mark.parametrize("agent", JSON_AGENTS)
def test_every_event_that_matters_is_registered_once(machine: Machine, agent: AgentName) -> None:
    machine.install(agent)
    path = machine.file(agent)
    assert set(json.loads(path.read_text())["hooks"]) == EVENTS[agent]
    assert set(commands(path)) == {machine.launcher().command(agent)}
    assert len(commands(path)) == len(EVENTS[agent])


def test_the_command_is_the_interpreter_itself(machine: Machine) -> None:
    machine.install("codex")
    launcher = machine.launcher()
    words = [*GUARD, str(launcher.python), "-I", "-S", str(launcher.script), "codex"]
    assert shlex.split(commands(machine.file("codex"))[0]) == words
    machine.install("codex", database=Path("/a b/memory.db"))
    assert shlex.split(commands(machine.file("codex"))[0]) == [*words, "--db", "/a b/memory.db"]


@pytest.mark.parametrize(
    ("agent", "event", "limit"),
    [
        ("claude-code", "Stop", {"timeout": 20}),
        ("codex", "SessionEnd", {"timeout": 3}),
        ("gemini", "AfterTool", {"timeout": 10_000, "name": "memtui"}),
        ("trae", "Stop", {"timeout": 10}),
        ("qwen-code", "Stop", {"timeout": 10_000, "name": "memtui"}),
        ("cursor", "stop", {"timeout": 10}),
        ("copilot", "agentStop", {"timeoutSec": 10, "type": "command"}),
        ("windsurf", "pre_user_prompt", {"show_output": False}),
    ],
)
def test_limits_are_in_the_agents_own_unit(
    machine: Machine, agent: AgentName, event: str, limit: dict[str, Any]
) -> None:
    machine.install(agent)
    (entry,) = json.loads(machine.file(agent).read_text())["hooks"][event]
    handler = entry["hooks"][0] if "hooks" in entry else entry
    assert handler.items() >= limit.items()


@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("agent", HOOKED)
def test_where_nothing_was_nothing_is_left(machine: Machine, agent: AgentName, project: bool) -> None:
    where: dict[str, Any] = {"project": machine.project} if project else {}
    before = machine.everything()
    installed = machine.install(agent, **where)
    assert installed.changed
    once = machine.everything()
    assert once != before
    assert not machine.install(agent, **where).changed
    assert machine.everything() == once
    removed = machine.uninstall(agent, **where)
    assert {change.after for change in removed.changes} == {None}
    assert machine.everything() == before
    assert not machine.uninstall(agent, **where).changed


@pytest.mark.parametrize("agent", JSON_AGENTS)
def test_other_peoples_hooks_and_comments_stay(machine: Machine, agent: AgentName) -> None:
    text = foreign(agent)
    path = machine.file(agent)
    path.write_text(text)
    before = machine.everything()
    assert machine.install(agent).changed
    installed = path.read_text()
    kept = installed.replace(",", "")
    assert [line for line in text.replace(",", "").splitlines() if line not in kept] == []
    assert not machine.install(agent).changed
    assert path.read_text() == installed
    machine.uninstall(agent)
    assert machine.everything() == before


@pytest.mark.parametrize("agent", JSON_AGENTS)
def test_what_others_add_in_between_stays_and_ours_goes(machine: Machine, agent: AgentName) -> None:
    path = machine.file(agent)
    path.write_text('{"theme": "dark"}\n')
    machine.install(agent)
    settings = json.loads(path.read_text())
    theirs = {"hooks": [{"type": "command", "command": "lint"}]}
    event = sorted(EVENTS[agent])[0]
    settings["hooks"][event].insert(0, theirs)
    settings["hooks"]["Another"] = [theirs]
    path.write_text(json.dumps(settings))
    machine.uninstall(agent)
    left = {"theme": "dark", "hooks": {event: [theirs], "Another": [theirs]}}
    assert json.loads(path.read_text()) == left
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_what_was_empty_before_stays_empty(machine: Machine) -> None:
    path = machine.file("codex")
    path.write_text('{"hooks": {"Stop": [], "Other": []}}')
    machine.install("codex")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"theme": "dark"}))
    machine.uninstall("codex")
    left = {"hooks": {"Stop": [], "Other": []}, "theme": "dark"}
    assert json.loads(path.read_text()) == left


def test_a_file_we_made_stays_once_others_use_it(machine: Machine) -> None:
    machine.install("cursor")
    path = machine.file("cursor")
    hooks = json.loads(path.read_text())
    hooks["hooks"]["stop"].append({"command": "lint"})
    path.write_text(json.dumps(hooks))
    machine.uninstall("cursor")
    assert json.loads(path.read_text()) == {"version": 1, "hooks": {"stop": [{"command": "lint"}]}}


OLDER = ("/opt/mem hook codex", "'/a b/mem' hook codex", "mem.exe hook codex")


@pytest.mark.parametrize("older", [*OLDER, None])
def test_a_stale_command_is_replaced_where_it_stands(machine: Machine, older: str | None) -> None:
    command = older or machine.launcher("older").command("codex")
    theirs = {"hooks": [{"type": "command", "command": "lint"}]}
    ours = {"matcher": "Bash", "hooks": [{"type": "command", "command": command, "timeout": 5}]}
    path = machine.file("codex")
    path.write_text(json.dumps({"hooks": {"Stop": [theirs, ours, theirs], "PreToolUse": [ours]}}))
    machine.install("codex")
    hooks = json.loads(path.read_text())["hooks"]
    ours["hooks"][0]["command"] = machine.launcher().command("codex")  # type: ignore[index]
    assert hooks["Stop"] == [theirs, ours, theirs]
    assert "PreToolUse" not in hooks
    assert commands(path).count(command) == 0
    machine.uninstall("codex")
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [theirs, theirs]}}


def test_a_hook_that_was_registered_twice_is_registered_once(machine: Machine) -> None:
    path = machine.file("claude-code")
    group = {"hooks": [{"type": "command", "command": "mem hook claude"}]}
    path.write_text(json.dumps({"hooks": {"Stop": [group, group], "Stopped": [group]}}))
    machine.install("claude-code")
    assert len(commands(path)) == len(EVENTS["claude-code"])


@pytest.mark.parametrize("command", ["mem hook cursor", "remem hook codex", "mem hooked codex"])
def test_commands_that_only_look_like_ours_stay(machine: Machine, command: str) -> None:
    path = machine.file("codex")
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"command": command}]}]}})
    path.write_text(text)
    assert not machine.uninstall("codex").changed
    machine.install("codex")
    assert command in commands(path)
    machine.uninstall("codex")
    assert path.read_text() == text


def test_a_dry_run_changes_nothing_and_tells_all(machine: Machine) -> None:
    path = machine.file("gemini")
    path.write_text(foreign("gemini"))
    before = machine.everything()
    (change,) = machine.install("gemini", dry_run=True).changes
    assert machine.everything() == before
    assert change.diff().startswith(f"--- {path}\n+++ {path}\n")
    added = [line[1:] for line in change.diff().splitlines() if line.startswith("+ ")]
    machine.install("gemini")
    assert set(added) <= set(path.read_text().splitlines())
    assert any("BeforeAgent" in line for line in added)


def test_trae_is_installed_in_both_editions(machine: Machine) -> None:
    for name in (".trae", ".trae-cn"):
        (machine.home / name).mkdir()
    installed = machine.install("trae")
    names = [change.path.parent.name for change in installed.changes]
    assert names == [".trae", ".trae-cn"]
    assert machine.state("trae").installed == "yes"
    (machine.home / ".trae" / "hooks.json").unlink()
    assert machine.state("trae").installed == "outdated"


@pytest.mark.parametrize(
    ("agent", "file"),
    [
        ("claude-code", ".claude/settings.local.json"),
        ("codex", ".codex/hooks.json"),
        ("cursor", ".cursor/hooks.json"),
        ("gemini", ".gemini/settings.json"),
        ("opencode", ".opencode/plugins/memtui.js"),
        ("copilot", ".github/copilot/settings.local.json"),
        ("windsurf", ".windsurf/hooks.json"),
        ("trae", ".trae/hooks.json"),
        ("qwen-code", ".qwen/settings.json"),
        ("pi", ".pi/extensions/memtui.ts"),
        ("cline", ".cline/hooks/TaskStart.sh"),
        ("vscode", ".github/hooks/memtui.json"),
    ],
)
def test_a_project_gets_its_own_hooks(machine: Machine, agent: AgentName, file: str) -> None:
    installed = machine.install(agent, project=machine.project)
    assert installed.changes[0].path == machine.project / file
    assert len(installed.changes) == len(BY_NAME[agent].plugin_events or ("",))
    state = machine.state(agent, project=True)
    assert (state.installed, state.in_project) == ("no", "yes")
    is_personal = "local" in file
    assert is_personal or any("out of commits" in advice for advice in installed.advice)


@pytest.mark.parametrize(
    ("agent", "variable", "file"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/memtui.json"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("opencode", "OPENCODE_CONFIG_DIR", "plugins/memtui.js"),
        ("pi", "PI_CODING_AGENT_DIR", "extensions/memtui.ts"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/memtui.js"),
    ],
)
def test_an_agent_that_lives_elsewhere_is_found_there(
    machine: Machine, agent: AgentName, variable: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = machine.home / "elsewhere"
    environment = {"HOME": str(machine.home), variable: str(place)}
    monkeypatch.setattr(os, "environ", environment)
    from memtui.store.install import install

    (change,) = install(agent, launcher=machine.launcher()).changes
    assert change.path == place / file
    assert change.path.exists()


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("codex", "“Trust all and continue”"),
        ("opencode", "--no-hooks"),
        ("trae", "Settings → Hooks"),
        ("opencode", "Restart"),
        ("cursor", "Restart"),
        ("cursor", "stored once"),
        ("claude-code", "was not found"),
    ],
)
def test_what_is_left_to_do_is_told(machine: Machine, agent: AgentName, told: str) -> None:
    assert any(told in advice for advice in machine.install(agent).advice)
