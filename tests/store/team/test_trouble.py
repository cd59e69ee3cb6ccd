"""Whatever stands in the way of a team's server is a sentence, and loses nothing."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import conninfo

from memtui.store import Store
from memtui.store.leaves.sync.channel import Wishes
from memtui.store.leaves.team import meeting as team_meeting
from memtui.store.leaves.team import server
from memtui.store.leaves.team.driver import TeamError
from memtui.store.leaves.team.joining import create_team
from memtui.store.leaves.team.meeting import meet_team
from memtui.store.leaves.team.membership import SLOTS, own_team
from memtui.store.leaves.team.server import Server
from memtui.store.leaves.team.sharing import Sharing
from memtui.store.platform.errors import ConflictError

from .colleagues import Colleagues, as_user, share, status, sync, titles
from .servers import UNPRIVILEGED


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
    return psycopg.connect(team.direct, autocommit=True)


def refused(store: Store) -> str:
    """What a meeting fails with; nothing is lost by it, and the next one goes on."""
    before = titles(store)
    with pytest.raises(TeamError) as failed:
        sync(store)
    assert titles(store) == before
    assert own_team(store).trouble == str(failed.value)
    assert status(store).waiting == 1
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
    assert [hit.record.title for hit in ada.find("first").page().hits] == ["first"]  # type: ignore[union-attr]
    move_to(ada, dsn)
    goes_on(ada, team)


@pytest.mark.long
def test_a_server_that_answers_nothing(team: Colleagues, ada: Store) -> None:
    dsn = own_team(ada).dsn
    with socket.create_server(("127.0.0.1", 0)) as silent:
        move_to(ada, f"host=127.0.0.1 port={silent.getsockname()[1]} user=ada dbname=memories")
        with pytest.raises(TeamError, match="is away"):
            meet_team(ada, Wishes(), seconds=2)
    move_to(ada, dsn)
    goes_on(ada, team)


def test_a_server_that_only_takes_reads(team: Colleagues, ada: Store) -> None:
    with owner(team) as connection:
        connection.execute("ALTER ROLE ada SET default_transaction_read_only = on")
    assert "only takes reads" in refused(ada)
    with owner(team) as connection:
        connection.execute("ALTER ROLE ada RESET default_transaction_read_only")
    goes_on(ada, team)


@pytest.mark.parametrize(("version", "remedy"), [(0, "mem team create"), (99, "up to date")])
def test_a_schema_of_another_version(team: Colleagues, ada: Store, version: int, remedy: str) -> None:
    with owner(team) as connection:
        connection.execute("CREATE TABLE kept AS SELECT * FROM memtui.schema_version")
        connection.execute("DELETE FROM memtui.schema_version")
        connection.execute("INSERT INTO memtui.schema_version VALUES (%s, 0)", (version,))
    assert remedy in refused(ada)
    with owner(team) as connection:
        connection.execute("DELETE FROM memtui.schema_version")
        connection.execute("INSERT INTO memtui.schema_version SELECT * FROM kept")
    goes_on(ada, team)


def test_a_database_without_a_team(team: Colleagues, ada: Store, postgres: str) -> None:
    dsn = own_team(ada).dsn
    move_to(ada, as_user(dsn, "ada", "postgres"))
    assert "no team in this database" in refused(ada)
    move_to(ada, dsn)
    goes_on(ada, team)


def test_a_step_of_a_later_version(
    team: Colleagues, ada: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in server.STEPS.glob("[0-9]*.sql"):
        shutil.copy(path, tmp_path)
    step = f"{server.SCHEMA + 1:04}_mood.sql"
    (tmp_path / step).write_text("ALTER TABLE memtui.team ADD COLUMN mood text NOT NULL DEFAULT 'calm';")
    monkeypatch.setattr(server, "STEPS", tmp_path)
    monkeypatch.setattr(server, "SCHEMA", server.SCHEMA + 1)
    assert "mem team create" in refused(ada)
    create_team(team.owner, team.dsn, "crew")
    with owner(team) as connection:
        assert {mood for (mood,) in connection.execute("SELECT mood FROM memtui.team")} == {"calm"}
    goes_on(ada, team)


def test_a_schema_of_a_development_version(team: Colleagues, ada: Store) -> None:
    with owner(team) as connection:
        connection.execute("DELETE FROM memtui.schema_version")
        connection.execute("INSERT INTO memtui.schema_version VALUES (2, 0)")
    assert "mem team create" in refused(ada)
    with pytest.raises(TeamError, match="in another database"):
        create_team(team.owner, team.dsn, "crew")


def test_a_server_that_takes_too_long(team: Colleagues, ada: Store) -> None:
    with owner(team) as connection:
        [(limit,)] = connection.execute("SELECT rolconfig FROM pg_roles WHERE rolname = 'ada'")
        assert "statement_timeout=30s" in limit
    with psycopg.connect(team.direct) as slow:
        slow.execute("ALTER ROLE ada SET statement_timeout = '50ms'")
        slow.commit()
        slow.execute("UPDATE memtui.head SET head = head")
        assert "took too long" in refused(ada)
        slow.execute("ALTER ROLE ada SET statement_timeout = '30s'")
    goes_on(ada, team)


def test_a_server_whose_disk_is_full(team: Colleagues, ada: Store) -> None:
    with owner(team) as connection:
        connection.execute(
            "CREATE FUNCTION memtui.is_full() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
            "'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$"
        )
        connection.execute(
            "ALTER TABLE memtui.entry ADD CONSTRAINT is_full CHECK (memtui.is_full()) NOT VALID"
        )
    assert "disk of the team's server is full" in refused(ada)
    with owner(team) as connection:
        connection.execute("ALTER TABLE memtui.entry DROP CONSTRAINT is_full")
    goes_on(ada, team)


@pytest.mark.long
def test_a_disk_that_is_really_full(team: Colleagues, ada: Store, postgres: str) -> None:
    """A table whose disk has 1 MB takes a part of 300 rows."""
    if os.environ.get("MEMTUI_TEST_DSN"):
        pytest.skip("needs a server that runs here")
    small = Path(tempfile.mkdtemp(prefix="memtui-small-"))
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m,mode=777", "tmpfs", str(small)],
        check=False, capture_output=True,
    ).returncode:  # fmt: skip
        small.rmdir()
        pytest.skip("needs to mount")
    shutil.chown(small, UNPRIVILEGED)
    try:
        with psycopg.connect(as_user(postgres, "postgres", "memories"), autocommit=True) as root:
            root.execute(f"CREATE TABLESPACE small LOCATION '{small}'")
            root.execute("ALTER TABLE memtui.entry SET TABLESPACE small")
            with ada.transaction():
                for number in range(300):
                    words = " ".join(uuid4().hex for _ in range(100))
                    ada.observations.add("one", title=f"{number}", narrative=words, project="atlas")
            with pytest.raises(TeamError, match="disk of the team's server is full"):
                sync(ada)
            here = titles(ada)
            assert len(here) == 302
            root.execute("ALTER TABLE memtui.entry SET TABLESPACE pg_default")
            sync(ada)
            bob = team.invite("bob")
            sync(bob)
            assert titles(bob) == here
            root.execute("DROP TABLESPACE small")
    finally:
        subprocess.run(["umount", str(small)], check=False)
        small.rmdir()


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
        assert connection.execute(sql).fetchall() == [("withdrawn", False, "{}")]
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


def test_a_server_that_says_nothing_more_is_not_waited_for(
    team: Colleagues, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SILENCE_SECONDS", 0.2)
    with server.Server(team.dsn) as connection, pytest.raises(TeamError, match="said nothing"):
        connection.run("SELECT pg_sleep(600)")


def test_a_database_that_cannot_store_every_text_is_refused(
    team: Colleagues, postgres: str, tmp_path: Path
) -> None:
    with psycopg.connect(postgres, autocommit=True) as root:
        root.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try:
        with pytest.raises(TeamError, match=r"LATIN1.*Nothing was made"):
            create_team(team.machine("other"), conninfo.make_conninfo(postgres, dbname="latin"), "crew")
    finally:
        with psycopg.connect(postgres, autocommit=True) as root:
            root.execute("DROP DATABASE latin")


def test_a_team_under_another_name_is_not_half_made(team: Colleagues) -> None:
    with pytest.raises(ConflictError, match="in the team crew"):
        create_team(team.owner, team.dsn, "another")
    with server.Server(team.dsn) as connection:
        assert [*connection.teams().values()] == ["crew"]


def test_a_page_is_bounded_in_bytes(team: Colleagues, ada: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        ada.observations.add("one", title=f"{number}", narrative="word " * 20_000, project="atlas")
    sync(ada)
    monkeypatch.setattr(server, "PAGE_BYTES", 150_000)
    bob = team.invite("bob")
    with server.Server(own_team(bob).dsn) as connection:
        heads = connection.greet(team.team_id, bob.machine_id).heads
        page = connection.pull(team.team_id, (0,) * SLOTS, heads, bob.machine_id)
        assert sum(len(str(entry.payload)) for entry in page) < 300_000
    sync(bob)
    assert titles(bob) == titles(ada)


def test_what_differs_is_found_range_by_range(
    team: Colleagues, ada: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        ada.observations.add("one", title=f"{number}", project="atlas")
    sync(ada)
    bob = team.invite("bob")
    sync(bob)
    for module in (server, team_meeting):
        monkeypatch.setattr(module, "COMPARED", 7)
    assert sync(bob, verify=True).differing == 0
    with owner(team) as connection:
        connection.execute(
            "UPDATE memtui.entry SET version = version || '0' WHERE payload->>'title' IN ('3', '17')"
        )
    bob.db.execute(
        "UPDATE team_rows SET version = '' WHERE uid IN (SELECT uid FROM observations WHERE title = '25')"
    )
    assert 1 <= (sync(bob, verify=True).differing or 0) <= 3
    assert sync(bob, verify=True).differing == 0
