"""The last session is told as its turns: what was asked, and what the agent's last words on it were."""

import pytest

from bench.lists import worked
from memtui.store import Store
from memtui.store.context.block import compose

HOUR = 3_600_000


def add_turn(
    store: Store,
    session: str,
    number: int,
    question: str,
    *replies: str,
    at: int = 0,
    type: str = "finding",
) -> None:
    moment = at + number * 60_000
    row = store.sessions.start(session, agent="codex", project="atlas", at=at)
    store.prompts.add(row, question, at=moment)
    for place, reply in enumerate(replies):
        store.observations.add(
            row, title=reply.split(". ")[0], narrative=reply, type=type, tool_name="reply",
            prompt_number=number, project="atlas", at=moment + 1 + place,
        )  # fmt: skip


def told(store: Store, budget: int = 1_500) -> str:
    return compose(store.db, "atlas", budget=budget).text


def section(text: str, name: str) -> list[str]:
    """The lines of a section of a context."""
    lines = text.split(f"## {name}\n")[1].split("\n## ")[0].split("\n")
    return [line for line in lines if not line.startswith("<")]


def test_each_turn_is_told_by_its_question_and_its_last_reply_in_their_order(store: Store) -> None:
    add_turn(
        store, "c-1", 1, "Why does the ferry sail late?",
        "Looking at the tide table first.", "The tide table is an hour off. It ignores summer time.",
    )  # fmt: skip
    add_turn(store, "c-1", 2, "Mend it", "The table reads the zone of the harbour now.")
    assert section(told(store), "The last session") == [
        "- 2 “Why does the ferry sail late?”: The tide table is an hour off. It ignores summer time.",
        "- 3 “Mend it”: The table reads the zone of the harbour now.",
    ]


def test_what_answered_before_the_last_reply_of_a_turn_is_told_too(store: Store) -> None:
    add_turn(
        store, "c-1", 1, "Why was nothing compared?",
        "It compared the branch to itself.", "The next run found two.", type="answer",
    )  # fmt: skip
    assert section(told(store), "The last session") == [
        "- 2 “Why was nothing compared?”: It compared the branch to itself. The next run found two."
    ]


def test_what_a_reply_offers_is_told_unless_the_user_went_on_with_something_else(store: Store) -> None:
    add_turn(store, "c-1", 1, "Count the boats", "There are twelve boats. Want me to paint them?")
    add_turn(store, "c-1", 2, "Count the buoys", "There are nine buoys. Shall I count the gulls?")
    add_turn(store, "c-1", 3, "yes", "There are forty gulls. Would you like me to feed them?")
    assert section(told(store), "The last session") == [
        "- 1 “Count the boats”: There are twelve boats.",
        "- 2 “Count the buoys”: There are nine buoys. Shall I count the gulls?",
        "- 3 “yes”: There are forty gulls. Would you like me to feed them?",
    ]


def test_a_question_without_an_answer_is_told_and_one_that_only_goes_on_is_not(store: Store) -> None:
    add_turn(store, "c-1", 1, "Count the boats", "There are twelve boats in the harbour today.")
    add_turn(store, "c-1", 2, "ok, go on")
    add_turn(store, "c-1", 3, "And the buoys, how many are there?")
    lines = section(told(store), "The last session")
    assert [line.split(" ")[1] for line in lines] == ["1", "p3"]


def test_a_session_in_which_nothing_was_answered_hides_none_before_it(store: Store) -> None:
    add_turn(store, "c-1", 1, "Count the boats", "There are twelve boats in the harbour today.")
    add_turn(store, "c-2", 1, "hi", at=HOUR)
    assert "twelve boats" in section(told(store), "The last session")[0]


def test_room_is_shared_evenly_so_that_a_long_reply_takes_none_of_the_others(store: Store) -> None:
    story = "\n".join(f"Mast {number} is {number} metres tall and of oak." for number in range(70))
    add_turn(store, "c-1", 1, "Tell of the masts", f"{story}\nThe last one broke in the storm.")
    for number in range(2, 6):
        add_turn(
            store, "c-1", number, f"And sail {number}, how is it?",
            f"Sail {number} is torn. " * 3 + f"Sail {number} needs a new seam of {number} cm.",
        )  # fmt: skip
    text = told(store, budget=700)
    for number in range(2, 6):
        assert f"Sail {number} needs a new seam of {number} cm." in text
    # Of what is cut its beginning and its end are told.
    assert "Mast 0 is 0 metres" in text and "The last one broke in the storm." in text
    assert "Mast 50 is" not in text


def test_what_was_hidden_is_in_no_turn(store: Store) -> None:
    add_turn(store, "c-1", 1, "Count the boats", "There are twelve boats in the harbour today.")
    add_turn(store, "c-1", 2, "Where is the key?", "The key hangs behind the third door.")
    store.observations.set_private(store.observations.get(2))
    text = told(store)
    assert "twelve boats" in text and "third door" not in text


@pytest.mark.parametrize(("budget", "says"), [(500, True), (20_000, False)])
def test_what_had_no_room_is_named_by_the_command_that_tells_it(
    store: Store, budget: int, says: bool
) -> None:
    for number in range(1, 9):
        add_turn(
            store, "c-1", number, f"How tall is mast {number}?",
            " ".join(f"Part {number}.{part} measures {part} metres." for part in range(40)),
        )  # fmt: skip
    text = told(store, budget)
    assert (f"context --budget {4 * budget}` tells more." in text) is says


def test_what_the_summary_of_the_last_session_says_once_more_is_left_out_and_the_rest_is_told(
    store: Store,
) -> None:
    said = "The tide table is an hour off because it ignores summer time."
    add_turn(store, "c-1", 1, "Why does the ferry sail late?", said)
    store.summaries.add(
        "c-1", agent="codex", request="Why does the ferry sail late?", learned=said,
        next_steps="Print the new table", project="atlas", at=90_000,
    )  # fmt: skip
    text = told(store)
    assert text.count("an hour off") == 1 and text.count("Why does the ferry") == 1
    assert "Left: Print the new table" in text


def test_a_memory_of_which_nothing_new_is_left_takes_no_line(store: Store) -> None:
    said = "The tide table is an hour off because it ignores summer time."
    add_turn(store, "c-1", 1, "Why does the ferry sail late?", said)
    store.observations.add("c-2", title=said, type="finding", tool_name="reply", project="atlas", at=1)
    store.summaries.add("c-1", agent="codex", request="Why?", learned=said, project="atlas", at=2)
    text = told(store)
    assert text.count("\n- ") == 1


def test_sessions_of_other_projects_are_not_read_for_the_last_one(store: Store) -> None:
    def steps() -> int:
        with worked(store.db) as work:
            told(store)
        return work.steps

    add_turn(store, "s-1", 1, "why does the clock drift?", "The root cause was the leap table.")
    few = steps()
    for number in range(300):
        store.sessions.start(f"other-{number}", agent="codex", project="other", at=number)
    assert steps() < few + 300
