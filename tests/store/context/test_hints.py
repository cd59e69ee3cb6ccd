"""At a prompt a session is told the passage of the turn that answers it, or nothing."""

from memtui.store import Store
from memtui.store.context.hints import PROMPT_TOKENS, prompt_context
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
