"""What a start is told that was prepared: at once, and never what may not be told any more."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.hook_process.prepared import ask_for, prepare
from memtui.store.context.scope import Profile, save_profile
from memtui.store.leaves.handoff.brief import continuation
from memtui.store.maintain.purge import purge
from memtui.store.tables.lean import NewObservation, add_observations

from .hooks import Machine, Start, prompt, session_start
from .test_hook_is_lean import HEAVY_FOR_A_START

LESSON = b"never retry a payment"
NAMELESS = {"sessionId": "a-1", "timestamp": 1_771_364_160_000, "source": "new"}


def prepared(machine: Machine, agent: str = "claude-code") -> None:
    """Have a start prepared that tells of the lesson, number 1."""
    machine.remember(LESSON.decode())
    prepare_again(machine, agent)


def prepare_again(machine: Machine, agent: str = "claude-code") -> None:
    database = os.fsencode(machine.database)
    with Store.open(machine.database) as store:
        ask_for(database, agent, str(machine.folder / "project"))
        prepare(store.db, database)


def started(machine: Machine, session: str, agent: str = "claude-code") -> tuple[bytes, set[str]]:
    """What a start is told, and the modules that it took."""
    event = json.dumps(NAMELESS if agent == "copilot" else session_start(session)).encode()
    ended = machine.run(Start(event, (agent,), options=("-I", "-S", "-X", "importtime")))
    return ended.out, set(re.findall(r"\| +(\S+)$", ended.err.decode(), re.MULTILINE))


@pytest.mark.parametrize("agent", ["claude-code", "pi", "copilot"])
def test_it_is_told_though_events_wait_and_no_memory_is_opened(machine: Machine, agent: str) -> None:
    prepared(machine, agent)
    machine.hook(prompt("why do payments fail?"), agent=agent)
    told, modules = started(machine, "a-1", agent)
    assert LESSON in told and b'id="00000000' not in told.replace(b"\\", b"")
    assert not modules & (HEAVY_FOR_A_START | {"apsw"})
    assert started(machine, "a-1", agent)[0] == b"", "a hook that is registered twice tells it twice"
    machine.drained()
    machine.drained()
    with Store.open(machine.database) as store:
        sql = "SELECT agent, session, refs, occasion FROM given_contexts"
        assert store.db.execute(sql).fetchall() == [(agent, "a-1", '["1"]', "startup")]


def hidden(store: Store) -> None:
    store.observations.set_private(1)


def deleted(store: Store) -> None:
    store.observations.delete(1)


def purged(store: Store) -> None:
    purge(store, "observations", [1])


def edited(store: Store) -> None:
    with store.change("edited"):
        store.observations.set_column(1, "title", "something else")


def undone(store: Store) -> None:
    store.undo()


@pytest.mark.parametrize("take_away", [hidden, deleted, purged, edited, undone])
def test_what_was_taken_away_is_not_told(machine: Machine, take_away: Callable[[Store], None]) -> None:
    machine.remember(LESSON.decode())
    with Store.open(machine.database) as store:
        store.observations.set_private(1)
        with store.change("shown"):
            store.observations.set_private(1, False)
    prepare_again(machine)
    assert LESSON in started(machine, "a-1")[0]
    with Store.open(machine.database) as store:
        take_away(store)
    assert LESSON not in started(machine, "a-2")[0]


def test_what_the_profile_leaves_out_is_not_told(machine: Machine) -> None:
    prepared(machine)
    with Store.open(machine.database) as store:
        project, _ = store.known_projects.of(str(machine.folder / "project"))
        save_profile(store, project, Profile(left_out=["1"]))
    assert LESSON not in started(machine, "a-1")[0]


def test_what_was_added_since_is_told(machine: Machine) -> None:
    prepared(machine)
    with Store.open(machine.database) as store:
        project, _ = store.known_projects.of(str(machine.folder / "project"))
        new = NewObservation()
        new.texts |= {"title": "a newer lesson", "project": project}
        assert add_observations(store.db, [new])
    assert b"a newer lesson" in started(machine, "a-1")[0]


def test_another_memory_in_its_place_is_asked(machine: Machine, tmp_path: Path) -> None:
    prepared(machine)
    machine.database.rename(tmp_path / "elsewhere.db")
    Store.open(machine.database).close()
    assert LESSON not in started(machine, "a-1")[0]


@pytest.mark.parametrize("more", [{"source": "resume"}, {"source": "compact"}, {"agent_id": "child"}])
def test_only_a_new_session_is_told_what_is_prepared(machine: Machine, more: dict[str, str]) -> None:
    prepared(machine)
    event = json.dumps(session_start("a-1") | more).encode()
    ended = machine.run(Start(event, options=("-I", "-S", "-X", "importtime")))
    assert "apsw" in set(re.findall(r"\| +(\S+)$", ended.err.decode(), re.MULTILINE))


@pytest.mark.parametrize(
    ("agent", "source", "is_left_out"),
    [("claude-code", "startup", True), ("claude-code", "clear", False), ("codex", "startup", False)],
)
def test_a_session_that_begins_with_a_hand_over_is_told_the_rest(
    machine: Machine, agent: str, source: str, is_left_out: bool
) -> None:
    prepared(machine)
    machine.remember("clients wait for the gateway")
    with Store.open(machine.database) as store:
        session = store.sessions.start("c-1", agent="pi", project="project")
        store.observations.add(session, title=LESSON.decode(), type="decision")
        variables = continuation(store, session, agent).variables
    given: dict[str, str | None] = {name.decode(): text.decode() for name, text in variables.items()}
    event = json.dumps(session_start("a-1") | {"source": source}).encode()
    told = machine.run(Start(event, variables=given)).out
    assert b"clients wait for the gateway" in told
    assert (LESSON not in told) == is_left_out
