"""A record's kind, the letter before its id, and its table are told in one place."""

import pytest

from memtui.store import Store
from memtui.store.records.kinds import (
    KINDS,
    LETTERS,
    PREFIXES,
    TABLES,
    VISIBLE,
    bare_ref,
    parse_ref,
    ref,
    visible,
)


def test_each_kind_has_a_table_and_a_prefix_of_its_own() -> None:
    assert TABLES.keys() == PREFIXES.keys() >= set(KINDS.values()) == LETTERS.keys()
    assert len(set(PREFIXES.values())) == len(PREFIXES)


@pytest.mark.parametrize("kind", PREFIXES)
def test_a_ref_is_read_as_it_was_written(kind: str) -> None:
    assert parse_ref(ref(kind, 12)) == (kind, 12)


def test_what_is_no_ref_names_nothing() -> None:
    uid = "01981f3a-7e5b-7000-8000-0123456789ab"
    assert [parse_ref(text) for text in ("", "p", "@", "x12", "12p", "p-1", uid)] == [None] * 7


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("276", "276"), ("O276", "276"), ("o276", "276"), ("#276", "276"), ("~276", "276"),
        ("[mem 276: a title: of two]", "276"), ("[mem p12: x]", "p12"), ("[276]", "276"),
        (" P12 ", "p12"), ("@3", "@3"), ("N4", "n4"), ("op12", "op12"), ("o", "o"), ("", ""),
        ("session-12", "session-12"), ("a:b", "a:b"), ("9" * 5_000, "9" * 5_000),
    ],
)  # fmt: skip
def test_a_ref_is_found_in_what_is_given_for_one(given: str, meant: str) -> None:
    assert bare_ref(given) == meant


def test_every_table_knows_its_kind(store: Store) -> None:
    tables = (
        *(store.sessions, store.prompts, store.observations),
        *(store.summaries, store.facts, store.notes),
    )
    assert {table.title: table.name for table in tables} == TABLES
    assert {table.title: table.prefix for table in tables} == PREFIXES


def test_the_condition_is_the_same_for_a_named_row() -> None:
    assert visible("d").replace("d.", "") == VISIBLE
