"""The best comes first: by fields, by words before parts of words, the newer of equals."""

from itertools import permutations

import pytest

from memtui.store import Page, Store
from memtui.store.search import matching, terms

AT_MOST = 1_000


def titles(results: Page) -> list[str]:
    """The hits by their titles."""
    return [hit.row.title for hit in results.hits]


@pytest.fixture
def clocks(store: Store) -> Store:
    """Thirty memories of a clock, the older the better, and others that hold a part of the word.

    A third of them is pinned; their times are not in the order in which they were stored.
    """
    with store.transaction():
        for number in [*range(15, 30), *range(15)]:
            text = "clock drift " + "and more " * number
            row = store.observations.add("c-1", title=f"c{number}", narrative=text, at=number)
            if number % 3 == 0:
                store.observations.pin(row)
        for number in range(5):
            store.prompts.add("c-1", f"clocks{number} overclock {number}", at=100 + number)
    return store


def test_the_title_counts_most_then_the_text_then_lists_and_raw_text(store: Store) -> None:
    for title, narrative, fact in permutations(("drift", "some", "other")):
        store.observations.add("c-1", title=title, narrative=narrative, facts=[fact])
    store.observations.add("c-1", title="some", text="drift", narrative="other")
    hits = store.find("drift").page().hits
    fields = [
        next(name for name in ("title", "narrative", "facts", "text") if "drift" in str(getattr(one, name)))
        for one in (hit.record for hit in hits)
    ]
    assert fields == ["title", "title", "narrative", "narrative", "text", "facts", "facts"]
    scores = [hit.score for hit in hits]
    assert scores[0] == scores[1] > scores[2] == scores[3] > scores[4] == scores[5] == scores[6]


def test_a_word_in_a_list_comes_before_a_part_of_a_word_in_a_title(store: Store) -> None:
    store.observations.add("c-1", title="long", narrative="words " * 99, facts=["clock"], at=1)
    store.observations.add("c-1", title="overclocked", at=3)
    store.observations.add("c-1", title="unclocked", at=4)
    store.observations.add("c-1", title="clocked", facts=["overclock"], at=2)
    assert titles(store.find("clock").page()) == ["clocked", "long", "unclocked", "overclocked"]


@pytest.mark.parametrize("query", ["clock", "loc", "clock drift", '"clock drift"', "c -no", "时钟", "钟"])
def test_of_equals_the_newer_comes_first(store: Store, query: str) -> None:
    for at in (30, 10, 20):
        store.prompts.add("c-1", "clock drift 时钟", at=at)
    assert [hit.row.created_at for hit in store.find(query).page().hits] == [30, 20, 10]


def test_all_kinds_are_in_one_list_scored_alike(store: Store) -> None:
    with store.transaction():
        for number in range(60):
            store.observations.add("c-1", title=f"{number}", narrative=f"clock {'and so on ' * 9}")
        store.prompts.add("c-1", "the clock drifts")
        store.summaries.add("c-1", request="", learned="the clock drifts")
        store.facts.add("the clock drifts")
        store.observations.add("c-1", title="", narrative="the clock drifts")
    best = store.find("clock").page(limit=4).hits
    assert {hit.kind for hit in best} == {"observation", "prompt", "summary", "fact"}
    assert len({hit.score for hit in best}) == 1


def test_words_are_ranked_though_most_hold_another_form_of_them(store: Store) -> None:
    with store.transaction():
        for _ in range(300):
            store.observations.add("c-1", title="run")
        for number in (3, 1, 2):
            store.observations.add("c-1", title=f"running {'far ' * number}".strip())
    results = store.find("running").page(limit=5)
    assert titles(results) == ["running far", "running far far", "running far far far"]
    assert all(hit.score for hit in results.hits)


def test_newest_first_on_request(clocks: Store) -> None:
    results = clocks.find("clock sort:recent").page(limit=AT_MOST)
    times = [hit.row.created_at for hit in results.hits]
    assert times == sorted(times, reverse=True)
    assert len(times) == 35
    assert titles(clocks.find("clock sort:recent").page(limit=6))[4:] == ["clocks0 overclock 0", "c29"]


@pytest.mark.parametrize("limit", [3, 10, 12, AT_MOST])
def test_pinned_first_on_request_each_part_by_relevance(clocks: Store, limit: int) -> None:
    results = clocks.find("clock drift sort:pinned").page(limit=limit, related=True)
    best = [f"c{number}" for number in range(30)]
    pinned = [f"c{number}" for number in range(0, 30, 3)]
    assert titles(results) == [*pinned, *(one for one in best if one not in pinned)][:limit]
    assert results.complete == (limit == AT_MOST)
    assert titles(clocks.find("clock drift").page(limit=limit)) == best[:limit]


@pytest.mark.parametrize(
    "query",
    ["clock", '"clock drift"', "clock -c3", "clock kind:observation", "clock is:pinned", "OR clock"],
)
def test_ranking_only_the_newest_changes_the_order_and_not_what_is_found(
    clocks: Store, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    whole = clocks.find(query).page(limit=AT_MOST)
    monkeypatch.setattr(matching, "NEWEST_RANKED", (3, 6))
    monkeypatch.setattr(matching, "PHRASES_RANKED", (2, 6))
    part = clocks.find(query).page(limit=AT_MOST)
    assert whole.ranked is None
    assert part.ranked == (None if query.startswith("OR") else 6)
    assert sorted(titles(part)) == sorted(titles(whole))
    assert part.complete


def test_past_the_newest_that_are_ranked_the_rest_is_newest_first(
    clocks: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "NEWEST_RANKED", (3, 6))
    hits = clocks.find("clock kind:observation").page(limit=AT_MOST).hits
    assert [hit.row.title for hit in hits[:6]] == [f"c{number}" for number in range(9, 15)]
    assert [hit.score > 0 for hit in hits] == [True] * 6 + [False] * 24
    times = [hit.row.created_at for hit in hits[6:]]
    assert times == sorted(times, reverse=True)


def test_where_all_that_match_are_among_the_newest_the_order_is_by_relevance_throughout(
    clocks: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "NEWEST_RANKED", (10, 30))
    results = clocks.find("clock drift").page(limit=AT_MOST)
    assert titles(results) == [f"c{number}" for number in range(30)]
    assert results.ranked is None


@pytest.mark.parametrize(
    "query", ["clock", "clock OR more", "clock more", '"and more" drift', '"clock drift" OR more']
)
def test_words_in_most_of_very_many_memories_are_weighed_as_sqlite_weighs_them(
    clocks: Store, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    by_sqlite = clocks.find(query).page().hits
    monkeypatch.setattr(matching, "WALKED", 0)
    monkeypatch.setattr(matching, "BM25", "none")
    monkeypatch.setattr(terms, "BM25", "none")
    again = clocks.find(query).page().hits
    assert [hit.row.title for hit in again] == [hit.row.title for hit in by_sqlite]
    assert [hit.score for hit in again] == pytest.approx([hit.score for hit in by_sqlite])
