"""Beside hooks an agent is given our server, a skill and commands, and all of it can be taken back."""

import json
import os
import tomllib
from pathlib import Path

import pytest
import yaml

from memtui.store.database.files import atomic
from memtui.store.install import PARTS, Part, install
from memtui.store.records.events import AgentName

from ..machine import HOOKED, JSON_AGENTS, Machine
from .places import COMMANDS, SERVERS, SKILLS, server_file, servers_in, words


def conditions(machine: Machine, agent: AgentName) -> dict[Part, str]:
    return {one.part: one.condition for one in machine.state(agent).parts}


@pytest.mark.parametrize("agent", HOOKED)
def test_each_part_lies_where_the_agent_looks_for_it(machine: Machine, agent: AgentName) -> None:
    made = {change.path for change in machine.install(agent, parts=PARTS).changes}
    named = [places[agent] for places in (SERVERS, SKILLS) if agent in places]
    named += [COMMANDS[agent].format(one) for one in ("mem", "remember") if agent in COMMANDS]
    assert {machine.home / name for name in named} | {*machine.surroundings.files(agent)} == made
    assert set(conditions(machine, agent).values()) == ({"yes"} if named else set())
    assert ("commands" in conditions(machine, agent)) == (agent in COMMANDS)


@pytest.mark.parametrize("agent", SERVERS)
def test_the_server_is_named_by_paths_and_in_the_agents_own_shape(
    machine: Machine, agent: AgentName
) -> None:
    machine.install(agent, parts=PARTS, database=Path("/a b/memory.db"))
    entry = servers_in(server_file(machine, agent), agent)["memtui"]
    command, *arguments = words(machine, "--db", "/a b/memory.db")
    usual = {"command": command, "args": arguments}
    assert Path(command).is_absolute() and Path(arguments[2]).is_absolute()
    assert entry == {
        "claude-code": {"type": "stdio", **usual, "env": {}},
        "opencode": {"type": "local", "command": [command, *arguments], "enabled": True},
        "copilot": {"type": "local", **usual, "tools": ["*"]},
        "vscode": {"type": "stdio", **usual},
    }.get(agent, usual)
    machine.install(agent, parts=PARTS)
    entry = servers_in(server_file(machine, agent), agent)["memtui"]
    assert (entry["command"] if agent == "opencode" else [command, *entry["args"]]) == words(machine)


@pytest.mark.parametrize("agent", HOOKED)
def test_where_nothing_was_nothing_is_left(machine: Machine, agent: AgentName) -> None:
    before = machine.everything()
    assert machine.install(agent, parts=PARTS).changed
    once = machine.everything()
    assert not machine.install(agent, parts=PARTS).changed
    assert machine.everything() == once
    removed = machine.uninstall(agent)
    assert {change.after for change in removed.changes} == {None}
    assert (removed.kept, removed.problems) == ((), ())
    assert machine.everything() == before
    assert not machine.uninstall(agent).changed


@pytest.mark.parametrize("agent", [one for one in HOOKED if one in SERVERS or one in SKILLS])
def test_what_an_earlier_version_hooked_up_gains_the_parts_with_the_next_install(
    machine: Machine, agent: AgentName
) -> None:
    before = machine.everything()
    machine.install(agent)
    state = machine.state(agent)
    assert state.installed == "yes"
    parts = [word for word, places in (("MCP", SERVERS), ("skill", SKILLS)) if agent in places]
    assert state.told_parts.startswith(f"hooks; no {', no '.join(parts)}")
    hooks = machine.file(agent).read_bytes()
    machine.install(agent, parts=PARTS)
    assert machine.state(agent).installed == "yes"
    assert machine.state(agent).told_parts.startswith(f"hooks, {', '.join(parts)}")
    if agent not in ("gemini", "qwen-code"):  # their hooks and servers stand in one file
        assert machine.file(agent).read_bytes() == hooks
    machine.uninstall(agent)
    assert machine.everything() == before


@pytest.mark.parametrize("agent", SERVERS)
@pytest.mark.sampled
def test_what_named_our_files_where_they_lay_before_is_outdated_and_mended(
    machine: Machine, agent: AgentName
) -> None:
    before = machine.everything()
    earlier = machine.installed_at("venv", machine.path / "venv" / "lib")
    install(agent, surroundings=machine.surroundings, launcher=earlier, parts=PARTS)
    assert machine.state(agent).installed == "yes"
    earlier.script.unlink()
    earlier.program.unlink()
    assert machine.state(agent).installed == "outdated"
    assert machine.state(agent).fault == f"{earlier.script} is gone"
    server = next(part for part in machine.state(agent).parts if part.part == "mcp")
    assert (server.condition, server.fault) == ("outdated", f"{earlier.program} is gone")
    machine.install(agent, parts=PARTS)
    assert machine.state(agent).installed == "yes"
    assert conditions(machine, agent)["mcp"] == "yes"
    contents = [content or b"" for _, content in machine.everything().values()]
    assert not [one for one in contents if str(earlier.script.parent.parent).encode() in one]
    machine.uninstall(agent)
    assert machine.everything() == before


@pytest.mark.parametrize("agent", JSON_AGENTS)
@pytest.mark.parametrize(
    "form",
    [
        "mem hook {agent}",
        "{python} -I -S {script} {agent}",
        "{python} -I -S '{script}' {agent} --db '{script}.db'",
        "/bin/sh -c '{{ \"$@\"; }} 2>/dev/null || :' memtui {python} -I -S {script} {agent}",
    ],
)
def test_every_form_that_a_hook_had_is_ours(machine: Machine, agent: AgentName, form: str) -> None:
    earlier = machine.installed_at("venv", machine.path / "venv" / "lib")
    machine.install(agent)
    now = machine.launcher().command(agent)
    path = machine.file(agent)
    installed = path.read_bytes()
    command = form.format(agent=agent, python=earlier.python, script=earlier.script)
    path.write_bytes(installed.replace(json.dumps(now).encode(), json.dumps(command).encode()))
    assert path.read_bytes() != installed
    earlier.script.unlink()
    assert machine.state(agent).installed == "outdated"
    machine.install(agent)
    assert path.read_bytes() == installed


@pytest.mark.parametrize("agent", HOOKED)
@pytest.mark.parametrize("left_out", PARTS)
def test_a_part_that_is_not_wanted_is_left_out_and_later_left_alone(
    machine: Machine, agent: AgentName, left_out: Part
) -> None:
    wanted = [part for part in PARTS if part != left_out]
    machine.install(agent, parts=wanted)
    known = conditions(machine, agent)
    assert {known[part] for part in wanted if part in known} <= {"yes"}
    assert known.get(left_out, "no") == "no"
    machine.install(agent, parts=PARTS)
    full = machine.everything()
    assert not machine.install(agent, parts=wanted).changed
    assert machine.everything() == full


@pytest.mark.parametrize("agent", HOOKED)
def test_a_dry_run_writes_nothing_and_shows_every_part(machine: Machine, agent: AgentName) -> None:
    before = machine.everything()
    shown = machine.install(agent, parts=PARTS, dry_run=True)
    assert machine.everything() == before
    done = machine.install(agent, parts=PARTS)
    assert [(one.path, one.after) for one in shown.changes] == [
        (one.path, one.after) for one in done.changes
    ]
    assert all(change.diff() for change in shown.changes)
    full = machine.everything()
    gone = machine.uninstall(agent, dry_run=True)
    assert {change.after for change in gone.changes} == {None}
    assert machine.everything() == full


@pytest.mark.parametrize("agent", HOOKED)
def test_an_agent_is_not_found_by_the_parts_that_we_made_for_it(machine: Machine, agent: AgentName) -> None:
    machine.install(agent, parts=PARTS)
    state = machine.state(agent)
    assert (state.found, state.installed) == (False, "yes")


@pytest.mark.parametrize("agent", HOOKED)
def test_a_project_gets_hooks_only(machine: Machine, agent: AgentName) -> None:
    machine.install(agent, parts=PARTS)
    everywhere = machine.everything()
    changes = machine.install(agent, parts=PARTS, project=machine.project).changes
    assert all(machine.project in change.path.parents for change in changes)
    machine.uninstall(agent, project=machine.project)
    assert machine.everything() == everywhere


@pytest.mark.parametrize(
    ("agent", "variable", "files"),
    [
        (
            "claude-code",
            "CLAUDE_CONFIG_DIR",
            {".claude.json", "settings.json", "skills/memtui/SKILL.md", "commands/mem.md"},
        ),
        ("codex", "CODEX_HOME", {"config.toml", "hooks.json", "skills/memtui/SKILL.md"}),
        ("copilot", "COPILOT_HOME", {"mcp-config.json", "skills/memtui/SKILL.md"}),
        ("gemini", "GEMINI_CLI_HOME", {".gemini/settings.json", ".gemini/commands/mem.toml"}),
        ("opencode", "OPENCODE_CONFIG_DIR", {"opencode.json", "skills/memtui/SKILL.md"}),
    ],
)
def test_an_agent_that_lives_elsewhere_has_its_parts_there(
    machine: Machine, agent: AgentName, variable: str, files: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.store.install import install

    place = machine.home / "elsewhere"
    environment = {"HOME": str(machine.home), variable: str(place)}
    monkeypatch.setattr(os, "environ", environment)
    changes = install(agent, parts=PARTS, launcher=machine.launcher()).changes
    assert all(change.path.is_relative_to(place) for change in changes)
    assert {place / name for name in files} <= {change.path for change in changes}


def test_opencodes_own_file_is_taken_whatever_its_suffix(machine: Machine) -> None:
    path = server_file(machine, "opencode").with_suffix(".jsonc")
    path.write_text('{\n  // mine\n  "theme": "system"\n}\n')
    before = machine.everything()
    machine.install("opencode", parts=PARTS)
    assert '"memtui": {' in path.read_text()
    assert not path.with_suffix(".json").exists()
    machine.uninstall("opencode")
    assert machine.everything() == before


def test_trae_gets_the_parts_in_both_editions(machine: Machine) -> None:
    for name in (".trae", ".trae-cn"):
        (machine.home / name).mkdir()
    before = machine.everything()
    machine.install("trae", parts=PARTS)
    for name in (".config/Trae/User/mcp.json", ".config/Trae CN/User/mcp.json"):
        assert "memtui" in servers_in(machine.home / name, "trae")
    (machine.home / ".trae-cn" / "skills" / "memtui" / "SKILL.md").unlink()
    assert conditions(machine, "trae") == {"mcp": "yes", "skill": "no"}
    machine.uninstall("trae")
    assert machine.everything() == before


def test_a_server_whose_program_is_gone_is_outdated_and_mended(machine: Machine) -> None:
    machine.install("cursor", "older", parts=PARTS)
    (machine.path / "older" / "bin" / "python").unlink()
    (server, *_) = machine.state("cursor").parts
    assert (server.condition, server.fault) == (
        "outdated",
        f"{machine.path / 'older' / 'bin' / 'python'} is gone",
    )
    machine.install("cursor", parts=PARTS)
    assert conditions(machine, "cursor")["mcp"] == "yes"
    (machine.path / "venv" / "lib" / "memtui" / "store" / "cli" / "mem.py").unlink()
    assert conditions(machine, "cursor")["mcp"] == "outdated"


def interrupted(machine: Machine, steps: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Install until so many files have been written, and then be killed; whether it came to that."""
    left = [steps]
    publish = atomic.publish

    def killed(made: Path, path: Path, **more: bool) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        publish(made, path, **more)

    with monkeypatch.context() as patched:
        patched.setattr(atomic, "publish", killed)
        try:
            machine.install("claude-code", parts=PARTS)
        except KeyboardInterrupt:
            return True
    return False


@pytest.mark.parametrize("ends", ["install", "uninstall"])
def test_an_install_that_was_killed_is_completed_or_taken_back(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    (machine.file("claude-code")).write_text('{"model": "opus"}')
    (machine.home / ".claude.json").write_text('{"numStartups": 7}')
    before = machine.everything()
    machine.install("claude-code", parts=PARTS)
    full = machine.everything()
    machine.uninstall("claude-code")
    assert machine.everything() == before
    steps = 0
    while interrupted(machine, steps, monkeypatch):
        if ends == "install":
            machine.install("claude-code", parts=PARTS)
            assert machine.everything() == full
        machine.uninstall("claude-code")
        left = machine.everything()
        # A directory that a killed process made, and put nothing into.
        left.pop(".claude/commands", None)
        assert left == before
        steps += 1
    assert steps == 6  # settings, their backup, the server, the skill, two commands


@pytest.mark.parametrize("agent", SKILLS)
def test_what_the_skill_tells_names_the_memory_and_is_read_as_yaml(
    machine: Machine, agent: AgentName
) -> None:
    machine.install(agent, parts=PARTS, database=Path("/a b/memory.db"))
    _, head, text = (machine.home / SKILLS[agent]).read_text().split("---\n", 2)
    fields = yaml.safe_load(head)
    assert fields["name"] == "memtui" == (machine.home / SKILLS[agent]).parent.name
    assert 80 < len(fields["description"]) < 1024
    assert "mem --db '/a b/memory.db' search \"refresh token\" --for-agent" in text
    assert "{mem}" not in text and "/a b" not in head


def test_commands_are_in_each_agents_own_form(machine: Machine) -> None:
    for agent in COMMANDS:
        machine.install(agent, parts=PARTS, database=Path("/a b\\c/memory.db"))
    texts = {agent: (machine.home / path.format("mem")).read_text() for agent, path in COMMANDS.items()}
    assert texts["claude-code"].startswith('---\ndescription: "Search the memory')
    assert "sessions for: $ARGUMENTS\n" in texts["claude-code"]
    assert "$ARGUMENTS" in texts["opencode"]
    assert not texts["cursor"].startswith("---")
    assert "for: what the user typed after the command\n" in texts["cursor"]
    values = tomllib.loads(texts["gemini"])
    assert set(values) == {"description", "prompt"}
    assert "sessions for: {{args}}\n" in values["prompt"]
    assert "mem --db '/a b\\c/memory.db' search" in values["prompt"]


def test_without_hooks_an_agent_gets_the_other_parts_only(machine: Machine) -> None:
    for agent in ("opencode", "gemini"):
        done = machine.install(agent, parts=PARTS, hooks=False)
        assert done.changed and done.advice == ()
        assert machine.state(agent).installed == "no"
        assert set(conditions(machine, agent).values()) == {"yes"}


def test_no_model_reads_whose_a_file_is_and_one_of_before_is_renewed(machine: Machine) -> None:
    machine.install("claude-code", parts=PARTS)
    path = machine.home / COMMANDS["claude-code"].format("mem")
    _, head, text = path.read_text().split("---\n", 2)
    assert "# memtui " in head and "as `mem install` wrote it" not in text
    mark = next(line for line in head.splitlines() if line.startswith("# memtui "))
    before = f"---\n{head.replace(mark + chr(10), '')}---\n{text}<!-- {mark[2:]} -->\n"
    now = path.read_bytes()
    path.write_text(before)
    assert conditions(machine, "claude-code")["commands"] == "outdated"
    machine.install("claude-code", parts=PARTS)
    assert path.read_bytes() == now
