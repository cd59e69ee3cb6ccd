"""A search finds what means the same as its words, and lists what is like a memory."""

from pathlib import Path

import pytest
from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Hit, Store
from memtui.store.curation.many import Action
from tests.store.scripted_server import Scripted

from .synonyms import LONG, by_server, by_static_model

MEMORIES = (
    ("Login and the clock", "atlas"),
    ("Signin", "billing"),
    ("Redis kept a stale page", "atlas"),
    ("Postgres for the ledger", "billing"),
    ("A screenshot of the image", "atlas"),
    *((f"Topic{number}", "others") for number in range(40)),
)


@pytest.fixture
def memory(store: Store) -> Store:
    with store.transaction():
        for number, (title, project) in enumerate(MEMORIES):
            store.observations.add(None, title=title, project=project, at=1_000 * number)
        store.prompts.add("c-1", "what of authentication", at=90_000)
    return store


@pytest.fixture
def known(memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    by_static_model(monkeypatch, tmp_path, memory.path)
    return memory


def refs(hits: list[Hit]) -> list[str]:
    return [hit.row.ref for hit in hits]


def found(store: Store, query: str, *, related: bool = True) -> list[str]:
    return refs(store.find(query).page(related=related).hits)


def test_what_means_the_same_is_related_and_says_how_near_it_is(known: Store) -> None:
    memories = known.find("signin expired")
    results = memories.page(related=True)
    by_ref = {hit.row.ref: hit for hit in results.hits}
    assert {"1", "2", "p1"} <= by_ref.keys() and not {"3", "4", "5"} & by_ref.keys()
    only_near = by_ref["p1"]
    assert only_near.tier == "related"
    assert only_near.similarity is not None and 0.6 < only_near.similarity <= 1.0
    assert [name for name, _ in only_near.parts] == ["meaning", "session"]
    assert only_near.score == pytest.approx(sum(part for _, part in only_near.parts))
    why = memories.why(only_near)
    assert (why.terms, why.similarity) == ((), only_near.similarity)


def test_exact_hits_stay_first_and_as_they_are(known: Store) -> None:
    first, *others = known.find("signin").page(related=True).hits
    assert (first.row.ref, first.tier, first.similarity) == ("2", "exact", None)
    assert {"1", "p1"} <= set(refs(others)) and {hit.tier for hit in others} == {"related"}
    assert found(known, "signin", related=False) == ["2"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("signin project:atlas", {"1"}),
        ("signin kind:prompt", {"p1"}),
        ("signin -clock project:atlas", set[str]()),
        ("is:similar:2 project:atlas", {"1", "3", "5"}),
        ("is:similar:2 clock", {"1"}),
        ("is:similar:2 -clock kind:observation -project:others", {"3", "4", "5"}),
    ],
)
def test_filters_and_what_is_excluded_hold_for_them(known: Store, query: str, expected: set[str]) -> None:
    assert set(found(known, query)) == expected


def test_a_memory_lists_what_is_like_it_by_any_of_its_names(known: Store) -> None:
    first = known.find("is:similar:2").page()
    assert refs(first.hits)[:2] == ["p1", "1"] and "2" not in refs(first.hits)
    assert first.by_meaning and first.complete and not first.trouble
    similar = [hit.similarity or 0.0 for hit in first.hits]
    assert similar == sorted(similar, reverse=True)
    uid = known.observations.get(2).uid
    assert found(known, f"is:similar:{uid}") == found(known, "状态:相似:2") == refs(first.hits)
    assert found(known, "is:similar:p1")[:2] == ["2", "1"]


def test_what_is_like_a_memory_is_counted_divided_and_chosen_as_it_is_listed(known: Store) -> None:
    query = "is:similar:2 project:atlas"
    listed = found(known, query)
    assert known.find(query).count().value == len(listed) == 3
    assert dict(known.find(query).facets().counts["project"]) == {"atlas": 3}
    assert set(known.find(query).refs()) == set(listed)
    assert {row.ref for row in known.find(query).rows(0, 10)} == set(listed)
    assert known.find(query).count().value == 3
    assert refs(known.find(f"{query} sort:recent").page().hits) == ["5", "3", "1"]
    known.change_many(query, Action("delete"))
    assert (
        known.find("project:atlas").count().value == 0 and known.find("project:billing").count().value == 2
    )


@pytest.mark.parametrize("ref", ["999", "x1", "n1", "no-such-uid"])
def test_a_memory_that_is_not_there_is_like_nothing_and_is_told(known: Store, ref: str) -> None:
    query = f"is:similar:{ref}"
    assert (found(known, query), known.find(query).count().value, known.find(query).refs()) == ([], 0, [])
    assert [one.sentence for one in known.remarks(query)] == [f"There is no visible memory {ref}."]


def test_a_hidden_memory_names_nothing(known: Store) -> None:
    known.observations.set_private(2, True)
    assert found(known, "is:similar:2") == []
    assert "2" not in found(known, "is:similar:1") and "2" not in found(known, "login broken")


def test_the_nearest_come_first_where_that_is_asked_for(known: Store) -> None:
    results = known.find("login clock sort:meaning").page(related=True)
    assert results.by_meaning and refs(results.hits)[0] == "1"
    assert [hit.tier for hit in results.hits].count("exact") == 1
    assert refs(known.find("signin sort:meaning").page(related=True).hits)[0] == "2"
    # Of exact hits alone the order is that of meaning too, and none is missing.
    number = known.observations.add(None, title="A clock without a vector", at=99_000).id
    assert found(known, "clock sort:meaning", related=False) == ["1", str(number)]


def test_without_vectors_words_find_what_is_like_a_memory(memory: Store) -> None:
    number = memory.observations.add(None, title="The clock of a laptop", at=20_000).id
    results = memory.find(f"is:similar:{number}").page()
    assert (refs(results.hits), results.by_meaning, results.trouble) == (["1"], True, "")
    assert results.hits[0].similarity is not None


def test_without_vectors_the_order_by_meaning_is_that_of_words(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = memory.find("login sort:meaning").page(related=True)
    assert refs(results.hits) == ["1"] and results.by_meaning and not results.trouble
    config = tmp_path / "config.toml"
    config.write_text("[search]\nmeaning = false\n", "utf-8")
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    results = memory.find("login sort:meaning").page(related=True)
    assert refs(results.hits) == ["1"] and not results.by_meaning
    assert results.trouble.startswith("No vectors tell")
    assert memory.find("login").page(related=True).trouble == ""


def test_words_that_the_model_does_not_know_are_found_as_ever(known: Store) -> None:
    results = known.find("kept quixotic sort:meaning").page(related=True)
    assert refs(results.hits) == ["3"] and "No vectors tell" in results.trouble
    assert known.find("kept quixotic").page(related=True).trouble == ""


def test_a_slow_model_is_not_waited_for_and_its_hits_come_next_time(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_server(monkeypatch, tmp_path, memory.path) as (_, answers):
        early = memory.find("signin").page(related=True, patience=0)
        assert (refs(early.hits), early.is_late) == (["2"], True)
        assert "is slow" in early.trouble
        coming = vectors_in(memory).awaited(memory.parse("signin"))
        assert coming is not None and not coming.done()
        answers.may_answer.set()
        coming.result(LONG)
        late = memory.find("signin").page(related=True, patience=0)
        assert (set(refs(late.hits)), late.is_late, late.trouble) == ({"2", "1", "p1"}, False, "")
        assert vectors_in(memory).awaited(memory.parse("signin")) is None


def test_of_queries_that_come_while_a_model_is_busy_it_is_asked_for_the_last_only(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_server(monkeypatch, tmp_path, memory.path) as (server, answers):
        built = len(server.bodies)
        queries = ["sign", "signi", "signin", "signin e", "signin expired"]
        for query in queries:
            assert memory.find(query).page(related=True, patience=0).is_late
        coming = vectors_in(memory).awaited(memory.parse("signin expired"))
        assert coming is not None
        answers.may_answer.set()
        coming.result(LONG)
        asked = [body["input"][0] for body in server.bodies[built:]]
        assert asked[-1] == "query: signin expired" and len(asked) <= 2


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Scripted(500), "gave no vector"),
        (Scripted(raw=b"{}"), "gave no vector"),
        (Scripted(raw=b'{"data": [{"index": 0, "embedding": [1, 0]}]}'), "has 2 numbers, not 46"),
    ],
)
def test_a_model_that_is_broken_costs_nothing_but_a_sentence(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Scripted, says: str
) -> None:
    with by_server(monkeypatch, tmp_path, memory.path) as (_, answers):
        answers.broken = answer
        answers.may_answer.set()
        results = memory.find("signin").page(related=True, patience=LONG)
        assert (refs(results.hits), results.is_late) == (["2"], False)
        assert says in results.trouble
        # What is like a memory asks no model.
        assert found(memory, "is:similar:2")[:2] == ["p1", "1"]


def test_damaged_vectors_cost_nothing_but_a_sentence(known: Store) -> None:
    vectors_in(known).close()
    for file in Path(f"{known.path}-vectors").glob("*.db"):
        content = bytearray(file.read_bytes())
        content[100:] = b"\x5a" * (len(content) - 100)
        file.write_bytes(content)
    with Store.open(known.path) as store:
        for query in ("signin", "signin sort:meaning"):
            results = store.find(query).page(related=True)
            assert refs(results.hits) == ["2"] and results.trouble
        assert found(store, "is:similar:2") == []
