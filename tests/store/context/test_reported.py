"""What sessions are told of memories that were reported wrong: it says so, and the rest stays as it is."""

from __future__ import annotations

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.hints import prompt_context
from memtui.store.context.preview import preview


def test_what_is_reported_wrong_is_marked_and_nothing_else(store: Store) -> None:
    store.facts.add("Tokens live 24 h", project="atlas")
    store.facts.add("Retries wait a second", project="atlas")
    store.observations.add("c-1", title="Trust the clock", type="decision", project="atlas")
    before = compose(store.db, "atlas", nonce="0").text
    assert "reported wrong" not in before
    fact, decision = store.facts.get(1), store.observations.get(1)
    store.reporting.report(fact, "wrong", "no longer")
    store.reporting.report(decision, "wrong", "", "codex")
    store.reporting.report(store.facts.get(2), "useful")
    text = compose(store.db, "atlas", nonce="0").text
    marked = [line for line in text.split("\n") if "(reported wrong)" in line]
    assert [line.split()[1] for line in marked] == ["1", "f1"]
    assert marked[1] == "- f1 (reported wrong) Tokens live 24 h (100%)"
    assert text.replace(" (reported wrong)", "") == before
    assert preview(store, "atlas", nonce="0").text == text


def test_a_prompt_is_answered_with_the_mark(store: Store) -> None:
    store.sessions.start("c-1", agent="codex", project="atlas")
    store.observations.add(
        "c-1", title="Leases of workers end at midnight", type="decision", project="atlas"
    )
    store.reporting.report(store.observations.get(1), "wrong")
    told = prompt_context(store.db, "atlas", "when do leases of workers end?", "codex", "c-2").text
    assert "- 1 (reported wrong) " in told
