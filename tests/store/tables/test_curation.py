"""Flags hide, show and mark records, and every change of one can be taken back, in reverse."""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import apsw
import pytest

from memtui.store import NotFoundError, Observation, Record, Store
from tests.promises import promise
from tests.store.undoing import undone

ADD: dict[str, Callable[[Store], Record]] = {
    "observation": lambda store: store.observations.add("c-1", title="drift", concepts=["clock"]),
    "prompt": lambda store: store.prompts.add("c-1", "drift"),
    "summary": lambda store: store.summaries.add("c-1", request="drift", files_read=["a.py"]),
    "fact": lambda store: store.facts.add("drift", entities=["clock"]),
}


def table_of(store: Store, record: Record) -> Any:
    """The table that holds a record."""
    return getattr(store, {"summary": "summaries"}.get(kind := kind_of(record), kind + "s"))


def kind_of(record: Record) -> str:
    """A record's kind, as queries name it."""
    return type(record).__name__.lower()


@pytest.fixture(params=ADD)
def record(store: Store, request: pytest.FixtureRequest) -> Record:
    """One record of each kind."""
    return ADD[request.param](store)


def test_a_private_record_is_out_of_sight_until_it_is_shown(store: Store, record: Record) -> None:
    table = table_of(store, record)
    assert table.set_private(record).private
    assert store.find("drift").page().hits == []
    assert store.find("").count().value == 0
    assert [hit.record.uid for hit in store.find("drift is:private").page().hits] == [record.uid]
    assert not table.set_private(record, False).private
    assert [hit.record.uid for hit in store.find("drift").page().hits] == [record.uid]


def test_a_deleted_record_is_out_of_sight_until_it_is_restored(store: Store, record: Record) -> None:
    table = table_of(store, record)
    assert table.delete(record.id).deleted_at is not None
    assert store.find("drift").page().hits == []
    assert [hit.record.uid for hit in store.find("drift is:deleted").page().hits] == [record.uid]
    assert table.restore(record.id).deleted_at is None
    assert len(store.find("drift").page().hits) == 1


def test_a_pinned_record_says_so_wherever_it_is_listed(store: Store, record: Record) -> None:
    table = table_of(store, record)
    assert table.pin(record).pinned
    assert [entry.pinned for entry in store.find("is:pinned").rows(0, 9)] == [True]
    assert not table.pin(record, False).pinned
    assert store.find("is:pinned").rows(0, 9) == []


@promise("undo-exact")
def test_each_change_is_taken_back_in_reverse(store: Store, record: Record) -> None:
    table = table_of(store, record)
    table.pin(record)
    table.set_private(record)
    table.delete(record)
    name = f"{kind_of(record)} {table.prefix}{record.id}"
    assert undone(store) == f"{name} deleted"
    assert undone(store) == f"{name} hidden"
    assert len(store.find("drift is:pinned").page().hits) == 1
    assert undone(store) == f"{name} pinned"
    assert store.undo() is None
    again = table.get(record.id)
    assert (again.pinned, again.private, again.deleted_at) == (False, False, None)


def test_the_clock_of_a_record_never_goes_back(
    store: Store, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: at)
    table = table_of(store, record)
    changes = (table.pin, table.delete, table.restore)
    clocks = [record.hlc, *(change(record).hlc for change in changes)]
    while store.undo():
        clocks.append(table.get(record.id).hlc)
    assert len(clocks) == 7
    assert clocks == sorted(set(clocks))


def test_a_change_that_changes_nothing_is_no_change(store: Store, record: Record) -> None:
    table = table_of(store, record)
    table.pin(record)
    once = table.get(record.id)
    assert table.pin(record) == once
    assert table.restore(record) == once
    assert store.undo() is not None
    assert store.undo() is None


def test_nothing_to_take_back_is_none(store: Store) -> None:
    store.observations.add("c-1", title="t")
    assert store.undo() is None


def test_an_unknown_record_cant_be_changed(store: Store) -> None:
    with pytest.raises(NotFoundError):
        store.observations.delete(9)
    assert store.undo() is None


def write(store: Store, sql: str) -> None:
    """What another program does to the same file."""
    with closing(apsw.Connection(str(store.path))) as other:
        other.pragma("foreign_keys", True)
        other.execute(sql)


@promise("undo-exact")
def test_a_change_is_taken_back_though_the_row_went_on(store: Store) -> None:
    one = store.observations.add("c-1", title="drift")
    store.observations.delete(one)
    write(store, "UPDATE observations SET title = 'later', updated_at = 1, hlc = hlc + 5")
    assert undone(store) == "observation 1 deleted"
    again = store.observations.get(1)
    assert (again.title, again.deleted_at) == ("later", None)


@promise("undo-exact")
def test_a_change_of_a_row_that_is_gone_is_said_and_the_next_undo_goes_on(store: Store) -> None:
    store.observations.pin(store.observations.add("c-1", title="stays"))
    store.observations.delete(store.observations.add("c-1", title="goes"))
    write(store, "DELETE FROM observations WHERE title = 'goes'")
    told = store.undo()
    assert told is not None
    assert not told.is_done
    assert told.kept == ("Observation 2 is gone.",)
    assert undone(store) == "observation 1 pinned"
    assert store.undo() is None


@promise("undo-exact")
def test_a_unit_that_fails_leaves_nothing_to_take_back(store: Store) -> None:
    one = store.observations.add("c-1", title="drift")
    with pytest.raises(ZeroDivisionError), store.transaction():
        store.observations.delete(one)
        1 / 0  # noqa: B018
    assert store.undo() is None
    assert store.observations.get(1).deleted_at is None


def test_labels_follow_their_record(store: Store) -> None:
    def labeled() -> list[int]:
        found = store.find("concept:clock file:a.py tag:urgent").rows(0, 9)
        return [entry.record_id for entry in found]

    one: Observation = store.observations.add(
        "c-1", title="drift", concepts=["clock", "clock"], files_read=["src/a.py"], tags=["urgent"]
    )
    store.observations.add("c-1", title="other", concepts=["clock"])
    assert labeled() == [1]
    for hide in (store.observations.set_private, store.observations.delete):
        hide(one)
        assert labeled() == []
        store.undo()
        assert labeled() == [1]
    write(store, "UPDATE observations SET concepts = '[\"watch\"]' WHERE id = 1")
    assert labeled() == []
    assert len(store.find("concept:watch").rows(0, 9)) == 1
    write(store, "DELETE FROM observations WHERE id = 1")
    assert store.find("concept:watch").rows(0, 9) == []
