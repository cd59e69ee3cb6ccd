"""Transcripts that agents wrote, kept beside the repository, against independent counts."""

import io
import re
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.formats.common.report import Report
from memtui.store.formats.transcripts.agents.claude_code import ClaudeCodeReader
from memtui.store.formats.transcripts.agents.copilot import CopilotReader
from memtui.store.formats.transcripts.agents.cursor import CursorReader
from memtui.store.formats.transcripts.discovery import recognize
from memtui.store.formats.transcripts.json_records import lines
from memtui.store.formats.transcripts.reader import LineReader
from memtui.store.formats.transcripts.slices import Position, line_slices
from memtui.store.records.events import Event
from tests.places import TRANSCRIPTS
from tests.tables import table

from .readings import counted, hooks, kept, of, told
from .readings import lines as records_of

pytestmark = pytest.mark.skipif(not TRANSCRIPTS.exists(), reason="no transcripts beside the repository")

READERS: dict[str, type[LineReader]] = {
    "claude": ClaudeCodeReader,
    "copilot": CopilotReader,
    "cursor": CursorReader,
}
FILES = [(agent, name, counts) for agent in READERS for name, counts in kept(agent)]
NAMES = [(agent, name) for agent, name, _ in FILES]
SOUND = [(agent, name) for agent, name, counts in FILES if not counts.get("bad_lines")]
CLAUDE = "claude/captured"
PAIRS = [
    ("claude_2.1.197.jsonl", ["cc2.1.197/c838a316-ce76-47b5-903d-59c6d3dbd884.jsonl"]),
    (
        "claude_2.1.329.jsonl",
        [
            "cc2.1.329/ea42b3e0-bf2f-4911-9ebf-03ea961c5e4e.jsonl",
            "cc2.1.329/0792fcfe-3fa5-4525-8192-d3239a83f305.jsonl",
        ],
    ),
]


def records(name: str) -> list[dict[str, Any]]:
    content = (TRANSCRIPTS / name).read_bytes()
    return [line.record for line in lines(io.BytesIO(content)) if line.record is not None]


def bare_commands(events: list[Event]) -> int:
    return sum(re.fullmatch(r"/[a-z]\S*", event.text) is not None for event in of("prompt", events))


@table(("agent", "name", "counts"), FILES)
def test_the_counts_are_those_of_the_manifest(
    store: Store, agent: str, name: str, counts: dict[str, Any]
) -> None:
    slices = line_slices(store.db, TRANSCRIPTS / name, READERS[agent], Position())
    events = [event for each in slices for event in each.events]

    found = counted(events) | {"sessions": len({event.session for event in events})}
    steering = [event for event in of("prompt", events) if event.extra.get("steering")]
    found["prompts"] -= len(steering)
    found["steering_prompts"] = len(steering)
    # The counter counts a bare command apart, whatever it stands for.
    found["prompts"] -= bare_commands(events)
    assert bare_commands(events) <= counts.get("commands", 0)
    # Where no record names a session, ours is that of the file's name.
    expected = {what: counts[what] for what in found if what in counts}
    expected["sessions"] = max(1, counts["sessions"])
    assert found | expected == found


@table(("agent", "name"), SOUND)
def test_every_line_may_be_the_last_of_a_reading(agent: str, name: str) -> None:
    whole, path = records(name), TRANSCRIPTS / name
    events = told(READERS[agent], whole, path)
    cuts = range(1, len(whole), max(1, len(whole) // 20))
    assert told(READERS[agent], whole, path, cuts) == events


@table(("agent", "name"), NAMES)
def test_each_is_told_by_what_it_has(agent: str, name: str) -> None:
    assert recognize(TRANSCRIPTS / name) == {"claude": "claude-code"}.get(agent, agent)


@pytest.mark.parametrize(("payloads", "names"), PAIRS)
def test_hooks_call_prompts_and_tools_by_the_same_keys(payloads: str, names: list[str]) -> None:
    files = {Path(name).name: TRANSCRIPTS / CLAUDE / name for name in names}
    compared = 0
    for payload in hooks(payloads):
        path = files[payload["transcript_path"].rsplit("/", 1)[1]]
        kind, field = {
            "UserPromptSubmit": ("prompt", "prompt_id"),
            "PostToolUse": ("tool", "tool_use_id"),
        }.get(payload["hook_event_name"], ("", ""))
        if not kind or payload.get("agent_id") or payload.get("prompt", "").startswith("<"):
            continue
        events = of(kind, told(ClaudeCodeReader, records_of(path), path))
        if path.stem.startswith("0792"):
            # What a fork repeats comes before its own prompt and takes its key when read alone.
            assert payload["prompt"] in [event.text for event in events]
            continue
        (event,) = (event for event in events if event.key == payload[field])
        assert event.shared
        compared += 1
    assert compared >= 6


@pytest.mark.parametrize(("agent", "name", "counts"), FILES)
@pytest.mark.sampled
def test_what_is_stored_is_what_was_counted(
    store: Store, agent: str, name: str, counts: dict[str, Any]
) -> None:
    report = Report(agent)
    whose = recognize(TRANSCRIPTS / name)
    assert whose
    assert read_transcript(store, TRANSCRIPTS / name, whose, report=report)

    def rows(table: str) -> int:
        return int(store.db.execute(f"SELECT count(*) FROM {table}").get)

    bare = len(store.prompts.where("text GLOB '/[a-z]*' AND text NOT GLOB '*[ \n]*'"))
    assert bare <= counts.get("commands", 0)
    assert rows("prompts") - bare == counts["prompts"] + counts.get("steering_prompts", 0)
    own = "coalesce(tool_name, '') NOT IN ('reply', 'report')"
    uses = store.db.execute(f"SELECT total(1 + repeats) FROM observations WHERE {own}").get
    assert uses == counts["tool_uses"]
    assert rows("summaries") == counts.get("compactions", 0)
    if "out_tokens" in counts:
        assert report.of("tokens").new == counts["out_tokens"]
    again = Report(agent)
    assert read_transcript(store, TRANSCRIPTS / name, whose, report=again)
    assert again == Report(agent)
