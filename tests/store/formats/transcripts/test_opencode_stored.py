"""Sessions that OpenCode itself wrote, against independent counts and against what its plugin told."""

import hashlib
from typing import Any

import pytest

from memtui.store.agents.opencode import unquoted
from memtui.store.formats.transcripts.agents.opencode import OpenCodeDatabase, OpenCodeExport
from tests.places import TRANSCRIPTS

from .readings import counted, hooks, kept, of

pytestmark = pytest.mark.skipif(not TRANSCRIPTS.exists(), reason="no transcripts beside the repository")

DATABASE = TRANSCRIPTS / "opencode/captured/opencode1.18.33/opencode.db"
EXPORT = DATABASE.with_name("export.json")


@pytest.mark.parametrize(
    ("name", "counts"), [one for one in kept("opencode") if not one[0].endswith("rows.jsonl")]
)
def test_the_counts_are_those_of_the_manifest(name: str, counts: dict[str, Any]) -> None:
    path = TRANSCRIPTS / name
    reader = OpenCodeExport(path) if path.suffix == ".json" else OpenCodeDatabase(path)
    events = list(reader.events())
    own = [event for event in events if event.kind != "prompt" or not event.subagent]

    found = counted(own)
    assert (found["prompts"], found["tool_uses"]) == (counts["prompts"], counts["tool_uses"])
    assert len(of("usage", events)) == counts["assistant"]
    assert len(of("session_start", events)) == counts["sessions"]
    assert len({event.subagent for event in events} - {None}) == counts.get("sub_sessions", 0)


def test_the_database_is_not_touched() -> None:
    before = hashlib.sha256(DATABASE.read_bytes()).digest(), sorted(DATABASE.parent.iterdir())

    list(OpenCodeDatabase(DATABASE).events())

    assert before == (hashlib.sha256(DATABASE.read_bytes()).digest(), sorted(DATABASE.parent.iterdir()))


def test_the_export_of_a_session_tells_what_the_database_tells_of_it() -> None:
    exported = list(OpenCodeExport(EXPORT).events())
    stored = list(OpenCodeDatabase(DATABASE).events())
    session = exported[0].session

    assert (
        exported[1:]
        == [event for event in stored if (event.session, event.subagent) == (session, None)][1:]
    )


def test_the_plugin_tells_tools_and_prompts_in_the_same_shapes() -> None:
    events = list(OpenCodeDatabase(DATABASE).events())
    used = {event.tool.name: event.tool for event in of("tool", events) if event.tool}
    payloads = hooks("opencode_1.18.33_memtui_envelope.jsonl")
    asked = [one for one in payloads if one["hook_event_name"] == "chat.message"]

    for payload in payloads:
        if payload["hook_event_name"] == "tool.execute.after":
            tool = used[payload["tool_name"]]
            assert isinstance(tool.response, dict)
            assert set(tool.response) == set(payload["tool_response"])
    prompts = {event.text for event in of("prompt", events)}
    assert {unquoted(one["prompt"]) for one in asked} & prompts == {
        "SPAWN a helper",
        "CHILD please list files",
    }
