"""Chats that Gemini CLI itself wrote, against independent counts and against what its hooks told."""

from collections.abc import Sequence
from typing import Any

import pytest

from memtui.store.formats.transcripts.agents.gemini import GeminiFile, GeminiReader
from memtui.store.records.events import Event
from tests.places import TRANSCRIPTS
from tests.tables import table

from .readings import counted, hooks, kept, lines, of, told

pytestmark = pytest.mark.skipif(not TRANSCRIPTS.exists(), reason="no transcripts beside the repository")

CHAT = "gemini/captured/gemini0.61.0/tmp/proj/chats/session-2026-11-21T02-43-03f2d6c0.jsonl"


def read(name: str) -> Sequence[Event]:
    path = TRANSCRIPTS / name
    if path.suffix == ".json":
        return list(GeminiFile(path).events())
    return told(GeminiReader, lines(path), path)


@table(("name", "counts"), kept("gemini"))
def test_the_counts_are_those_of_the_manifest(name: str, counts: dict[str, Any]) -> None:
    events = read(name)

    found = counted(events) | {"compactions": 0}
    assert found == {what: counts.get(what, 0) for what in found}
    assert {event.session for event in events} == {counts["session_id"]}


def test_every_line_may_be_the_last_of_a_reading() -> None:
    records = lines(TRANSCRIPTS / CHAT)

    assert told(GeminiReader, records, TRANSCRIPTS / CHAT, range(1, len(records))) == read(CHAT)


def test_hooks_and_chat_tell_of_the_same_tools_and_replies_in_the_same_words() -> None:
    events = read(CHAT)
    replies, tools = of("reply", events), [event.tool for event in of("tool", events) if event.tool]
    payloads = hooks("gemini_0.61.0.jsonl")
    after_tool = [one for one in payloads if one["hook_event_name"] == "AfterTool"]
    after_agent = [one for one in payloads if one["hook_event_name"] == "AfterAgent"]

    assert [(tool.name, tool.input) for tool in tools] == [
        (one["tool_name"], one["tool_input"]) for one in after_tool
    ]
    assert [tool.response for tool in tools] == [one["tool_response"] for one in after_tool]
    assert [reply.text for reply in replies] == [one["prompt_response"] for one in after_agent]
    for prompt, one in zip(of("prompt", events), after_agent, strict=True):
        assert one["prompt"].endswith(f"</hook_context>\n\n{prompt.text}")


def test_the_directory_is_found() -> None:
    assert {event.cwd for event in read(CHAT)} == {"/home/dev/proj"}
