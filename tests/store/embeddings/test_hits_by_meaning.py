"""A search has what words found re-scored by the user's model, and lists what is like a memory."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Hit, Store
from memtui.store.curation.many import Action
from memtui.store.leaves.embeddings import searching
from memtui.store.leaves.embeddings.model import embedder
from memtui.store.leaves.embeddings.searching import PAIRS, _asker
from memtui.store.providers.usage import TokenUsage
from tests.store.scripted_server import Scripted

from .keeping import compare, everything, kept
from .synonyms import LONG, QUERY, by_server, configure, vector_of

ASKED = "authentication clock"


def refs(hits: list[Hit]) -> list[str]:
    return [hit.row.ref for hit in hits]


def found(store: Store, query: str, *, related: bool = True) -> list[str]:
    return refs(store.find(query).page(related=related).hits)


def test_what_means_the_same_comes_first_of_what_words_found(known: Store) -> None:
    for title in ("The picture of a cache", "The picture of the ledger"):
        known.observations.add(None, title=title, at=50_000)
    memories = known.find("picture database")
    results = memories.page(related=True)
    assert refs(results.hits) == ["7", "6"] and not results.trouble
    first = results.hits[0]
    assert first.tier == "related" and first.similarity is not None and 0.9 < first.similarity <= 1.01
    assert "meaning" in dict(first.parts)
    assert first.score == pytest.approx(sum(part for _, part in first.parts))
    assert memories.why(first).nearest == "The picture of the ledger"


def test_a_memory_counts_by_its_nearest_passage(known: Store) -> None:
    long = known.observations.add(
        None, title="Topic1", narrative="Topic2", facts=["topic3", "authentication", "topic4"], at=50_000
    )
    document = known.db.execute(
        "SELECT id FROM documents WHERE record_id = ? AND kind = 'o'", (long.id,)
    ).get
    assert compare(known, "login")[document] > 0.95
    assert known.meaning(LONG).nearest_passage(known.db, "login", document) == "authentication"


def test_a_turn_counts_by_its_nearest_record(known: Store) -> None:
    known.prompts.add("c-2", "Topic1 and the cache of topic2", prompt_number=1, at=50_000)
    known.observations.add("c-2", title="Broken expired topic1", prompt_number=1, at=50_001)
    known.prompts.add("c-3", "Topic1 and the cache of topic4", prompt_number=1, at=60_000)
    known.observations.add("c-3", title="Drift clock topic1", prompt_number=1, at=60_001)
    hits = known.find("topic1 fails postgres").page(related=True).hits
    parts = {hit.row.ref: dict(hit.parts)["meaning"] for hit in hits if "meaning" in dict(hit.parts)}
    assert parts["p2"] > parts["p3"]
    similar = {hit.row.ref: hit.similarity for hit in hits}
    assert similar["p2"] == pytest.approx(similar["p3"], abs=1e-2)


def test_no_more_than_the_best_are_compared(known: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "COMPARED", 2)
    assert len(compare(known)) == 2 and len(kept(known)) == 2


def test_exact_hits_stay_first_and_as_they_are(known: Store) -> None:
    first, *others = known.find("signin page").page(related=True).hits
    assert (first.row.ref, first.tier, first.similarity) == ("3", "exact", None)
    assert [hit.row.ref for hit in others] == ["2"] and others[0].tier == "related"
    assert found(known, "signin", related=False) == ["2", "3"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("signin clock project:atlas", {"1", "3"}),
        ("signin clock kind:prompt", {"p1"}),
        ("signin -page project:atlas", set[str]()),
        ("is:similar:2 project:atlas", {"3"}),
        ("is:similar:2 redis", {"3"}),
        ("is:similar:2 -redis", set[str]()),
    ],
)
def test_filters_and_what_is_excluded_hold(known: Store, query: str, expected: set[str]) -> None:
    assert set(found(known, query)) == expected


def test_a_memory_lists_what_is_like_it_by_any_of_its_names(known: Store) -> None:
    known.observations.add(None, title="The ledger and the signin", at=60_000)
    known.observations.add(None, title="The signin and the login", at=61_000)
    first = known.find("is:similar:2").page()
    assert refs(first.hits)[0] == "7" and set(refs(first.hits)) == {"3", "6", "7"}
    assert first.by_meaning and first.complete and not first.trouble
    similar = [hit.similarity or 0.0 for hit in first.hits]
    assert similar == sorted(similar, reverse=True)
    uid = known.observations.get(2).uid
    assert found(known, f"is:similar:{uid}") == found(known, "状态:相似:2") == refs(first.hits)
    assert found(known, "is:similar:p1")[:1] == ["1"]


def test_what_is_like_a_memory_is_counted_divided_and_chosen_as_it_is_listed(known: Store) -> None:
    known.observations.add(None, title="Another signin", project="atlas", at=60_000)
    query = "is:similar:2 project:atlas"
    listed = found(known, query)
    assert known.find(query).count().value == len(listed) == 2
    assert dict(known.find(query).facets().counts["project"]) == {"atlas": 2}
    assert set(known.find(query).refs()) == set(listed)
    assert {row.ref for row in known.find(query).rows(0, 10)} == set(listed)
    assert refs(known.find(f"{query} sort:recent").page().hits) == ["6", "3"]
    known.change_many(query, Action("delete"))
    assert found(known, "is:similar:2 project:atlas") == []


@pytest.mark.parametrize("ref", ["999", "x1", "n1", "no-such-uid"])
def test_a_memory_that_is_not_there_is_like_nothing_and_is_told(known: Store, ref: str) -> None:
    query = f"is:similar:{ref}"
    assert (found(known, query), known.find(query).count().value, known.find(query).refs()) == ([], 0, [])
    assert [one.sentence for one in known.remarks(query)] == [f"There is no visible memory {ref}."]


def test_the_nearest_come_first_where_that_is_asked_for(known: Store) -> None:
    known.observations.add(None, title="The clock of an image", at=50_000)
    results = known.find("login clock sort:meaning").page(related=True)
    assert results.by_meaning and refs(results.hits)[:2] == ["p1", "1"]
    assert [hit.tier for hit in results.hits].count("exact") == 1 and refs(results.hits)[-1] == "6"


def test_without_a_model_word_vectors_tell(memory: Store) -> None:
    number = memory.observations.add(None, title="The clock of a page that fails", at=50_000).id
    results = memory.find(f"is:similar:{number}").page()
    assert set(refs(results.hits)) == {"1", "3", "p1"} and results.by_meaning and not results.trouble
    assert results.hits[0].similarity is not None


def test_words_that_the_model_does_not_know_are_compared_by_word_vectors(known: Store) -> None:
    assert not any(compare(known, "quixotic kept stale").values()) or kept(known)
    results = known.find("kept quixotic sort:meaning").page(related=True)
    assert refs(results.hits) == ["3"] and results.by_meaning and not results.trouble


@pytest.mark.parametrize("knows", [True, False])
def test_of_chinese_a_model_tells_only_where_it_knows_some(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows: bool
) -> None:
    memory.observations.add(None, title="服务器的时钟快了两分钟，登录失败", at=50_000)
    memory.observations.add(None, title="缓存里的页面过期了", at=51_000)
    by_words = compare(memory, "登录失败的原因")
    with by_server(monkeypatch, tmp_path) as (server, answers):
        answers.may_answer.set()

        def answer(body: dict[str, Any]) -> Scripted:
            texts = [text.removeprefix(QUERY) for text in body["input"]]
            rows = [
                [1.0 + (PAIRS.index(text) // 2 == one if knows else place % 5 == one) for one in range(46)]
                if text in PAIRS
                else vector_of("login")
                for place, text in enumerate(texts)
            ]
            data = [{"index": place, "embedding": row} for place, row in enumerate(rows)]
            return Scripted(raw=json.dumps({"data": data}).encode())

        server.answers = answer
        near = memory.meaning(LONG).near_text(memory.db, "登录失败的原因", [*by_words])
        again = memory.meaning(LONG).near_text(memory.db, "缓存的原因", [*by_words])
        probed = [body for body in server.bodies if PAIRS[0] in body["input"]]
        assert len(probed) == 1
        assert (near.cosines == by_words, near.trust == 1.0) == (not knows, knows)
        assert not near.trouble and not again.trouble and not again.is_late
        # English texts are compared by it in any case.
        assert memory.meaning(LONG).near_text(memory.db, "login", [1]).trust == 1.0


def test_a_slow_model_is_not_waited_for_and_tells_next_time(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_server(monkeypatch, tmp_path) as (_, answers):
        early = memory.find(ASKED).page(related=True, patience=0)
        assert (refs(early.hits)[0], early.is_late) == ("p1", True)
        assert "is slow" in early.trouble
        coming = memory.meaning().awaited(memory.parse(ASKED).plain_text)
        assert coming is not None and not coming.done()
        answers.may_answer.set()
        coming.result(LONG)
        late = memory.find(ASKED).page(related=True, patience=0)
        assert (late.is_late, late.trouble) == (False, "")
        assert memory.meaning().awaited(memory.parse(ASKED).plain_text) is None


def test_of_queries_that_come_while_a_model_is_busy_it_is_asked_for_the_last_only(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_server(monkeypatch, tmp_path) as (server, answers):
        queries = ["clock s", "clock st", "clock sta", "clock stale", "clock stale page"]
        for query in queries:
            assert memory.find(query).page(related=True, patience=0).is_late
        coming = memory.meaning().awaited("clock stale page")
        assert coming is not None
        answers.may_answer.set()
        coming.result(LONG)
        asked = [body["input"][0] for body in server.bodies if body["input"][0].startswith(QUERY)]
        assert asked[-1] == "query: clock stale page" and len(asked) <= 2


@pytest.mark.parametrize(
    "answer",
    [
        Scripted(500),
        Scripted(raw=b"{}"),
        Scripted(raw=b'{"data": [{"index": 0, "embedding": []}]}'),
    ],
)
def test_a_model_that_is_broken_costs_nothing_but_a_sentence(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Scripted
) -> None:
    by_words = memory.find(ASKED).page(related=True)
    with by_server(monkeypatch, tmp_path) as (_, answers):
        answers.broken = answer
        answers.may_answer.set()
        results = memory.find(ASKED).page(related=True, patience=LONG)
        assert (refs(results.hits), results.is_late) == (refs(by_words.hits), False)
        assert [hit.similarity for hit in results.hits] == [hit.similarity for hit in by_words.hits]
        assert "gave no vector" in results.trouble


def test_a_configuration_that_is_wrong_is_said_and_word_vectors_tell(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, tmp_path, provider="static", directory=str(tmp_path / "gone"))
    results = memory.find(ASKED).page(related=True)
    assert "is not a directory" in results.trouble and results.hits[-1].similarity is not None


def test_a_text_that_the_model_refuses_keeps_no_other_from_its_vectors(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_server(monkeypatch, tmp_path) as (server, answers):
        answers.may_answer.set()

        def refusing(body: dict[str, Any]) -> Scripted:
            return Scripted(400, b"{}") if "Postgres for the ledger" in body["input"] else answers(body)

        server.answers = refusing
        assert len(compare(memory)) == 5
        assert kept(memory) == everything(memory) - {"o4"}
        # Nobody waits for it for ever.
        asked = len(server.bodies)
        ids = [number for (number,) in memory.db.execute("SELECT id FROM documents")]
        assert not memory.meaning(0).near_text(memory.db, "authentication", ids).is_late
        assert len(server.bodies) == asked


def test_what_there_is_no_time_for_is_made_by_the_next_search(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "LONGEST_SECONDS", 0)
    monkeypatch.setattr("memtui.store.leaves.embeddings.embedders.ServerEmbedder.at_once", 2)
    monkeypatch.setattr(
        "memtui.store.leaves.embeddings.searching.Asker._embed_query",
        lambda self, query: self._queries.__setitem__(query, self.model.embed([query], is_query=True)[0]),
    )
    with by_server(monkeypatch, tmp_path) as (_, answers):
        answers.may_answer.set()
        for number in (2, 4, 6):
            assert len(compare(memory)) == number == len(kept(memory))


def test_what_costs_something_is_counted_and_ends_at_the_daily_cap(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_server(monkeypatch, tmp_path) as (server, answers):
        answers.may_answer.set()
        compare(memory)
        (day,) = TokenUsage(memory.db, memory.transaction()).days()
        assert day.is_of_embeddings and day.calls == 1 and day.input > 0
        before = len(server.bodies)
        configure(
            monkeypatch, tmp_path,
            provider="openai-compatible", url=server.url, model="other", daily_tokens=day.input,
            query_prefix=QUERY,
        )  # fmt: skip
        near = memory.meaning(LONG).near_text(memory.db, "login", [1, 2])
        assert "The daily cap of tokens is reached." in near.trouble and near.cosines
        assert [body["input"] for body in server.bodies[before:]] == [["query: login"]]


def test_only_what_is_visible_is_sent(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.observations.set_private(2, True)
    memory.observations.add(None, title="said <private>and hidden</private> here with a clock")
    with by_server(monkeypatch, tmp_path) as (server, answers):
        answers.may_answer.set()
        compare(memory)
        memory.find("signin clock").page(related=True, patience=LONG)
        sent = json.dumps([body["input"] for body in server.bodies])
        assert "hidden" not in sent and '"Signin"' not in sent and "said" in sent


def test_a_server_s_vectors_of_another_length_than_those_kept_are_left_alone(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_server(monkeypatch, tmp_path) as (server, answers):
        answers.may_answer.set()
        compare(memory)
        _asker.cache_clear()
        embedder.cache_clear()
        data = json.dumps({"data": [{"index": 0, "embedding": [1.0, 0.0]}]}).encode()
        server.answers = lambda _: Scripted(raw=data)
        near = memory.meaning(LONG).near_text(memory.db, "login", [1, 2])
        assert near.cosines and not near.is_late
