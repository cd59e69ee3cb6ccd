"""Related memories follow the exact ones where those don't fill a page, and are marked."""

import pytest

from memtui.store import Store
from tests.conftest import OpenStore
from tests.tables import table

PAGE = 20

Found = list[tuple[str, str]]


@pytest.fixture(params=["trigram", "unicode61"])
def memory(request: pytest.FixtureRequest, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> Store:
    """An empty store of each tokenizer that has an index of words."""
    monkeypatch.setenv("MEMTUI_TOKENIZER", request.param)
    return open_store()


def remember(store: Store, *titles: str) -> None:
    """An observation of each title."""
    with store.transaction():
        for title in titles:
            store.observations.add("c-1", title=title)


def found(store: Store, query: str, limit: int = 50) -> Found:
    """What a query finds, related ones too, each with its tier."""
    return [(hit.row.title, hit.tier) for hit in store.find(query).page(limit=limit, related=True).hits]


def related(store: Store, query: str) -> set[str]:
    """The titles of the related ones."""
    return {title for title, tier in found(store, query) if tier == "related"}


@pytest.mark.parametrize("exact", [0, 1, 7, 12, 19, 20, 25])
def test_they_fill_the_page_after_the_exact_ones(memory: Store, exact: int) -> None:
    remember(memory, *["alpha beta"] * exact, *["alpha"] * 30)
    tiers = [tier for _, tier in found(memory, "alpha beta")]
    assert tiers == ["exact"] * exact + ["related"] * max(0, PAGE - exact)
    tiers = [tier for _, tier in found(memory, "alpha beta", limit=5)]
    assert tiers == (["exact"] * exact + ["related"] * 5)[:5]
    assert len(memory.find("alpha beta").page().hits) == exact


def test_they_fill_the_page_after_what_was_meant_too(memory: Store) -> None:
    remember(memory, *["alpha database"] * 12, *["alpha"] * 30)
    titles = [title for title, _ in found(memory, "alpha databsae")]
    assert titles == ["alpha database"] * 12 + ["alpha"] * 8


@table("query", ['"alpha beta"', "title:alpha", "-gamma", "type:note", "++"])
def test_what_asks_for_exactly_one_thing_has_none(memory: Store, query: str) -> None:
    remember(memory, "alpha beta", "beta alpha", "alpha", "gamma")
    assert related(memory, query) == set()


@table(
    ("query", "expected"),
    [
        ("gamma delta", {"gamma of alpha beta", "gamma of beta", "delta of alpha beta", "delta"}),
        ('"alpha beta" gamma delta', {"gamma of alpha beta", "delta of alpha beta"}),
        ("gamma delta -beta", {"delta"}),
        ('gamma delta -"alpha beta"', {"gamma of beta", "delta"}),
        ("title:beta gamma quokka", {"gamma of alpha beta", "gamma of beta", "delta of alpha beta"}),
        ("gamma delta is:pinned", {"gamma of beta"}),
        ("gamma delta project:atlas", set()),
        ("gamma delta is:private", set()),
    ],
)
def test_phrases_fields_exclusions_and_filters_hold_for_them(
    memory: Store, query: str, expected: set[str]
) -> None:
    remember(memory, "gamma of alpha beta", "gamma of beta", "delta of alpha beta", "delta")
    memory.observations.pin(2)
    memory.observations.add("c-1", title="gamma alpha beta", private=True)
    assert related(memory, query) == expected


def test_the_rare_word_decides(memory: Store) -> None:
    remember(memory, *["the common one"] * 30, "a rare common", "a rare matter")
    best = [title for title, _ in found(memory, "why is the quokka rare or common")]
    assert {*best[:2]} == {"a rare common", "a rare matter"}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("relevance", ["two words", "words alone now", "alone"]),
        ("recent", ["alone", "words alone now", "two words"]),
        ("pinned", ["alone", "two words", "words alone now"]),
    ],
)
def test_an_order_that_is_asked_for_is_theirs_too(memory: Store, order: str, expected: list[str]) -> None:
    for at, title in enumerate(("two words", "words alone now", "alone", "all these words alone two")):
        memory.observations.add("c-1", title=title, at=at)
    memory.observations.pin(3)
    assert found(memory, f"two words alone sort:{order}") == [
        ("all these words alone two", "exact"),
        *((title, "related") for title in expected),
    ]


def test_what_is_exact_is_not_related_again(memory: Store) -> None:
    remember(memory, "alpha beta", "beta", "alpha", "beta alpha")
    titles = [title for title, _ in found(memory, "alpha beta")]
    assert sorted(titles) == ["alpha", "alpha beta", "beta", "beta alpha"]


def test_question_words_say_nothing_unless_there_are_no_others(memory: Store) -> None:
    remember(memory, "what is that", "refresh the token", "how")
    assert related(memory, "how did we refresh quokkas") == {"refresh the token"}
    assert related(memory, "what was that") == {"what is that"}


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("tokens quokka", "stale «tokén», 身份验证"),
        ("身份怎么修", "stale tokén, «身份»验证"),
        ("验证身份修", "stale tokén, «身份验证»"),
        ("token 验证 修", "stale «tokén», 身份«验证»"),
    ],
)
def test_their_words_are_lit_in_whatever_form_they_stand(store: Store, query: str, marked: str) -> None:
    store.observations.add("c-1", title="one", narrative="stale tokén, 身份验证")
    (hit,) = store.find(query).page(related=True).hits
    assert (hit.tier, hit.snippet.marked()) == ("related", marked)


def test_a_long_text_that_holds_a_question_s_words_nowhere_together_is_no_exact_hit(store: Store) -> None:
    words = ("why", "does", "the", "lockfile", "break", "our", "nightly", "build")
    filler = "Another matter was looked at and settled here. " * 40
    long = store.summaries.add("s", text=filler.join(f"\n{word}\n" for word in words))
    near = store.summaries.add("s", text=f"{filler * 3} {' '.join(words)} {filler * 3}")
    answer = store.observations.add(
        "s", title="The nightly build breaks on the lockfile", narrative="npm 8 can't read it"
    )
    question = " ".join(words)
    hits = store.find(question).page(related=True).hits
    assert [(hit.row.kind, hit.row.record_id, hit.tier) for hit in hits] == [
        ("summary", near.id, "exact"),
        ("observation", answer.id, "related"),
        ("summary", long.id, "related"),
    ]
    # All that hold every word are exact where nothing else is asked for, or few words are.
    assert {hit.row.record_id for hit in store.find(question).page().hits} == {long.id, near.id}
    assert store.find("lockfile nightly build").page(related=True).hits[0].tier == "exact"
    assert {hit.tier for hit in store.find('"nightly" lockfile break build').page(related=True).hits} == {
        "exact"
    }


def test_as_many_related_ones_are_given_as_are_asked_for(store: Store) -> None:
    for number in range(60):
        store.observations.add("s", title=f"Retries of worker {number}")
    results = store.find("retries zebra").page(limit=50, related=True, fill=50)
    assert len(results.hits) == 50
    assert len(store.find("retries zebra").page(limit=50, related=True).hits) == PAGE


def test_what_was_said_in_answer_to_a_prompt_is_found_by_the_prompt_s_words(store: Store) -> None:
    session = store.sessions.start("s", agent="codex", project="atlas")
    store.prompts.add(session, "should the wingman files go to gitignore?")
    other = store.observations.add(session, title="Old lint complaint in phase_test", prompt_number=7)
    said = store.observations.add(
        session, title="Old lint complaint in queue_test", tool_name="reply", prompt_number=1
    )
    hits = store.find("which complaint was there before the wingman gitignore").page(related=True).hits
    order = [hit.row.record_id for hit in hits if hit.row.kind == "observation"]
    assert order == [said.id, other.id]
