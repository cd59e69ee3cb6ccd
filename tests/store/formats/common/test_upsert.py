"""Rows that are imported again: what was edited here stays, and what its source hides is hidden."""

from typing import Any

from memtui.store import Store
from memtui.store.formats.common.report import Counts
from memtui.store.formats.common.upsert import EDITED, Mapped, Upsert
from memtui.store.tables.observations import INSERT


def imported(store: Store, **values: Any) -> Counts:
    """Import one row."""
    counts = Counts()
    session = store.sessions.start("s")
    row = {"session_id": session.id, "created_at": 1, "type": "note", "title": "one", "private": 0}
    upsert = Upsert(store, "elsewhere", "observations", INSERT, counts)
    upsert.apply([Mapped("7", row | values, {})])
    return counts


def test_an_edited_record_that_its_source_hides_is_hidden_as_a_change_of_the_journal(store: Store) -> None:
    imported(store)
    store.edit("1", {"title": "mine"})
    assert imported(store, title="theirs", private=1).skipped == {EDITED: 1}
    one = store.observations.get(1)
    assert (one.title, one.private) == ("mine", True)
    newest = store.changes()[0]
    assert newest.what == "observation 1 hidden, as it is where it was imported from"
    store.undo()
    assert not store.observations.get(1).private
