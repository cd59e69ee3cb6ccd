"""The directory that is at hand comes in as its manifest says."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.formats.scheme_c.directory_import import import_directory
from memtui.store.formats.scheme_c.sync import sync
from memtui.store.text.markup import sections
from tests.places import FOREIGN

from .directories import everything

pytestmark = pytest.mark.skipif(
    not (FOREIGN / "scheme-c").exists(), reason="The foreign memories are not at hand."
)


@pytest.fixture
def expected() -> dict[str, Any]:
    """What the manifest counts."""
    manifest = json.loads((FOREIGN / "manifest.json").read_text("utf-8"))
    found: dict[str, Any] = manifest["fixtures"]["scheme-c"]["expected"]
    return found


def test_counts_are_as_the_manifest_says(store: Store, expected: dict[str, Any]) -> None:
    before = everything(FOREIGN / "scheme-c")
    report = import_directory(store, FOREIGN / "scheme-c")
    daily, facts, sessions = expected["daily"], expected["facts"], expected["sessions"]
    types = daily["by_type"]
    assert report.of("facts").read == types["fact"] + types["preference"] + facts["objects"]
    silent = daily["fact_like"] - daily["fact_like_live_with_text"] - daily["soft_deleted"]
    assert report.of("facts").skipped["no content"] == silent
    assert report.of("observations").new == types["action"] + types["audit"] + types["milestone"]
    assert report.of("summaries").new == sessions["objects"]
    assert report.of("sessions").read == expected["session_ids_seen_anywhere"]
    deleted = "SELECT count(*) FROM summaries WHERE deleted_at IS NOT NULL"
    assert store.db.execute(deleted).get == sessions["soft_deleted"]
    malformed = sum(one.get("malformed", 0) for one in daily["files"].values())
    others = sum(one.get("not_an_object", 0) for one in daily["files"].values())
    bad = malformed + others + facts["malformed"] + sessions["malformed"]
    assert report.of("lines").skipped["not a JSON object"] == bad
    assert everything(FOREIGN / "scheme-c") == before


def test_every_line_that_says_something_is_told_by_its_file(store: Store, expected: dict[str, Any]) -> None:
    import_directory(store, FOREIGN / "scheme-c")
    daily, facts = expected["daily"], expected["facts"]
    told = "SELECT count(*) FROM fact_sources WHERE native_id LIKE ?"
    # One of these is an event of another type, which only looks like a fact.
    others = daily["fact_like"] - daily["by_type"]["fact"] - daily["by_type"]["preference"]
    live = daily["fact_like_live_with_text"] + daily["soft_deleted"] - others
    assert store.db.execute(told, ("daily/%",)).get == live
    assert store.db.execute(told, ("facts.jsonl#%",)).get == facts["objects"]
    deleted = f"{told} AND deleted_at IS NOT NULL"
    assert store.db.execute(deleted, ("daily/%",)).get == daily["soft_deleted"]
    several = f"{told} AND json_array_length(evidence) > 1"
    assert store.db.execute(several, ("facts.jsonl#%",)).get == facts["with_more_than_one_evidence"]
    of_session = (
        "SELECT s.content_session_id, count(*) FROM observations o "
        "JOIN sessions s ON s.id = o.session_id GROUP BY 1"
    )
    for name, number in store.db.execute(of_session):
        assert number <= daily["by_session"].get(name, daily["by_session"]["None"])
    lists = "SELECT sum(length(%s) - length(replace(%s, char(10), '')) + 1) FROM summaries"
    for column, name in (("completed", "decisions"), ("next_steps", "todos")):
        assert store.db.execute(lists.replace("%s", column)).get == expected["sessions"][name]


def test_core_memory_has_the_sections_and_bullets_of_its_file(
    store: Store, expected: dict[str, Any]
) -> None:
    import_directory(store, FOREIGN / "scheme-c")
    (note,) = store.notes.list()
    found = [one for one in sections(note.text) if one.level == 2]
    told = [[one.title, one.line, len(one.bullets)] for one in found]
    assert told == expected["core_memory"]["sections"]
    assert sum(len(one.bullets) for one in found) == expected["core_memory"]["bullets"]


def test_terms_are_found_and_secrets_are_not(store: Store, expected: dict[str, Any]) -> None:
    import_directory(store, FOREIGN / "scheme-c")
    assert store.find("SECRET-").page().hits == []
    for term, hits in expected["daily"]["substring_hits"].items():
        if hits and term != "SECRET-":
            assert store.find(term).page().hits, term


def test_a_sync_changes_none_of_its_files_and_is_done_at_once(store: Store, tmp_path: Path) -> None:
    shutil.copytree(FOREIGN / "scheme-c", tmp_path / "c")
    for one in (tmp_path / "c", tmp_path / "c" / "daily"):
        one.chmod(0o700)
    before = everything(tmp_path / "c")
    sync(store, tmp_path / "c")
    after = everything(tmp_path / "c")
    assert {name: after[name] for name in before} == before
    assert sync(store, tmp_path / "c").is_in_step
