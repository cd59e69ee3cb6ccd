"""Filters ignore the letter case of their values, whatever alphabet they are in."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.search.query.filters import spellings
from tests.tables import table

ALPHABET = "aAbBÉéжЖß-中"


@pytest.fixture
def filled(store: Store) -> Store:
    """A memory with projects, types and labels in several spellings."""
    with store.transaction():
        for project, type in (("Payments", "bugfix"), ("payments", "BugFix"), ("pay", "note")):
            store.observations.add(
                "C-Session-1",
                title="clock",
                project=project,
                type=type,
                tool_name="Bash",
                concepts=["Überblick"],
                tags=["Urgent"],
                files_read=["src/Auth.py"],
            )
        store.observations.add("c-2", title="été", project="Été", type="note")
    return store


@table(
    ("query", "found"),
    [
        ("project:payments", 2),
        ("project:PAYMENTS", 2),
        ("Project:pay", 1),
        ("project:été", 1),
        ("-project:paymentS", 2),
        ("type:BUGFIX", 2),
        ("type:bugfix,NOTE", 4),
        ("tool:bash", 3),
        ("concept:überBLICK", 3),
        ("tag:URGENT", 3),
        ("file:AUTH.PY", 3),
        ("session:c-session-1", 3),
        ("session:C-SESS", 3),
        ("kind:OBSERVATION", 4),
        ("clock project:PAYMENTS", 2),
        ("project:paymentz", 0),
    ],
)
def test_a_filter_finds_all_spellings_of_its_value(filled: Store, query: str, found: int) -> None:
    assert filled.find(query).count().value == found
    assert len(filled.find(query).page().hits) == found
    if filled.parse(query).is_filter_only:
        assert filled.find(query).count().value == found


def test_an_agent_and_a_source_are_found_in_any_case(store: Store) -> None:
    store.sessions.start("c-1", agent="Codex")
    store.observations.add("c-1", title="clock")
    assert store.find("agent:codex").count().value == store.find("AGENT:CODEX").count().value == 1


def test_what_is_hidden_is_found_in_any_case_too(store: Store) -> None:
    hidden = store.observations.add("c-1", title="clock", type="Secret", project="Vault")
    store.observations.set_private(hidden)
    assert store.find("is:private type:secret project:VAULT").count().value == 1
    assert store.find("type:secret").count().value == 0


def same(one: str, other: str) -> bool:
    """Whether two texts differ in their letter case only."""
    return len(one) == len(other) and all(
        a in (b, b.lower(), b.upper()) or a.lower() == b or a.upper() == b
        for a, b in zip(one, other, strict=True)
    )


@given(
    st.lists(st.text(ALPHABET, min_size=1, max_size=4), max_size=20),
    st.text(ALPHABET, min_size=1, max_size=4),
)
def test_exactly_the_values_that_differ_in_nothing_else_are_found(stored: list[str], sought: str) -> None:
    db = apsw.Connection("")
    db.execute("CREATE TABLE documents (project TEXT)")
    db.executemany("INSERT INTO documents VALUES (?)", [(value,) for value in stored])
    found = list(spellings(db, "project", sought))
    assert sorted(found) == sorted({one for one in stored if same(sought, one)})
    begun = list(spellings(db, "project", sought, begun=True))
    heads = {one[: len(sought)] for one in stored}
    assert sorted(begun) == sorted(head for head in heads if same(sought, head))
