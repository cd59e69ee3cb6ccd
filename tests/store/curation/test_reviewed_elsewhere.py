"""What waits for its user's word reaches nobody by way of a file, and no agent has it hold by redoing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.agents.shell import agent_shell
from memtui.store.curation.many import Action
from memtui.store.formats.export import Format, export_to
from memtui.store.leaves.files.linking import Promotion
from memtui.store.maintain.reviews import give_verdict, reviews
from memtui.store.platform.errors import InvalidRecordError, StoreError
from tests.store.cli.runner import Mem


@pytest.fixture
def waiting(store: Store) -> Store:
    """A store in which one of each kind waits, all about a zebrafish, beside a harbour that holds."""
    session = store.sessions.start("c-1", agent="codex", project="atlas")
    store.observations.add(session, title="harbour", type="decision")
    records = [
        store.observations.add(session, title="zebrafish observed", type="decision"),
        store.summaries.add(session, request="stop", learned="zebrafish learned"),
        store.facts.add("zebrafish holds", kind="B", project="atlas"),
        store.notes.upsert("N.md", "zebrafish noted", project="atlas"),
    ]
    with store.transaction():
        for record in records:
            store.reviewing.wait(record)
    return store


def written(path: Path) -> str:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return "".join(file.read_bytes().decode("utf-8", "replace") for file in files)


@pytest.mark.parametrize("format", ["claude-mem", "scheme-c", "markdown", "html"])
def test_no_file_that_others_read_holds_what_waits_before_it_is_accepted(
    waiting: Store, tmp_path: Path, format: Format
) -> None:
    made = export_to(waiting, format, tmp_path / "before")
    assert "zebrafish" not in written(tmp_path / "before") and "harbour" in written(tmp_path / "before")
    assert sum(made.left_out.values()) == 4
    give_verdict(waiting, [item.id for item in reviews(waiting)], "accepted")
    export_to(waiting, format, tmp_path / "after")
    assert "zebrafish" in written(tmp_path / "after")


def test_a_shared_session_is_without_what_waits(waiting: Store, tmp_path: Path) -> None:
    export_to(waiting, "markdown", tmp_path / "shared.md", refs=["@1"])
    text = written(tmp_path / "shared.md")
    assert "zebrafish" not in text and "harbour" in text


def test_what_waits_is_not_put_into_an_agents_file(waiting: Store, tmp_path: Path) -> None:
    for ref in ("2", "f1", "n1"):
        with pytest.raises(InvalidRecordError, match="accept it first"):
            Promotion(waiting).to_file(ref, tmp_path / "CLAUDE.md")
    assert not (tmp_path / "CLAUDE.md").exists()


def test_an_agent_accepts_nothing_by_doing_again_what_a_person_took_back(waiting: Store) -> None:
    give_verdict(waiting, ["f1"], "accepted")
    waiting.undo()
    waiting.made_by("mem redo", "codex")
    with pytest.raises(StoreError, match="Only a person"):
        waiting.redo()
    assert "f1" in [item.id for item in reviews(waiting)]
    waiting.made_by("mem redo")
    assert waiting.redo() is not None and "f1" not in [item.id for item in reviews(waiting)]


def test_an_agent_accepts_nothing_by_taking_back_a_revert(waiting: Store) -> None:
    give_verdict(waiting, ["f1"], "accepted")
    waiting.revert(max(entry.id for entry in waiting.changes()))
    waiting.made_by("mem undo", "codex")
    with pytest.raises(StoreError, match="Only a person"):
        waiting.undo()
    assert "f1" in [item.id for item in reviews(waiting)]
    waiting.observations.pin(1)
    assert waiting.undo() is not None


@pytest.mark.parametrize(("name", "agent"), [("QWEN_CODE", "qwen-code"), ("CLINE_ACTIVE", "cline")])
def test_these_shells_are_agents_too(name: str, agent: str) -> None:
    assert agent_shell({name: "1"}) == (agent, "")


def test_the_journal_holds_no_secret_of_a_tag(store: Store) -> None:
    store.sessions.start("c-1", agent="codex", project="atlas")
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    changed = store.many.run(["@1"], Action("tag", add=(secret, "release")))
    assert secret not in changed.what and "release" in changed.what
    assert secret not in json.dumps([entry.what for entry in store.changes()])


def test_lists_of_facts_and_notes_mark_what_waits(waiting: Store) -> None:
    mem = Mem(waiting.path, waiting.path.parent)
    assert "[pending] zebrafish holds" in mem.ok("fact", "list")
    assert "[pending] zebrafish noted" in mem.ok("note", "list")
    give_verdict(waiting, ["f1", "n1"], "accepted")
    assert "[pending]" not in mem.ok("fact", "list") + mem.ok("note", "list")
