"""Many who push and pull at once, and are killed meanwhile: nothing is lost, and nothing there twice."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from memtui.store import Store
from memtui.store.leaves.team.driver import TeamError
from memtui.store.leaves.team.entries import TeamEntry
from memtui.store.leaves.team.membership import SLOTS
from memtui.store.leaves.team.server import Server
from memtui.store.platform.clock import now_ms, uuid7
from tests.promises import Tally
from tests.sizes import sizes

from .colleagues import Colleagues, as_user, share, sync
from .conftest import Place
from .servers import QUICK, Postgres, binaries

PUSHERS = 8
MEMBER = """
import sys
from memtui.store import Store, StoreError
from memtui.store.leaves.sync.channel import Wishes
from memtui.store.leaves.team.meeting import meet_team

with Store.open(sys.argv[1]) as store:
    print("begun", flush=True)
    while True:
        for _ in range(int(sys.argv[2])):
            store.observations.add("one", title=store.machine_id, project="atlas")
        try:
            meet_team(store, Wishes())
        except StoreError:
            pass
"""
"""A member who adds so many rows between two meetings with the team, until they are killed."""


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A server that keeps what it committed when it is killed."""
    with Postgres(binaries(), QUICK | {"synchronous_commit": "on", "full_page_writes": "on"}) as server:
        yield server


@pytest.fixture(scope="module")
def place(server: Postgres) -> Place:
    """The server that is killed."""
    return Place(server.dsn, server.dsn, is_serializable=False)


def push_commits(dsn: str, team: str, machine: str, commits: int) -> list[str]:
    """Push so many rows, each in a transaction of its own; return their uids."""
    uids = [uuid7(now_ms()) for _ in range(commits)]
    with Server(dsn) as server:
        for uid in uids:
            entry = TeamEntry("facts", uid, "atlas", machine, 1, "1", "project", "here", 1, None, "{}", "")
            while True:
                try:
                    [verdict] = server.push(team, machine, [entry])
                except TeamError as error:
                    # Its next meeting would try again.
                    assert "too busy" in str(error)
                    continue
                assert verdict.verdict in ("stored", "known")
                break
    return uids


def pull_until(dsn: str, team: str, is_over: threading.Event) -> list[TeamEntry]:
    """Pull what comes, until all is there; return it in its order."""
    pulled: list[TeamEntry] = []
    cursors: list[int] = [0] * SLOTS
    with Server(dsn) as server:
        while True:
            is_last = is_over.is_set()
            heads = server.greet(team, "puller").heads
            while entries := server.pull(team, cursors, heads, "puller"):
                pulled += entries
                for entry in entries:
                    cursors[entry.slot] = entry.seq
            if is_last:
                return pulled


@sizes("commits", 8, 60)
@pytest.mark.parametrize("isolation", ["read committed", "serializable"])
def test_a_puller_skips_nothing_of_many_pushers(team: Colleagues, isolation: str, commits: int) -> None:
    team.invite("ada")
    with psycopg.connect(team.direct, autocommit=True) as owner:
        sql: Any = f"ALTER DATABASE memories SET default_transaction_isolation = '{isolation}'"
        owner.execute(sql)
    dsn, is_over = as_user(team.dsn, "ada"), threading.Event()
    with ThreadPoolExecutor(PUSHERS + 1) as pool:
        puller = pool.submit(pull_until, dsn, team.team_id, is_over)
        pushers = [
            pool.submit(push_commits, dsn, team.team_id, f"machine-{number}", commits)
            for number in range(PUSHERS)
        ]
        try:
            pushed = [uid for pusher in pushers for uid in pusher.result()]
        finally:
            is_over.set()
        pulled = puller.result()
    assert Counter(entry.uid for entry in pulled) == Counter(pushed)
    for slot in range(SLOTS):
        numbers = [entry.seq for entry in pulled if entry.slot == slot]
        assert numbers == sorted(numbers)
    assert len(pushed) == PUSHERS * commits


class Killing:
    """Two members at work, who are killed, as their server is, at random moments."""

    def __init__(self, team: Colleagues, server: Postgres, tally: Tally) -> None:
        self.server = server
        self.chance = tally.random()
        self.rows = {"ada": 3, "bob": 0}
        self.paths = {name: str(team.folder / name / "memory.db") for name in self.rows}
        self.members = {name: self.start(name) for name in self.rows}

    def start(self, name: str) -> subprocess.Popen[str]:
        """Have a member be at work."""
        command = [sys.executable, "-c", MEMBER, self.paths[name], str(self.rows[name])]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        return process

    def kill_one(self) -> None:
        """Kill a member or the server, some time after the last one."""
        victim = self.chance.choice((*self.members, "server"))
        watched = self.members["ada" if victim == "server" else victim]
        with pytest.raises(subprocess.TimeoutExpired):
            watched.wait(self.chance.uniform(0, 0.4))
        if victim == "server":
            self.server.kill()
            self.server.start()
        else:
            self.end(victim)
            self.members[victim] = self.start(victim)

    def end(self, name: str) -> None:
        """Kill a member for good."""
        process = self.members[name]
        process.kill()
        process.communicate()


@pytest.mark.long
@pytest.mark.parametrize("rounds", [3])
def test_kills_of_members_and_server_lose_nothing(
    team: Colleagues, server: Postgres, tally: Tally, rounds: int
) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    share(ada)
    killing = Killing(team, server, tally)
    try:
        for _ in range(rounds):
            killing.kill_one()
    finally:
        for name in killing.members:
            killing.end(name)
    sync(ada)
    sync(bob)
    here = uids(ada)
    assert len(here) > rounds
    assert uids(bob) == here
    with Server(team.dsn) as connection:
        sql = "SELECT uid FROM memtui.entry WHERE kind = 'observations'"
        assert sorted(uid for (uid,) in connection.run(sql)) == here
    for store in (ada, bob):
        assert [check for check in store.doctor().checks if not check.ok] == []
        assert sync(store, verify=True).differing == 0


def uids(store: Store) -> list[str]:
    """The uids of all observations."""
    return sorted(str(uid) for (uid,) in store.db.execute("SELECT uid FROM observations"))
