"""What a member who speaks SQL to the server can't do."""

from typing import Any

import psycopg
import pytest

from memtui.store.curation.many import Action
from memtui.store.leaves.team.driver import TeamError
from memtui.store.leaves.team.entries import slot_of
from memtui.store.leaves.team.rows import query_of
from memtui.store.leaves.team.server import Server
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.clock import now_ms
from memtui.store.tables.removal.purge_selection import of_uids

from .colleagues import Colleagues, as_user, removals, share, sync
from .conftest import Place

PUSH = (
    "SELECT out_verdict FROM memtui.push({team}, {machine}, {slot}, ARRAY['facts'], ARRAY[{uid}], "
    "ARRAY[{project}], ARRAY[{editor}], ARRAY[{hlc}]::bigint[], ARRAY['v'], ARRAY[{visibility}], "
    "ARRAY[{state}], ARRAY[1]::bigint[], ARRAY[1]::bigint[], ARRAY['{{}}'], ARRAY[''], ARRAY[{base}], "
    "ARRAY[''])"
)
TEAM = "(SELECT out_team FROM memtui.teams())"
ROWS = f"memtui.pull({TEAM}, array_fill(0::bigint, ARRAY[16]), memtui.heads({TEAM}), NULL, 1000, 1000000)"
FACT = f"(SELECT out_uid FROM {ROWS} WHERE out_kind = 'facts')"
USUAL = {
    "team": TEAM, "machine": "'bobs'", "base": "''", "uid": "'new'", "project": "'atlas'",
    "editor": "'bobs'", "hlc": "1", "visibility": "'project'", "state": "'here'",
}  # fmt: skip


def push(**changed: str) -> str:
    values = USUAL | changed
    slot = f"('x' || left(md5({values['uid']}), 1))::bit(4)::integer"
    return PUSH.format(**{"slot": slot} | values)


STORE = (
    f"memtui.store({TEAM} || ' 0', {TEAM}, 'ada', 'admin', NULL, ARRAY['adas'], 1, 'adas', ARRAY['facts'], "
    "ARRAY['forged'], ARRAY['atlas'], ARRAY['adas'], ARRAY[1]::bigint[], ARRAY['v'], ARRAY['team'], "
    "ARRAY['here'], ARRAY[1]::bigint[], ARRAY[1]::bigint[], ARRAY['{}'], ARRAY[''], ARRAY[''], ARRAY[''])"
)
"""What push calls with what it read of who pushes."""
OF_A_TEAM = (
    "me({})", "heads({})", "greet({}, 'bobs')", "name_machines({}, ARRAY['bobs'])", "machines({})",
    "pull({}, array_fill(0::bigint, ARRAY[16]), array_fill(9::bigint, ARRAY[16]), NULL, 10, 1000)",
    "fetch({}, ARRAY['facts'], ARRAY['new'])", "listing({}, '', '', 10)", "digest({}, '', '', 10)",
    "search({}, '{{}}', NULL, NULL, NULL, NULL, NULL, 10)", "met({}, 'bobs', 'x', 'y')", "members({})",
    "removals({}, 10)", "administrator({})", "set_member({}, 'bob', 'admin', NULL)",
    "hand_over({}, 'keeper', 'bob')", "rename_team({}, 'mine')", "remove_team({})",
)  # fmt: skip
BY_CITUS = (
    "undistribute_table('memtui.entry')",
    "alter_distributed_table('memtui.entry', shard_count => 4)", "citus_add_node('127.0.0.1', 1)",
    "citus_remove_node('127.0.0.1', 55441)", "citus_drop_all_shards('memtui.entry', 'memtui', 'entry')",
    "create_distributed_function('memtui.me(text)')", "isolate_tenant_to_new_shard('memtui.entry', 'a')",
    "citus_move_shard_placement({shard}, '127.0.0.1', 55441, '127.0.0.1', 55442)",
    "truncate_local_data_after_distributing_table('memtui.entry')",
)  # fmt: skip

DENIED = (
    # Nobody but the owner reads a table, or writes to one.
    *(
        f"SELECT * FROM memtui.{table}"
        for table in ("team", "head", "member", "device", "entry", "removal", "schema_version")
    ),
    "INSERT INTO memtui.entry SELECT * FROM memtui.entry",
    "UPDATE memtui.entry SET author = 'bob'",
    "UPDATE memtui.entry SET payload = '{}'",
    "UPDATE memtui.entry SET seq = 0",
    "UPDATE memtui.entry SET visibility = 'private'",
    "DELETE FROM memtui.entry",
    "TRUNCATE memtui.entry",
    "UPDATE memtui.team SET name = 'mine'",
    "UPDATE memtui.head SET head = 0",
    "DELETE FROM memtui.head",
    "UPDATE memtui.member SET role = 'admin'",
    "INSERT INTO memtui.member SELECT team_id, 'eve', 'admin', NULL, 1 FROM memtui.team",
    "UPDATE memtui.member SET revoked_at = 1 WHERE name = 'ada'",
    "UPDATE memtui.device SET member = 'bob'",
    "DELETE FROM memtui.device",
    "DELETE FROM memtui.removal",
    "UPDATE memtui.removal SET member = 'eve'",
    "UPDATE memtui.team SET read_dsn = 'host=mine'",
    "UPDATE memtui.schema_version SET version = 99",
    # Nor changes what protects them.
    "ALTER FUNCTION memtui.me(text) SECURITY INVOKER",
    "GRANT SELECT ON memtui.entry TO PUBLIC",
    "DROP TABLE memtui.entry",
    "CREATE TABLE memtui.mine (a text)",
    "CREATE FUNCTION memtui.unnest(text[]) RETURNS SETOF text LANGUAGE sql AS 'SELECT NULL'",
    "CREATE OR REPLACE FUNCTION memtui.teams() RETURNS SETOF text LANGUAGE sql AS 'SELECT team_id FROM x'",
    "SET ROLE keeper",
    "SET SESSION AUTHORIZATION ada",
    "ALTER ROLE bob SUPERUSER",
    # Nor calls what is an administrator's, or for others.
    f"SELECT memtui.set_member({TEAM}, 'bob', 'admin', NULL)",
    f"SELECT memtui.set_member({TEAM}, 'eve', 'admin', NULL)",
    f"SELECT memtui.set_member({TEAM}, 'ada', NULL, NULL)",
    f"SELECT memtui.hand_over({TEAM}, 'ada', 'bob')",
    push(team="'another team'"),
    "SELECT * FROM memtui.search('another team', '{}', NULL, NULL, NULL, NULL, NULL, 10)",
    "SELECT memtui.met('another team', 'bobs', 'x', 'y')",
    # Nor reaches the rows by another way than the functions for members.
    "LOCK TABLE memtui.head IN ACCESS EXCLUSIVE MODE",
    "CREATE INDEX mine ON memtui.entry ((pg_sleep(1)::text))",
    "CREATE RULE mine AS ON INSERT TO memtui.entry DO INSTEAD NOTHING",
    "CREATE SEQUENCE memtui.mine",
    f"SELECT * FROM {STORE}",
    "SELECT set_config('role', 'keeper', false)",
    "GRANT keeper TO bob",
    "ALTER FUNCTION memtui.me(text) SET search_path = pg_temp",
    "ALTER ROLE keeper SET search_path = pg_temp",
    # Nor stores what may not be there.
    push(visibility="'private'"),
    push(state="'unheard of'"),
    push(hlc="NULL"),
    push(uid="''"),
    push(slot="16"),
    push(uid="'a'", slot="1"),
)


@pytest.fixture
def bob(team: Colleagues) -> Any:
    """A connection of one who writes in one project, beside another one's rows."""
    ada = team.invite("ada")
    for project in ("atlas", "secret"):
        ada.facts.add(f"the gateway of {project}", project=project)
        share(ada, project)
    sync(ada)
    with Server(team.dsn) as server:
        server.invite(team.team_id, "bob", "writer", ["atlas"])
    with psycopg.connect(as_user(team.dsn, "bob"), autocommit=True) as connection:
        connection.execute(f"SELECT memtui.name_machines({TEAM}, ARRAY['bobs'])")
        yield connection


def test_what_is_no_members_business_is_denied(bob: Any) -> None:
    allowed = []
    for statement in DENIED:
        try:
            bob.execute(statement)
        except psycopg.Error:
            continue
        allowed.append(statement)
    assert allowed == []
    # What refused was the server, each time.
    assert bob.execute("SELECT 1").fetchall() == [(1,)]
    with (
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        bob.cursor().copy("COPY memtui.entry TO STDOUT") as copy,
    ):
        list(copy)


def test_a_member_sees_their_projects_and_finds_nothing_of_others(bob: Any) -> None:
    seen = bob.execute(f"SELECT out_payload->>'content' FROM {ROWS} WHERE out_kind = 'facts'").fetchall()
    assert seen == [("the gateway of atlas",)]
    sql = (
        "SELECT out_payload->>'content' FROM memtui.search((SELECT out_team FROM memtui.teams()), "
        f"ARRAY{query_of(['gateway'])}, NULL, {{}}, NULL, NULL, NULL, 10)"
    )
    assert bob.execute(sql.format("NULL")).fetchall() == [("the gateway of atlas",)]
    assert bob.execute(sql.format("ARRAY['secret']")).fetchall() == []


def test_another_team_is_closed_to_who_is_not_in_it(team: Colleagues, bob: Any) -> None:
    with Server(team.direct) as server:
        other = server.create("others")
    for call in OF_A_TEAM:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            bob.execute(f"SELECT * FROM memtui.{call.format(repr(other))}")


def test_nothing_that_a_member_makes_stands_in_for_ours(bob: Any) -> None:
    before = bob.execute(f"SELECT t::text FROM {ROWS} t ORDER BY 1").fetchall()
    # Within a transaction a pooler keeps to one connection.
    with bob.transaction():
        for statement in (
            "CREATE TEMP TABLE member AS SELECT 'bob' AS name, 'admin' AS role",
            "CREATE TEMP TABLE entry (team_id text)",
            "CREATE FUNCTION pg_temp.md5(text) RETURNS text LANGUAGE sql AS $$SELECT 'ffff'$$",
            "CREATE FUNCTION pg_temp.now_ms() RETURNS bigint LANGUAGE sql AS $$SELECT 9000000000000$$",
            "CREATE FUNCTION pg_temp.me(text) RETURNS text LANGUAGE sql AS $$SELECT 'ada'$$",
            "CREATE FUNCTION pg_temp.same(text, text) RETURNS boolean LANGUAGE sql AS $$SELECT true$$",
            "CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.same)",
            "ALTER ROLE bob SET search_path = pg_temp",
            "SET search_path = pg_temp, memtui",
        ):
            bob.execute(statement)
        assert bob.execute(f"SELECT t::text FROM {ROWS} t ORDER BY 1").fetchall() == before
        assert "five minutes ahead" in bob.execute(push(hlc="9000000000000 << 16")).fetchone()[0]
        assert bob.execute(push()).fetchone()[0] == "stored"
        authors = bob.execute(
            f"SELECT out_uid, out_author FROM {ROWS} WHERE out_editor = 'bobs'"
        ).fetchall()
        assert authors == [("new", "bob")]


def test_who_holds_all_slots_keeps_nobody_for_good(team: Colleagues, bob: Any) -> None:
    ada = team.stores["ada"]
    ada.facts.add("the gateway waits", project="atlas")
    with psycopg.connect(team.direct, autocommit=True) as owner:
        owner.execute("ALTER ROLE ada SET statement_timeout = '1s'")
        [(settings,)] = owner.execute("SELECT rolconfig FROM pg_roles WHERE rolname = 'bob'").fetchall()
    assert set(settings) == {"statement_timeout=30s", "idle_in_transaction_session_timeout=30s"}
    bob.execute("BEGIN")
    for uid in {slot_of(f"u{number}"): f"u{number}" for number in range(200)}.values():
        assert bob.execute(push(uid=f"'{uid}'")).fetchone()[0] == "stored"
    with pytest.raises(TeamError, match="took too long"):
        sync(ada)
    bob.execute("ROLLBACK")
    assert sync(ada).given["stored"]


def test_a_member_moves_nothing_on_citus_and_finds_nothing_on_a_worker(place: Place, bob: Any) -> None:
    if not place.workers:
        pytest.skip("needs Citus: make citus SOURCE=…")
    shards = bob.execute(
        "SELECT shardid, nodeport FROM citus_shards WHERE table_name::text = 'memtui.entry'"
    ).fetchall()
    assert len({port for _, port in shards}) == len(place.workers)
    for call in BY_CITUS:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            bob.execute(f"SELECT * FROM {call.format(shard=shards[0][0])}")
    run = "run_command_on_shards('memtui.entry', 'DELETE FROM %s')"
    assert not any(bob.execute(f"SELECT success FROM {run}").fetchall()[0])
    for dsn in place.workers:
        with psycopg.connect(as_user(dsn, "bob", "memories"), autocommit=True) as worker:
            shards = worker.execute(
                "SELECT c.oid::regclass::text FROM pg_class c "
                "WHERE c.relnamespace = 'memtui'::regnamespace AND c.relkind = 'r'"
            ).fetchall()
            assert shards
            for source in (STORE, *(name for (name,) in shards)):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    worker.execute(f"SELECT * FROM {source}".replace(TEAM, "'a'"))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"hlc": "9000000000000 << 16"}, "five minutes ahead"),
        ({"project": "'secret'"}, "project that you do not write in"),
        ({"editor": f"(SELECT out_editor FROM {ROWS} LIMIT 1)"}, "not yours"),
        ({"machine": f"(SELECT out_editor FROM {ROWS} LIMIT 1)"}, "not yours"),
        ({"uid": FACT, "state": "'deleted'"}, "author"),
        ({"uid": FACT, "state": "'purged'"}, "author"),
        ({"uid": FACT, "visibility": "'team'"}, "author"),
        ({"uid": FACT}, "older"),
    ],
    ids=str,
)
def test_a_row_that_is_not_theirs_to_write_is_refused(
    bob: Any, changed: dict[str, str], reason: str
) -> None:
    before = bob.execute(f"SELECT t::text FROM {ROWS} t ORDER BY 1").fetchall()
    assert reason in bob.execute(push(**changed)).fetchone()[0]
    assert bob.execute(f"SELECT t::text FROM {ROWS} t ORDER BY 1").fetchall() == before


def test_what_an_administrator_takes_away_is_traced(team: Colleagues) -> None:
    ada = team.invite("ada")
    team.invite("bob", "writer", ["borealis"])
    kept, purged = (ada.facts.add(f"the gateway {word}", project="atlas") for word in ("is", "was"))
    share(ada)
    sync(ada)
    sync(team.owner)
    team.owner.change_many([kept.uid], Action("delete"))
    purge_for_good(team.owner, of_uids(team.owner.db, [purged.uid]))
    sync(team.owner)
    sync(ada)
    assert ada.facts.list() == []
    for store in (ada, team.owner):
        listed = [item for item in removals(store) if item.kind != "members"]
        assert {(item.uid, item.state) for item in listed} == {
            (kept.uid, "deleted"),
            (purged.uid, "purged"),
        }
        assert {(item.member, item.author, item.kind) for item in listed} == {("keeper", "ada", "facts")}
        assert all(abs(item.at - now_ms()) < 600_000 for item in listed)
    seen = removals(team.stores["bob"])
    assert [(item.state, item.uid) for item in seen] == [("invited as writer", "bob")]
    ada.facts.delete(ada.facts.add("mine", project="atlas"))
    sync(ada)
    assert len([item for item in removals(ada) if item.kind != "members"]) == 2


def test_who_was_invited_revoked_and_handed_over_is_traced(team: Colleagues) -> None:
    team.invite("ada")
    with Server(team.dsn) as server:
        server.invite(team.team_id, "ada", "reader", ["atlas"])
        server.revoke(team.team_id, "ada", "keeper")
    traced = [(item.member, item.uid, item.state) for item in removals(team.owner)]
    assert traced == [
        ("keeper", "ada", "revoked"),
        ("keeper", "ada", "handed over to keeper"),
        ("keeper", "ada", "invited as reader"),
        ("keeper", "ada", "invited as writer"),
    ]
    sync(team.owner)


def test_a_reader_writes_nothing(team: Colleagues) -> None:
    team.invite("eve", "reader")
    with (
        psycopg.connect(as_user(team.dsn, "eve"), autocommit=True) as eve,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="may only read"),
    ):
        eve.execute(push())


def test_who_is_no_member_or_no_longer_one_sees_nothing(team: Colleagues) -> None:
    ada = team.invite("ada")
    ada.facts.add("the gateway", project="atlas")
    share(ada)
    sync(ada)
    with psycopg.connect(team.dsn, autocommit=True) as owner:
        owner.execute("CREATE ROLE stranger LOGIN")
        owner.execute("ALTER ROLE ada LOGIN")
    with Server(team.dsn) as server:
        server.revoke(team.team_id, "ada", None)
    with psycopg.connect(team.dsn, autocommit=True) as owner:
        owner.execute("ALTER ROLE ada LOGIN")
    for name in ("stranger", "ada"):
        with psycopg.connect(as_user(team.dsn, name), autocommit=True) as connection:
            assert connection.execute("SELECT count(*) FROM memtui.teams()").fetchone() == (0,)
            for call in ("heads(%s)", "removals(%s, 10)", "members(%s)", "machines(%s)"):
                sql: Any = f"SELECT * FROM memtui.{call}"
                with pytest.raises(psycopg.errors.InsufficientPrivilege, match="no member"):
                    connection.execute(sql, (team.team_id,))
    with pytest.raises(TeamError, match="not a member of this team any more"):
        sync(ada)
    assert len(ada.facts.list()) == 1
