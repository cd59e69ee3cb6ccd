"""What a person does on a first day, by the installed commands and in a real terminal."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.terminal import Terminal
from tests.programs import program

BIN = Path(os.environ.get("PROGRAMS") or Path(sys.executable).parent)
"""The programs' folder of the environment that is tried; `tests/clean_install.py` names that of a wheel."""
MEMTUI = [str(BIN / "memtui")]
SCREENS = {
    "2": "Timeline", "3": "Sessions", "4": "Facts", "5": "Capture", "6": "Composer", "7": "Statistics",
    "8": "Files",
}  # fmt: skip


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A user's own home, and a memory that isn't there yet."""
    home = tmp_path / "home"
    (home / ".codex").mkdir(parents=True)
    path = os.pathsep.join((str(BIN), os.environ.get("PATH", os.defpath)))
    return {**os.environ, "HOME": str(home), "PATH": path, "MEMTUI_DB": str(tmp_path / "memory.db")}


class Commands:
    """`mem`, as its user has it."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment

    def __call__(self, *words: str, given: str = "") -> str:
        """What a command prints, which succeeds and complains of nothing."""
        done = subprocess.run(
            [str(BIN / "mem"), *words], input=given, env=self.environment,
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    def json(self, *words: str) -> Any:
        return json.loads(self(*words, "--json"))


@pytest.fixture
def mem(environment: dict[str, str]) -> Commands:
    return Commands(environment)


def test_the_browser_opens_searches_shows_each_screen_and_quits(
    mem: Commands, environment: dict[str, str]
) -> None:
    mem("add", "Cache keys hold the tenant", "--type", "bugfix", "--session", "c-1")
    mem("add", "Clock drift on laptops", "--type", "decision", "--session", "c-1")
    with Terminal(MEMTUI, environment) as terminal:
        terminal.wait_for("Clock drift on laptops")
        terminal.send("tenant")
        terminal.wait_for("Cache keys hold the")
        terminal.send("\x1b")
        for key, title in SCREENS.items():
            terminal.send(key)
            terminal.wait_for(title)
            terminal.quiet(0.2)
        terminal.send("?")
        terminal.wait_for("Help")
        terminal.send("\x1b")
        terminal.quiet(0.2)
        terminal.send("q")
        assert terminal.exit_code() == 0


def test_the_demo_opens(environment: dict[str, str]) -> None:
    with Terminal([*MEMTUI, "--demo"], environment) as terminal:
        terminal.wait_for("memories")
        # Pasted in another encoding: what is no UTF-8 is passed over.
        os.write(terminal.file, b"ot\xffter")
        terminal.wait_for("otter")
        terminal.send("\x11")
        assert terminal.exit_code() == 0


def test_a_memory_is_picked(mem: Commands, environment: dict[str, str], tmp_path: Path) -> None:
    mem("add", "Cache keys hold the tenant")
    picked = tmp_path / "picked"
    script = f"{shlex.quote(str(BIN / 'mem'))} pick >{picked}; echo left with $?; sleep 60"
    with Terminal(["sh", "-c", script], environment) as terminal:
        terminal.wait_for("Cancel")
        terminal.send("tenant\r")
        terminal.wait_for("left with 0")
    assert picked.read_text() == "[mem 1: Cache keys hold the tenant]\n"


def test_memories_are_added_found_exported_imported_and_checked(mem: Commands, tmp_path: Path) -> None:
    number = mem("add", "The session token is refreshed too late", "--type", "bugfix").strip()
    (hit,) = mem.json("search", "token refresh")
    assert hit["id"] == int(number)
    exported = str(tmp_path / "memories.jsonl")
    mem("export", "jsonl", exported)
    other = ("--db", str(tmp_path / "other.db"))
    mem("import", exported, *other)
    assert [hit["title"] for hit in mem.json("search", "token", *other)] == [hit["title"]]
    assert "token is refreshed" in mem("context", "--project", hit["project"] or "")
    mem("doctor")


def test_a_hooks_event_becomes_a_hit(mem: Commands, environment: dict[str, str]) -> None:
    program(Path(environment["HOME"], "bin"), "codex")
    mem("install", "codex", "--no-mcp", "--no-skill", "--no-commands")
    hooks = Path(environment["HOME"], ".codex", "hooks.json")
    event = {"session_id": "c-2", "cwd": str(hooks.parent), "prompt": "Mend the otter's clock"}
    commands = json.loads(hooks.read_text())["hooks"]["UserPromptSubmit"][0]["hooks"]
    done = subprocess.run(
        commands[0]["command"], shell=True, env=environment, capture_output=True,
        input=json.dumps({**event, "hook_event_name": "UserPromptSubmit"}).encode(),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert [hit["kind"] for hit in mem.json("search", "otter's clock")] == ["prompt"]
    mem("uninstall", "codex")
    assert not hooks.exists()


def test_agents_ask_by_the_protocol(mem: Commands) -> None:
    mem("add", "Cache keys hold the tenant")
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
         "capabilities": {}, "clientInfo": {"name": "smoke", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call",
         "params": {"name": "search", "arguments": {"query": "tenant"}}},
    ]  # fmt: skip
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    answers = [json.loads(line) for line in mem("mcp", given=lines).splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert "Cache keys hold the tenant" in json.dumps(answers[1])
