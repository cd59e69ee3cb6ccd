"""Whatever stands in the way of a team's server is a sentence, and loses nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memtui.store import Store
from memtui.store.team.joining import create_team, join_team
from memtui.store.team.marks import waiting
from memtui.store.team.membership import own_team, password_file
from memtui.store.team.server import Server, TeamError
from memtui.store.team.sharing import Sharing

from .colleagues import Colleagues, as_user, share, sync, titles


@pytest.fixture
def ada(team: Colleagues) -> Store:
    """A member who shares a project, and changed something since she met the team."""
    ada = team.invite("ada")
    ada.observations.add("one", title="first", project="atlas")
    share(ada)
    sync(ada)
    ada.observations.add("one", title="second", project="atlas")
    return ada


def move_to(store: Store, dsn: str) -> None:
    store.db.execute("UPDATE team SET dsn = ?", (dsn,))


def owner(team: Colleagues) -> Any:
    return psycopg.connect(team.dsn, autocommit=True)


def refused(store: Store) -> str:
    """What a meeting fails with; nothing is lost by it, and the next one goes on."""
    before = titles(store)
    with pytest.raises(TeamError) as failed:
        sync(store)
    assert titles(store) == before
    assert own_team(store).trouble == str(failed.value)
    assert waiting(store, own_team(store)) == 1
    return str(failed.value)


def goes_on(store: Store, team: Colleagues) -> None:
    assert sync(store).given["stored"] == 1
    assert own_team(store).trouble is None
    with owner(team) as connection:
        sql = "SELECT count(*) FROM memtui.entry WHERE kind = 'observations'"
        assert connection.execute(sql).fetchone() == (2,)


def test_a_server_that_is_down(team: Colleagues, ada: Store) -> None:
    dsn = own_team(ada).dsn
    move_to(ada, "host=127.0.0.1 port=1 user=ada dbname=memories")
    assert "is away" in refused(ada)
    assert [hit.record.title for hit in ada.search("first")] == ["first"]  # type: ignore[union-attr]
    move_to(ada, dsn)
    goes_on(ada, team)


def test_a_server_that_only_takes_reads(team: Colleagues, ada: Store) -> None:
    with owner(team) as connection:
        connection.execute("ALTER DATABASE memories SET default_transaction_read_only = on")
    assert "only takes reads" in refused(ada)
    with owner(team) as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute("ALTER DATABASE memories RESET default_transaction_read_only")
    goes_on(ada, team)


@pytest.mark.parametrize(("version", "remedy"), [(0, "mem team create"), (2, "up to date")])
def test_a_schema_of_another_version(
    team: Colleagues, ada: Store, version: int, remedy: str
) -> None:
    with owner(team) as connection:
        connection.execute("UPDATE memtui.schema_version SET version = %s", (version,))
    assert remedy in refused(ada)
    with owner(team) as connection:
        connection.execute("UPDATE memtui.schema_version SET version = 1")
    goes_on(ada, team)


def test_a_database_without_a_team(team: Colleagues, ada: Store, postgres: str) -> None:
    dsn = own_team(ada).dsn
    move_to(ada, as_user(dsn, "ada", "postgres"))
    assert "no team in this database" in refused(ada)
    move_to(ada, dsn)
    goes_on(ada, team)


def test_a_wrong_password(
    team: Colleagues, ada: Store, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.environ.get("MEMTUI_TEST_DSN"):
        pytest.skip("only a server of the tests' own is told whom to ask for a password")
    with psycopg.connect(postgres, autocommit=True) as connection:
        [(path,)] = connection.execute("SHOW hba_file").fetchall()
        connection.execute("ALTER ROLE ada PASSWORD 'the right one'")
        hba = Path(str(path))
        before = hba.read_text()
        try:
            hba.write_text(f"local all ada scram-sha-256\n{before}")
            connection.execute("SELECT pg_reload_conf()")
            monkeypatch.setenv("PGPASSWORD", "another one")
            sentence = refused(ada)
            assert "does not accept the password" in sentence and "another one" not in sentence
            monkeypatch.setenv("PGPASSWORD", "the right one")
            goes_on(ada, team)
            monkeypatch.delenv("PGPASSWORD")
            join_team(ada, f"{as_user(team.dsn, 'ada')} password='the right one'")
            assert "right" not in own_team(ada).dsn
            assert password_file().stat().st_mode & 0o777 == 0o600
            sync(ada)
        finally:
            hba.write_text(before)
            connection.execute("SELECT pg_reload_conf()")


def test_a_row_that_the_server_cannot_store_stops_no_other(team: Colleagues, ada: Store) -> None:
    with owner(team) as connection:
        connection.execute("ALTER TABLE memtui.entry ADD CHECK (payload->>'title' <> 'poison')")
    poison = ada.observations.add("one", title="poison", project="atlas")
    ada.observations.add("one", title="a \0 and \ud800 in it", project="atlas")
    meeting = sync(ada)
    [sentence] = meeting.refused
    assert poison.uid in sentence
    assert meeting.given["stored"] == 2
    assert len(sync(ada).refused) == 1
    ada.edit(poison.uid, {"title": "an antidote"})
    assert sync(ada).refused == ()


def test_a_restored_server_gets_back_what_it_lost(team: Colleagues, ada: Store) -> None:
    bob = team.invite("bob")
    sync(bob)
    with owner(team) as connection:
        connection.execute("CREATE TABLE kept AS SELECT * FROM memtui.entry")
        connection.execute("CREATE TABLE heads AS SELECT * FROM memtui.head")
        connection.execute("CREATE TABLE devices AS SELECT * FROM memtui.device")
    sync(ada)
    sync(bob)
    with owner(team) as connection:
        connection.execute("TRUNCATE memtui.entry, memtui.head, memtui.device")
        connection.execute("INSERT INTO memtui.entry SELECT * FROM kept")
        connection.execute("INSERT INTO memtui.head SELECT * FROM heads")
        connection.execute("INSERT INTO memtui.device SELECT * FROM devices")
    assert sync(ada).differing
    with owner(team) as connection:
        sql = "SELECT count(*) FROM memtui.entry WHERE kind = 'observations'"
        assert connection.execute(sql).fetchone() == (2,)
    sync(bob)
    assert titles(bob) == {"first", "second"}


def test_making_a_team_again_changes_nothing(team: Colleagues) -> None:
    again = create_team(team.owner, team.dsn, "crew")
    assert again.team_id == team.team_id
    with Server(team.dsn) as server:
        assert [member.name for member in server.members(team.team_id)] == ["keeper"]


def test_what_is_unshared_leaves_teammates_and_comes_back(team: Colleagues, ada: Store) -> None:
    bob, desk = team.invite("bob"), team.invite("ada", "writer", machine="desk")
    for store in (ada, bob, desk):
        sync(store)
    assert titles(bob) == titles(desk) == {"first", "second"}
    Sharing(ada).unshare("atlas")
    for store in (ada, bob, desk):
        sync(store)
    assert titles(bob) == set()
    assert titles(ada) == titles(desk) == {"first", "second"}
    with owner(team) as connection:
        sql = (
            "SELECT DISTINCT state, payload ? 'title', words::text FROM memtui.entry "
            "WHERE kind = 'observations'"
        )
        assert connection.execute(sql).fetchall() == [("withdrawn", False, "")]
    share(ada)
    for store in (ada, bob, desk):
        sync(store)
    assert titles(bob) == titles(desk) == {"first", "second"}


def test_a_session_says_nothing_of_its_prompt_or_directory(team: Colleagues) -> None:
    ada = team.invite("ada")
    ada.prompts.add("one", "the secret plan", project="atlas")
    ada.observations.add("one", title="done", text="raw output", tool_name="Bash", project="atlas")
    share(ada)
    sync(ada)
    with owner(team) as connection:
        said = "".join(row[0] for row in connection.execute("SELECT t::text FROM memtui.entry t"))
    assert "done" in said
    assert "secret" not in said and "raw output" not in said and "project_path" not in said
    share(ada, "atlas", "prompts", "observations")
    sync(ada)
    with owner(team) as connection:
        said = "".join(row[0] for row in connection.execute("SELECT t::text FROM memtui.entry t"))
    assert "secret plan" in said
