"""The rules on every transcript and hook payload that is kept beside the repository."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.agents.registry import events_of
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.formats.common.report import Report
from memtui.store.formats.transcripts.discovery import recognize
from memtui.store.observe.rules.title_text import LINE
from memtui.store.observe.summaries.summary import summarize
from memtui.store.records.events import SpoolRecord
from memtui.store.records.kinds import NOISE, REPLY, REPORT
from memtui.store.records.rows import Observation
from tests.places import TRANSCRIPTS

from ...formats.transcripts.readings import kept
from ...formats.transcripts.readings import lines as records_of

pytestmark = pytest.mark.skipif(not TRANSCRIPTS.exists(), reason="no transcripts beside the repository")

AGENTS = ("claude", "codex", "copilot", "cursor", "gemini", "opencode")
FILES = [
    (name, counts)
    for agent in AGENTS
    for name, counts in kept(agent)
    if counts.get("tool_uses") and recognize(TRANSCRIPTS / name)
]
PAYLOADS = sorted(
    path.name
    for path in (TRANSCRIPTS / "hook-payloads").glob("*.jsonl")
    if "plugin_events" not in path.name
)
ONLY_LISTS = re.compile(
    r"^(?:Listed |Ran (?:(?:ls|pwd|cd|echo|tree|mem|memtui|git status|git branch)\b[^&]*(?: && )?)+$)"
)
RAW = re.compile(r"[\n\x00-\x1f]|^\W*$|^[\[{]")


def observations(store: Store) -> list[Observation]:
    """Those of tool uses, in the order in which they came."""
    return store.observations.where(
        "deleted_at IS NULL AND coalesce(tool_name, '') NOT IN (?, ?) ORDER BY id", (REPLY, REPORT)
    )


def assert_is_told_well(told: list[Observation]) -> None:
    for one in told:
        assert one.title
        assert len(one.title) <= LINE
        assert not RAW.search(one.title), one.title
        if one.type == NOISE:
            assert not (one.narrative or one.facts or one.files_read or one.files_modified)
        else:
            assert not ONLY_LISTS.search(one.title), one.title
            assert not one.title.startswith(("Used TodoWrite", "Used TaskUpdate"))


def assert_reads_nothing_twice(told: list[Observation]) -> None:
    known: dict[int, set[str]] = {}
    for one in told:
        files = known.setdefault(one.session_id, set())
        if one.type == "discovery" and one.title and one.title.startswith("Read ") and one.files_read:
            assert not files.issuperset(one.files_read), one.title
        files.update(one.files_read, one.files_modified)


@pytest.mark.parametrize(("name", "counts"), FILES, ids=[name for name, _ in FILES])
@pytest.mark.sampled
def test_a_transcript_is_told_well(store: Store, name: str, counts: dict[str, Any]) -> None:
    agent = recognize(TRANSCRIPTS / name)
    assert agent
    assert read_transcript(store, TRANSCRIPTS / name, agent, report=Report(agent))
    told = observations(store)
    assert_is_told_well(told)
    assert_reads_nothing_twice(told)
    if "tools" in counts:
        used = (one.tool_name for one in told for _ in range(1 + one.repeats))
        assert Counter(used) == counts["tools"]
    edits = [one for one in told if one.tool_name in ("Edit", "Write", "MultiEdit")]
    assert all(len(one.files_modified) == 1 for one in edits if one.type == "change")
    assert all(not one.files_modified for one in told if one.type in ("error", "note"))
    for session in store.sessions.list(limit=50):
        prompts = [prompt.text for prompt in store.prompts.of_session(session.session)]
        made = summarize(prompts, store.observations.of_session(session.session))
        assert made == summarize(prompts, store.observations.of_session(session.session))


@pytest.mark.parametrize("name", PAYLOADS)
def test_what_hooks_tell_is_told_well(store: Store, name: str) -> None:
    path: Path = TRANSCRIPTS / "hook-payloads" / name
    for number, line in enumerate(records_of(path)):
        agent = name.split("_")[0]
        record = SpoolRecord(
            number * 60_000 + 1, 0, agent, frozenset(line.get("env") or ()), "/work", line["stdin"]
        )
        for event in events_of(record):
            ingest_event(store, event, "hook")
    told = observations(store)
    assert told
    assert_is_told_well(told)
    assert_reads_nothing_twice(told)
    queued = store.db.execute("SELECT count(*) FROM pending_messages WHERE kind = 'observation'").get
    assert queued == sum(one.type != NOISE for one in told)
