"""A hit is a turn: found by the words of all of it, listed once, under the record that matches best."""

import pytest

from memtui.store import Hit, Session, Store
from memtui.store.search.excerpts import ALL, ALL_OF_FIRST, LONGEST

MINUTE, DAY = 60_000, 86_400_000


@pytest.fixture
def session(store: Store) -> Session:
    return store.sessions.start("s-1", project="atlas", at=DAY)


def ask(store: Store, session: Session, number: int, question: str, *said: str) -> None:
    at = DAY + number * MINUTE
    store.prompts.add(session, question, prompt_number=number, at=at)
    for place, text in enumerate(said, 1):
        store.observations.add(session, title=text, tool_name="reply", prompt_number=number, at=at + place)


def found(store: Store, query: str, *, turns: bool = True) -> list[Hit]:
    return store.find(query).page(limit=20, related=True, turns=turns).hits


def test_a_turn_is_listed_once_and_names_its_other_records(store: Store, session: Session) -> None:
    ask(store, session, 1, "why does the valve leak?", "The valve leaks at its seal")
    (hit,) = found(store, "valve")
    assert hit.turn is not None
    assert (hit.turn.question, hit.turn.verdict) == (
        "why does the valve leak?",
        "The valve leaks at its seal",
    )
    assert {hit.row.ref, *hit.turn.others} == {"p1", "1"}
    assert {one.row.ref for one in found(store, "valve", turns=False)} == {"p1", "1"}


def test_a_short_reply_is_found_by_the_question_that_it_answers(store: Store, session: Session) -> None:
    ask(store, session, 1, "which port does the billing gateway listen on?", "On 8443")
    ask(store, session, 2, "rename the gateway's folder", "Renamed the folder of the gateway")
    first, *_ = found(store, "billing gateway 8443 port")
    assert first.turn is not None
    assert (first.turn.number, first.turn.verdict) == (1, "On 8443")


def test_words_spread_over_a_turn_outrank_one_of_them_alone(store: Store, session: Session) -> None:
    ask(store, session, 1, "is the dispatcher slow?", "A retry storm made the queue grow")
    ask(store, session, 2, "next", "The dispatcher was renamed")
    assert [hit.turn.number for hit in found(store, "dispatcher retry storm") if hit.turn] == [1, 2]


def test_what_belongs_to_no_turn_stays_a_record(store: Store, session: Session) -> None:
    ask(store, session, 1, "valve?", "A valve")
    store.facts.add("The valve is made of brass")
    store.observations.add(None, title="Valve noted by hand", project="atlas")
    store.observations.add(None, title="Another valve noted by hand", project="atlas")
    assert sorted(hit.row.kind for hit in found(store, "valve") if hit.turn is None) == [
        "fact",
        "observation",
        "observation",
    ]


def test_a_quoted_phrase_stands_in_one_record(store: Store, session: Session) -> None:
    ask(store, session, 1, "open the north", "valve of the tank")
    assert found(store, '"north valve"') == []


def test_a_filter_that_a_record_meets_finds_its_turn_by_that_record(store: Store, session: Session) -> None:
    ask(store, session, 1, "why does the valve leak?", "The valve leaks at its seal")
    (hit,) = found(store, "valve kind:prompt")
    assert hit.row.ref == "p1"
    assert hit.turn is not None
    assert hit.turn.verdict == "The valve leaks at its seal"


def test_counts_and_facets_are_of_records(store: Store, session: Session) -> None:
    ask(store, session, 1, "why does the valve leak?", "The valve leaks", "The valve is old")
    assert len(found(store, "valve")) == 1
    assert store.find("valve").count().value == 3
    assert dict(store.find("valve").facets().counts["kind"]) == {"observation": 2, "prompt": 1}


def test_the_pinned_come_first_with_all_of_their_turn(store: Store, session: Session) -> None:
    ask(store, session, 1, "the valve leaks", "The valve's seal is old")
    ask(store, session, 2, "the valve is loud", "The valve needs a damper")
    store.observations.pin(1)
    hits = found(store, "valve sort:pinned")
    assert [hit.turn.number for hit in hits if hit.turn] == [1, 2]
    assert hits[0].row.ref == "1"
    assert hits[0].turn is not None
    assert hits[0].turn.others == ("p1",)


def test_what_is_hidden_is_neither_question_nor_verdict(store: Store, session: Session) -> None:
    ask(store, session, 1, "what is the secret of the valve?", "The valve is loud", "A secret")
    store.prompts.delete(1)
    store.observations.delete(2)
    (hit,) = found(store, "valve")
    assert hit.turn is not None
    assert (hit.turn.question, hit.turn.verdict) == ("", "The valve is loud")


def test_a_turn_without_a_reply_comes_to_what_was_decided(store: Store, session: Session) -> None:
    ask(store, session, 1, "which valve?")
    for title, kind in (("Take the brass valve", "decision"), ("Edited valve.py", "change")):
        store.observations.add(session, title=title, type=kind, prompt_number=1, at=DAY + MINUTE + 5)
    hit, *_ = found(store, "valve")
    assert hit.turn is not None
    assert (hit.turn.verdict, hit.turn.kind) == ("Take the brass valve", "decision")


def test_what_is_shown_holds_the_answer_wherever_it_stands_in_the_turn(
    store: Store, session: Session
) -> None:
    filler = " ".join(f"Step {number} changed nothing at all." for number in range(200))
    ask(
        store, session, 1, "why is the boiler slow?",
        f"{filler} The boiler waits for the pump's relay. {filler}", "Done",
    )  # fmt: skip
    memories = store.find("boiler slow relay")
    results = memories.page(related=True, turns=True)
    (shown,) = memories.excerpts(results.hits)
    assert shown.question == "why is the boiler slow?"
    assert shown.verdict == "Done"
    assert "waits for the pump's relay" in shown.passage


def test_the_first_hit_shows_the_most_and_none_cuts_a_sentence(store: Store, session: Session) -> None:
    for turn in (1, 2):
        said = " ".join(
            f"The boiler's {turn}{place}{place} valve number{place * 7} waits for pump{place * 3}x{turn}."
            for place in range(200)
        )
        ask(store, session, turn, f"look at the boiler {turn}", said, "Done")
    memories = store.find("why does the boiler wait for a pump")
    results = memories.page(related=True, turns=True)
    first, second = (sum(map(len, shown)) for shown in memories.excerpts(results.hits))
    assert ALL < first <= ALL_OF_FIRST + LONGEST
    assert second <= ALL + LONGEST
    for shown in memories.excerpts(results.hits):
        assert all(line.endswith(".") for line in shown.passage.splitlines())


def test_what_is_shown_of_a_chinese_turn_holds_what_is_asked(store: Store, session: Session) -> None:
    filler = "".join(f"第{number}步没有变化。" for number in range(200))
    ask(store, session, 1, "检查锅炉", f"{filler}循环水泵的继电器太慢。{filler}", "好了")
    memories = store.find("继电器为什么慢")
    results = memories.page(related=True, turns=True)
    (shown,) = memories.excerpts(results.hits)
    assert shown.passage.startswith("循环水泵的继电器太慢。")


def test_room_that_is_left_shows_what_stands_beside_the_sentences_that_match(
    store: Store, session: Session
) -> None:
    said = "The boiler is slow. Its relay sticks.\nNobody ordered a new one."
    ask(store, session, 1, "look at the cellar", said, "Done")
    memories = store.find("why is the boiler so slow")
    results = memories.page(related=True, turns=True)
    (shown,) = memories.excerpts(results.hits)
    assert shown.passage.splitlines() == ["The boiler is slow.", "Its relay sticks."]
