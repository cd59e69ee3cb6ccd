"""The journal keeps so many days and megabytes, whole actions only, and says what it dropped."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.platform.clock import DAY_MS, now_ms


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    return path


def age(store: Store, days: int) -> None:
    """Have all changes been made so long ago."""
    store.db.execute("UPDATE changes SET at = ?", (now_ms() - days * DAY_MS,))


def pin_some(store: Store, many: int) -> None:
    for number in range(many):
        store.observations.pin(store.observations.add("c-1", title=f"t {number}"))


@pytest.mark.usefixtures("configure")
def test_what_is_older_than_ninety_days_is_dropped_and_said(store: Store) -> None:
    pin_some(store, 3)
    age(store, 91)
    assert store.journal.dropped() == ""
    pin_some(store, 1)
    assert [one.what for one in store.changes()] == ["observation 4 pinned"]
    assert store.journal.dropped().startswith("3 changes up to ")
    assert store.db.execute("SELECT count(*) FROM changed_rows").get == 1
    assert store.undo() is not None
    assert store.undo() is None
    assert store.redo() is not None


def test_the_days_are_set_in_the_configuration(store: Store, configure: Path) -> None:
    configure.write_text("[history]\ndays = 400\n")
    pin_some(store, 2)
    age(store, 300)
    pin_some(store, 1)
    assert len(store.changes()) == 3
    configure.write_text("[history]\ndays = 7\n")
    pin_some(store, 1)
    assert len(store.changes()) == 2


def test_an_action_of_several_transactions_is_kept_or_dropped_whole(store: Store, configure: Path) -> None:
    configure.write_text("[history]\nmegabytes = 0\n")
    first: int | None = None
    for number in range(18):
        with store.journal.recording("added", part_of=first) as recorder:
            store.observations.add("c-1", title=f"t {number}")
        first = first or recorder.change_id
    store.observations.pin(1)
    assert [one.what for one in store.changes()] == ["observation 1 pinned", "added"]
    store.observations.pin(2)
    assert [one.what for one in store.changes()] == ["observation 2 pinned"]
    assert store.db.execute("SELECT count(*) FROM changes").get == 1


def test_a_configuration_that_can_not_be_read_keeps_the_usual(store: Store, configure: Path) -> None:
    configure.write_text("[history]\nyears = 1\n")
    pin_some(store, 2)
    assert len(store.changes()) == 2
