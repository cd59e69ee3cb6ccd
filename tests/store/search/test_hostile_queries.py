"""Nothing a user types raises, and nothing that can be typed is slow."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from tests.promises import promise
from tests.tables import table

from ...hostile import hostile_queries
from ..hard_texts import PIECES

SYNTAX = (
    *('"', "-", "OR", "OR ", " ", ":", "*", "^", "(", ")", "{", "NEAR(", "AND", "NOT", "\x1f", "\0"),
    *("title:", "type:", "kind:", "since:7d", "on:2026", "is:private", "is:pinned", "sort:recent"),
    *("file:", "concept:", "session:", "\ud800", "\U0010ffff", "＂", "：", "＊"),
)
queries = st.text() | st.lists(st.sampled_from(SYNTAX + PIECES), max_size=12).map("".join)


@pytest.fixture(
    scope="module",
    params=["trigram", *(pytest.param(one, marks=pytest.mark.long) for one in ("unicode61", "like"))],
)
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store of each tokenizer that holds every hard text, and something hidden."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMTUI_TOKENIZER", request.param)
        with Store.open(tmp_path_factory.mktemp("hostile") / "memory.db") as store, store.transaction():
            for piece in PIECES:
                store.observations.add("c-1", title=piece, narrative=f"a {piece} b", tags=[piece])
            for name, query in hostile_queries():
                store.prompts.add("c-1", f"{name}: {query[:2_000]}")
            store.facts.add("hidden", private=True)
        with Store.open(store.path) as store:
            yield store
            assert store.doctor(thorough=True).ok


def ask(store: Store, query: str) -> None:
    """Everything that takes a query."""
    results = store.find(query).page(limit=20, related=True)
    for hit in results.hits:
        assert all(0 <= start < end <= len(hit.snippet.text) for start, end in hit.snippet.spans)
    store.find(query).facets()
    assert store.find(query).count().value >= sum(hit.tier == "exact" for hit in results.hits)
    assert len(store.find(query).rows(0, 5)) <= store.find(query).count().value


@promise("any-query-is-safe")
@table("query", [query for _, query in hostile_queries()])
@pytest.mark.sampled
def test_a_hostile_query_is_just_a_query(filled: Store, query: str) -> None:
    ask(filled, query)


@promise("any-query-is-safe")
@given(query=queries)
def test_any_text_is_a_query(filled: Store, query: str) -> None:
    ask(filled, query)


@promise("any-query-is-safe")
@table(
    "query",
    [
        *("C:\\x", "node.js", "GB/s", "重跑gen-itgc", "++", '"', "'; DROP TABLE observations;--"),
        *("(" * 5_000 + "token" + ")" * 5_000, "w" * 1_000_000, '"' * 9_999, "a " * 5_000),
        *(" OR ".join(["token"] * 2_000), "-" * 5_000, "type:" * 2_000, "数" * 100_000),
    ],
)
def test_odd_and_endless_queries_are_answered(filled: Store, query: str) -> None:
    ask(filled, query)
    assert filled.stats().observations == len(PIECES)
