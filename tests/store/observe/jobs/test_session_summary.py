"""A session's summary goes on with its turns: nothing that counts is lost, and nothing is said twice."""

import itertools
import json

import pytest

from memtui.store import Store, Summary
from memtui.store.config import ModelSettings
from memtui.store.context.block import compose
from memtui.store.observe.jobs.job import process
from tests.store.observe.scripted_model import good, said
from tests.store.observe.turns import FIX, take_turn
from tests.store.scripted_server import ScriptedServer

FOUND = """Fixed the drift.

## Root cause
The clock was set back because the zone was read twice.

## Changes
- Changed `clock.py` to read the zone once

## Next steps
- Deploy the collector to staging
- Document the flag in the manual
"""
CONFIGURABLE = "Made the interval configurable by `CLOCK_INTERVAL`."


def both(store: Store, session: str = "c-1") -> tuple[Summary, Summary]:
    """The brief and the detailed level of a session's summary."""
    number = store.sessions.get(session).id
    brief, detailed = store.summaries.where("session_id = ? ORDER BY level", (number,))
    assert (brief.level, detailed.level) == ("brief", "detailed")
    return brief, detailed


def told(store: Store, session: str = "c-1") -> tuple[str | None, ...]:
    return tuple(
        text
        for level in both(store, session)
        for text in (level.request, level.learned, level.completed, level.next_steps)
    )


def test_a_short_second_turn_keeps_the_cause_the_work_and_the_steps_of_the_first(store: Store) -> None:
    take_turn(store, FIX, "git commit -qm 'fix: read the zone once'", reply=FOUND, at=1_000)
    process(store, None)
    take_turn(store, prompt="make the interval configurable", reply=CONFIGURABLE, at=2_000)
    process(store, None)
    brief, detailed = both(store)
    assert detailed.request == "- why does the clock drift?\n- make the interval configurable"
    assert detailed.learned == "The clock was set back because the zone was read twice."
    for part in ("read the zone once", "CLOCK_INTERVAL"):
        assert part in (detailed.completed or "")
    assert detailed.next_steps == ("- Deploy the collector to staging\n- Document the flag in the manual")
    assert "zone was read twice" in (brief.learned or "")
    assert "CLOCK_INTERVAL" in (brief.completed or "")


def test_a_decision_that_was_taken_otherwise_later_is_learned_and_told(store: Store) -> None:
    for at, base in enumerate(("Redis", "Postgres"), 1):
        reply = f"I decided to store the session tokens in {base} because all instances share it."
        take_turn(store, prompt="no, not that" if at > 1 else "where?", reply=reply, at=at * 1_000)
    process(store, None)
    learned = both(store)[1].learned or ""
    assert learned.index("Redis") < learned.index("Postgres")
    project = store.sessions.get("c-1").project
    assert "in Postgres" in compose(store.db, project).text


def test_a_line_that_is_said_again_is_told_as_it_was_said_last(store: Store) -> None:
    for at, line in enumerate(
        ("Moved the token refresh to the gateway", "The token refresh was moved to the gateway service"), 1
    ):
        take_turn(store, prompt=f"go on {at}", reply=f"## Changes\n- {line}", at=at * 1_000)
    process(store, None)
    assert both(store)[1].completed == "The token refresh was moved to the gateway service"


@pytest.mark.parametrize(
    "reply",
    ["Deployed the collector to staging.", "- I have deployed the collector to staging\n- and more"],
)
def test_what_a_later_turn_did_is_struck_from_the_next_steps(store: Store, reply: str) -> None:
    take_turn(store, reply=FOUND, at=1_000)
    take_turn(store, prompt="deploy it", reply=reply, at=2_000)
    process(store, None)
    assert both(store)[1].next_steps == "Document the flag in the manual"


def test_a_commit_answers_that_something_is_ready_to_be_committed(store: Store) -> None:
    take_turn(store, reply="Fixed it. The changes are ready to be committed.", at=1_000)
    process(store, None)
    assert both(store)[1].next_steps == "The changes are ready to be committed."
    take_turn(store, "git commit -m 'Fix it'", prompt="commit it", reply="", at=2_000)
    take_turn(store, prompt="and now?", reply="Nothing is left.", at=3_000)
    process(store, None)
    assert both(store)[1].next_steps is None


def test_an_open_question_stands_until_the_user_spoke_again(store: Store) -> None:
    question = "Which approach do you prefer: a flag or a variable?"
    take_turn(store, reply=f"Both work. {question}", at=1_000)
    process(store, None)
    assert both(store)[1].next_steps == f"Open question: {question}"
    take_turn(store, prompt="a flag", reply="Added the flag `--interval`.", at=2_000)
    process(store, None)
    assert both(store)[1].next_steps is None


def test_what_was_asked_last_is_left_until_its_turn_ends(store: Store) -> None:
    take_turn(store, reply="It is fixed.", at=1_000)
    take_turn(store, prompt="document the collector", reply="", at=2_000)
    process(store, None)
    assert both(store)[1].next_steps == "Asked, not answered: document the collector"


TURNS = (
    ("why does the clock drift?", FOUND),
    ("make the interval configurable", CONFIGURABLE),
    ("and in Windows?", "We decided to support Windows later because its zones differ."),
)


def test_turns_give_the_same_summary_in_any_order_and_however_often(store: Store) -> None:
    for place, order in enumerate(itertools.permutations(range(3))):
        session = f"c-{place}"
        for number, (prompt, _) in enumerate(TURNS, start=1):
            take_turn(store, session=session, prompt=prompt, reply="", at=number * 1_000)
        for number in (*order, order[0]):
            _, reply = TURNS[number]
            queue_turn(store, session, number + 1, reply)
            process(store, None)
    first, *others = [told(store, f"c-{place}") for place in range(6)]
    assert "We decided to support Windows later" in str(first)
    assert {*others} == {first}


def queue_turn(store: Store, session: str, number: int, reply: str) -> int:
    store.db.execute("DELETE FROM pending_messages WHERE event_id = ?", (f"{session}-{number}",))
    return store.pending.add(
        session,
        "summary",
        last_assistant_message=reply,
        prompt_number=number,
        event_id=f"{session}-{number}",
        at=number * 1_000 + 500,
    )


def test_a_prompt_that_is_hidden_takes_its_turn_out_of_the_summary(store: Store) -> None:
    take_turn(store, reply=FOUND, at=1_000)
    process(store, None)
    take_turn(store, prompt="canary?", reply="It fails because of the canary.", at=2_000)
    process(store, None)
    assert "canary" in str(told(store))
    (hidden,) = store.prompts.where("text = 'canary?'")
    store.prompts.set_private(hidden)
    take_turn(store, prompt="make the interval configurable", reply=CONFIGURABLE, at=3_000)
    process(store, None)
    assert "canary" not in str(both(store))
    assert "zone was read twice" in str(told(store))


@pytest.mark.long
def test_a_long_session_keeps_its_first_request_its_causes_and_its_decisions(store: Store) -> None:
    take_turn(store, reply=FOUND, at=1_000)
    decided = "We decided to keep the old protocol for readers."
    take_turn(store, prompt="which protocol?", reply=decided, at=2_000)
    for number in range(3, 60):
        details = "\n".join(f"- Added part {number} of piece {n} to file{n}.py" for n in range(9))
        take_turn(store, prompt=f"build part {number}", reply=details, at=number * 1_000)
    while process(store, None).messages:
        pass
    brief, detailed = both(store)
    assert (detailed.request or "").startswith("- why does the clock drift?\n")
    assert (brief.request or "").startswith("why does the clock drift?")
    assert "zone was read twice" in (detailed.learned or "")
    assert decided in (detailed.learned or "")
    assert (detailed.completed or "").startswith("- Fixed the drift.\n")
    assert "part 59" in (detailed.completed or "")
    assert sum(len(text or "") for text in told(store)) < 8_000
    assert len(detailed.extra or "") < 40_000


def test_a_models_summary_is_merged_with_the_rules_lines_it_left_empty(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    server.answers = lambda body: said(good(body))
    take_turn(store, FIX, reply=FOUND)
    process(store, settings)
    brief, detailed = both(store)
    assert json.loads(detailed.extra or "")["observer"].startswith("model ")
    assert (detailed.request, detailed.completed) == ("stop the drift", "it is stopped")
    for level in (brief, detailed):
        assert "zone was read twice" in (level.learned or "")
        assert "Deploy the collector" in (level.next_steps or "")
