"""Old memories go by policy: deleted first, then purged, and never what is pinned."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import InvalidRecordError, NotFoundError, Store
from memtui.store.leaves.foreign.database_import import import_database
from memtui.store.maintain.purge import finish, purge, purge_for_good
from memtui.store.maintain.retention import Retention
from memtui.store.platform.errors import DatabaseError
from memtui.store.tables.removal.purge_selection import Selection
from memtui.store.tables.removal.retention import DAY, Policy
from tests.promises import promise
from tests.store.formats.claude_mem.claude_mem_files import ClaudeMemFile
from tests.store.undoing import undone

NOW = 1_771_000_000_000


@pytest.fixture
def retention(store: Store) -> Retention:
    return Retention(store)


def add(store: Store, title: str, days: int, project: str = "atlas") -> int:
    """An observation of so many days ago."""
    return store.observations.add(f"c-{project}", title=title, project=project, at=NOW - days * DAY).id


def titles(store: Store) -> list[str | None]:
    return [one.title for one in store.observations.recent()]


def test_policies_are_set_listed_changed_and_cleared(retention: Retention) -> None:
    retention.set(90)
    retention.set(10, "atlas", grace_days=5)
    retention.set(20, "atlas", grace_days=6)
    assert retention.list() == (Policy("*", 90, 30), Policy("atlas", 20, 6))
    retention.clear("atlas")
    assert retention.list() == (Policy("*", 90, 30),)
    with pytest.raises(NotFoundError):
        retention.clear("atlas")


@pytest.mark.parametrize(("days", "grace"), [(-1, 1), (-5, 1), (1, -1), (1 << 40, 1)])
def test_senseless_policies_are_refused(retention: Retention, days: int, grace: int) -> None:
    with pytest.raises(InvalidRecordError):
        retention.set(days, grace_days=grace)


def test_without_a_policy_nothing_is_due(store: Store, retention: Retention) -> None:
    add(store, "old", 9_000)
    assert retention.due(NOW) == ()
    assert retention.run(NOW) == 0
    assert titles(store) == ["old"]


def test_what_is_due_is_told_by_project_and_nothing_is_done(store: Store, retention: Retention) -> None:
    add(store, "old", 100)
    add(store, "new", 5)
    add(store, "other", 100, "other")
    store.prompts.add("c-atlas", "old prompt", at=NOW - 200 * DAY)
    store.summaries.add("c-atlas", request="new", at=NOW)
    retention.set(90, "atlas")
    (due,) = retention.due(NOW)
    assert (due.project, due.days, due.deleted, due.purged) == (
        "atlas", 90, {"prompts": 1, "observations": 1}, {},
    )  # fmt: skip
    assert (due.first_at, due.last_at) == (NOW - 200 * DAY, NOW - 100 * DAY)
    assert len(titles(store)) == 3


def test_a_projects_own_policy_goes_before_that_of_all_others(store: Store, retention: Retention) -> None:
    add(store, "atlas", 50)
    add(store, "other", 50, "other")
    retention.set(10)
    retention.set(90, "atlas")
    assert retention.run(NOW) == 1
    assert titles(store) == ["atlas"]


def test_pinned_ones_facts_notes_and_those_without_a_time_stay(store: Store, retention: Retention) -> None:
    store.observations.pin(add(store, "pinned", 100))
    store.observations.add("c-atlas", title="timeless", project="atlas", at=0)
    session = store.sessions.start("c-pinned", project="atlas")
    store.observations.add(session, title="of a pinned session", at=NOW - 100 * DAY)
    store.db.execute("UPDATE sessions SET pinned = 1 WHERE id = ?", (session.id,))
    store.facts.add("old", project="atlas", at=NOW - 100 * DAY)
    store.notes.upsert("MEMORY.md", "old", project="atlas", at=NOW - 100 * DAY)
    retention.set(1)
    assert retention.due(NOW) == ()
    assert retention.run(NOW) == 0


def test_deleted_ones_can_be_brought_back_until_they_are_purged(store: Store, retention: Retention) -> None:
    add(store, "old", 100)
    retention.set(90, grace_days=30)
    assert retention.run(NOW) == 1
    assert titles(store) == []
    assert retention.run(NOW + 29 * DAY) == 0
    assert undone(store) == "old memories deleted by their policy"
    assert titles(store) == ["old"]
    assert retention.run(NOW) == 1
    (due,) = retention.due(NOW + 31 * DAY)
    assert (due.deleted, due.purged) == ({}, {"observations": 1})
    assert retention.run(NOW + 31 * DAY) == 1
    assert undone(store) is None
    assert store.find("is:deleted").rows(0, 9) == []


@promise("purge-final")
def test_no_byte_of_what_was_purged_stays(store: Store, retention: Retention) -> None:
    session = store.sessions.start("c-1", project="atlas", title="canary", at=NOW - 100 * DAY)
    store.prompts.add(session, "canary prompt", at=NOW - 100 * DAY)
    one = store.observations.add(
        session, title="canary", narrative="a canary sang", concepts=["canary"], event_id="e-1",
        at=NOW - 100 * DAY,
    )  # fmt: skip
    store.summaries.add(session, request="canary", at=NOW - 100 * DAY)
    store.pending.add(session, tool_input="canary", event_id="e-1")
    store.pending.add(session, "summary", last_user_message="canary prompt")
    with store.change("observation edited"):
        store.observations.revise(one.id, title="canary again")
    add(store, "stays", 1)
    retention.set(90, grace_days=0)
    retention.run(NOW)
    assert retention.run(NOW + 1) > 0
    files = [store.path, store.path.with_name(store.path.name + "-wal")]
    assert b"canary" not in b"".join(file.read_bytes() for file in files).lower()
    assert titles(store) == ["stays"]


@promise("purge-final")
def test_an_import_brings_nothing_back_that_was_purged(
    store: Store, retention: Retention, tmp_path: Path
) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.observation(title="old")
    import_database(store, file.path)
    retention.set(1, grace_days=0)
    at = max(one.created_at for one in store.observations.recent()) + 5 * DAY
    retention.run(at)
    retention.run(at + 1)
    report = import_database(store, file.path)
    assert report.of("observations").new == 0
    assert titles(store) == []


@pytest.mark.long
def test_many_are_deleted_in_parts_and_come_back_by_one_undo(store: Store, retention: Retention) -> None:
    with store.transaction():
        for number in range(5_001):
            add(store, f"old {number}", 100)
    retention.set(90)
    assert retention.run(NOW) == 5_001
    assert undone(store) == "old memories deleted by their policy"
    assert store.undo() is None
    assert store.find("").count().value == 5_001


def test_an_error_of_the_disk_is_one_of_the_stores(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    works: tuple[Callable[[Store], object], ...] = (
        lambda store: Retention(store).run(NOW),
        lambda store: purge(store, "observations", [1]),
        lambda store: purge_for_good(store, Selection({"observations": (1,)})),
        finish,
    )
    for work in works:
        with Store.open(path) as store:
            store.observations.add("c-1", title="x")
            Retention(store).set(30)
            # As a write that failed leaves it.
            store.db.close(force=True)
            with pytest.raises(DatabaseError):
                work(store)
