"""engram: its topics, deletions and session summaries."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.maintain.importing import run, source_of

from ..foreign_files import AT, EngramFile


@pytest.fixture
def file(tmp_path: Path) -> EngramFile:
    return EngramFile(tmp_path / "engram.db")


def test_a_session_comes_in_with_its_prompts_observations_and_how_it_ended(
    store: Store, file: EngramFile
) -> None:
    file.run("UPDATE sessions SET ended_at = '2026-02-02 03:40:00', summary = 'Cents it is.'")
    file.add("user_prompts", content="which unit for money?")
    file.observation("Use cents", "as integers, never floats", topic_key="architecture/money")
    file.observation("Session summary", "## Goal\nOne unit", type="session_summary")
    assert source_of(file.path) == "engram"
    report = run(store, "engram", file.path, None)
    session = store.sessions.get("e-1")
    assert (session.agent, session.project, session.project_path) == (
        "engram", "atlas", "/home/dev/atlas",
    )  # fmt: skip
    assert (session.status, session.started_at, session.completed_at) == (
        "completed", AT, AT + 3_600_000,
    )  # fmt: skip
    assert [prompt.text for prompt in store.prompts.of_session(session)] == ["which unit for money?"]
    [observation] = store.observations.of_session(session)
    assert (observation.type, observation.title, observation.narrative) == (
        "decision", "Use cents", "as integers, never floats",
    )  # fmt: skip
    assert observation.concepts == ("architecture/money",)
    summaries = {(one.text, one.created_at) for one in store.summaries.of_session(session)}
    assert summaries == {("Cents it is.", AT + 3_600_000), ("## Goal\nOne unit", AT)}
    assert not report.warnings
    for words in ("integers", "cents it is", "one unit", "unit for money"):
        assert store.find(words).page().hits, words


def test_what_engram_deleted_is_in_the_trash(store: Store, file: EngramFile) -> None:
    number = file.observation("Use floats", "quick and wrong")
    file.observation("Use cents", "as integers")
    run(store, "engram", file.path, None)
    file.run("UPDATE observations SET deleted_at = '2026-02-03 00:00:00' WHERE id = ?", number)
    report = run(store, "engram", file.path, None)
    assert (report.of("observations").changed, report.of("observations").unchanged) == (1, 1)
    assert not store.find("quick wrong").page().hits
    assert store.trash_count() == 1


def test_a_topic_that_was_revised_is_changed_in_place(store: Store, file: EngramFile) -> None:
    number = file.observation("Money", "in floats", topic_key="money")
    run(store, "engram", file.path, None)
    file.run("UPDATE observations SET content = 'in cents', revision_count = 2 WHERE id = ?", number)
    report = run(store, "engram", file.path, None)
    assert (report.of("observations").new, report.of("observations").changed) == (0, 1)
    [observation] = store.observations.of_session(store.sessions.get("e-1"))
    assert observation.narrative == "in cents"


def test_an_older_file_without_topics_is_engrams_too(store: Store, tmp_path: Path) -> None:
    file = EngramFile(tmp_path / "old.db")
    for column in ("topic_key", "normalized_hash", "deleted_at"):
        file.run(f"ALTER TABLE observations DROP COLUMN {column}")
    file.observation("Use cents", "as integers")
    assert source_of(file.path) == "engram"
    assert run(store, "engram", file.path, None).of("observations").new == 1
