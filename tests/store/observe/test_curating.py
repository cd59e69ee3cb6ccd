"""What is hidden takes with it what automatic summaries said of it; a session is hidden as a whole."""

from pathlib import Path

import pytest

from memtui.store import Action, Session, Store
from memtui.store.maintain.purge import purge_for_good
from memtui.store.observe.curating import change_many
from memtui.store.observe.jobs import job
from memtui.store.tables.removal.purge_selection import Selection

SECRET = "Please rotate the zebracanary key"


@pytest.fixture
def session(store: Store) -> Session:
    """A session of two prompts that the rules have summed up, with an observation and a fact of it."""
    session = store.sessions.start("c-1", agent="claude-code", project="atlas")
    for number, text in enumerate((SECRET, "Add a retry to the importer"), start=1):
        store.prompts.add(session, text, prompt_number=number)
    made = store.observations.add(
        session, title="Added a retry", type="change", files_modified=["importer/retry-client.py"]
    )
    store.facts.add("The retry waits two seconds", project="atlas", evidence=[made.uid])
    store.pending.add(session, kind="summary", last_assistant_message="Done.", prompt_number=2)
    job.process(store, None)
    return store.sessions.get(session.id)


def summary(store: Store, session: Session) -> str:
    results = [*store.summaries.of_session(session)]
    return " ".join(filter(None, (text for item in results for text in (item.request, item.completed))))


def seen(store: Store) -> set[str]:
    return {hit.row.ref for hit in store.find("").page().hits}


def test_a_hidden_prompt_leaves_the_summary_and_comes_back_with_it(store: Store, session: Session) -> None:
    assert SECRET in summary(store, session)
    change_many(store, ["p1"], Action("hide"))
    assert "zebracanary" not in summary(store, session)
    assert "retry" in summary(store, session)
    assert store.sessions.get(session.id).first_prompt == "Add a retry to the importer"
    assert not store.find("zebracanary").page().hits
    change_many(store, ["p1"], Action("show"))
    assert SECRET in summary(store, session)


@pytest.mark.parametrize("name", ["hide", "delete"])
def test_one_undo_brings_back_the_prompt_and_what_was_said_of_it(
    store: Store, session: Session, name: str
) -> None:
    before = summary(store, session), store.sessions.get(session.id).first_prompt
    change_many(store, ["p1"], Action(name))  # type: ignore[arg-type]
    assert "zebracanary" not in summary(store, session)
    store.undo()
    assert (summary(store, session), store.sessions.get(session.id).first_prompt) == before


def test_what_a_hidden_observation_did_leaves_the_summary(store: Store, session: Session) -> None:
    assert "Added a retry" in summary(store, session)
    change_many(store, ["1"], Action("hide"))
    assert "Added a retry" not in summary(store, session)


def test_a_summary_goes_on_after_something_was_hidden(store: Store, session: Session) -> None:
    change_many(store, ["p1"], Action("hide"))
    store.prompts.add(session, "Write the changelog", prompt_number=3)
    store.pending.add(session, kind="summary", last_assistant_message="Done.", prompt_number=3)
    job.process(store, None)
    assert "Write the changelog" in summary(store, session)
    assert "zebracanary" not in summary(store, session)


def test_a_summary_that_was_edited_stays_and_is_told(store: Store, session: Session) -> None:
    detailed = store.summaries.of_observer(session, "detailed")
    assert detailed is not None
    store.edit(f"s{detailed.id}", {"request": "My own words"})
    done = change_many(store, ["p1"], Action("hide"))
    assert done.left == (
        f"The summary s{detailed.id} of its session was edited, and stays: see what it says.",
    )
    assert "My own words" in summary(store, session)


def test_a_session_is_hidden_with_all_it_holds_and_shown_again(store: Store, session: Session) -> None:
    before = seen(store)
    assert len(before) == 5
    done = store.change_many(["@1"], Action("hide"))
    assert done.what == "session @1 with 6 memories hidden"
    assert seen(store) == set()
    store.undo()
    assert seen(store) == before
    store.redo()
    assert seen(store) == set()
    store.change_many(["@1"], Action("show"))
    assert seen(store) == before


def test_what_was_hidden_by_itself_stays_hidden_when_its_session_is_shown(
    store: Store, session: Session
) -> None:
    before = seen(store)
    store.change_many(["p1"], Action("hide"))
    store.change_many(["@1"], Action("hide"))
    store.change_many(["@1"], Action("show"))
    assert seen(store) == before - {"p1"}


def test_what_comes_into_a_hidden_session_is_hidden(store: Store, session: Session) -> None:
    store.change_many(["@1"], Action("hide"))
    store.prompts.add(session, "and now?")
    store.observations.add(session, title="later")
    assert seen(store) == set()
    store.change_many(["@1"], Action("show"))
    assert len(seen(store)) == 7


def test_a_pinned_fact_of_a_hidden_session_is_hidden_too(store: Store, session: Session) -> None:
    store.facts.pin(1)
    store.change_many(["@1"], Action("hide"))
    assert seen(store) == set()
    store.undo()
    assert "f1" in seen(store)


@pytest.mark.parametrize(("ref", "said"), [("p1", SECRET), ("1", "importer/retry-client.py")])
def test_a_purge_leaves_nothing_of_what_a_summary_had_said_before(
    store: Store, session: Session, ref: str, said: str
) -> None:
    change_many(store, [ref], Action("delete"))
    table = "prompts" if ref == "p1" else "observations"
    done = purge_for_good(store, Selection({table: (1,)}))
    assert done.found == ()
    assert said.encode() not in Path(store.path).read_bytes()
