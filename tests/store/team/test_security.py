"""What a member who speaks SQL to the server can't do."""

from typing import Any

import psycopg
import pytest

from memtui.store.curation.many import Action
from memtui.store.leaves.team.driver import TeamError
from memtui.store.leaves.team.rows import query_of
from memtui.store.leaves.team.server import Server
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.clock import now_ms
from memtui.store.tables.removal.purge_selection import of_uids

from .colleagues import Colleagues, as_user, removals, share, sync

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


def test_a_member_sees_their_projects_and_finds_nothing_of_others(bob: Any) -> None:
    seen = bob.execute(f"SELECT out_payload->>'content' FROM {ROWS} WHERE out_kind = 'facts'").fetchall()
    assert seen == [("the gateway of atlas",)]
    sql = (
        "SELECT out_payload->>'content' FROM memtui.search((SELECT out_team FROM memtui.teams()), "
        f"ARRAY{query_of(['gateway'])}, NULL, {{}}, NULL, NULL, NULL, 10)"
    )
    assert bob.execute(sql.format("NULL")).fetchall() == [("the gateway of atlas",)]
    assert bob.execute(sql.format("ARRAY['secret']")).fetchall() == []


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
