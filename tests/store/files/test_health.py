"""What doctor says of agents' files."""

import json
import os
import time

import pytest

from memtui.store.leaves.files.reports import files_checks

from .conftest import Tree


@pytest.fixture(autouse=True)
def own(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tree.home))


def said(tree: Tree) -> list[str]:
    return [check.found for check in files_checks(tree.base / "memory.db")]


def test_nothing_is_said_where_no_agent_is(tree: Tree) -> None:
    assert said(tree) == []


def test_a_version_newer_than_the_one_that_was_seen_is_told(tree: Tree) -> None:
    transcript = "home/.claude/projects/-shop/a.jsonl"
    tree.write(transcript, json.dumps({"version": "2.1.332"}) + "\n")
    assert said(tree) == []
    tree.write(transcript, json.dumps({"version": "2.10.0"}) + "\n")
    tree.write("home/.codex/sessions/2026/09/01/rollout-a.jsonl", '{"cli_version": "0.180.1"}\n')
    assert said(tree) == [
        "Claude Code 2.10.0 is here; what it is told is computed as of 2.1.332",
        "Codex 0.180.1 is here; what it is told is computed as of 0.171.0",
    ]


def test_transcripts_that_expire_within_a_week_are_told(tree: Tree) -> None:
    path = tree.write("home/.claude/projects/-shop/a.jsonl", "{}\n")
    at = time.time() - 25 * 86_400
    os.utime(path, (at, at))
    assert said(tree) == ["Claude Code deletes 1 transcript within 7 days (it keeps them for 30)"]
