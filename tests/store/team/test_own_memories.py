"""What is one's own and was never shared stays so, whatever a teammate writes who knows its name, or says
the same; and what was shared stays its first author's."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest

from memtui.store import Store
from memtui.store.curation.many import Action
from memtui.store.leaves.team.joining import join_team, leave_team
from memtui.store.leaves.team.membership import own_team
from memtui.store.leaves.team.server import Server
from memtui.store.leaves.team.sharing import Sharing
from memtui.store.platform.clock import now_ms, uuid7
from memtui.store.search.listing.teammates import Teammates
from memtui.store.tables.merges import statement_key

from ..sync.meeting import meet, stores
from .colleagues import Colleagues, share, sync, titles
from .test_forged_rows import observation, push, reasons

UNSHARED = "is a memory of yours that you do not share"
TIMES = {"created_at": 1, "updated_at": 1, "hlc": 1, "editor": "bobs", "origin": "bobs"}


@pytest.fixture
def ada(team: Colleagues) -> Store:
    """A member beside Bob, who shares the project atlas, and has shared nothing yet."""
    ada = team.invite("ada")
    team.invite("bob")
    share(ada)
    sync(ada)
    return ada


def rows_of(store: Store, table: str) -> list[Any]:
    return store.db.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()


def state_of(store: Store, uid: str) -> Any:
    """As what a store knows an observation on the server."""
    sql = "SELECT state FROM team_rows WHERE kind = 'observations' AND uid = ?"
    return store.db.execute(sql, (uid,)).get


def author(store: Store, ref: str) -> str:
    return Teammates(store.db).author(ref)


def fact(uid: str, content: str, **more: object) -> str:
    line = {"uid": uid, "kind": "W", "content": content, "confidence": 1.0, "project": "atlas"}
    return json.dumps(line | TIMES | more)


@pytest.mark.parametrize("state", ["here", "deleted", "withdrawn", "purged", "renamed"])
def test_what_another_machine_of_ones_own_made_is_out_of_reach(
    team: Colleagues, ada: Store, tmp_path: Path, state: str
) -> None:
    [phone] = stores(tmp_path, "phone")
    with phone:
        made = phone.observations.add("on the way", title="mine", project="diary")
        meet(ada, phone)
    before = rows_of(ada, "observations")
    payload = observation(made.uid, into_uid="0", kind="observations")
    push(team, made.uid, payload, state=state)
    sync(ada)
    assert rows_of(ada, "observations") == before and reasons(ada) == [UNSHARED]


def test_who_says_the_same_as_an_unshared_memory_gets_nothing_of_it(team: Colleagues, ada: Store) -> None:
    own = ada.facts.add("the gateway is redis", kind="W", project="diary")
    event = ada.observations.add("one", title="mine", project="diary", event_id="e-1")
    before = rows_of(ada, "facts"), rows_of(ada, "observations")
    same = fact("0", "The gateway is Redis.", project="diary")
    push(team, "0", same, kind="facts", project="diary")
    push(team, "1", observation("1", event_id=event.event_id))
    sync(ada)
    assert reasons(ada) == [] and titles(ada) == {"mine", "forged"}
    assert sorted(author(ada, f"f{item.id}") for item in ada.facts.list()) == ["", "bob"]
    for uid, kind in (("0", "facts"), ("1", "observations")):
        push(team, uid, f'{{"uid": "{uid}"}}', kind=kind, state="purged", project="diary")
    sync(ada)
    assert (rows_of(ada, "facts"), rows_of(ada, "observations")) == before
    assert author(ada, f"f{own.id}") == ""


def test_nothing_is_added_to_what_is_unshared(team: Colleagues, ada: Store) -> None:
    own = ada.facts.add("the gateway is redis", project="diary")
    kept = ada.observations.add("one", title="mine", project="diary")
    session = str(ada.db.execute("SELECT uid FROM sessions").get)
    push(team, "new", observation("new", session=session))
    telling = {"fact": own.uid, "source": "x", "native_id": "y", "told_at": 1, "confidence": 0.1}
    push(team, f"{own.uid} x y", json.dumps(telling | {"uid": "t"}), kind="fact_sources")
    merge = {"uid": kept.uid, "into_uid": "0", "at": 1}
    push(team, kept.uid, json.dumps(merge), kind="merged_records")
    into = {"uid": "z", "into_uid": own.uid, "at": 1, "key": statement_key("W", "boo")}
    push(team, "z", json.dumps(into), kind="merged_records")
    push(team, "zz", json.dumps({"uid": "zz", "into_uid": kept.uid}), state="renamed")
    sync(ada)
    assert reasons(ada) == [UNSHARED] * 5
    assert titles(ada) == {"mine"}
    assert not ada.db.execute("SELECT count(*) FROM merged_records").get
    assert [item.native_id for item in ada.facts.sources_of(own)] == ["said"]


def test_no_teammate_gives_a_project_another_name(team: Colleagues, ada: Store) -> None:
    push(team, "diary", '{"name": "diary", "project": "atlas"}', kind="project_aliases")
    assert sync(ada).refused == ()
    assert not ada.db.execute("SELECT count(*) FROM project_aliases").get


def test_who_takes_a_memorys_name_before_it_is_shared_is_not_its_author(
    team: Colleagues, ada: Store
) -> None:
    own = ada.observations.add("one", title="mine", project="diary")
    push(team, own.uid, observation(own.uid))
    sync(ada)
    share(ada, "diary")
    meeting = sync(ada)
    assert any("bob shared another memory by its name" in item for item in meeting.refused)
    assert push(team, own.uid, f'{{"uid": "{own.uid}"}}', state="purged") == "stored"
    sync(ada)
    assert titles(ada) == {"mine"} and author(ada, str(own.id)) == ""


def test_only_its_author_brings_back_what_was_withdrawn(team: Colleagues, ada: Store) -> None:
    own = ada.observations.add("one", title="mine", project="atlas")
    sync(ada)
    Sharing(ada).choose([own.uid], "private")
    sync(ada, verify=True)
    assert "author" in push(team, own.uid, observation(own.uid), made_at=own.created_at)
    sync(ada)
    assert titles(ada) == {"mine"}


@pytest.mark.parametrize("state", ["deleted", "purged"])
def test_no_administrator_takes_away_what_its_author_withdrew(
    team: Colleagues, ada: Store, state: str
) -> None:
    own = ada.observations.add("one", title="mine", project="atlas")
    for store in (ada, team.owner):
        sync(store)
    Sharing(ada).choose([own.uid], "private")
    sync(ada, verify=True)
    before = rows_of(ada, "observations")
    for store in (team.owner, ada) * 2:
        assert sync(store, verify=True).refused == ()
    assert state_of(ada, own.uid) == "withdrawn"
    with Server(team.dsn) as server:
        server.invite(team.team_id, "bob", "admin", None)
    assert push(team, own.uid, json.dumps({"uid": own.uid}), state=state) == "stored"
    sync(ada)
    assert rows_of(ada, "observations") == before and reasons(ada) == [UNSHARED]


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("action", ["hide", "delete"])
def test_two_machines_of_one_member_that_take_away_the_same_agree(
    team: Colleagues, ada: Store, action: Literal["hide", "delete"], is_first: bool
) -> None:
    own = ada.observations.add("one", title="mine", project="atlas")
    sync(ada)
    phone = team.invite("ada", machine="phone")
    share(phone)
    sync(phone)
    changes = [(ada, Action("hide")), (phone, Action(action))]
    for store, change in changes if is_first else reversed(changes):
        store.change_many([own.uid], change)
    for number in range(3):
        for store in (ada, phone):
            last = sync(store, verify=number > 0)
            assert last.refused == ()
    assert not last.given and not last.taken
    assert state_of(ada, own.uid) == state_of(phone, own.uid)
    assert titles(ada) == titles(phone) == set()


def test_two_who_say_the_same_have_a_fact_each(team: Colleagues, ada: Store) -> None:
    said, bob = "the gateway is redis", team.stores["bob"]
    mine = ada.facts.add(said, kind="W", project="atlas")
    sync(ada)
    # A smaller uid, by which two machines of one member would know it from then on.
    earlier = uuid7(now_ms() - 60_000)
    assert push(team, earlier, fact(earlier, said), kind="facts") == "stored"
    for store in (ada, bob, ada, bob):
        sync(store)
    for store in (ada, bob):
        assert {item.uid for item in store.facts.list()} == {earlier, mine.uid}
        assert ada.facts.add(said, kind="W", project="atlas").uid == mine.uid
    assert author(ada, f"f{mine.id}") == "" and author(ada, f"f{ada.facts.get(earlier).id}") == "bob"


def test_nobody_renames_what_another_shared(team: Colleagues, ada: Store) -> None:
    own = ada.observations.add("one", title="mine", project="atlas")
    sync(ada)
    push(team, "0", observation("0"))
    into = json.dumps({"uid": own.uid, "into_uid": "0", "kind": "observations"})
    assert push(team, own.uid, into, state="renamed", made_at=own.created_at).startswith("only its author")
    sync(ada)
    assert "mine" in titles(ada) and author(ada, str(own.id)) == ""


@pytest.mark.parametrize("is_late", [True, False])
@pytest.mark.parametrize("state", ["here", "deleted", "withdrawn", "purged"])
def test_what_became_one_with_anothers_by_its_name_takes_nothing_away(
    team: Colleagues, ada: Store, state: str, is_late: bool
) -> None:
    own = ada.observations.add("one", title="mine", project="atlas")
    carol = team.invite("carol")
    for store in (ada,) if is_late else (ada, carol):
        sync(store)
    into = json.dumps({"uid": "0", "into_uid": own.uid, "kind": "observations"})
    assert push(team, "0", into, state="renamed") == "stored"
    for store in (ada, carol):
        sync(store)
    later = now_ms() << 16
    push(
        team,
        "0",
        observation("0", hlc=later) if state == "here" else '{"uid": "0"}',
        state=state,
        hlc=later,
    )
    for store in (ada, carol):
        sync(store)
        assert "mine" in titles(store) and author(store, str(store.record(own.uid).id)) in ("", "ada")


def test_what_a_team_shared_is_never_given_to_another(team: Colleagues, ada: Store, tmp_path: Path) -> None:
    bob = team.stores["bob"]
    bob.facts.add("of the crew alone", project="atlas")
    share(bob)
    sync(bob)
    sync(ada)
    [phone] = stores(tmp_path, "phone")
    with phone:
        meet(phone, ada)
        dsn = own_team(ada).dsn
        leave_team(ada, keep=True)
        with Server(team.dsn) as server:
            other_id = server.create("other")
            server.invite(other_id, "ada", "writer", None)
        for store in (ada, phone):
            join_team(store, dsn, "other")
            share(store)
            assert sync(store).refused == ()
            sync(store, verify=True)
        with Server(team.dsn) as server:
            sql = "SELECT count(*) FROM memtui.entry WHERE team_id = %s"
            assert server.run(sql, other_id) == [(0,)]
        assert author(phone, "f1") == "bob"


@pytest.mark.parametrize("state", ["deleted", "withdrawn"])
def test_what_is_gone_names_no_session_that_ends_a_meeting(
    team: Colleagues, ada: Store, state: str
) -> None:
    push(team, "new", '{"uid": "new", "session": [], "into_uid": {}}', state=state)
    push(team, "x bob", '{"uid": "x", "verdict": "disputed", "reply": "", "session": [1]}', kind="reviews")
    push(team, "good", observation("good", "good"))
    sync(ada)
    assert titles(ada) == {"good"}


@pytest.mark.parametrize("state", ["deleted", "withdrawn", "purged"])
def test_a_session_that_a_teammate_takes_away_stays_with_what_is_ones_own_in_it(
    team: Colleagues, ada: Store, state: str
) -> None:
    session = ada.sessions.start("c-1", project="atlas", agent="codex")
    ada.observations.add(session, title="mine", project="diary")
    times = {"started_at": 1, "title": "forged", "agent": "codex"}
    line = {"uid": "0", "content_session_id": "c-1", "project": "atlas"} | TIMES | times
    push(team, "0", json.dumps(line), kind="sessions")
    sync(ada)
    push(team, "0", '{"uid": "0"}', kind="sessions", state=state)
    assert sync(ada).refused == ()
    assert titles(ada) == {"mine"} and ada.sessions.get("c-1").deleted_at is None


def test_what_its_author_hides_while_an_administrator_deletes_it_stays_its_authors_alone(
    team: Colleagues, ada: Store
) -> None:
    share(team.owner)
    memory = ada.observations.add("one", title="mine", project="atlas")
    for store in (ada, team.owner):
        sync(store)
    team.owner.change_many([memory.uid], Action("delete"))
    ada.change_many([memory.uid], Action("hide"))
    sync(team.owner)
    assert [text.endswith(UNSHARED) for text in sync(ada).refused] == [True]
    for store in (team.owner, ada):
        assert sync(store, verify=True).refused == ()
    assert ada.any_record(memory.uid).private and "mine" not in titles(team.owner)
