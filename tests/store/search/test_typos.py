"""A word that no memory holds is answered with the nearest one that some do, where nothing matches."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from memtui.store import Store, parse
from tests.conftest import OpenStore
from tests.tables import table

TITLES = (
    *("authentication failed", "redis cache", "the database grew", "a chat room", "dust motes"),
    *("oauth login", "oauth2 flow", "sha256 here", "saha there"),
)
# Without vowels, s and l, so that no word is another form of one.
LETTERS = "bcdfgkmp"
vocabularies = st.lists(st.text(LETTERS, min_size=5, max_size=14), min_size=1, max_size=12)


@pytest.fixture(params=["trigram", "unicode61"])
def memory(request: pytest.FixtureRequest, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store of a few words, of each tokenizer that has an index of them."""
    monkeypatch.setenv("MEMTUI_TOKENIZER", request.param)
    store = open_store()
    with store.transaction():
        for title in TITLES:
            store.observations.add("c-1", title=title)
    return store


def meant(store: Store, query: str) -> dict[str, str]:
    """What was typed with what it may have meant."""
    return {one.typed: one.meant for one in store.find(query).page().corrections}


def offered(store: Store, query: str) -> str | None:
    """The whole query as it may have been meant."""
    queries = {one.query for one in store.find(query).page().corrections}
    assert len(queries) <= 1
    return queries.pop() if queries else None


@table(
    "typed",
    [
        *("dtabase", "databse", "datbase"),
        *("xdatabase", "dataxbase", "databasex"),
        *("xatabase", "datxbase", "databasx"),
        *("adtabase", "datbaase", "databaes"),
    ],
)
def test_a_letter_left_out_added_wrong_or_in_the_wrong_place(memory: Store, typed: str) -> None:
    assert meant(memory, typed) == {typed: "database"}


@table(("typed", "word"), [("athentication", "authentication"), ("reids", "redis")])
def test_a_single_mistyped_word_finds_what_was_meant(memory: Store, typed: str, word: str) -> None:
    results = memory.find(typed).page(related=True)
    assert [(hit.tier, word in hit.row.title) for hit in results.hits] == [("related", True)]
    assert meant(memory, typed) == {typed: word}
    assert memory.find(typed).page().hits == []


@table("typed", ["authentcaton", "uathenication", "authenticxxion", "authneticatin"])
def test_a_long_word_may_have_two_edits(memory: Store, typed: str) -> None:
    assert meant(memory, typed) == {typed: "authentication"}


@table("typed", ["dtbase", "redis7", "quokka", "zz", "authentica-xyz", "4711", "😀"])
def test_what_nothing_is_near_to_stays(memory: Store, typed: str) -> None:
    assert meant(memory, typed) == {}


@table("held", ["redis", "REDIS", "rédis", "sha256", "oauth2", "oauth", "chat", "नमस्ते"])
def test_a_word_that_a_memory_holds_is_never_corrected(memory: Store, held: str) -> None:
    memory.observations.add("c-1", title="rediss auth chats नमस्ते")
    assert meant(memory, f"{held} quokka") == {}
    assert meant(memory, f"{held} athentication").keys() == {"athentication"}


def test_a_common_word_is_never_corrected(memory: Store) -> None:
    memory.observations.add("c-1", title="What was sent to redis")
    assert meant(memory, "what went to redis") == {}


@pytest.mark.parametrize("memory", ["trigram"], indirect=True)
def test_another_form_of_a_word_that_a_memory_holds_is_never_corrected(memory: Store) -> None:
    memory.observations.add("c-1", title="caches")
    assert meant(memory, "caching cached cache quokka") == {}


def test_where_something_matches_exactly_nothing_is_offered(memory: Store) -> None:
    memory.observations.add("c-1", title="reidsville")
    results = memory.find("reids").page(related=True)
    assert [(hit.row.title, hit.tier) for hit in results.hits] == [("reidsville", "exact")]
    assert results.corrections == ()


@table(
    ("query", "whole"),
    [
        ("type:note reids -token sort:recent", "type:note redis -token sort:recent"),
        ("project:reids reids", "project:reids redis"),
        ("reids project:reids", "redis project:reids"),
        ('"reids cache"', '"redis cache"'),
        ("“reids  cache”", "“redis  cache”"),
        ("title:reids", "title:redis"),
        ("notes:notes", "notes:motes"),
        ("reids OR quokka", "redis OR quokka"),
        ("-reids title:reids", "-reids title:redis"),
        ("reids reids", "redis redis"),
        ("xreids2 reids", "xreids2 redis"),
        ("reids, (reids) cache/reids", "redis, (redis) cache/redis"),
        ("reids athentication", "redis authentication"),
        ("REIDS", "redis"),
        ("what reids", "what redis"),
        ("x/dus* reids", "x/dus* redis"),
        ("chatt:x reids", "chatt:x redis"),
    ],
)
def test_the_rest_of_a_query_stays_as_it_was_typed(memory: Store, query: str, whole: str) -> None:
    assert offered(memory, query) == whole


def test_what_was_meant_is_searched_for_under_the_same_filters(memory: Store) -> None:
    memory.observations.add("c-2", title="redis elsewhere", project="atlas")
    results = memory.find("project:atlas reids -cache").page(related=True)
    assert [hit.row.title for hit in results.hits] == ["redis elsewhere"]
    assert not memory.find("project:atlas reids -elsewhere").page(related=True).hits


def test_a_query_made_by_hand_has_no_text_to_correct(memory: Store) -> None:
    query = replace(parse("reids"), text="")
    results = memory.find(query).page(related=True)
    assert (results.hits, results.corrections) == ([], ())


def test_a_text_that_was_pasted_has_no_word_to_correct(memory: Store) -> None:
    words = ["reids", *(f"cache{number}" for number in range(32))]
    assert len(memory.find(" ".join(words[:-1])).page().corrections) == 1
    assert memory.find(" ".join(words)).page().corrections == ()


def test_of_equally_near_words_the_one_in_most_memories_is_meant(memory: Store) -> None:
    for word in ("card", "cart", "care", "cart"):
        memory.observations.add("c-1", title=f"one {word}")
    assert meant(memory, "carx") == {"carx": "cart"}


def test_without_an_index_of_words_nothing_is_offered(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_TOKENIZER", "like")
    store = open_store()
    store.observations.add("c-1", title="redis cache")
    results = store.find("reids").page(related=True)
    assert (results.hits, results.corrections) == ([], ())


@given(vocabulary=vocabularies, data=st.data())
def test_one_edit_of_any_word_is_answered_with_a_nearest_word(
    memory: Store, vocabulary: list[str], data: st.DataObject
) -> None:
    typed = edited(data.draw(st.sampled_from(vocabulary)), data)
    assume(not any(typed in word for word in vocabulary))
    with memory.transaction():
        added = memory.observations.add("c-1", title=" ".join(vocabulary))
    distances = {word: OSA.distance(typed, word) for word in vocabulary}
    nearest = {word for word in vocabulary if distances[word] == min(distances.values())}
    assert meant(memory, typed)[typed] in nearest
    memory.observations.delete(added)
    assert meant(memory, typed) == {}


def edited(word: str, data: st.DataObject) -> str:
    """A word with one letter left out, added, replaced, or changed with the next."""
    place = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from(LETTERS))
    before, after = word[:place], word[place + 1 :]
    edits = (before, before + letter + word[place], before + letter, before + after[:1] + word[place])
    number = data.draw(st.integers(0, len(edits) - 1))
    return edits[number] + (after[1:] if number == 3 else after)
