"""Prompts are numbered within their session, whose first one they are."""

import pytest

from memtui.store import InvalidRecordError, NotFoundError, Store
from tests.store.undoing import undone


def test_prompts_are_numbered_in_their_session(store: Store) -> None:
    session = store.sessions.start("c-1")
    numbers = [store.prompts.add(session, text).prompt_number for text in ("a", "b", "c")]
    assert numbers == [1, 2, 3]
    assert store.prompts.add("c-2", "other").prompt_number == 1
    assert store.sessions.get(session.id).prompt_counter == 3


def test_a_given_number_is_kept_and_counted_on_from(store: Store) -> None:
    assert store.prompts.add("c-1", "later", prompt_number=7).prompt_number == 7
    assert store.prompts.add("c-1", "earlier", prompt_number=3).prompt_number == 3
    assert store.prompts.add("c-1", "next").prompt_number == 8


def test_a_prompt_of_an_unknown_session_makes_it(store: Store) -> None:
    prompt = store.prompts.add("c-9", "why?", agent="codex", project="atlas")
    session = store.sessions.get("c-9")
    assert (prompt.session_id, session.agent, session.project) == (session.id, "codex", "atlas")


def test_an_unknown_session_number_is_not_made(store: Store) -> None:
    with pytest.raises(NotFoundError):
        store.prompts.add(99, "why?")
    with pytest.raises(NotFoundError):
        store.prompts.add("@99", "why?")
    assert store.sessions.count() == 0


def test_a_session_remembers_its_first_prompt(store: Store) -> None:
    store.prompts.add("c-1", "first")
    store.prompts.add("c-1", "second")
    assert store.sessions.get("c-1").first_prompt == "first"


def test_a_session_never_remembers_a_hidden_prompt(store: Store) -> None:
    store.prompts.add("c-1", "secret", private=True)
    assert store.sessions.get("c-1").first_prompt is None
    first, second = (store.prompts.add("c-1", text, at=1_000) for text in ("first", "second"))
    store.prompts.set_private(first)
    assert store.sessions.get("c-1").first_prompt == "second"
    store.prompts.delete(second)
    assert store.sessions.get("c-1").first_prompt is None
    assert undone(store) == f"prompt p{second.id} deleted"
    assert undone(store) == f"prompt p{first.id} hidden"
    assert store.sessions.get("c-1").first_prompt == "first"


def test_a_first_prompt_that_was_told_otherwise_stays(store: Store) -> None:
    store.sessions.start("c-1", first_prompt="as its agent tells")
    prompt = store.prompts.add("c-1", "first")
    store.prompts.delete(prompt)
    assert store.sessions.get("c-1").first_prompt == "as its agent tells"


def test_prompts_of_a_session_and_recent_ones(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    late = store.prompts.add(session, "late", at=3_000)
    early = store.prompts.add(session, "early", at=1_000)
    hidden = store.prompts.add(session, "hidden", at=2_000, private=True)
    other = store.prompts.add("c-2", "other", at=4_000)
    assert store.prompts.of_session(session) == [early, late]
    assert store.prompts.of_session(session.id) == [early, late]
    assert store.prompts.recent() == [other, late, early]
    assert store.prompts.recent("atlas", limit=1) == [late]
    assert store.prompts.get("p3") == store.prompts.get(3) == store.prompts.get(hidden.uid)


def test_a_prompt_needs_a_text(store: Store) -> None:
    with pytest.raises(InvalidRecordError):
        store.prompts.add("c-1", None)  # type: ignore[arg-type]
    assert store.sessions.count() == 0
