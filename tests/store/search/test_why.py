"""A hit is explained by the terms it holds: in which fields, how often, and what each adds."""

import pytest

from memtui.store import Hit, Store, Why
from tests.conftest import OpenStore
from tests.tables import table

TITLES = ("the rediscovered token", "clock drift", "a token refresh", "plain text")


@pytest.fixture(params=["trigram", "unicode61"])
def memory(request: pytest.FixtureRequest, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store of each tokenizer that ranks, with a record of each kind beside the one in question."""
    monkeypatch.setenv("MEMTUI_TOKENIZER", request.param)
    store = open_store()
    with store.transaction():
        for title in TITLES:
            store.observations.add("c-1", title=title)
        store.observations.add(
            "c-1",
            title="Refresh the token: TOKEN refreshed",
            narrative="A token of the 缓存 is tokenised, the token_store holds 缓存",
            facts=["token", "refresh tokens"],
            files_read=["src/token.py"],
            project="atlas",
        )
        store.prompts.add("c-1", "why did the deployment stall, and why again")
        store.summaries.add("c-1", request="stop the leak", learned="leaks", next_steps="leak less")
        store.facts.add("builds are reproducible", entities=["Reproducible builds"])
    return store


def explained(store: Store, query: str, ref: str = "5") -> Why:
    """Why the record is a hit of the query."""
    return store.find(query).why(hit_of(store, query, ref))


def hit_of(store: Store, query: str, ref: str = "5") -> Hit:
    """The record as a hit of the query."""
    return next(hit for hit in store.find(query).page(related=True).hits if hit.row.ref == ref)


def places(why: Why) -> dict[str, dict[str, int]]:
    """The fields of each term, and how often it stands there."""
    return {one.term: dict(one.places) for one in why.terms}


@table(
    ("query", "ref", "expected"),
    [
        (
            "Token 缓存",
            "5",
            {"Token": {"title": 2, "narrative": 3, "facts": 2, "files_read": 1}, "缓存": {"narrative": 2}},
        ),
        ('"the token"', "5", {"the token": {"title": 1, "narrative": 1}}),
        ("quokka OR token -drift", "3", {"token": {"title": 1}}),
        ("title:token facts:refresh", "5", {"token": {"title": 2}, "refresh": {"facts": 1}}),
        ("files:token", "5", {"token": {"files_read": 1}}),
        ("why deploy", "p1", {"why": {"text": 2}, "deploy": {"text": 1}}),
        ("leak", "s1", {"leak": {"request": 1, "learned": 1, "next_steps": 1}}),
        ("builds", "f1", {"builds": {"content": 1, "entities": 1}}),
    ],
)
def test_each_term_is_told_with_its_fields(
    memory: Store, query: str, ref: str, expected: dict[str, dict[str, int]]
) -> None:
    why = explained(memory, query, ref)
    assert places(why) == expected
    assert why.tier == "exact"


@table(
    "query",
    ["token", "token refresh", "the token refresh", "token OR drift", "token 缓存", "title:token the"],
)
def test_the_parts_of_the_terms_add_up_to_the_score(memory: Store, query: str) -> None:
    hits = memory.find(query).page().hits
    assert hits
    for hit in hits:
        why = memory.find(query).why(hit)
        assert why.score == hit.score > 0
        assert sum(one.score or 0.0 for one in why.terms) == pytest.approx(hit.score)


@pytest.mark.parametrize("query", ["reprod", "build"])
def test_a_term_inside_words_has_no_score(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setenv("MEMTUI_TOKENIZER", "unicode61")
    store = open_store()
    store.facts.add("rebuilds", entities=["Reproducible builds"])
    (one,) = explained(store, query, "f1").terms
    assert (one.term, one.score) == (query, None)
    assert one.places


def test_a_term_inside_a_word_beside_one_that_is_a_word(memory: Store) -> None:
    why = explained(memory, "refre token", "3")
    assert {one.term: one.score is None for one in why.terms} == {"refre": True, "token": False}
    assert why.score == 0


@pytest.mark.parametrize("memory", ["trigram"], indirect=True)
def test_a_related_hit_is_explained_by_its_stems(memory: Store) -> None:
    why = explained(memory, "how were tokens refreshing drifts", "3")
    found = {name: fields for name, fields in places(why).items() if fields}
    assert why.tier == "related"
    assert found == {"tokens": {"title": 1}, "refreshing": {"title": 1}}
    assert all(one.score for one in why.terms if one.places)
    assert sum(part for _, part in why.parts) == pytest.approx(why.score)


def test_a_related_hit_is_explained_by_its_phrase_too(memory: Store) -> None:
    why = explained(memory, '"a token" refreshing quokka', "3")
    assert places(why) == {"refreshing": {"title": 1}, "a token": {"title": 1}}


def test_a_corrected_hit_is_explained_by_what_was_meant(memory: Store) -> None:
    why = explained(memory, "clokc", "2")
    assert why.tier == "related"
    assert places(why) == {"clock": {"title": 1}}


def test_beside_exact_hits_a_related_one_is_explained_by_what_was_typed(memory: Store) -> None:
    exact = memory.observations.add("c-1", title="a clokcwork of plain text")
    memory.observations.add("c-1", title="plain clock")
    assert memory.find("clokc plain").page().hits[0].record == exact
    assert places(explained(memory, "clokc plain", "7")) == {"plain": {"title": 1}}


def test_a_hidden_hit_is_explained_without_a_score(memory: Store) -> None:
    memory.observations.set_private(5)
    (hit,) = memory.find("token is:private").page().hits
    (one,) = memory.find("token is:private").why(hit).terms
    assert dict(one.places)["title"] == 2
    assert one.score is None


def test_a_hit_that_is_gone_has_nothing_to_explain(memory: Store) -> None:
    hit = hit_of(memory, "drift", "2")
    memory.observations.delete(2)
    assert memory.find("drift").why(hit).terms == ()
