"""Rollouts that Codex itself wrote, against independent counts and against what its hooks told."""

from typing import Any

import pytest

from memtui.store.formats.transcripts.agents.codex import CodexFile, CodexReader
from tests.places import TRANSCRIPTS
from tests.tables import table

from .readings import counted, hooks, kept, lines, of, told

pytestmark = pytest.mark.skipif(not TRANSCRIPTS.exists(), reason="no transcripts beside the repository")

CAPTURED = "codex/captured/codex{}/sessions/2026/11/21"
PAIRS = [
    ("codex_0.125.0.jsonl", "0.125.0"),
    ("codex_0.169.0_basic_resume_patch.jsonl", "0.169.0"),
    ("codex_0.169.0_compact_subagent.jsonl", "0.169.0"),
]


@table(("name", "counts"), kept("codex") + kept("trae/fixtures"))
def test_the_counts_are_those_of_the_manifest(name: str, counts: dict[str, Any]) -> None:
    events = told(CodexReader, lines(TRANSCRIPTS / name), TRANSCRIPTS / name)

    found = counted(events)
    assert found == {what: counts[what] for what in found}
    assert events[0].cwd == counts["cwd"]
    assert counts["session_id"] in (events[0].session, events[0].subagent)


@table("name", [name for name, _ in kept("codex")])
def test_every_line_may_be_the_last_of_a_reading(name: str) -> None:
    records = lines(TRANSCRIPTS / name)
    whole = told(CodexReader, records, TRANSCRIPTS / name)

    assert told(CodexReader, records, TRANSCRIPTS / name, range(1, len(records))) == whole


@pytest.mark.parametrize(("payloads", "version"), PAIRS)
def test_hooks_and_rollouts_call_prompts_tools_and_replies_by_the_same_keys(
    payloads: str, version: str
) -> None:
    folder = TRANSCRIPTS / CAPTURED.format(version)
    transcripts = {path.name: path for path in folder.iterdir()}
    compared = 0
    for payload in hooks(payloads):
        path = transcripts.get((payload.get("transcript_path") or "").rsplit("/", 1)[-1])
        kind = {"UserPromptSubmit": "prompt", "PostToolUse": "tool", "Stop": "reply"}.get(
            payload["hook_event_name"]
        )
        if path is None or kind is None:
            continue
        events = of(kind, told(CodexReader, lines(path), path))
        key = payload["tool_use_id"] if kind == "tool" else payload["turn_id"]
        event = next(event for event in events if event.key == key)
        assert event.shared
        assert (event.session, event.subagent) == (payload["session_id"], payload.get("agent_id"))
        if kind != "tool":
            assert event.text == payload.get("prompt", payload.get("last_assistant_message"))
        compared += 1
    assert compared >= 6


def test_single_pieces_of_rollouts_are_read() -> None:
    files = sorted((TRANSCRIPTS / "codex/fixtures").glob("*.json"))
    events = {path.stem.partition("__")[2]: list(CodexFile(path).events()) for path in files}

    assert len(files) == len(events)
    assert [event.text for event in events["visible-pair"]] == ["List the synthetic files."]
    assert [event.kind for event in events["async-command"]] == ["tool"]
    assert events["user-shell-command"] == events["environment-context"] == []
    assert events["thread-spawn"][0].session == "22222222-2222-4222-8222-222222222222"
