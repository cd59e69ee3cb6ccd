"""Rows that a member wrote by SQL, whose payload says something else than what the server checked."""

import json
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.leaves.sync.receiving import JUDGED_BY
from memtui.store.leaves.team.entries import TeamEntry
from memtui.store.leaves.team.rows import query_of
from memtui.store.leaves.team.search import search_team
from memtui.store.leaves.team.server import Server
from memtui.store.leaves.team.sharing import marks_of
from memtui.store.platform.clock import now_ms
from memtui.store.tables.removal.purge import fact_tombstone
from memtui.store.text.redaction import table_version

from .colleagues import Colleagues, as_user, share, status, sync, titles


@pytest.fixture
def ada(team: Colleagues) -> Store:
    """A member with a memory that is shared, and beside it one that never was and a private one."""
    ada = team.invite("ada")
    ada.observations.add("one", title="shared", project="atlas")
    share(ada)
    sync(ada)
    ada.observations.add("two", title="kept", project="diary")
    ada.observations.add("two", title="private", project="diary", private=True)
    team.invite("bob")
    return ada


def uids(store: Store) -> dict[str, str]:
    rows: Any = store.db.execute("SELECT title, uid FROM observations")
    return dict(rows)


def push(team: Colleagues, uid: str, payload: str, *, kind: str = "observations", **more: Any) -> str:
    """Have Bob bring a row, and return what became of it."""
    is_record = kind in ("observations", "facts", "notes", "sessions")
    hlc = now_ms() << 16 if is_record else None
    entry = TeamEntry(
        kind, uid, "atlas", "bobs", hlc, f"{hlc} bobs", "project", "here", now_ms(), now_ms(), payload
    )
    with Server(as_user(team.dsn, "bob")) as server:
        for known in server.fetch(team.team_id, [(kind, uid)]):
            entry = entry._replace(base=known.version)
        return server.push(team.team_id, "bobs", [entry._replace(**more)])[0].verdict


def reasons(store: Store) -> list[str]:
    return [row.reason for row in status(store).refused]


def observation(uid: str, title: str = "forged", **more: object) -> str:
    line = {
        "uid": uid, "session": "a-session", "type": "finding", "title": title, "project": "atlas",
        "created_at": 1, "updated_at": 1, "hlc": 1, "editor": "bobs", "origin": "bobs", **more,
    }  # fmt: skip
    return json.dumps(line)


@pytest.mark.parametrize("said", [{}, {JUDGED_BY: "another"}, {JUDGED_BY: table_version()}])
def test_only_what_says_that_our_rules_judged_it_is_not_judged_again(
    team: Colleagues, ada: Store, said: dict[str, str]
) -> None:
    """Evident secrets and private passages are taken out whatever a row says."""
    evident, doubtful = "ghp_" + "0aB" * 12, "psql --password Vt7kQ9xw2Lm4 and on"
    texts: dict[str, Any] = {
        "subtitle": evident,
        "facts": [f"<private>{evident}</private>"],
        "narrative": doubtful,
    }
    assert push(team, "new-1", observation("new-1", **texts, **said)) == "stored"
    for number in range(3):
        push(team, f"plain-{number}", observation(f"plain-{number}", narrative=doubtful, **said))
    sync(ada)
    found = {f"{row.title}{row.uid}": row for row in ada.observations.recent(limit=10)}
    assert evident not in str(found) and "private>" not in str(found)
    is_judged = said == {JUDGED_BY: table_version()}
    assert (str(found).count("Vt7kQ9xw2Lm4") == 3) is is_judged


def test_what_is_pushed_says_by_which_rules_it_was_judged(team: Colleagues, ada: Store) -> None:
    with Server(as_user(team.dsn, "bob")) as server:
        [entry] = server.fetch(team.team_id, [("observations", uids(ada)["shared"])])
    assert entry.payload[JUDGED_BY] == table_version()


def test_a_payload_names_no_other_memory_than_its_key(team: Colleagues, ada: Store) -> None:
    known = uids(ada)
    for number, payload in enumerate(
        (
            observation(known["kept"]),
            observation("new-1", table="facts"),
            observation("new-2", gone="deleted", deleted_at=1),
            observation("new-3", shown=True),
        )
    ):
        assert push(team, f"new-{number}", payload) == "stored"
    assert push(team, "a-fact claude x", '{"fact": "another"}', kind="fact_sources") == "stored"
    assert push(team, "elsewhere", '{"name": "atlas"}', kind="project_aliases") == "stored"
    assert len(sync(ada).refused) == 6
    assert uids(ada) == known and titles(ada) == {"shared", "kept"}
    assert len(reasons(ada)) == 6


@pytest.mark.parametrize("title", ["kept", "private"])
@pytest.mark.parametrize("state", ["here", "deleted", "withdrawn", "purged", "renamed"])
def test_what_was_never_shared_is_out_of_reach(
    team: Colleagues, ada: Store, title: str, state: str
) -> None:
    uid = uids(ada)[title]
    payload = observation(uid, into_uid="0", kind="observations")
    before = ada.db.execute("SELECT * FROM observations ORDER BY id").fetchall()
    for more in ({"state": state}, {"state": "purged"}):
        push(team, uid, payload, **more)
        sync(ada)
    assert ada.db.execute("SELECT * FROM observations ORDER BY id").fetchall() == before
    assert reasons(ada) == ["is a memory of yours that you do not share"]


def test_a_purge_by_what_a_memory_says_reaches_none_that_was_not_shared(
    team: Colleagues, ada: Store
) -> None:
    fact = ada.facts.add("the secret gateway", project="diary")
    key = fact_tombstone(fact.kind, fact.content)
    payload = f'{{"uid": "new", "kind": "facts", "key": "{key}"}}'
    push(team, "new", payload, kind="facts", state="purged")
    sync(ada)
    assert [item.content for item in ada.facts.list()] == ["the secret gateway"]


def test_a_note_of_a_teammates_takes_no_place_of_ones_own(team: Colleagues, ada: Store) -> None:
    ada.notes.upsert("MEMORY.md", "mine", project="atlas")
    line = {"uid": "new", "path": "MEMORY.md", "text": "forged", "project": "atlas"}
    times = {"created_at": 1, "updated_at": 1, "hlc": 1, "editor": "bobs", "origin": "bobs"}
    push(team, "new", json.dumps(line | times), kind="notes")
    sync(ada)
    rows = ada.db.execute("SELECT path, text FROM notes ORDER BY 1").fetchall()
    assert ("MEMORY.md", "mine") in rows and ("MEMORY.md", "forged") not in rows


def test_a_row_is_as_new_and_where_the_server_says(team: Colleagues, ada: Store) -> None:
    push(team, "new", observation("new", project="diary", hlc=1 << 62, editor="ada"))
    assert sync(ada).refused == ()
    sql = "SELECT project, editor, hlc FROM observations WHERE uid = 'new'"
    row: Any = ada.db.execute(sql).fetchone()
    project, editor, hlc = row
    assert (project, editor) == ("atlas", "bobs") and hlc < 1 << 62
    number = ada.record("new").id
    assert marks_of(ada, [str(number)])[str(number)].author == "bob"


BAD = {
    "observations": ("[1, 2]", '"text"', '{"uid": ["KEY"]}', '{"uid": "KEY", "session": {}}', "{}"),
    "reviews": (
        "[1]", '{"verdict": "disputed", "reply": ""}', '{"uid": "KEY", "verdict": "boo", "reply": ""}',
        '{"uid": "KEY", "verdict": "disputed", "reply": [1]}', '{"uid": {}, "verdict": "disputed"}',
    ),
    "fact_sources": ('{"fact": [1]}', "[1]"),
    "merged_records": ('{"uid": "KEY", "into_uid": 5}', "[1]"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_rows_are_refused_one_by_one_and_stop_no_other(team: Colleagues, ada: Store, kind: str) -> None:
    words = f"{{{query_of(['forged'])[0]}}}"
    for number, payload in enumerate(BAD[kind]):
        uid = f"x{number} bob" if kind == "reviews" else f"x{number}"
        payload = payload.replace("KEY", f"x{number}")
        assert push(team, uid, payload, kind=kind, words=words) == "stored"
    push(team, "good", observation("good", "good"))
    sync(ada)
    assert "good" in titles(ada)
    assert len(reasons(ada)) == len(BAD[kind])
    sync(ada, verify=True)
    assert len(reasons(ada)) == len(BAD[kind])
    if kind == "observations":
        assert {hit.uid for hit in search_team(ada, "forged").hits} == {"x2", "x3", "x4"}


def test_a_row_that_was_refused_is_forgotten_once_a_good_one_comes(team: Colleagues, ada: Store) -> None:
    push(team, "new", "[1]")
    sync(ada)
    assert len(reasons(ada)) == 1
    push(team, "new", observation("new", "mended"))
    sync(ada)
    assert reasons(ada) == [] and "mended" in titles(ada)
