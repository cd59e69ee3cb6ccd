"""Families of sessions: forks and what goes on from what, as trees that end, whatever was written."""

from pathlib import Path

from memtui.store import Action, Store
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge_selection import Selection, with_what_belongs
from tests.store.formats.transcripts import rollouts
from tests.store.formats.transcripts.claude_records import (
    FORK,
    SESSION,
    WORK,
    asked,
    forked,
    write,
)


def chain(store: Store, *links: tuple[str, str | None], agent: str = "codex") -> None:
    """Sessions in the order given, each with the id of the one that it goes on from."""
    for at, (id, parent) in enumerate(links, start=1):
        session = store.sessions.start(id, agent=agent, project="atlas", at=at)
        store.observations.add(session, title=f"Work of {id}")
        if parent:
            store.sessions.continue_from(session, agent, parent)


def test_a_family_is_a_tree_under_its_newest_session(store: Store) -> None:
    chain(store, ("a", None), ("b", "a"), ("c", "b"), ("d", "a"), ("alone", None))
    assert store.sessions.families() == {4: [(1, 0), (2, 1), (3, 2), (4, 1)]}
    for number in range(1, 5):
        members = store.sessions.family(number).members
        assert [one.row.session.id for one in members] == [1, 2, 3, 4]
    assert store.sessions.family(5).is_alone


def test_what_is_not_known_yet_is_found_when_it_comes(store: Store) -> None:
    chain(store, ("b", "a"))
    assert store.sessions.families() == {}
    store.sessions.start("a", agent="codex", project="atlas", at=0)
    assert store.sessions.families() == {1: [(2, 0), (1, 1)]}


def test_a_circle_has_no_end_and_is_no_family_of_its_own(store: Store) -> None:
    chain(store, ("a", "c"), ("b", "a"), ("c", "b"))
    assert store.sessions.families() == {3: [(1, 0), (2, 1), (3, 2)]}
    assert {hit.record.id for hit in store.find("parent:@1").page().hits} == {2, 3}


def test_lists_leave_out_what_is_folded(store: Store) -> None:
    chain(store, ("a", None), ("b", "a"), ("c", None))
    sessions = store.sessions
    assert [row.session.id for row in sessions.list(without=[1])] == [3, 2]
    assert [day.sessions for day in sessions.days(without=[1])] == [2]
    assert sessions.before(0, 0, without=[1]) == 2


def test_hidden_sessions_are_of_no_family(store: Store) -> None:
    chain(store, ("a", None), ("b", "a"))
    store.change_many(["@1"], Action("delete"))
    assert store.sessions.families() == {}


def test_a_purged_session_is_named_nowhere(store: Store) -> None:
    chain(store, ("a", None), ("b", "a"))
    purge_for_good(store, with_what_belongs(store.db, Selection({"sessions": (1,)}), store.facts))
    assert store.sessions.get(2).continues is None
    assert store.sessions.continue_from(store.sessions.get(2), "codex", "a").continues is None


def test_a_fork_of_codex_names_its_parent(store: Store, tmp_path: Path) -> None:
    lines = [rollouts.meta(forked_from_id=rollouts.PARENT), rollouts.asked("and now?")]
    read_transcript(store, write(tmp_path / f"rollout-{rollouts.THREAD}.jsonl", lines), "codex")
    assert store.sessions.get(1).continues == f"codex/{rollouts.PARENT}"


def test_a_fork_of_claude_code_is_known_by_what_it_repeats(store: Store, tmp_path: Path) -> None:
    first = write(tmp_path / f"{SESSION}.jsonl", WORK)
    copy = write(tmp_path / f"{FORK}.jsonl", [*forked(WORK), asked(30, "and now?", sessionId=FORK)])
    for path in (first, copy):
        read_transcript(store, path, "claude-code")
    assert store.sessions.parents() == {2: 1}


def test_sub_agents_of_a_session_are_named_by_what_they_were_started_for(store: Store) -> None:
    chain(store, ("a", None))
    call = store.observations.add("a", title="Look for the cause")
    for title in ("Read a.py", "Read b.py"):
        store.observations.add("a", title=title, subagent="agent-7")
    store.db.execute(
        "INSERT INTO captured_events VALUES (1, 'report', 'agent-7', '', 1, 'hook', 0, ?)", (call.id,)
    )
    (member,) = store.sessions.family(1).members
    (one,) = member.subagents
    assert (one.id, one.title, one.observations) == ("agent-7", "Look for the cause", 2)
    assert member.row.subagents == 1
