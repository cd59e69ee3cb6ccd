"""At a prompt a session is told the passage of the turn that answers it, or nothing."""

import json

import pytest

from memtui.store import Store
from memtui.store.context.hints import PROMPT_TOKENS, prompt_context
from memtui.store.context.scope import Profile, save_profile
from memtui.store.text.tokens import estimate_tokens

ASKED = "which relay does the boiler's pump wait for?"


def ask(store: Store, number: int, prompt: str, *said: str) -> None:
    """Store a turn of an earlier session."""
    session = store.sessions.start("c-1", project="atlas")
    store.prompts.add(session, prompt, prompt_number=number)
    for text in said:
        store.observations.add(
            session, title=text[:60], narrative=text, tool_name="reply", prompt_number=number
        )


def told(store: Store, prompt: str, project: str = "atlas") -> str:
    return prompt_context(store.db, project, prompt, "codex", "c-2").text


def test_a_prompt_is_told_what_was_asked_what_came_of_it_and_the_sentences_that_answer(
    store: Store,
) -> None:
    filler = " ".join(f"Step {number} changed valve{number} alone." for number in range(20))
    ask(
        store,
        1,
        "look at the boiler",
        f"{filler} The pump waits for the north relay. {filler}",
        "It is mended.",
    )
    ask(store, 2, "paint the fence", "The fence is green.")
    text = told(store, ASKED)
    assert "look at the boiler" in text and "It is mended." in text
    assert "The pump waits for the north relay." in text
    assert "fence" not in text
    assert estimate_tokens(text) <= PROMPT_TOKENS
    assert told(store, ASKED, "other") == ""


def test_what_was_only_asked_before_tells_nothing(store: Store) -> None:
    ask(store, 1, ASKED)
    ask(store, 2, "paint the fence", "The fence is green.")
    assert told(store, ASKED) == ""


@pytest.mark.parametrize("kept_from_agents", ["left out", "of another project", "taken back"])
def test_a_turn_tells_only_the_memory_where_agents_may_not_be_told_another_of_it(
    store: Store, kept_from_agents: str
) -> None:
    ask(store, 1, "look at the boiler of Zeta", "The boiler's pump waits for the north relay.")
    session = store.sessions.start("c-1", project="atlas")
    is_elsewhere = kept_from_agents == "of another project"
    last = store.observations.add(
        session,
        title="Zeta pays",
        narrative="Zeta pays for the relay.",
        tool_name="reply",
        prompt_number=1,
        project="zeta" if is_elsewhere else "atlas",
    )
    assert is_elsewhere or "Zeta" in told(store, ASKED)
    if kept_from_agents == "left out":
        save_profile(store, "atlas", Profile(left_out=("p1", str(last.id))))
    elif kept_from_agents == "taken back":
        store.prompts.write_columns([1], {"extra": json.dumps({"taken_back": 1})})
        store.observations.write_columns([last.id], {"extra": json.dumps({"taken_back": 1})})
    text = told(store, ASKED)
    assert "north relay" in text and "Zeta" not in text
