"""Nobody waits for a team's server that never answers."""

import json
import socket
from collections.abc import Iterator

import pytest

from memtui.store import Store
from memtui.store.leaves.sync.meeting import meet_due
from memtui.store.leaves.team.membership import own_team

from ..capture.conftest import machine as machine
from ..capture.hooks import Machine, Start

START = {"session_id": "s-1", "hook_event_name": "SessionStart", "source": "startup"}


@pytest.fixture
def silent(machine: Machine) -> Iterator[socket.socket]:
    """A server that takes connections and says nothing, of the team of a machine that is due to meet it."""
    machine.remember("a lesson")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        with Store.open(machine.database) as store:
            store.db.execute(
                "INSERT INTO team (id, team_id, name, dsn, member, role) VALUES "
                "(1, 'crew', 'crew', ?, 'ada', 'writer')",
                (f"host=127.0.0.1 port={port} user=ada dbname=memories sslmode=disable",),
            )
        yield server


def test_the_start_of_a_session_asks_no_server(machine: Machine, silent: socket.socket) -> None:
    answer = machine.run(Start(json.dumps(START).encode()))
    assert b"a lesson" in answer.out
    with pytest.raises(BlockingIOError):
        silent.accept()


@pytest.mark.long
def test_a_job_gives_up_and_says_why(machine: Machine, silent: socket.socket) -> None:
    with Store.open(machine.database) as store:
        meet_due(store)
        assert "is away" in str(own_team(store).trouble)
    silent.accept()[0].close()
