"""Whatever agents report, each rule makes something of it: lines of any shell, whole and cut off, payloads of
any shape, replies and prompts in which these stand."""

import json
from contextlib import suppress

import pytest

from memtui.store.agents.registry import BY_NAME
from memtui.store.capture.conversation_entries import use_markdown
from memtui.store.observe.boundary import plain_fields
from memtui.store.observe.rules import answers, own_words, questions, shell_commands
from memtui.store.observe.rules.facts import extract
from memtui.store.observe.rules.observation import observation_fields
from memtui.store.observe.rules.replies import reply_fields
from memtui.store.observe.rules.shell import hides_status, parse_commands
from memtui.store.observe.summaries.lines import read_reply
from memtui.store.records.events import SpoolRecord

from .tool_grammar import Grammar

LONG = pytest.mark.long
SEEDS = ["a", "b", *(pytest.param(seed, marks=LONG) for seed in "cdefghij")]
FIELDS = {"type", "title", "subtitle", "narrative", "facts", "concepts", "files_read", "files_modified"}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tool_use_of_any_shape_has_fields(seed: str) -> None:
    grammar = Grammar(seed)
    for _ in range(1_500):
        use = grammar.tool_use()
        fields = observation_fields(use, "/home/x/p")
        assert fields.keys() == FIELDS, use
        assert len(fields["title"]) <= 120, use
        assert all(isinstance(text, str) for name in ("facts", "concepts") for text in fields[name])
        assert plain_fields(use).keys() == FIELDS
        use_markdown(use)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_line_of_any_shell_is_taken_apart(seed: str) -> None:
    grammar = Grammar(f"line {seed}")
    bare = 0
    for _ in range(3_000):
        line = grammar.line(3)
        commands = parse_commands(line)
        shell_commands.heaviest(commands)
        for command in commands:
            hides_status(commands, command, line)
            shell_commands.search_terms(command)
            assert command.words or command.writes, line
            bare += not command.words
        assert all(isinstance(name, str) for name in shell_commands.changed_by(commands))
        list(shell_commands.read_by(commands))
    assert bare > 50, "commands without words are among them"


@pytest.mark.parametrize("seed", SEEDS)
def test_any_words_are_read(seed: str) -> None:
    grammar = Grammar(f"words {seed}")
    for _ in range(300):
        text, before = (grammar.words() for _ in range(2))
        reply_fields(text, before, is_final=grammar.random.random() < 0.5)
        extract(text, "user", before)
        extract(text, "assistant")
        own_words.own_words(text)
        own_words.is_pasted(text)
        answers.advice_taken(text, before)
        questions.options_of(before, [text[:10]])
        read_reply(text, before)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_payload_of_any_shape_gives_events(seed: str) -> None:
    grammar = Grammar(f"payload {seed}")
    for agent in BY_NAME.values():
        for _ in range(40):
            payload = grammar.payload(agent.name)
            record = SpoolRecord(1, 1, agent.name, frozenset(), "/tmp", payload)
            # Of one that names no session nothing is known.
            with suppress(ValueError):
                for event in agent.events(record):
                    assert isinstance(event.text, str), json.dumps(payload)
