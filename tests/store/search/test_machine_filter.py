"""`machine:` finds what was made on a machine, and a facet tells on which."""

import pytest

from memtui.store import Store
from memtui.store.tables.machines import note_machine
from tests.tables import table

LAPTOP, BOX = "01990000-0000-7000-8000-00000000aaaa", "01990000-0000-7000-8000-00000000bbbb"


@pytest.fixture
def mixed(store: Store) -> Store:
    """Four memories of the laptop, one of a box that told no name, and three made here."""
    store.observations.add("c-1", title="drift 0")
    store.observations.add("c-1", title="drift 1", type="noise")
    made = [store.observations.add("c-1", title="drift 2"), store.observations.add("c-1", title="drift 3")]
    store.prompts.add("c-1", "drift 4")
    prompt = store.prompts.add("c-1", "drift 5")
    fact, summary = store.facts.add("drift 6"), store.summaries.add("c-1", request="drift 7")
    with store.transaction():
        note_machine(store.db, LAPTOP, "Laptop")
        for table_name, number, machine in (
            ("observations", made[0].id, LAPTOP), ("observations", made[1].id, BOX),
            ("prompts", prompt.id, LAPTOP), ("facts", fact.id, LAPTOP), ("summaries", summary.id, LAPTOP),
        ):  # fmt: skip
            store.db.execute(f"UPDATE {table_name} SET origin = ? WHERE id = ?", (machine, number))
    return store


def found(store: Store, query: str) -> set[str]:
    """The numbers in the titles of the hits."""
    return {hit.row.title[-1] for hit in store.find(query).page().hits}


@table(
    ("query", "numbers"),
    [
        ("machine:laptop", "2567"), ("machine:LAPTOP", "2567"), (f"machine:{LAPTOP}", "2567"),
        ("machine:here", "04"), ("-machine:here", "23567"), ("machine:0000bbbb", "3"),
        ("machine:laptop,here", "024567"), ("machine:nowhere", ""), ("机器:laptop kind:fact", "6"),
    ],
)  # fmt: skip
def test_a_machine_is_found_by_what_it_is_called(mixed: Store, query: str, numbers: str) -> None:
    assert found(mixed, query) == set(numbers)
    assert found(mixed, f"drift {query}") == set(numbers)
    assert mixed.find(query).count().value == len(numbers)


def test_hidden_ones_are_found_by_it_too(mixed: Store) -> None:
    mixed.observations.delete(3)
    assert found(mixed, "machine:laptop is:deleted") == {"2"}


def test_a_machine_is_called_as_it_was_added(mixed: Store) -> None:
    mixed.db.execute(
        "INSERT INTO sync_places (name, address, machine) VALUES ('work', 'ssh://w', ?)", (LAPTOP,)
    )
    assert found(mixed, "machine:work") == {"2", "5", "6", "7"}
    assert mixed.find("").facets().counts["machine"] == [("work", 4), ("here", 2), ("0000bbbb", 1)]


def test_the_facet_counts_what_is_seen(mixed: Store) -> None:
    expected = [("Laptop", 4), ("here", 2), ("0000bbbb", 1)]
    for query in ("", "drift", "-is:pinned"):
        assert mixed.find(query).facets().counts["machine"] == expected
    assert mixed.find("machine:laptop kind:prompt").facets().counts["machine"] == [("Laptop", 1)]
    mixed.facts.set_private(1)
    assert mixed.find("").facets().counts["machine"] == [("Laptop", 3), *expected[1:]]


def test_a_store_of_one_machine_has_no_such_facet(store: Store) -> None:
    store.observations.add("c-1", title="drift")
    assert "machine" not in store.find("").facets().counts


def test_machines_are_offered_while_one_is_typed(mixed: Store) -> None:
    def offered(text: str) -> list[tuple[str, int | None]]:
        found = mixed.completions(text)
        return [(item.label, item.count) for item in found.items] if found else []

    assert offered("machine:") == [("Laptop", 4), ("here", 2), ("0000bbbb", 1)]
    assert offered("machine:la") == [("Laptop", 4)]
    assert offered("kind:fact machine:") == [("Laptop", 1)]


def test_a_machine_that_made_nothing_is_reported(mixed: Store) -> None:
    (remark,) = mixed.remarks("machine:laptpo")
    assert remark.sentence == "No memory has the machine laptpo."
    assert remark.meant == "machine:Laptop"
