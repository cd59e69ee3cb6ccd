"""A transcript belongs to its repository's project, wherever the agent worked and whatever is gone."""

import json
from pathlib import Path

from memtui.store import Store
from memtui.store.capture.ingest.transcripts import read_transcript
from tests.store.formats.transcripts.rollouts import Line, asked, begun, ended, meta

CLONE = "https://github.com/acme/atlas.git"


def project_of(store: Store, folder: Path, rollout: list[Line]) -> str:
    thread = rollout[0]["payload"]["id"]
    path = folder / f"rollout-2026-02-02T02-40-00-{thread}.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in rollout))
    assert read_transcript(store, path, "codex")
    found = store.sessions.find(thread, "codex")
    assert found is not None
    return found.project


def session(number: int, cwd: str, repository: str) -> list[Line]:
    thread = f"019a0000-0000-7000-8000-00000000000{number}"
    begin = meta(id=thread, cwd=cwd, git={"repository_url": repository})
    return [begin, begun(), asked("fix the login"), ended("Fixed.")]


def test_a_worktree_that_is_gone_is_of_the_remote_that_its_transcript_names(
    store: Store, tmp_path: Path
) -> None:
    first = session(1, "/home/ann/code/atlas", CLONE)
    second = session(2, "/home/ann/.codex/worktrees/ab12/checkout", "git@github.com:acme/atlas")
    assert project_of(store, tmp_path, first) == "atlas"
    assert project_of(store, tmp_path, second) == "atlas"


def test_what_a_transcript_calls_its_remote_is_taken_for_no_more_than_that(
    store: Store, tmp_path: Path
) -> None:
    for number, remote in enumerate(("/srv/atlas.git", "not an address", "")):
        assert project_of(store, tmp_path, session(number, "/srv/code/atlas", remote)) == "atlas"
