"""What a turn's prompts and its reply hold true becomes facts, with the rows as evidence."""

from __future__ import annotations

from memtui.store import Store
from memtui.store.observe.jobs.job import process
from tests.store.observe.turns import FIX, TEST, take_turn


def test_a_turn_s_end_stores_what_its_reply_holds_true(store: Store) -> None:
    session = take_turn(store, FIX, reply="We decided to use a leeway of 60 seconds.")
    process(store, None)
    (fact,) = store.facts.list()
    assert "leeway of 60 seconds" in fact.content
    (detailed,) = (one for one in store.summaries.of_session(session) if one.level == "detailed")
    assert (fact.project, fact.evidence) == (session.project, (detailed.uid,))


def test_a_turn_that_is_processed_again_makes_no_fact_surer(store: Store) -> None:
    take_turn(store, FIX, prompt="Always use UTC for timestamps.", reply="Done.")
    process(store, None)
    (before,) = store.facts.list()
    take_turn(store, TEST, prompt="go on", reply="Done.")
    process(store, None)
    assert store.facts.list() == [before]


def test_the_reply_to_a_hidden_prompt_holds_nothing_true(store: Store) -> None:
    session = take_turn(store, FIX, reply="We decided to use a leeway of 60 seconds.")
    (asked,) = store.prompts.of_session(session)
    store.prompts.delete(asked)
    process(store, None)
    assert store.facts.list() == []
