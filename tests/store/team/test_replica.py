"""Members search and pull from a replica, as long as it's there and not behind."""

from collections.abc import Iterator
from typing import NamedTuple

import psycopg
import pytest

from memtui.store import Store
from memtui.store.leaves.sync.channel import Wishes
from memtui.store.leaves.team.driver import TeamError
from memtui.store.leaves.team.joining import create_team, join_team
from memtui.store.leaves.team.meeting import TeamMeeting
from memtui.store.leaves.team.membership import own_team, password_file
from memtui.store.leaves.team.search import search_team
from memtui.store.leaves.team.server import Server
from memtui.store.platform.errors import InvalidRecordError

from .colleagues import Colleagues, as_user, share, sync, titles
from .conftest import Place
from .servers import QUICK, Postgres, binaries

pytestmark = pytest.mark.long


class Servers(NamedTuple):
    """A server, and a replica of it."""

    primary: Postgres
    replica: Postgres


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    """Commits wait until the replica has them, but where a test says otherwise."""
    retry = {"wal_retrieve_retry_interval": "50ms", "hot_standby_feedback": "on"}
    programs = binaries()
    with (
        Postgres(programs, QUICK) as primary,
        Postgres(programs, QUICK | retry, primary=primary) as replica,
    ):
        primary.configure({"synchronous_standby_names": "*", "synchronous_commit": "remote_apply"})
        primary.restart()
        yield Servers(primary, replica)


@pytest.fixture(scope="module")
def place(servers: Servers) -> Place:
    """The server that commits, with SERIALIZABLE as its default."""
    return Place(servers.primary.dsn, servers.primary.dsn, is_serializable=True)


@pytest.fixture
def bob(team: Colleagues, servers: Servers) -> Store:
    """A member who read what Ada shared, in a team that has a replica."""
    ada, bob = team.invite("ada"), team.invite("bob", "reader")
    ada.observations.add("one", title="first", project="atlas")
    share(ada)
    sync(ada)
    create_team(team.owner, team.dsn, "crew", f"host={servers.replica.folder}")
    return bob


def add_a_second(team: Colleagues) -> None:
    """Have there be a row that the replica doesn't wait for."""
    with psycopg.connect(team.dsn, autocommit=True) as connection:
        connection.execute("ALTER DATABASE memories SET synchronous_commit = local")
    ada = team.stores["ada"]
    ada.observations.add("one", title="second", project="atlas")
    sync(ada)


def is_read_from_the_replica(store: Store) -> bool:
    with Server(own_team(store).dsn) as server:
        TeamMeeting(store, server).meet(Wishes())
        return server.replica is not None


def found(store: Store, query: str) -> list[str]:
    return [hit.title for hit in search_team(store, query).hits]


def test_a_replica_is_searched_and_pulled_from(bob: Store, servers: Servers) -> None:
    assert is_read_from_the_replica(bob)
    assert titles(bob) == {"first"}
    servers.primary.stop()
    try:
        assert found(bob, "first") == ["first"]
        with pytest.raises(TeamError, match="is away"):
            sync(bob)
    finally:
        servers.primary.start()


def test_a_replica_that_is_behind_is_passed_over(team: Colleagues, bob: Store, servers: Servers) -> None:
    sync(bob)
    with psycopg.connect(servers.replica.dsn, autocommit=True) as connection:
        connection.execute("SELECT pg_wal_replay_pause()")
        try:
            with psycopg.connect(team.dsn, autocommit=True) as owner:
                owner.execute("SET synchronous_commit = local")
                owner.execute("ALTER DATABASE memories SET synchronous_commit = local")
            add_a_second(team)
            assert not is_read_from_the_replica(bob)
            assert titles(bob) == {"first", "second"}
            assert found(bob, "second") == ["second"]
        finally:
            connection.execute("SELECT pg_wal_replay_resume()")


def test_a_replica_that_is_away_is_passed_over(team: Colleagues, bob: Store, servers: Servers) -> None:
    sync(bob)
    with psycopg.connect(team.dsn, autocommit=True) as connection:
        connection.execute("ALTER DATABASE memories SET synchronous_commit = local")
    servers.replica.stop()
    try:
        add_a_second(team)
        assert not is_read_from_the_replica(bob)
        assert titles(bob) == {"first", "second"}
        assert found(bob, "second") == ["second"]
    finally:
        servers.replica.start()


def test_a_password_is_kept_for_the_replica_too(team: Colleagues, bob: Store, servers: Servers) -> None:
    join_team(bob, as_user(team.dsn, "bob") + " password='a:b'")
    sync(bob)
    replica = own_team(bob).read_dsn.removeprefix("host=")
    lines = password_file().read_text("utf-8").splitlines()
    primary = servers.primary.folder
    assert {f"{folder}:5432:memories:bob:a\\:b" for folder in (primary, replica)} <= {*lines}


def test_nobody_logs_in_at_a_replica_as_somebody_else(team: Colleagues, bob: Store) -> None:
    with pytest.raises(InvalidRecordError, match="as themselves"):
        create_team(team.owner, team.dsn, "crew", "host=db2 user=ada")
    with pytest.raises(TeamError, match="is away"):
        create_team(team.owner, team.dsn, "crew", "host=127.0.0.1 port=1")
    create_team(team.owner, team.dsn, "crew", "")
    sync(bob)
    assert own_team(bob).read_dsn == ""
