"""A rule that its user says again is one fact; what breaks it after it was told is noted on it."""

from __future__ import annotations

import pytest

from memtui.store import Fact, Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.context.broken_rules import broken_rules, rule_use
from memtui.store.context.log import append_log_entry
from memtui.store.context.wrapper import Context
from memtui.store.observe.jobs.findings import correct_facts
from memtui.store.observe.jobs.job import process
from memtui.store.records.events import Event
from tests.store.observe.turns import take_turn

RULE = "Use pnpm, never npm"
HOUR = 3_600_000
BEGAN = 1_772_000_000_000
NPM, PNPM = "npm install date-fns", "pnpm add date-fns"


class Work:
    """Turns in sessions of one project, an hour apart."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.at = BEGAN

    def turn(self, session: str, prompt: str, *commands: str, reply: str = "Done.") -> None:
        self.at += HOUR
        take_turn(self.store, *commands, session=session, prompt=prompt, reply=reply, at=self.at)
        process(self.store, None)

    def start(self, session: str, *refs: str) -> None:
        """A session that is told memories at its start."""
        self.at += HOUR
        event = Event(kind="session_start", agent="codex", session=session, cwd="/srv/atlas")
        ingest_event(self.store, event, "hook", at=self.at)
        append_log_entry(self.store.db, "codex", session, "atlas", Context("x", list(refs)))
        self.store.db.execute("UPDATE given_contexts SET at = ? WHERE session = ?", (self.at, session))

    @property
    def rule(self) -> Fact:
        (fact,) = self.store.facts.list()
        return fact

    @property
    def broken(self) -> list[str]:
        return [row.title for row in rule_use(self.store, self.rule).turns]


@pytest.fixture
def work(store: Store) -> Work:
    """A rule that was said in a first session, after it could be broken."""
    work = Work(store)
    work.turn("c-1", "add date-fns", NPM)
    work.turn("c-1", RULE, PNPM)
    return work


def test_a_correction_that_is_said_four_times_is_one_fact(work: Work) -> None:
    for number, said in enumerate(
        (
            "Use pnpm please, never npm",
            "I told you: use pnpm, not npm!",
            "don't run npm install, we use pnpm here",
        )
    ):
        work.turn(f"s-{number}", "add a picker", "git status")
        work.turn(f"s-{number}", said, PNPM)
    assert work.rule.content == RULE
    assert rule_use(work.store, work.rule).said == 4
    assert len(work.store.facts.sources_of(work.rule)) == 4


def test_what_was_done_before_it_was_said_breaks_nothing(work: Work) -> None:
    assert work.broken == []
    # Nor does a session that was not told it.
    work.turn("c-2", "add lodash", "npm install lodash")
    assert work.broken == []


def test_a_command_breaks_a_rule_that_the_start_told(work: Work) -> None:
    work.start("c-2", "f1")
    work.turn("c-2", "add a date picker", "cd web && npm install picker", "git diff")
    work.turn("c-2", "I told you: use pnpm, not npm!", PNPM)
    # The complaint is of the same break.
    assert work.broken == ["cd web && npm install picker"]
    use = rule_use(work.store, work.rule)
    assert (use.said, use.told) == (2, 1)


def test_a_command_breaks_a_rule_that_an_earlier_turn_told(work: Work) -> None:
    work.turn("c-1", "add lodash", "npm install lodash")
    assert work.broken == ["npm install lodash"]


def test_what_its_user_asks_for_breaks_nothing(work: Work) -> None:
    work.turn("c-1", "publish it with npm", "npm publish")
    assert work.broken == []
    work.turn("c-1", "add it with pnpm", "npm install lodash")
    assert work.broken == ["npm install lodash"]


def test_a_complaint_alone_breaks_a_rule(work: Work) -> None:
    work.turn("c-2", "I told you: use pnpm, not npm!", PNPM)
    assert work.broken == ["I told you: use pnpm, not npm!"]


def test_a_rule_said_again_first_thing_is_a_habit_and_later_an_answer(work: Work) -> None:
    work.start("c-2", "f1")
    work.turn("c-2", "Use pnpm please, never npm", "git status")
    assert work.broken == []
    work.turn("c-2", "use pnpm, not npm", "git diff")
    assert work.broken == ["use pnpm, not npm"]
    # A prompt that is sent again, or states a task first, says nothing of the agent.
    work.turn("c-2", "use pnpm, not npm", "git log")
    work.turn("c-2", "Add the map. Use pnpm, never npm.", "git log")
    assert len(work.broken) == 1


def test_who_begins_every_task_with_a_rule_accuses_nobody(store: Store) -> None:
    work = Work(store)
    for task in ("Add a login page", "Now add a logout page", "Now the tests"):
        work.turn("c-1", f"{RULE}. {task}.", PNPM)
    assert work.broken == []
    work.turn("c-1", f"{RULE}!", PNPM)
    assert work.broken == [f"{RULE}!"]


def test_a_reply_breaks_what_forbids_its_words(store: Store) -> None:
    work = Work(store)
    store.facts.add('Never say "you are absolutely right"', project="atlas", at=BEGAN)
    work.start("c-1", "f1")
    work.turn(
        "c-1", "why is it slow?", "git log", reply="You are absolutely right. The cache was never warm."
    )
    assert len(work.broken) == 1


def test_hidden_breaks_are_not_told_and_filters_find_the_rest(work: Work) -> None:
    work.turn("c-1", "add lodash", "npm install lodash")
    store = work.store
    assert [row.ref for row in store.find("is:broken").rows(0, 9)] == ["f1"]
    assert [row.ref for row in store.find("kind:fact -is:broken").rows(0, 9)] == []
    (use,) = broken_rules(store, "atlas")
    store.observations.delete(store.observations.get(use.turns[0].record_id))
    assert broken_rules(store) == []


def test_a_rule_that_is_superseded_counts_no_more(work: Work) -> None:
    work.turn("c-1", "add lodash", "npm install lodash")
    work.store.supersede_by_text("f1", "Use npm")
    assert broken_rules(work.store) == [] and work.store.find("is:broken").rows(0, 9) == []


def test_a_turn_that_is_processed_again_notes_nothing_twice(work: Work) -> None:
    work.turn("c-1", "add lodash", "npm install lodash")
    before = work.rule
    work.turn("c-1", "go on", "git status")
    assert work.rule == before


def test_what_somebody_added_is_no_models_to_delete(store: Store) -> None:
    added = store.facts.add(RULE, project="atlas")
    Work(store).turn("c-1", f"I told you: {RULE}")
    session = store.sessions.get("c-1")
    (fact,) = (fact for fact in store.facts.list() if fact.id == added.id)
    assert fact.evidence
    correct_facts(store, session, 1, (), {added.id})
    assert store.facts.get(added.id).deleted_at is None


def test_a_rule_that_holds_everywhere_is_one_fact_wherever_it_is_said_again(store: Store) -> None:
    added = store.facts.add(RULE)
    Work(store).turn("c-1", f"I told you: {RULE}")
    assert [(fact.id, fact.project) for fact in store.facts.list()] == [(added.id, "")]
    assert len(store.facts.sources.of(added.id)) == 2
