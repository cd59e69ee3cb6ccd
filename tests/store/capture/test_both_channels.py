"""What hooks told and the transcript tells again is one row."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.agents.registry import events_of
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.records.events import AgentName, SpoolRecord
from tests.places import TRANSCRIPTS

from ..formats.transcripts.readings import hooks

pytestmark = pytest.mark.skipif(not TRANSCRIPTS.exists(), reason="no transcripts beside the repository")

AT = round(datetime(2026, 11, 21, 2, 55, 40, tzinfo=UTC).timestamp() * 1_000)
CLAUDE, COPILOT = "claude/captured", "copilot/captured/copilot1.0.102/session-state"
TOLD: list[tuple[AgentName, str, list[str]]] = [
    ("claude-code", "claude_2.1.197.jsonl", [f"{CLAUDE}/cc2.1.197/c838a316-ce76-47b5-903d-59c6d3dbd884"]),
    (
        "claude-code",
        "claude_2.1.329.jsonl",
        [
            f"{CLAUDE}/cc2.1.329/ea42b3e0-bf2f-4911-9ebf-03ea961c5e4e",
            f"{CLAUDE}/cc2.1.329/0792fcfe-3fa5-4525-8192-d3239a83f305",
        ],
    ),
    (
        "copilot",
        "copilot_1.0.102_camel_and_pascal.jsonl",
        [
            f"{COPILOT}/810df3d1-5bbd-4f44-a644-f5a75995541c/events",
            f"{COPILOT}/4e9447ac-4937-4dbf-8ad7-c826aaf8daf8/events",
        ],
    ),
]


def tell(store: Store, agent: AgentName, payloads: str) -> None:
    """Keep what the hooks told."""
    for payload in hooks(payloads):
        record: dict[str, Any] = {"at": AT, "took": 0, "agent": agent, "env": frozenset()}
        for event in events_of(SpoolRecord(**record, cwd="/home/dev/proj", event=payload)):
            ingest_event(store, event, "hook")


def read(store: Store, agent: AgentName, names: list[str]) -> None:
    """Read the sessions' transcripts, and those of their sub-agents."""
    for name in names:
        main = (TRANSCRIPTS / name).with_name(f"{Path(name).name}.jsonl")
        for path in (main, *sorted((TRANSCRIPTS / name).glob("subagents/*.jsonl"))):
            assert read_transcript(store, path, agent)


def rows(store: Store, agent: AgentName = "") -> dict[str, list[str]]:
    """What the store holds, in no order; of Copilot's replies nothing, for hooks don't tell them."""
    texts = {"sessions": "content_session_id", "prompts": "text", "observations": "title"}
    told = "tool_name <> 'reply'" if agent == "copilot" else "true"
    where = {"observations": f"WHERE {told}"}
    return {
        table: sorted(
            json.dumps(row)
            for row in store.db.execute(f"SELECT {text} FROM {table} {where.get(table, '')}")
        )
        for table, text in texts.items()
    }


@pytest.mark.parametrize(("agent", "payloads", "names"), TOLD)
def test_a_transcript_after_the_hooks_brings_no_second_row(
    store: Store, agent: AgentName, payloads: str, names: list[str]
) -> None:
    tell(store, agent, payloads)
    before = rows(store, agent)
    assert all(before.values())
    read(store, agent, names)
    assert rows(store, agent) == before
    summaries = store.db.execute("SELECT count(*) FROM summaries").get
    assert summaries == (1 if agent == "claude-code" else 0)


@pytest.mark.parametrize(("agent", "payloads", "names"), TOLD[:2])
def test_hooks_after_the_transcript_bring_no_second_row(
    store: Store, agent: AgentName, payloads: str, names: list[str]
) -> None:
    read(store, agent, names)
    before = rows(store)
    tell(store, agent, payloads)
    assert rows(store) == before
