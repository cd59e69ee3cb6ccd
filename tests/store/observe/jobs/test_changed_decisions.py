"""A decision that a user changes later takes the place of the one before it, and contexts tell so."""

from __future__ import annotations

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.maintain.duplicates.candidates import candidates
from memtui.store.observe.jobs.findings import store_facts
from memtui.store.tables.fact_sources import taken_by

DAY = 86_400_000
FIRST = 1_700_000_000_000


def talk(store: Store, name: str, day: int, *turns: tuple[str, str]) -> None:
    """A session of prompts and replies, and what its user decided in it."""
    at = FIRST + day * DAY
    session = store.sessions.start(name, agent="codex", project="atlas", at=at)
    for number, (prompt, reply) in enumerate(turns, start=1):
        moment = at + number * 60_000
        store.prompts.add(session, prompt, at=moment)
        store.observations.add(
            session, title=reply, type="finding", tool_name="reply", prompt_number=number,
            project="atlas", at=moment + 1_000,
        )  # fmt: skip
    store_facts(store, session)


def holding(store: Store) -> list[str]:
    return [fact.content for fact in store.facts.list(project="atlas", is_current=True)]


def test_what_a_user_changes_supersedes_what_was_decided_before(store: Store) -> None:
    talk(
        store, "c-1", 0, ("ferry timetable: the ferry leaves too early", "It leaves at six."),
        ("let it wait, 20 minutes, the harbour agreed", "The ferry waits 20 minutes now."),
    )  # fmt: skip
    talk(store, "c-2", 9, ("paint the lamp house", "Done."), ("red paint, always", "It is red."))
    talk(
        store, "c-3", 30,
        ("ferry timetable: 20 minutes are too long. from today the ferry leaves after 5 minutes",
         "The ferry leaves after 5 minutes."),
    )  # fmt: skip
    assert "Red paint, always" in holding(store)
    assert not any("20 minutes, the harbour" in one for one in holding(store))
    text = compose(store.db, "atlas", relevant=["2"]).text
    assert "was until 14 Dec: Let it wait, 20 minutes, the harbour agreed" in text
    assert "- 2 (no longer holds) " in text


def test_a_new_limit_supersedes_the_one_before(store: Store) -> None:
    talk(
        store, "c-1", 0, ("ferry deck load: cars stand too close", "Shall I set a limit?"),
        ("20 items per deck and no more", "The deck takes 20 items."),
    )  # fmt: skip
    talk(
        store, "c-2", 30,
        ("ferry deck load: the new deck is in. raise the limit of the deck to 30 items from Monday on",
         "The limit is 30 items."),
    )  # fmt: skip
    assert holding(store) == ["Raise the limit of the deck to 30 items from Monday on"]


def test_what_another_subject_changes_supersedes_nothing(store: Store) -> None:
    talk(
        store,
        "c-1",
        0,
        ("the ferry is late", "It is."),
        ("two ropes for each boat, always", "Two ropes."),
    )
    talk(store, "c-2", 5, ("paint the lamp house, from today it is painted red", "It is red."))
    assert "Two ropes for each boat, always" in holding(store)


def test_a_decision_that_was_reinstated_stays_so_when_its_session_is_read_again(
    store: Store,
) -> None:
    talk(store, "c-1", 0, ("mast wood: which one?", "Oak or pine?"), ("oak masts, always", "Oak."))
    turn = ("mast wood: change it, pine masts from now on: they are cheaper", "Pine.")
    talk(store, "c-2", 5, turn)
    (old,) = [one for one in store.facts.list(project="atlas") if one.content.startswith("Oak")]
    if old.superseded_by:
        store.superseding.reinstate(old)
    store_facts(store, store.sessions.get(2))
    assert store.facts.get(old.id).superseded_by is None


def test_what_was_given_up_only_repeats_or_remarks_on_a_log_is_told_to_nobody(store: Store) -> None:
    log = "WARN mast host=1\n" * 9
    talk(
        store,
        "c-1",
        0,
        ("try a steel mast", "I took a steel mast; it was too heavy, so I removed it."),
    )
    talk(store, "c-2", 1, ("the sails", "Torn sail. Torn sail. Torn sail. Torn sail."))
    talk(store, "c-3", 2, (f"output:\n{log}", "I see the same mast line nine times."))
    talk(store, "c-4", 3, ("where are the oars?", "The oars lie under the pier."))
    talk(store, "c-5", 4, ("hoist the flag", "The flag is up on the northern tower."))
    text = compose(store.db, "atlas", relevant=["1"]).text
    assert "under the pier" in text and "northern tower" in text
    for loud in ("steel mast", "Torn sail", "nine times"):
        assert loud not in text


def test_what_may_have_been_changed_is_offered_and_still_holds(store: Store) -> None:
    talk(
        store, "c-1", 0, ("ferry timetable of the western pier: when does it leave?", "At six."),
        ("two hours between boats, always", "Noted."),
    )  # fmt: skip
    talk(
        store, "c-2", 9,
        ("from today the boatman of the ferry waits at the pier for the mail coach", "He waits."),
    )  # fmt: skip
    assert "Two hours between boats, always" in holding(store)
    (offered,) = candidates(store)
    assert (offered.is_replacement, offered.why) == (True, "a later decision")
    earlier, later = (store.facts.get(one) for one in offered.refs)
    store.supersede(earlier.uid, later.uid)
    assert [*candidates(store)] == []


def test_a_decision_tells_who_took_it(store: Store) -> None:
    talk(
        store, "c-1", 0,
        ("the mast is rotten", "It is. I recommend a mast of pine, which is lighter."),
        ("ok, do it", "The mast is of pine now."),
        ("white sails, always", "They are white."),
    )  # fmt: skip
    takers = {fact.content: taken_by(fact.extra) for fact in store.facts.list(project="atlas")}
    assert takers == {
        "A mast of pine, which is lighter": "agreed",
        "White sails, always": "user",
    }
    talk(store, "c-2", 1, ("paint the lamp house", "It is red."))
    text = compose(store.db, "atlas").text
    assert "which is lighter (65%, user agreed)" in text
    assert "White sails, always (80%, user)" in text


def test_what_nobody_said_again_for_long_is_told_after_what_was(store: Store) -> None:
    talk(store, "c-1", 0, ("white sails, always", "Yes."), ("oak masts, always", "Yes."))
    talk(store, "c-2", 150, ("we don't need oars on this boat", "No oars."))
    talk(store, "c-3", 160, ("white sails, always", "Yes."))
    talk(store, "c-4", 161, ("paint the lamp house", "It is red."))
    text = compose(store.db, "atlas").text
    last = text.index("Oak masts")
    assert text.index("White sails") < last > text.index("We don't need oars")
