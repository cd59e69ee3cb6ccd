"""`mem install` gives agents our server, a skill and commands too, and `mem agents` tells of them."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

from memtui import store

from ...runner import Mem
from .test_agents import HOOKS_ONLY, home, json_of_doctor, state

__all__ = ["home"]

MESSAGES: list[dict[str, object]] = [
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "codex", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "token"}}},
]
"""What a client says to our server: who it is, and a question."""


def cells(mem: Mem, agent: str) -> list[str]:
    (line,) = (one for one in mem.ok("agents").splitlines() if one.startswith(agent))
    return line.split("\t")


def test_all_parts_are_installed_and_told_and_go_again(mem: Mem, home: Path) -> None:
    said = mem.ok("install", "codex").splitlines()
    files = [".codex/hooks.json", ".codex/config.toml", ".codex/skills/memtui/SKILL.md"]
    assert said == [f"codex: installed in {home / file}" for file in files]
    assert cells(mem, "codex")[4] == "hooks, MCP, skill"
    assert cells(mem, "claude-code")[4] == ""
    parts = state(mem, "codex")["parts"]
    assert parts == {
        "mcp": {"condition": "yes", "files": [str(home / files[1])], "fault": ""},
        "skill": {"condition": "yes", "files": [str(home / files[2])], "fault": ""},
    }
    assert mem.ok("uninstall", "codex").splitlines() == [
        f"codex: uninstalled in {home / file}" for file in files
    ]
    assert list((home / ".codex").iterdir()) == []


def test_the_server_is_started_by_its_path_and_with_the_memory_that_was_told(mem: Mem, home: Path) -> None:
    mem.ok("install", "codex")
    entry = tomllib.loads((home / ".codex" / "config.toml").read_text())["mcp_servers"]["memtui"]
    program = Path(store.__path__[0]) / "cli" / "mem.py"
    assert Path(entry["command"]).samefile(sys.executable)
    assert entry["args"] == ["-E", "-P", str(program), "mcp", "--db", str(mem.db)]
    # It is our server, wherever it is started, whatever stands there and whatever variables say.
    folder = home / "odd"
    (folder / "memtui").mkdir(parents=True)
    (folder / "memtui" / "__init__.py").write_text("raise SystemExit(9)")
    mem.ok("add", "Refresh tokens live 12 h")
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        input="".join(json.dumps({"jsonrpc": "2.0"} | one) + "\n" for one in MESSAGES),
        cwd=folder,
        env={"HOME": str(home), "PYTHONPATH": str(folder), "PATH": "/nonexistent"},
        capture_output=True,
        check=True,
        text=True,
    )
    answers = {one["id"]: one["result"] for one in map(json.loads, done.stdout.splitlines())}
    assert "Refresh tokens live 12 h" in answers[2]["content"][0]["text"]


def test_parts_that_are_not_wanted_are_left_out(mem: Mem, home: Path) -> None:
    mem.ok("install", "claude-code", *HOOKS_ONLY)
    assert cells(mem, "claude-code")[4] == "hooks; no MCP, no skill, no commands"
    assert cells(mem, "claude-code")[-1] == ""
    mem.ok("install", "claude-code", "--no-mcp")
    assert cells(mem, "claude-code")[4] == "hooks, skill, commands; no MCP"
    mem.ok("add", "There is a memory")
    (check,) = [one for one in json_of_doctor(mem) if one["name"] == "agent claude-code"]
    assert check["ok"] and check["found"] == "nothing yet; hooks, skill, commands; no MCP"


def test_a_dry_run_shows_every_part_and_writes_none(mem: Mem, home: Path) -> None:
    shown = mem.ok("install", "claude-code", "--dry-run")
    for file in (".claude.json", ".claude/skills/memtui/SKILL.md", ".claude/commands/mem.md"):
        assert f"+++ {home / file}" in shown.splitlines()
        assert not (home / file).exists()
    assert '+    "memtui": {' in shown


def test_what_could_not_be_done_is_told_and_the_rest_is_done(mem: Mem, home: Path) -> None:
    (home / ".claude.json").write_text("{")
    result = mem("install", "claude-code")
    assert result.exit_code == 1
    assert f"claude-code: {home / '.claude.json'} can't be changed" in result.stderr
    assert state(mem, "claude-code")["installed"] == "yes"
    assert "hooks, skill, commands; no MCP" in mem.ok("agents")
    done = json.loads(mem("install", "claude-code", "--json").stdout)
    assert not done["changed"] and len(done["problems"]) == 1


def test_a_server_that_points_to_nothing_is_told_with_the_remedy(mem: Mem, home: Path) -> None:
    mem.ok("install", "codex")
    path = home / ".codex" / "config.toml"
    path.write_text(path.read_text().replace("cli/mem.py", "gone/store/cli/mem.py"))
    assert cells(mem, "codex")[-1].startswith("mem install codex: ")
    assert cells(mem, "codex")[-1].endswith("/gone/store/cli/mem.py is gone")
    mem.ok("add", "There is a memory")
    (check,) = [one for one in json_of_doctor(mem) if one["name"] == "agent codex"]
    assert not check["ok"] and "its MCP entry is outdated" in str(check["found"])
    mem.ok("install", "codex")
    assert cells(mem, "codex")[-1] == ""


def test_parts_without_hooks_are_taken_out_with_all_others(mem: Mem, home: Path) -> None:
    mem.ok("install", "codex")
    (home / ".codex" / "hooks.json").unlink()
    assert cells(mem, "codex")[4] == "MCP, skill; no hooks"
    mem.ok("uninstall", "--all")
    assert list((home / ".codex").iterdir()) == []


def test_a_skill_that_was_changed_stays_and_that_is_said(mem: Mem, home: Path) -> None:
    mem.ok("install", "codex")
    path = home / ".codex" / "skills" / "memtui" / "SKILL.md"
    path.write_text("mine\n" + path.read_text())
    for more in (["--dry-run"], []):
        told = mem("uninstall", "codex", *more).stderr
        assert f"codex: {path} was changed since it was installed; it stays as it is." in told
    assert path.exists()
