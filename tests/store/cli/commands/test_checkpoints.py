"""The branch of a repository that keeps what sessions did is imported like transcripts."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.leaves.blame import checkpoints
from memtui.store.leaves.blame.blame import blame_file

from ...formats.transcripts.claude_records import SESSION, answered, asked, call, result
from ...git.repository import Repository, needs_git
from ..runner import Mem

pytestmark = needs_git

GEMINI = {
    "sessionId": "3f0c1b2a-1111-4222-8333-444455556666",
    "projectHash": "0" * 64,
    "startTime": "2026-02-02T03:00:00.000Z",
    "messages": [
        {
            "id": "m-1",
            "type": "user",
            "timestamp": "2026-02-02T03:00:01.000Z",
            "content": "Name the lease",
        }
    ],
}


@pytest.fixture
def repository(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with two sessions on its branch, of the one two states."""
    monkeypatch.setenv("HOME", str(mem.folder))
    repository = Repository(mem.folder.parent / "atlas")
    repository.write("a.py", "first = 1\n")
    repository.commit(0)
    repository.git("checkout", "-q", "--orphan", "entire/checkpoints/v1")
    repository.git("rm", "-rqf", ".")
    text = "def lease_of(worker):\n    return worker.lease_in_seconds\n"
    lines = "".join(f"LEASE_OF_WORKER_{number} = {number}\n" for number in range(400))
    given = {"file_path": str(repository.root / "lease.py"), "content": text + lines}
    records = [
        asked(1, "Write the leases; my key is AKIAIOSFODNN7EXAMPLZ", cwd=str(repository.root)),
        answered(2, "m-1", call("c-1", "Write", **given), cwd=str(repository.root)),
        result(3, "c-1"),
    ]
    state = "".join(json.dumps(record) + "\n" for record in records)
    kept(repository, "0a/1b2c3d4e5f/0", SESSION, json.dumps(records[0]) + "\n")
    kept(repository, "0b/1b2c3d4e5f/0", SESSION, state)
    kept(repository, "0b/1b2c3d4e5f/1", str(GEMINI["sessionId"]), json.dumps(GEMINI, indent=2))
    kept(repository, "0c/1b2c3d4e5f/0", "unknown", "no transcript\n")
    repository.commit(1)
    repository.git("checkout", "-q", "main")
    repository.write("lease.py", text + lines)
    monkeypatch.chdir(repository.root)
    return repository


def kept(repository: Repository, folder: str, session: str, transcript: str) -> None:
    repository.write(f"{folder}/metadata.json", json.dumps({"session_id": session}))
    repository.write(f"{folder}/full.jsonl", transcript)


def test_the_branch_is_offered_and_imported_once(mem: Mem, repository: Repository) -> None:
    (offer,) = mem.json("import")
    assert (offer["source"], offer["files"]) == ("entire", 4)
    assert offer["path"] == str(repository.root)
    (tried,) = mem.json("import", "--all", "--dry-run")
    assert not mem.db.exists()
    told = mem.json("import", ".")
    assert told["counts"] == tried["counts"] and told["counts"]["sessions"]["new"] == 2
    with Store.open(mem.db) as store:
        assert {session.agent for session in store.sessions.where("1")} == {"claude-code", "gemini"}
        texts = [prompt.text for prompt in store.prompts.where("1")]
        assert len(texts) == 2 and not any("AKIAIOSFODNN7EXAMPLZ" in text for text in texts)
    for again in (mem.json("import", "entire"), mem.json("import", "entire", str(repository.root))):
        assert (again["counts"], again["notes"]) == ({}, ["Nothing new in 3 files."])


@pytest.mark.parametrize("id", ["x\0y", "\ud800", "n" * 5_000, "../../x", ["x"], None])
def test_an_id_that_is_none_keeps_nothing_back(mem: Mem, repository: Repository, id: object) -> None:
    repository.git("checkout", "-q", "entire/checkpoints/v1")
    repository.write("00/1b2c3d4e5f/0/metadata.json", json.dumps({"session_id": id}))
    repository.write("00/1b2c3d4e5f/0/full.jsonl", json.dumps(asked(9, "Another?")) + "\n" * 2)
    repository.write("00/1b2c3d4e5f/1/metadata.json", "[" * 100_000)
    repository.write("00/1b2c3d4e5f/1/full.jsonl", "no transcript\n")
    repository.commit(2)
    assert mem.json("import", ".")["counts"]["sessions"]["new"] >= 2


def test_what_the_store_keeps_of_a_long_edit_is_completed_by_the_branch(
    mem: Mem, repository: Repository
) -> None:
    mem.ok("import", ".")
    with Store.open(mem.db) as store:
        (part,) = blame_file(store, repository.root / "lease.py", 200)
        assert part.session and part.session.content_session_id == SESSION


def test_where_no_branch_is_is_said(mem: Mem, repository: Repository) -> None:
    (repository.root / "src").mkdir()
    assert "is no repository with a branch entire/checkpoints/v1" in mem.refused("import", "entire", "src")
    assert checkpoints.kept_at(Path("src")) is None
    repository.git("branch", "-qD", "entire/checkpoints/v1")
    assert mem.json("import") == []
