"""What is known of each agent: whether it is here, hooked up, and what it last told."""

import json
import shutil
import time

import pytest

from memtui.store import Store
from memtui.store.agents.registry import BY_NAME
from memtui.store.install import states
from memtui.store.records.events import AgentName

from .machine import HOOKED, JSON_AGENTS, Machine

DAY_MS = 86_400_000


def test_on_an_empty_machine_nothing_is_found(machine: Machine) -> None:
    found = states(surroundings=machine.surroundings)
    assert [state.agent for state in found] == list(BY_NAME)
    assert not any(state.found for state in found)
    assert {(state.installed, state.in_project) for state in found} == {("no", None)}
    assert {(state.last_event_at, state.events_today) for state in found} == {(None, 0)}


@pytest.mark.parametrize(
    ("agent", "program"),
    [("claude-code", "claude"), ("cursor", "cursor-agent"), ("copilot", "copilot"), ("trae", "trae-cn")],
)
def test_an_agent_is_found_by_its_program(machine: Machine, agent: AgentName, program: str) -> None:
    (machine.path / program).touch(mode=0o755)
    found = [state.agent for state in states(surroundings=machine.surroundings) if state.found]
    assert found == [agent]


@pytest.mark.parametrize(
    ("agent", "folder"),
    [
        ("claude-code", ".claude"),
        ("codex", ".codex"),
        ("cursor", ".cursor"),
        ("gemini", ".gemini"),
        ("opencode", ".local/share/opencode"),
        ("copilot", ".copilot"),
        ("windsurf", ".codeium/windsurf"),
        ("trae", ".trae-cn"),
    ],
)
def test_an_agent_is_found_by_what_it_keeps(machine: Machine, agent: AgentName, folder: str) -> None:
    (machine.home / folder).mkdir(parents=True)
    found = [state.agent for state in states(surroundings=machine.surroundings) if state.found]
    assert found == [agent]


@pytest.mark.parametrize("agent", HOOKED)
def test_an_agent_is_not_found_by_what_we_made_for_it(machine: Machine, agent: AgentName) -> None:
    machine.install(agent)
    state = machine.state(agent)
    assert (state.found, state.installed) == (False, "yes")
    folder = BY_NAME[agent].folders(machine.home, machine.surroundings.environment)[0]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "theirs").touch()
    assert machine.state(agent).found


@pytest.mark.parametrize("agent", HOOKED)
def test_hooks_whose_program_is_gone_are_outdated(machine: Machine, agent: AgentName) -> None:
    machine.install(agent)
    assert machine.state(agent).installed == "yes"
    shutil.rmtree(machine.path / "venv")
    assert machine.state(agent).installed == "outdated"
    machine.install(agent, "newer")
    assert machine.state(agent).installed == "yes"
    (machine.path / "newer" / "lib" / "memtui" / "store" / "capture" / "hook.py").unlink()
    assert machine.state(agent).installed == "outdated"


@pytest.mark.parametrize("agent", JSON_AGENTS)
def test_hooks_that_miss_an_event_are_outdated(machine: Machine, agent: AgentName) -> None:
    machine.install(agent)
    path = machine.file(agent)
    hooks = json.loads(path.read_text())["hooks"]
    path.write_text(path.read_text().replace(f'"{min(hooks)}"', '"Unknown"'))
    assert machine.state(agent).installed == "outdated"
    machine.install(agent)
    assert machine.state(agent).installed == "yes"


def test_a_plugin_that_somebody_changed_is_outdated(machine: Machine) -> None:
    machine.install("opencode")
    path = machine.file("opencode")
    path.write_text(path.read_text().replace("send(", "sent("))
    assert machine.state("opencode").installed == "outdated"
    machine.install("opencode")
    assert machine.state("opencode").installed == "yes"


def test_the_last_event_and_those_of_today_are_told(machine: Machine, store: Store) -> None:
    now = time.time_ns() // 1_000_000
    today = now // DAY_MS
    rows = [
        ("codex", today - 3, 7, now - 3 * DAY_MS),
        ("codex", today, 2, now),
        ("gemini", today - 1, 5, now - DAY_MS),
    ]
    with store.transaction():
        store.db.executemany("INSERT INTO agent_days VALUES (?, ?, ?, ?)", rows)
    told = {
        state.agent: (state.last_event_at, state.events_today)
        for state in states(store, surroundings=machine.surroundings)
    }
    assert told["codex"] == (now, 2)
    assert told["gemini"] == (now - DAY_MS, 0)
    assert told["cursor"] == (None, 0)
