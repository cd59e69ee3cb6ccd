"""`jsonl` is lossless, and tells nothing that is hidden."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.formats.common.scope import Scope
from memtui.store.formats.jsonl.layout import TABLES
from memtui.store.records.events import Event
from tests.promises import promise
from tests.store.undoing import undone

from ....conftest import OpenStore
from ..fillings import CANARY, EVERYTHING, exported, fill, hide, imported

LOCAL_TABLES = {
    "meta": "which machine and which tokenizer this is",
    "schema_versions": "when this file was upgraded",
    "spool_segments": "how far this machine's spool is read",
    "spool_lines": "which lines of it were",
    "directories": "which directories this machine keeps in step",
    "synced_files": "how far this machine's directories are read",
    "synced_records": "what this machine's directories were given",
    "transcripts": "how far this machine's transcripts are read; read again, they tell nothing new",
    "quarantine": "what this machine's hooks reported and could not be stored; `mem queue` shows it",
    "hook_runs": "how long this machine's hooks took",
    "agent_files": "what this machine's files of agents were left as",
    "agent_file_versions": "which versions of them are kept here",
    "hosts": "the names of machines; changes have their ids",
    "documents": "derived", "unindexed": "derived", "label_names": "derived",
    "document_counts": "derived", "span_counts": "derived", "time_counts": "derived",
    "value_counts": "derived", "token_counts": "derived",
    "fact_counts": "derived", "message_counts": "derived",
    "label_uses": "derived", "spellings": "derived", "words": "derived", "grams": "derived",
    "document_vectors": "derived", "unmerged_sessions": "derived",
    "sync_places": "which machines this one meets", "sync_peers": "what it has exchanged with them",
    "unsynced_rows": "what they are still to be given", "sync_refused": "what they refused",
    "sync_tombstones": "of records that are not here", "sync_exclusions": "what stays on this machine",
    "sync_chunks": "which chunks of folders this machine has read",
    "machines": "what other machines call themselves",
    "team": "which team this machine is in", "team_projects": "what it shares with it",
    "team_choices": "what it shares with it", "team_rows": "what is on the team's server",
    "team_reviews": "what is accepted here", "team_machines": "whose machines write in the team",
    "repositories": "how far git's log is read here", "file_commits": "derived",
    "gone_lines": "derived",
}  # fmt: skip
"""The tables that no line holds, and why."""


def tables(lines: bytes) -> set[str]:
    """The tables of which a file has lines."""
    return {json.loads(line)["table"] for line in lines.splitlines()}


def test_exported_imported_and_exported_it_is_the_same_file(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    fill(store)
    hide(store)
    first = exported(store)
    other = open_store(tmp_path / "other.db")
    report = imported(other, first, tmp_path)
    assert (report.warnings, report.notes) == ([], [])
    assert exported(other) == first


@pytest.mark.parametrize("scope", [Scope(), Scope(private=True), Scope(deleted=True)])
def test_so_it_is_when_only_a_part_goes_out(
    store: Store, open_store: OpenStore, tmp_path: Path, scope: Scope
) -> None:
    fill(store)
    hide(store)
    first = exported(store, scope)
    other = open_store(tmp_path / "other.db")
    assert imported(other, first, tmp_path).warnings == []
    assert exported(other, scope) == first


def test_every_table_goes_out_or_stays_for_a_reason(store: Store) -> None:
    names = store.db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    known = {name for (name,) in names if not name.startswith("sqlite_")}
    shadows = ("words_", "grams_", "gram_instances")
    assert {name for name in known if not name.startswith(shadows)} == {*TABLES, *LOCAL_TABLES}
    fill(store)
    assert tables(exported(store)) == {*TABLES, "memtui", "end"}


def test_nothing_private_or_deleted_goes_out_unasked(store: Store) -> None:
    fill(store)
    hide(store)
    lines = exported(store, Scope())
    assert CANARY.encode() not in lines
    assert b"Clock drift" in lines
    assert exported(store).count(CANARY.encode()) > 12


def test_each_flag_lets_out_what_it_names(store: Store) -> None:
    store.observations.set_private(store.observations.add("c-1", title="hidden one"))
    store.observations.delete(store.observations.add("c-1", title="deleted one"))
    assert b"hidden one" in (private := exported(store, Scope(private=True)))
    assert b"deleted one" not in private
    assert b"deleted one" in (deleted := exported(store, Scope(deleted=True)))
    assert b"hidden one" not in deleted


def test_again_it_changes_nothing(store: Store, open_store: OpenStore, tmp_path: Path) -> None:
    fill(store)
    lines = exported(store)
    other = open_store(tmp_path / "other.db")
    imported(other, lines, tmp_path)
    report = imported(other, lines, tmp_path)
    assert report.changes == 0
    assert exported(other) == lines
    assert all(counts.unchanged == counts.read for counts in report.counts.values())


def test_of_two_versions_the_newer_stays(store: Store, open_store: OpenStore, tmp_path: Path) -> None:
    one = store.observations.add("c-1", title="first")
    before = exported(store)
    other = open_store(tmp_path / "other.db")
    imported(other, before, tmp_path)
    other.observations.revise(one.id, title="second")
    after = exported(other)
    assert imported(store, after, tmp_path).of("observations").changed == 1
    assert store.observations.get(one.uid).title == "second"
    report = imported(store, before, tmp_path)
    assert report.of("observations").skipped == {"older than what is here": 1}
    assert store.observations.get(one.uid).title == "second"
    assert [hit.record.uid for hit in store.find("second").page().hits] == [one.uid]


def test_what_is_here_under_another_uid_is_not_doubled(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    other = open_store(tmp_path / "other.db")
    for each in (store, other):
        session = each.sessions.start("c-1", agent="codex", project="atlas")
        each.observations.add(session, title="drift", event_id="e-1")
        each.facts.add("Clocks drift", entities=["clock"])
        each.notes.upsert("MEMORY.md", "text")
    other.prompts.add("c-1", "only there")
    imported(store, exported(other), tmp_path)
    stats = store.stats()
    assert (stats.sessions, stats.observations, stats.facts, stats.notes) == (1, 1, 1, 1)
    assert store.prompts.recent()[0].session_id == store.sessions.get("c-1").id
    assert imported(store, exported(other), tmp_path).changes == 0


def test_into_a_memory_of_its_own_rows_get_new_numbers_and_no_journal(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    other = open_store(tmp_path / "other.db")
    other.observations.pin(other.observations.add("c-9", title="theirs"))
    store.observations.pin(store.observations.add("c-1", title="ours"))
    report = imported(store, exported(other), tmp_path)
    assert report.of("changes").skipped == {"speaks of another store's numbers": 1}
    assert {one.title for one in store.observations.recent()} == {"ours", "theirs"}
    assert undone(store) == "observation 1 pinned"
    assert [one.title for one in store.observations.recent() if one.pinned] == ["theirs"]


def test_the_journal_comes_along_into_an_empty_memory(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    store.observations.delete(store.observations.add("c-1", title="drift"))
    other = open_store(tmp_path / "other.db")
    imported(other, exported(store), tmp_path)
    assert other.find("drift").page().hits == []
    assert undone(other) == "observation 1 deleted"
    assert len(other.find("drift").page().hits) == 1


def test_events_are_known_afterwards(store: Store, open_store: OpenStore, tmp_path: Path) -> None:
    event = Event(kind="prompt", agent="codex", session="c-1", key="k-1", text="and now?", at=5_000)
    assert ingest_event(store, event, "hook")
    other = open_store(tmp_path / "other.db")
    imported(other, exported(store, Scope()), tmp_path)
    assert not ingest_event(other, event, "hook")
    assert not ingest_event(other, event, "transcript")
    assert len(other.prompts.recent()) == 1


def test_a_hidden_prompt_does_not_come_back_by_its_transcript(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    event = Event(kind="prompt", agent="codex", session="c-1", key="k-1", text="hide me", at=5_000)
    ingest_event(store, event, "hook")
    store.prompts.set_private(store.prompts.recent()[0])
    other = open_store(tmp_path / "other.db")
    imported(other, exported(store, Scope()), tmp_path)
    assert not ingest_event(other, event, "transcript")
    assert other.prompts.recent() == []


@promise("purge-final")
def test_what_was_purged_stays_gone(store: Store, tmp_path: Path) -> None:
    one = store.observations.add("c-1", title="drift")
    lines = exported(store)
    store.db.execute("DELETE FROM observations")
    store.db.execute("INSERT INTO purged (uid, kind, at) VALUES (?, 'observations', 1)", (one.uid,))
    report = imported(store, lines, tmp_path)
    assert report.of("observations").skipped == {"purged here": 1}
    assert store.find("drift").page().hits == []


def test_everything_counts_as_everything() -> None:
    assert EVERYTHING.is_everything
    assert not Scope(private=True).is_everything


def test_reports_go_along_with_the_memories_that_they_are_of(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    for title, private in (("Port 9009", False), ("A secret port", True)):
        one = store.observations.add("c-1", title=title, private=private)
        store.reporting.report(store.record(str(one.id)), "wrong", f"{title} is a proxy")
    shown = exported(store, Scope())
    assert "Port 9009 is a proxy" in shown.decode() and "A secret port" not in shown.decode()
    assert "A secret port is a proxy" in exported(store, Scope(private=True)).decode()
    other = open_store(tmp_path / "other.db")
    imported(other, shown, tmp_path)
    assert [hit.row.title for hit in other.find("is:wrong").page().hits] == ["Port 9009"]
