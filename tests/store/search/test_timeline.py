"""A timeline is what happened around a moment, in time order, with its anchor in place."""

import pytest

from memtui.store import InvalidRecordError, ListRow, Store, Window
from memtui.store.records.rows import Scope
from tests.tables import table

MINUTE = 60_000
NOON = 1_771_400_000_000


def refs(window: Window) -> str:
    """The window's entries, as people name them."""
    return " ".join(entry.ref for entry in window.rows)


@pytest.fixture
def filled(store: Store) -> Store:
    """Two sessions of one project and one of another, a minute between any two memories."""
    here = store.sessions.start("c-1", project="atlas")
    there = store.sessions.start("c-2", project="atlas")
    else_ = store.sessions.start("c-3", project="orders")
    store.prompts.add(here, "why?", at=NOON - 2 * MINUTE)
    store.observations.add(there, title="1", at=NOON - MINUTE)
    store.observations.add(here, title="2", at=NOON)
    store.observations.add(else_, title="3", at=NOON + MINUTE)
    store.observations.add(here, title="4", at=NOON + 2 * MINUTE)
    store.summaries.add(here, request="s", at=NOON + 3 * MINUTE)
    store.facts.add("fact", project="atlas", at=NOON + 4 * MINUTE)
    store.observations.add(here, title="5", at=NOON + 60 * MINUTE)
    return store


def entry(store: Store, ref: str) -> ListRow:
    """The entry people name so."""
    return store.list_row(store.record(ref))


@pytest.mark.parametrize(
    ("scope", "found", "anchor"),
    [("session", "p1 2 4 s1", 1), ("project", "p1 1 2 4 s1 f1", 2), ("all", "p1 1 2 3 4 s1 f1", 2)],
)
def test_a_scope_narrows_it(filled: Store, scope: Scope, found: str, anchor: int) -> None:
    window = filled.timeline(entry(filled, "2"), scope=scope)
    assert refs(window) == found
    assert window.anchor == anchor
    assert window.scope == scope
    assert not window.truncated


def test_the_anchor_may_be_a_record_an_entry_or_a_moment(filled: Store) -> None:
    by_record = filled.timeline(filled.record("2"), scope="all")
    assert by_record == filled.timeline(entry(filled, "2"), scope="all")
    by_time = filled.timeline(NOON, scope="session")
    assert (refs(by_time), by_time.anchor, by_time.scope) == (refs(by_record), -1, "all")


@table(
    ("minutes", "found"),
    [
        *((0, "2"), (-5, "2"), (1, "1 2 3"), (1.99, "1 2 3"), (2, "p1 1 2 3 4")),
        *((59.9, "p1 1 2 3 4 s1 f1"), (60, "p1 1 2 3 4 s1 f1 5"), (1e300, "p1 1 2 3 4 s1 f1 5")),
    ],
)
def test_the_window_reaches_so_many_minutes_to_either_side(
    filled: Store, minutes: float, found: str
) -> None:
    window = filled.timeline(entry(filled, "2"), minutes=minutes, scope="all")
    assert refs(window) == found
    assert window.since <= NOON <= window.until


@table(
    ("anchor", "limit", "found"),
    [
        ("2", 1, "2"),
        ("2", 2, "2 3"),
        ("2", 3, "1 2 3"),
        ("2", 4, "1 2 3 4"),
        ("p1", 3, "p1 1 2"),
        ("f1", 3, "4 s1 f1"),
        ("1", 5, "p1 1 2 3 4"),
        ("4", 7, "p1 1 2 3 4 s1 f1"),
    ],
)
def test_of_too_many_the_nearest_to_either_side_are_kept(
    filled: Store, anchor: str, limit: int, found: str
) -> None:
    window = filled.timeline(entry(filled, anchor), scope="all", limit=limit)
    assert refs(window) == found
    assert window.rows[window.anchor].ref == anchor
    assert window.truncated == (limit < 7)


@pytest.mark.parametrize(("limit", "found"), [(0, ""), (1, "2"), (2, "1 2"), (3, "1 2 3")])
def test_around_a_moment_too(filled: Store, limit: int, found: str) -> None:
    window = filled.timeline(NOON, limit=limit)
    assert refs(window) == found
    assert window.truncated


def test_at_the_same_time_the_order_is_that_of_writing(store: Store) -> None:
    for title in "abcde":
        store.observations.add("c-1", title=title, at=NOON)
    for number in range(1, 6):
        window = store.timeline(store.record(str(number)), minutes=0)
        assert refs(window) == "1 2 3 4 5"
        assert window.anchor == number - 1


def test_hidden_memories_are_left_out(filled: Store) -> None:
    filled.observations.set_private(4)
    filled.summaries.delete(1)
    assert refs(filled.timeline(entry(filled, "2"), scope="session")) == "p1 2"


def test_an_anchor_that_was_hidden_since_stays_in_its_window(filled: Store) -> None:
    anchor = entry(filled, "2")
    filled.observations.delete(2)
    window = filled.timeline(anchor, scope="session")
    assert (refs(window), window.anchor) == ("p1 2 4 s1", 1)
    filled.undo()
    filled.observations.pin(2)
    again = filled.timeline(anchor, scope="session")
    assert (refs(again), again.anchor) == ("p1 2 4 s1", 1)
    assert again.rows[1].pinned


def test_a_fact_has_no_session(filled: Store) -> None:
    filled.facts.add("other", project="orders", at=NOON + 5 * MINUTE)
    assert refs(filled.timeline(entry(filled, "f1"), scope="session")) == "f1"


def test_an_unknown_scope_is_refused(filled: Store) -> None:
    with pytest.raises(InvalidRecordError, match="session, project or all"):
        filled.timeline(NOON, scope="week")  # type: ignore[arg-type]


def test_neighbours_are_the_next_observations_in_time(filled: Store) -> None:
    def walk(ref: str, step: int, scope: Scope) -> list[str]:
        found, at = [], filled.neighbour(entry(filled, ref), step, scope)
        while at is not None:
            found.append(at.ref)
            at = filled.neighbour(at, step, scope)
        return found

    assert walk("2", 1, "all") == ["3", "4", "5"]
    assert walk("2", 1, "project") == ["4", "5"]
    assert walk("4", -1, "session") == ["2"]
    assert walk("5", -2, "all") == ["3", "1"]
    assert walk("p1", 1, "all") == ["1", "2", "3", "4", "5"]
    assert walk("f1", -1, "project") == ["4", "2", "1"]


def test_neighbours_at_the_same_time_are_each_met_once(store: Store) -> None:
    for title in "abc":
        store.observations.add("c-1", title=title, at=NOON)
    first, second = (entry(store, ref) for ref in ("1", "2"))
    assert store.neighbour(first, 1) == second
    store.observations.set_private(1)
    store.undo()
    assert store.neighbour(first, -1) is not None
    assert store.neighbour(second, 1) == entry(store, "3")
