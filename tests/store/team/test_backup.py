"""The drill that docs/team-server.md describes: a dump, restored elsewhere, is the team."""

from collections.abc import Iterator

import psycopg
import pytest

from memtui.store.leaves.team.joining import create_team

from .colleagues import Colleagues, as_user, share, sync, titles
from .conftest import OWNER, Place
from .servers import QUICK, Postgres, binaries

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A server whose own programs are known."""
    with Postgres(binaries(), QUICK) as server:
        yield server


@pytest.fixture(scope="module")
def place(server: Postgres) -> Place:
    """That server."""
    return Place(server.dsn, server.dsn, is_serializable=False)


def test_a_dump_that_is_restored_elsewhere_is_the_team(team: Colleagues, server: Postgres) -> None:
    ada = team.invite("ada")
    ada.observations.add("one", title="first", project="atlas")
    ada.observations.add("one", title="onlyhere", project="atlas", private=True)
    share(ada)
    sync(ada)
    dump = server.folder / "memories.sql"
    server.run(server.binaries / "pg_dump", "-d", team.direct, "-f", dump)
    assert "first" in dump.read_text() and "onlyhere" not in dump.read_text()
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE drill OWNER {OWNER}")
        try:
            restored = as_user(server.dsn, "postgres", "drill")
            server.run(server.binaries / "psql", "-v", "ON_ERROR_STOP=1", "-d", restored, "-f", dump)
            drill = team.machine("drill")
            assert create_team(drill, as_user(server.dsn, OWNER, "drill"), "crew").team_id == team.team_id
            sync(drill)
            assert titles(drill) == {"first"}
        finally:
            connection.execute("DROP DATABASE drill WITH (FORCE)")
