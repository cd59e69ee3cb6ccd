"""An agent is a module of memtui.store.agents; what can't ask the registry says the same."""

import re

import pytest

from memtui.store.agents.registry import AGENTS, BY_NAME, BY_PRECEDENCE, WITH_TRANSCRIPTS
from memtui.store.capture.hook_process import (
    AGENT_VARIABLES,
    NAMELESS_AGENTS,
    NAMELESS_TURNS,
    PROMPTS,
    TURNS,
)
from memtui.store.capture.hook_process.main import LONGEST_NAME, may_be
from memtui.store.formats.transcripts.reader import reader_class, reader_module
from tests.places import ROOT

NAMED = re.compile(rf"""["']({"|".join(AGENTS)})["']""")
HOMES = (
    "store/agents/", "store/formats/", "store/capture/hook_process/__init__.py", "store/leaves/files/",
    "store/leaves/foreign/", "store/leaves/archive/archive.py", "store/capture/demo/",
    "store/leaves/archive/commands.py",
    "store/leaves/files/commands/starts.py", "store/context/own_files.py",
)  # fmt: skip
"""Where an agent is named: by its module, by readers and writers of what it or others keep, where a hook
can't wait for the registry, by what computes what its own files tell it, and as the default of commands."""
WITH_PAGES = ("store/context/compact/", "store/mcp/")
"""Where `cursor` is where a list's next page begins."""
SIGNS = {"store/text/secrets/views.py": {"amp"}}
"""Where `amp` is a sign's name."""


def test_the_order_of_agents_is_the_one_that_users_know() -> None:
    known = (
        "claude-code codex cursor gemini opencode copilot windsurf trae qwen-code "
        "pi cline vscode amp goose kilo kiro crush claude-ai antigravity"
    )
    assert known.split() == list(AGENTS)
    read = "claude-code codex gemini cursor copilot opencode qwen-code pi cline vscode"
    assert list(WITH_TRANSCRIPTS) == [
        *read.split(),
        *"amp goose kilo kiro crush claude-ai antigravity".split(),
    ]


def test_no_other_module_names_an_agent() -> None:
    paths = [path for package in ("store", "tui") for path in (ROOT / package).rglob("*.py")]
    texts = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}
    naming = {
        name: set(NAMED.findall(text))
        - ({"cursor"} if name.startswith(WITH_PAGES) else set())
        - SIGNS.get(name, set())
        for name, text in texts.items()
        if not name.startswith(HOMES)
    }
    assert {name: agents for name, agents in naming.items() if agents} == {}


@pytest.mark.parametrize("name", AGENTS)
def test_a_name_is_one_that_a_hook_takes(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+", name)
    assert len(name) <= LONGEST_NAME


def test_no_two_agents_share_a_place_a_precedence_or_a_name() -> None:
    agents = BY_NAME.values()
    assert len({agent.position for agent in agents}) == len(AGENTS)
    assert len({BY_NAME[name].precedence for name in BY_PRECEDENCE}) == len(BY_PRECEDENCE)
    names = [name for agent in agents for name in (agent.name, *agent.aliases)]
    assert len(set(names)) == len(names)


def test_a_hook_knows_whose_events_have_no_names() -> None:
    assert [name for name, agent in BY_NAME.items() if agent.nameless] == list(NAMELESS_AGENTS)


def test_a_hook_keeps_the_variables_that_tell_of_agents() -> None:
    variables = {agent.variable.encode() for agent in BY_NAME.values() if agent.variable}
    assert variables <= set(AGENT_VARIABLES)


@pytest.mark.parametrize("name", AGENTS)
def test_a_hook_knows_the_events_that_start_and_end_a_session(name: str) -> None:
    for event in BY_NAME[name].hooks:
        if event.lower() in ("sessionstart", "sessionend"):
            told = f'{{"hook_event_name":"{event}"}}'.encode()
            assert may_be(name, told, TURNS, NAMELESS_TURNS)
    for event in filter(None, BY_NAME[name].prompt_events):
        assert may_be(name, f'{{"hook_event_name":"{event}"}}'.encode(), PROMPTS, ())


@pytest.mark.parametrize("name", WITH_TRANSCRIPTS)
def test_what_an_agents_module_says_of_transcripts_is_there(name: str) -> None:
    agent = BY_NAME[name]
    re.compile(agent.transcript_names)
    for reader in (agent.line_reader, *agent.file_readers.values()):
        if reader is not None:
            assert hasattr(reader_module(reader), reader.rpartition(".")[2])
    for suffix, reader in agent.file_readers.items():
        if suffix.endswith((".json", ".jsonl")):
            assert hasattr(reader_module(reader), "recognizes")
        else:
            assert hasattr(reader_class(reader), "recognizes_file")
