"""What a session is told that starts again: what it doesn't hold when it was resumed, what it lost when it
was compacted."""

import pytest

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.log import append_log_entry
from memtui.store.context.scope import ALL, scope_of
from memtui.store.context.wrapper import Context

LONG_AGO = 1_000_000_000_000


@pytest.fixture
def store(store: Store) -> Store:
    """A session that was told of one before it, and has worked; another has worked since."""
    for session, title, at in (
        ("c-before", "Tokens expire in UTC", LONG_AGO),
        ("c-1", "The clock drifts", LONG_AGO + 2_000),
        ("c-since", "Leeway is 30 s", LONG_AGO + 4_000),
    ):
        row = store.sessions.start(session, agent="claude-code", project="atlas", at=at)
        store.observations.add(row, title=title, type="finding", at=at)
        store.summaries.add(
            row, request=f"Look into {title}", next_steps=f"Tell others: {title}", at=at + 1
        )
    told(store, "c-1", LONG_AGO + 1_000)
    return store


def told(store: Store, session: str, at: int) -> None:
    """A session was given something at a time."""
    append_log_entry(store.db, "claude-code", session, "atlas", Context("x", ["1"]), "startup")
    store.db.execute("UPDATE given_contexts SET at = ? WHERE session = ?", (at, session))


def given(store: Store, source: str, session: str = "c-1") -> str:
    scope = scope_of(store.db, "claude-code", "atlas", session, source)
    return compose(store.db, "atlas", scope=scope).text


def test_a_new_session_is_told_of_all_of_them(store: Store) -> None:
    for source in ("startup", "clear", None):
        assert scope_of(store.db, "claude-code", "atlas", "c-1", source) is ALL
    whole = given(store, "startup")
    for title in ("Tokens expire in UTC", "The clock drifts", "Leeway is 30 s"):
        assert title in whole


def test_a_resumed_session_is_told_what_others_stored_since_it_was_told(store: Store) -> None:
    text = given(store, "resume")
    assert "Leeway is 30 s" in text
    assert "Tokens expire in UTC" not in text and "The clock drifts" not in text
    told(store, "c-1", LONG_AGO + 9_000)
    assert given(store, "resume") == ""


def test_a_resumed_session_of_which_nothing_is_known_is_as_good_as_new(store: Store) -> None:
    assert "Tokens expire in UTC" in given(store, "resume", "c-unheard-of")


def test_a_compacted_session_is_told_what_it_did_itself_once_and_in_short(store: Store) -> None:
    store.observations.pin(store.observations.get(1))
    text = given(store, "compact")
    assert text.count("The clock drifts") <= 3 and "Tell others: The clock drifts" in text
    assert "Leeway is 30 s" not in text
    # What somebody pinned is told in any case.
    assert "Tokens expire in UTC" in text
    for number in range(60):
        store.observations.add(
            "c-1", title=f"Finding {number}", narrative=f"It is number {number}. " * 9, type="finding"
        )
    assert (
        compose(
            store.db, "atlas", scope=scope_of(store.db, "claude-code", "atlas", "c-1", "compact")
        ).tokens
        <= 600
    )


def test_a_fork_holds_what_its_parent_holds(store: Store) -> None:
    told(store, "c-since", LONG_AGO + 5_000)
    assert given(store, "fork", "c-fork") == ""
    row = store.sessions.start("c-other", agent="codex", project="atlas", at=LONG_AGO + 6_000)
    store.observations.add(row, title="Sundays are dry", type="finding", at=LONG_AGO + 6_000)
    assert "Sundays are dry" in given(store, "fork", "c-fork")


def test_a_resumed_session_is_told_only_the_facts_of_others(store: Store) -> None:
    for session, content in (("c-1", "Tokens are rounded up"), ("c-since", "Queues are in memory")):
        told_in = store.sessions.get(session)
        store.facts.add(content, kind="W", project="atlas", session=told_in, speaker="user")
    text = given(store, "resume")
    assert "Queues are in memory" in text and "Tokens are rounded up" not in text


@pytest.mark.parametrize("is_fixed", [True, False])
def test_a_failure_that_the_same_command_passed_after_is_not_told(store: Store, is_fixed: bool) -> None:
    row = store.sessions.start("c-2", agent="claude-code", project="atlas")
    title = "Failed: Run the check (AssertionError: expected 600)"
    store.observations.add(
        row, title=title, type="error", facts=["exit code 1"], tool_name="Bash", event_id="e-1"
    )
    if is_fixed:
        store.observations.add(
            row,
            title="Run the check: 1 passed",
            type="change",
            facts=["x"],
            tool_name="Bash",
            event_id="e-2",
        )
    assert ("expected 600" in given(store, "startup")) is not is_fixed
