import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ..sync.conftest import clocks as clocks
from .colleagues import Colleagues, as_user
from .servers import QUICK, Pooler, Postgres, binaries, has_pooler

psycopg = pytest.importorskip("psycopg")
conninfo = pytest.importorskip("psycopg.conninfo")

OWNER = "keeper"


class Place(NamedTuple):
    """A server on which the tests may do as they like: as its own superuser, and as members reach it."""

    direct: str
    dsn: str
    is_serializable: bool
    workers: tuple[str, ...] = ()
    """The other nodes of Citus, as superuser."""


@pytest.fixture(
    scope="session", params=["package", pytest.param("system serializable pooled", marks=pytest.mark.long)]
)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """The package's server; in the long run all tests again on the system's, with SERIALIZABLE and a pooler
    before it, as far as these are here. MEMTUI_TEST_SERVER chooses such words, MEMTUI_TEST_DSN a server,
    and MEMTUI_TEST_WORKERS the workers of which it is the coordinator with Citus, a line each."""
    words = os.environ.get("MEMTUI_TEST_SERVER", request.param).split()
    is_serializable = "serializable" in words
    workers = os.environ.get("MEMTUI_TEST_WORKERS", "").splitlines()
    with ExitStack() as stack:
        direct = os.environ.get("MEMTUI_TEST_DSN")
        if direct is None:
            server = stack.enter_context(Postgres(binaries(of_system="system" in words), QUICK))
            direct = server.dsn
        dsn = direct
        if "pooled" in words and has_pooler():
            dsn = stack.enter_context(Pooler(direct)).dsn
        yield Place(direct, dsn, is_serializable, tuple(workers))


@pytest.fixture
def postgres(place: Place) -> str:
    """The DSN of the server's superuser, who waits for no pooler."""
    return place.direct


@pytest.fixture
def database(place: Place) -> Iterator[str]:
    """A DSN of an empty database, as its owner, who may make roles and no more."""
    with psycopg.connect(place.direct, autocommit=True) as connection:
        before = _roles(connection)
        connection.execute("CREATE DATABASE memories")
    if place.workers:
        join_nodes(place.direct, place.workers)
    inside = conninfo.make_conninfo(place.direct, dbname="memories")
    with psycopg.connect(inside, autocommit=True) as connection:
        if OWNER not in before:
            connection.execute(f"CREATE ROLE {OWNER} LOGIN CREATEROLE")
        connection.execute(f"ALTER DATABASE memories OWNER TO {OWNER}")
        if place.is_serializable:
            connection.execute("ALTER DATABASE memories SET default_transaction_isolation = 'serializable'")
    try:
        yield as_user(place.dsn, OWNER, "memories")
    finally:
        for dsn in (place.direct, *place.workers):
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute("DROP DATABASE memories WITH (FORCE)")
                for name in _roles(connection) - before:
                    connection.execute(f'DROP ROLE "{name}"')


def join_nodes(coordinator: str, workers: Sequence[str]) -> None:
    """Have the empty database lie on all nodes of Citus."""
    for dsn in workers:
        with psycopg.connect(dsn, autocommit=True) as node:
            node.execute("CREATE DATABASE memories")
    for dsn in (coordinator, *workers):
        with psycopg.connect(conninfo.make_conninfo(dsn, dbname="memories"), autocommit=True) as node:
            node.execute("CREATE EXTENSION citus")
    with psycopg.connect(conninfo.make_conninfo(coordinator, dbname="memories"), autocommit=True) as node:
        places = [conninfo.conninfo_to_dict(dsn) for dsn in (coordinator, *workers)]
        for number, place in enumerate(places):
            call: Any = "citus_add_node" if number else "citus_set_coordinator_host"
            node.execute(f"SELECT {call}(%s, %s)", (place["host"], int(str(place["port"]))))


def _roles(connection: Any) -> set[str]:
    return {str(name) for (name,) in connection.execute("SELECT rolname FROM pg_roles")}


@pytest.fixture
def team(place: Place, postgres: str, database: str, tmp_path: Path) -> Iterator[Colleagues]:
    """A team: its owner, who is its administrator, and whom a test invites."""
    direct, is_distributed = as_user(postgres, OWNER, "memories"), bool(place.workers)
    with Colleagues(database, tmp_path, direct, is_distributed=is_distributed) as colleagues:
        yield colleagues
