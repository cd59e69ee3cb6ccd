"""`source:` finds what was imported from somewhere, and a facet tells from where."""

import pytest

from memtui.store import Store
from tests.tables import table


@pytest.fixture
def mixed(store: Store) -> Store:
    origins = ["claude-mem:1a2b", "claude-mem:1a2b", "claude-mem:3c4d", "codexmem:5e6f", None]
    for number, source in enumerate(origins):
        native = None if source is None else str(number)
        store.observations.add("c-1", title=f"drift {number}", source=source, native_id=native)
    store.prompts.add("c-1", "drift 5", source="codexmem:5e6f", native_id="p")
    store.facts.add("drift 6", source="scheme-c:7", native_id="f")
    store.summaries.add("c-1", request="drift 7", source="claude-mem:1a2b", native_id="s")
    return store


def found(store: Store, query: str) -> set[str]:
    """The numbers in the titles of the hits."""
    return {hit.row.title[-1] for hit in store.find(query).page().hits}


@table(
    ("query", "numbers"),
    [
        ("source:claude-mem", "0127"), ("source:claude-mem:3c4d", "2"), ("source:codexmem", "35"),
        ("source:codexmem,scheme-c", "356"), ("-source:claude-mem", "3456"), ("source:nowhere", ""),
        ('source:"claude-mem:1a2b" kind:summary', "7"), ("source:claude", "0127"),
    ],
)  # fmt: skip
def test_a_source_is_found_by_its_name_or_its_beginning(mixed: Store, query: str, numbers: str) -> None:
    assert found(mixed, query) == set(numbers)
    assert found(mixed, f"drift {query}") == set(numbers)
    assert mixed.find(query).count().value == len(numbers)


def test_hidden_ones_are_found_by_it_too(mixed: Store) -> None:
    mixed.observations.delete(3)
    assert found(mixed, "source:claude-mem is:deleted") == {"2"}


def test_the_facet_counts_what_is_seen(mixed: Store) -> None:
    expected = [("claude-mem:1a2b", 3), ("codexmem:5e6f", 2), ("claude-mem:3c4d", 1), ("scheme-c:7", 1)]
    assert mixed.find("").facets().counts["source"] == expected
    assert mixed.find("drift").facets().counts["source"] == expected
    assert mixed.find("source:claude-mem").facets().counts["source"] == [expected[0], expected[2]]
    assert mixed.find("-kind:fact").facets().counts["source"] == expected[:3]
    mixed.observations.set_private(1)
    mixed.observations.delete(3)
    seen = [("claude-mem:1a2b", 2), ("codexmem:5e6f", 2), ("scheme-c:7", 1)]
    assert mixed.find("").facets().counts["source"] == seen
    assert mixed.find("is:deleted").facets().counts["source"] == [("claude-mem:3c4d", 1)]


def test_without_imports_there_is_no_such_facet(store: Store) -> None:
    store.observations.add("c-1", title="drift")
    assert "source" not in store.find("").facets().counts
