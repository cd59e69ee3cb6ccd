"""What holds every term is found, at any length and in any script; what only resembles it, follows."""

import time
from contextlib import closing

import apsw
import pytest

from memtui.store import Store
from memtui.store.search import matching

from ...conftest import OpenStore
from ..hard_texts import LONGEST


def found(store: Store, query: str, *, related: bool = False) -> list[str]:
    """The titles of what a query finds."""
    hits = store.find(query).page(related=related).hits
    return [hit.row.title for hit in hits]


@pytest.mark.parametrize(
    ("title", "query"),
    [
        ("Fixed token refresh", "ken ref"),
        ("Fixed token refresh", '"ken ref"'),
        ("Fixed token refresh", "x"),
        ("用户身份验证", "份"),
        ("用户身份验证", "身份"),
        ("用户身份验证", "户身份"),
        ("Résumé of the ﬁle", "RESUME"),
        ("Résumé of the ﬁle", "fil"),
        ("STRASSE", "straße"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", '"full width"'),
        ("重跑gen-itgc", "跑gen"),
        ("camelCaseName", "elCaseN"),
        ("100% [of] it's \\x", "% [of] it's \\x"),
        ("🚀 deployed 👨‍👩‍👧", "🚀 👩"),
        ("two\nlines", '"two\nlines"'),
    ],
)
def test_any_part_of_a_text_finds_it(store: Store, title: str, query: str) -> None:
    store.observations.add("c-1", title=title)
    store.observations.add("c-1", title="something else")
    assert [hit.record.id for hit in store.find(query).page().hits] == [1]


@pytest.mark.parametrize(
    ("title", "query"),
    [("が", "か"), ("token", "tokens"), ("one two", '"one  two"'), ("token", '"toke n"'), ("a", "aa")],
)
def test_what_is_not_in_a_text_does_not_find_it(store: Store, title: str, query: str) -> None:
    store.observations.add("c-1", title=title)
    assert found(store, query) == []


@pytest.mark.parametrize("tokenizer", ["trigram", "unicode61", "like"])
def test_a_long_query_finds_exactly_what_holds_each_of_its_terms(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch, tokenizer: str
) -> None:
    monkeypatch.setenv("MEMTUI_TOKENIZER", tokenizer)
    store = open_store()
    words = "tokens refreshed slowly; gateways cursor locked 42 rows ledger_2 在 令牌 刷新".split()
    store.observations.add("c-1", title="all", narrative=" ".join(words))
    for number in range(len(words)):
        rest = words[:number] + words[number + 1 :]
        store.observations.add("c-1", title=f"without {number}", narrative=" ".join(rest))
    query = "token refresh slow gateway curs lock 42 row ledger 在 令牌 刷新"
    assert found(store, query) == ["all"]
    assert len(found(store, f"{query} nowhere")) == 0


def test_no_term_matches_across_fields_or_items(store: Store) -> None:
    store.observations.add("c-1", title="alpha", subtitle="beta", facts=["gamma", "delta"])
    for query in ("alphabeta", '"alpha beta"', "gammadelta", "deltagamma", "\x1f"):
        assert query.strip("\x1f") == "" or found(store, query) == []


@pytest.mark.parametrize("tokenizer", ["trigram", "unicode61", "like"])
def test_of_a_huge_field_the_beginning_is_searched(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch, tokenizer: str
) -> None:
    monkeypatch.setenv("MEMTUI_TOKENIZER", tokenizer)
    store = open_store()
    filler = "filler " * (LONGEST // 7 - 2)
    store.observations.add("c-1", title="t", narrative=f"{filler} inside {'x' * 99} outside")
    store.observations.add("c-1", title="u", facts=[filler, "inside", "x" * 99, "outside"])
    assert sorted(found(store, "inside")) == ["t", "u"]
    assert found(store, "outside") == []
    assert "outside" in str(store.observations.get(1).narrative)


def test_what_another_program_wrote_is_found_before_and_after_it_is_indexed(store: Store) -> None:
    store.observations.add("c-1", title="ours")
    with closing(apsw.Connection(str(store.path))) as other:
        other.execute("UPDATE observations SET title = 'theirs, later'")
    with Store.open(store.path, read_only=True) as reader:
        assert found(reader, "theirs later") == ["theirs, later"]
        assert found(reader, "ours") == []
    assert found(store, "theirs later") == ["theirs, later"]
    assert found(store, "ours") == []


def test_a_search_does_not_wait_for_a_writer_to_index(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.observations.add("c-1", title="ours")
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    with closing(apsw.Connection(str(store.path))) as other:
        other.execute("UPDATE observations SET title = 'theirs'")
        other.execute("BEGIN IMMEDIATE")
        assert found(store, "theirs") == ["theirs"]
        other.execute("COMMIT")
    assert waits == []


def test_inside_a_unit_a_search_sees_what_the_unit_wrote(store: Store) -> None:
    with store.transaction():
        store.observations.add("c-1", title="fresh token")
        assert found(store, "fresh") == ["fresh token"]
        assert store.find("token").count().value == 1


def test_words_are_ranked_by_how_well_they_fit(store: Store) -> None:
    store.observations.add("c-1", title="body", narrative=f"clock {'other words ' * 50}")
    store.observations.add("c-1", title="clock drift")
    store.observations.add("c-1", title="overclocked")
    assert found(store, "clock") == ["clock drift", "body", "overclocked"]


def test_when_time_is_up_the_answer_says_it_is_partial(store: Store) -> None:
    for number in range(300):
        store.observations.add("c-1", title=f"clock {number}")
    results = store.find("clock").page(limit=300, seconds=0)
    assert results.partial
    assert not results.complete
    assert not store.find("clock").page(limit=300, seconds=60).partial


def test_related_memories_follow_where_they_are_asked_for(store: Store) -> None:
    for title in ("refreshed the tokens", "a token", "unrelated"):
        store.observations.add("c-1", title=title)
    assert found(store, "token refreshing") == []
    hits = store.find("token refreshing").page(related=True).hits
    assert [(hit.row.title, hit.tier) for hit in hits] == [
        ("refreshed the tokens", "related"),
        ("a token", "related"),
    ]
    (exact, *_) = store.find("a token").page(related=True).hits
    assert (exact.row.title, exact.tier) == ("a token", "exact")
    assert all(hit.tier == "exact" for hit in store.find('"a token"').page(related=True).hits)


ALIKE = "sesame desire emission"
"""Holds all trigrams of `sesion`, in no one word."""


@pytest.mark.parametrize(
    ("holder", "query", "number"),
    [
        ("obsesion", "sesion", 1),
        ("sésion", "sesion", 1),
        ("obsesion", "sesion OR quokka", 1),
        ("sesion9", "sesion", 0),
        ("sesion9", "sesion desire", 0),
        ("sesion9", "sesion9", 1),
    ],
)
def test_letters_that_no_known_word_holds_are_looked_for_in_the_newest_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch, holder: str, query: str, number: int
) -> None:
    monkeypatch.setattr(matching, "READ_FOR_UNKNOWN", 3)
    for title in (f"{holder} desire", *[ALIKE] * 3):
        store.observations.add("c-1", title=title)
    assert store.find(query).count().value == len(found(store, query)) == number


@pytest.mark.parametrize("order", ["", " sort:oldest", " sort:recent"])
def test_letters_that_stand_beside_digits_in_many_memories_are_found_in_all_of_them(
    store: Store, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    monkeypatch.setattr(matching, "READ_FOR_UNKNOWN", 3)
    for title in ("sesion4", ALIKE, *("sesion9 desire",) * 5):
        store.observations.add("c-1", title=title)
    assert store.find("sesion").count().value == len(found(store, f"sesion{order}")) == 6


def test_of_very_many_words_the_one_memory_with_all_of_them_is_found(store: Store) -> None:
    words = [a + b + "lo" for a in "bdfgk" for b in ("ari", "emu", "oti", "uka")]
    for number in range(len(words)):
        store.observations.add("c-1", title=" ".join(words[:number] + words[number + 1 :]))
    store.observations.add("c-1", title="all", narrative=" ".join(reversed(words)))
    assert found(store, " ".join(words)) == ["all"]
    assert found(store, " ".join([*words, "quokka"])) == []
