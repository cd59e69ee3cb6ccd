"""What a meeting gives, and what it never does."""

import io
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.curation.many import Action
from memtui.store.formats.jsonl import upsert
from memtui.store.leaves.sync import exchange, receiving
from memtui.store.leaves.sync.channel import MAGIC, Channel, SyncError, Wishes
from memtui.store.leaves.sync.exchange import answer, begin
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.sync.rows import Line, RowState
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge_selection import of_uids

from .machines import Clocks
from .meeting import channel_of, meet, stores


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    one, other = stores(tmp_path, "one", "other")
    with one, other:
        yield one, other


def test_rows_go_both_ways_and_then_nothing_is_new(pair: tuple[Store, Store]) -> None:
    one, other = pair
    one.observations.add("c-1", title="made here", project="atlas", tags=["x"])
    other.facts.add("the TTL is 24 h", project="atlas")
    meet(one, other)
    assert [item.title for item in other.observations.recent()] == ["made here"]
    assert [fact.content for fact in one.facts.list()] == ["the TTL is 24 h"]
    outcome, _ = meet(one, other)
    assert outcome is not None and outcome.differing is None
    assert not outcome.given.counts and not outcome.taken.counts
    outcome, _ = meet(one, other, Wishes(verify=True))
    assert outcome is not None and outcome.differing == 0


def test_what_is_private_is_in_no_byte_that_leaves(pair: tuple[Store, Store]) -> None:
    one, other = pair
    one.observations.add("c-1", title="canary", narrative="canary", private=True)
    session = one.sessions.start("c-2", agent="codex", title="canary")
    one.prompts.add(session, "canary asked")
    one.sessions.set_private(session)
    for wishes in (Wishes(), Wishes(verify=True), Wishes(dry_run=True)):
        _, sent = meet(one, other, wishes)
        assert b"canary" not in sent


def test_what_is_deleted_leaves_without_its_text(pair: tuple[Store, Store]) -> None:
    one, other = pair
    made = one.observations.add("c-1", title="canary")
    one.observations.delete(made)
    _, sent = meet(one, other)
    assert b"canary" not in sent
    kept = one.observations.add("c-1", title="stays")
    meet(one, other)
    one.observations.delete(kept)
    meet(one, other)
    assert not other.observations.recent()
    other.observations.restore(other.observations.get(kept.uid))
    meet(one, other)
    assert [item.title for item in one.observations.recent()] == ["stays"]


def test_what_is_hidden_is_hidden_on_the_machine_that_is_met_last(tmp_path: Path) -> None:
    one, other, third = stores(tmp_path, "one", "other", "third")
    with one, other, third:
        made = one.observations.add("c-1", title="made here")
        for peer in (other, third):
            meet(one, peer)
        one.change_many([made.uid], Action("hide"))
        one.change_many([made.uid], Action("pin"))
        meet(one, other)
        meet(one, third)
        assert not other.observations.recent()
        assert not third.observations.recent()


def test_what_is_hidden_on_one_machine_is_hidden_on_the_other(pair: tuple[Store, Store]) -> None:
    one, other = pair
    made = one.observations.add("c-1", title="shared")
    meet(one, other)
    one.observations.set_private(made)
    other.edit(made.uid, {"title": "changed meanwhile"})
    for _ in range(3):
        meet(one, other)
    assert other.observations.get(made.uid).private
    other.observations.set_private(other.observations.get(made.uid), False)
    meet(one, other)
    assert not one.observations.get(made.uid).private


def test_a_session_that_is_hidden_is_hidden_as_a_whole_on_the_other(pair: tuple[Store, Store]) -> None:
    one, other = pair
    one.observations.add("c-1", title="zebracanary")
    one.prompts.add("c-1", "why does zebracanary fail")
    meet(one, other)
    assert len(other.find("zebracanary").page().hits) == 2
    one.change_many(["@1"], Action("hide"))
    one.prompts.add("c-1", "zebracanary again")
    _, sent = meet(one, other)
    assert b"zebracanary" not in sent
    assert not other.find("zebracanary").page().hits
    one.change_many(["@1"], Action("show"))
    meet(one, other)
    assert len(one.find("zebracanary").page().hits) == len(other.find("zebracanary").page().hits) == 3


@pytest.mark.parametrize(("kind", "field"), [("observations", "narrative"), ("notes", "text")])
def test_a_purge_takes_along_the_version_that_lost(
    pair: tuple[Store, Store], kind: str, field: str
) -> None:
    one, other = pair
    one.notes.upsert("a/plan.md", "shared")
    one.observations.add("c-1", title="shared", narrative="first")
    uid = str(one.db.execute(f"SELECT uid FROM {kind}").get)
    meet(one, other)
    one.edit(uid, {field: "quicksilver here"})
    other.edit(uid, {field: "quicksilver there"})
    for _ in range(2):
        meet(one, other)
    assert [store.db.execute(f"SELECT count(*) FROM {kind}").get for store in pair] == [2, 2]
    assert {note.path[:16] for note in one.notes.list()} <= {"a/plan.md", "a/plan (conflict"}
    purge_for_good(one, of_uids(one.db, [uid]))
    meet(one, other)
    for store in pair:
        assert not store.db.execute(f"SELECT count(*) FROM {kind}").get
        assert not store.find("quicksilver").page().hits


def test_a_purged_copy_of_the_version_that_lost_is_not_made_again(
    pair: tuple[Store, Store], tmp_path: Path
) -> None:
    one, other = pair
    uid = one.observations.add("c-1", title="shared", narrative="first").uid
    meet(one, other)
    one.edit(uid, {"narrative": "quicksilver"})
    with stores(tmp_path, "third")[0] as third:
        meet(one, third)
        other.edit(uid, {"narrative": "later"})
        meet(one, other)
        [copy] = [item.uid for item in one.observations.recent() if item.uid != uid]
        purge_for_good(one, of_uids(one.db, [copy]))
        # By way of a folder the purge may come before what it was about.
        state, receiver = RowState(one), receiving.Receiver(third, "peer")
        for kind, key in (("purged", copy), ("observations", uid)):
            receiver.store_batch([*state.lines(kind, [key])])
        assert [item.narrative for item in third.observations.recent()] == ["later"]


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_purge_reaches_the_other_machine_and_its_file(pair: tuple[Store, Store], is_undone: bool) -> None:
    one, other = pair
    with other.change("added"):
        made = other.observations.add("c-1", title="kept", narrative="quicksilver canary")
    meet(one, other)
    if is_undone:
        # Now only what can be redone says it there.
        other.undo()
    purge_for_good(one, of_uids(one.db, [made.uid]))
    meet(one, other)
    assert not other.observations.recent()
    for path in other.path.parent.iterdir():
        assert b"quicksilver" not in path.read_bytes()


def test_what_was_changed_of_a_memory_whose_adding_is_undone_elsewhere_is_kept(
    pair: tuple[Store, Store],
) -> None:
    one, other = pair
    with other.change("added"):
        changed = other.observations.add("c-1", title="first")
        other.observations.add("c-1", title="second")
    meet(one, other)
    one.edit(changed.uid, {"title": "first, as one had it"})
    other.undo()
    for _ in range(2):
        meet(one, other)
    for store in pair:
        assert [item.title for item in store.observations.recent()] == ["first, as one had it"]


def test_a_renamed_session_is_still_to_go_where_what_comes_in_touches_it(pair: tuple[Store, Store]) -> None:
    one, other = pair
    session = one.sessions.start("c-1")
    asked = one.prompts.add(session, "first")
    one.prompts.add(session, "second")
    meet(one, other)
    one.change_many([asked.uid], Action("delete"))
    other.edit(session.uid, {"title": "renamed"})
    deleted = [*RowState(one).lines("prompts", [asked.uid])]
    receiving.Receiver(other, one.machine_id).store_batch(deleted)
    assert other.db.execute("SELECT key FROM unsynced_rows WHERE came_from IS NULL").get == session.uid


def test_a_fact_that_comes_to_say_what_another_here_says_is_one_with_it(
    pair: tuple[Store, Store],
) -> None:
    one, other = pair
    other.facts.add("the TTL is 24 h")
    fact = one.facts.add("the TTL is 12 h")
    meet(one, other, Wishes(takes=False))
    one.edit(fact.uid, {"content": "the TTL is 24 h"})
    for _ in range(2):
        outcome, _sent = meet(one, other)
        assert outcome is not None and not outcome.given.refused
    for store in pair:
        assert [it.content for it in store.facts.list()] == ["the TTL is 24 h"]


def test_what_was_told_of_a_fact_that_came_as_deleted_is_not_refused(pair: tuple[Store, Store]) -> None:
    one, other = pair
    fact = one.facts.add("the TTL is 12 h", evidence=["u-1"])
    told = [*RowState(one).lines("fact_sources", [str(one.db.execute("SELECT uid FROM fact_sources").get)])]
    one.facts.delete(fact.id)
    receiver = receiving.Receiver(other, "peer")
    receiver.store_batch([*told, *RowState(one).lines("facts", [fact.uid])])
    assert (len(told), receiver.verdicts.refused) == (1, [])


def test_a_purge_is_taken_in_by_a_machine_that_has_more_to_give(pair: tuple[Store, Store]) -> None:
    one, other = pair
    made = one.observations.add("c-1", title="quicksilver")
    meet(one, other)
    purge_for_good(one, of_uids(one.db, [made.uid]))
    other.observations.add("c-2", title="made there", project="atlas")
    meet(one, other, Wishes(verify=True))
    for store in pair:
        assert [item.title for item in store.observations.recent()] == ["made there"]


def test_both_texts_are_kept_where_both_machines_changed_one(pair: tuple[Store, Store]) -> None:
    one, other = pair
    made = one.observations.add("c-1", title="clock", narrative="before", tags=["a"])
    meet(one, other)
    one.edit(made.uid, {"narrative": "here", "add_tags": ["b"]})
    other.edit(made.uid, {"narrative": "there", "add_tags": ["c"]})
    for _ in range(3):
        meet(one, other)
    for store in pair:
        texts = {item.narrative for item in store.observations.recent()}
        assert texts == {"here", "there"}
        assert set(store.observations.get(made.uid).tags) == {"a", "b", "c"}


def test_the_same_import_on_both_sides_is_one_record(pair: tuple[Store, Store]) -> None:
    for store in pair:
        for number in range(20):
            store.observations.add("s-1", title=f"step {number}", source="codex", native_id=f"n-{number}")
    one, other = pair
    other.facts.add("true", evidence=[other.observations.recent()[0].uid])
    meet(one, other)
    meet(one, other)
    assert len(one.observations.recent()) == len(other.observations.recent()) == 20
    assert {item.uid for item in one.observations.recent()} == {
        item.uid for item in other.observations.recent()
    }
    for store in pair:
        (fact,) = store.facts.list()
        assert store.record(fact.evidence[0]).id
    assert one.db.execute("SELECT count(*) FROM sessions").get == 1


def test_a_project_that_is_given_or_merged_is_so_on_the_other_machine(pair: tuple[Store, Store]) -> None:
    one, other = pair
    one.sessions.start("s-1", source="codex", native_id="n-1", project_path="/w/old/web")
    one.observations.add("s-1", title="of none", source="codex", native_id="n-2")
    for project in ("old", "new"):
        one.notes.upsert("MEMORY.md", f"in {project}", project=project)
        one.facts.add("said in both", project=project)
    meet(one, other)
    one.known_projects.assign("codex", "atlas")
    one.known_projects.merge("old", "new")
    one.known_projects.move_folder("/w/old", "/w/new")
    meet(one, other)
    assert other.sessions.get("s-1").project_path == "/w/new/web"
    assert other.known_projects.moved("/w/old/lib") == "/w/new/lib"
    assert [item.project for item in other.observations.recent()] == ["atlas"]
    assert other.sessions.get("s-1").project == "atlas"
    assert [note.text for note in other.notes.list()] == ["in new"]
    assert [fact.project for fact in other.facts.list()] == ["new"]
    outcome, _ = meet(one, other, Wishes(verify=True))
    assert outcome is not None and outcome.differing == 0


def test_tellings_of_a_fact_add_up(pair: tuple[Store, Store]) -> None:
    one, other = pair
    one.facts.add("the TTL is 24 h", confidence=0.5, evidence=["u-1"])
    other.facts.add("The TTL is 24 h.", confidence=0.5, evidence=["u-2"])
    meet(one, other)
    meet(one, other)
    for store in pair:
        (fact,) = store.facts.list()
        assert set(fact.evidence) == {"u-1", "u-2"}
        assert fact.confidence == 0.75


def test_two_facts_that_came_to_say_the_same_are_one(pair: tuple[Store, Store]) -> None:
    one, other = pair
    first, second = one.facts.add("the TTL is 12 h"), one.facts.add("the TTL is 24 h")
    meet(one, other)
    one.edit(first.uid, {"content": "the TTL is 48 h"})
    other.edit(second.uid, {"content": "the TTL is 48 h"})
    for _ in range(3):
        outcome, _ = meet(one, other)
        assert outcome is not None and outcome.given.refused == outcome.taken.refused == []
    assert [[fact.content for fact in store.facts.list()] for store in pair] == [["the TTL is 48 h"]] * 2


def test_what_comes_in_is_redacted_again(pair: tuple[Store, Store]) -> None:
    one, other = pair
    made = one.observations.add("c-1", title="key")
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    one.db.execute("UPDATE observations SET narrative = ? WHERE id = ?", (f"aws {secret}", made.id))
    meet(one, other)
    assert secret not in str(other.observations.recent()[0].narrative)


def test_excluded_projects_and_queries_stay(pair: tuple[Store, Store]) -> None:
    one, other = pair
    one.observations.add("c-1", title="canary one", project="secret")
    one.observations.add("c-2", title="canary two", project="atlas", tags=["home"])
    one.observations.add("c-2", title="goes", project="atlas")
    machines = Machines(one)
    machines.exclude("project:secret")
    machines.exclude("tag:home")
    _, sent = meet(one, other)
    assert b"canary" not in sent
    assert [item.title for item in other.observations.recent()] == ["goes"]
    machines.include("tag:home")
    meet(one, other)
    assert len(other.observations.recent()) == 2


def test_a_clock_that_is_a_year_off_exchanges_nothing(pair: tuple[Store, Store], clocks: Clocks) -> None:
    one, other = pair

    def year_ahead() -> Store:
        clocks.set(366 * 24)
        return Store.open(other.path)

    with pytest.raises(SyncError, match="clock"):
        meet(one, other, open_theirs=year_ahead)


def test_what_was_dated_in_a_future_wins_nothing_once_the_clock_is_right(pair: tuple[Store, Store]) -> None:
    one, other = pair
    made = one.observations.add("c-1", title="once")
    one.db.execute("UPDATE observations SET hlc = hlc + (400 * 86400000 << 16)")
    meet(one, other)
    other.edit(made.uid, {"title": "later"})
    meet(one, other)
    assert one.observations.get(made.uid).title == "later"


def test_read_only_and_write_only_machines(pair: tuple[Store, Store]) -> None:
    one, other = pair
    one.observations.add("c-1", title="here")
    other.observations.add("c-2", title="there")
    meet(one, other, Wishes(gives=False))
    assert len(one.observations.recent()) == 2 and len(other.observations.recent()) == 1
    meet(one, other, Wishes(takes=False))
    assert len(other.observations.recent()) == 2


def test_a_row_that_is_too_long_to_travel_is_named_and_stops_no_other(
    pair: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    long = one.observations.add("c-1", title="long", narrative="word " * 1_000)
    one.observations.add("c-1", title="good")
    monkeypatch.setattr(exchange, "LONGEST", 3_000)
    outcome, _ = meet(one, other)
    assert outcome is not None
    assert [(item.kind, item.key) for item in outcome.given.refused] == [("observations", long.uid)]
    assert [item.title for item in other.observations.recent()] == ["good"]
    monkeypatch.undo()
    meet(one, other)
    assert len(other.observations.recent()) == 2


WRONG: tuple[Any, ...] = (None, 1 << 70, "\ud800", [1], {"end": []})
"""What another program may say in place of a message, or of a value."""


def test_nonsense_is_told_in_a_sentence_wherever_it_comes(
    tmp_path: Path, pair: tuple[Store, Store]
) -> None:
    one, other = pair
    one.observations.add("c-1", title="here")
    other.observations.add("c-1", title="there")
    said = b"".join(_said_by_the_other(pair)).splitlines(keepends=True)
    assert len(said) > 6
    for place in range(len(said)):
        for wrong in (*WRONG, *_spoiled(json.loads(said[place]))):
            lines = [*said[:place], json.dumps(wrong).encode() + b"\n"]
            with suppress(SyncError):
                begin(one, Channel(io.BytesIO(b"".join(lines)), io.BytesIO()), Wishes(verify=True))
    assert [check for check in one.doctor().checks if not check.ok] == []
    meet(one, other, Wishes(verify=True))
    assert len(one.observations.recent()) == len(other.observations.recent()) == 2


def _said_by_the_other(pair: tuple[Store, Store]) -> list[bytes]:
    """What the second store says in a meeting in which rows go both ways, as far as nothing is stored."""
    here, there = socket.socketpair()
    said: list[bytes] = []

    def serve() -> None:
        with Store.open(pair[1].path) as store, there, suppress(SyncError):
            answer(store, channel_of(there, said, None))

    thread = Thread(target=serve)
    thread.start()
    with here, suppress(SyncError):
        begin(pair[0], channel_of(here, [], None), Wishes(verify=True))
    thread.join()
    return said


def _spoiled(message: Any) -> Iterator[Any]:
    """A message, but for rows, with one of its values in the wrong way."""
    if isinstance(message, dict) and "table" not in message:
        for key in message:
            yield from (message | {key: wrong} for wrong in WRONG)
    elif isinstance(message, list):
        for place in range(len(message)):
            yield from ([*message[:place], wrong, *message[place + 1 :]] for wrong in WRONG)


@pytest.mark.parametrize(
    "line",
    [
        5,
        [],
        {"table": []},
        {"table": "pending_messages"},
        {"table": "observations"},
        {"table": "observations", "uid": "\ud800"},
        {"table": "observations", "uid": "u", "project": {}},
        {"table": "facts", "uid": "u", "evidence": 5},
        {"table": "observations", "uid": "u", "hlc": 1 << 70},
        {"table": "observations", "uid": "u", "gone": []},
        {"table": "observations", "uid": "u", "gone": "deleted", "hlc": 1, "editor": "e"},
        {"table": "reports", "gone": "deleted"},
        {"table": "renamed_records", "uid": "u", "kind": "facts"},
        {"table": "fact_sources", "uid": "u"},
    ],
)
def test_a_line_that_is_no_row_is_refused_and_stops_no_other(store: Store, line: Any) -> None:
    receiver = receiving.Receiver(store, "peer")
    good = {"table": "saved_searches", "name": "n", "query": "q", "created_at": 1, "updated_at": 1}
    receiver.store_batch([line, good])
    assert len(receiver.verdicts.refused) == 1
    assert receiver.verdicts.counts["stored"] == 1


def test_a_version_that_is_not_spoken_is_told_in_a_sentence(store: Store) -> None:
    said = json.dumps({"memtui-sync": [99], "program": "9.0", "machine": "m", "name": "n", "now": 0})
    with pytest.raises(SyncError, match="bring the older memtui up to date"):
        begin(store, Channel(io.BytesIO(said.encode() + b"\n"), io.BytesIO()))


def test_a_memtui_that_is_newer_by_a_version_meets_this_one(
    pair: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    hello, lines = exchange._Side.hello, RowState.lines

    def hello_of_newer(side: exchange._Side) -> dict[str, Any]:
        speaks = {MAGIC: [1, 2]} if side.store.path == other.path else {}
        return hello(side) | speaks

    def lines_of_newer(state: RowState, kind: str, *args: Any, **options: Any) -> Iterator[Line]:
        for line in lines(state, kind, *args, **options):
            yield line | ({"mood": "calm"} if state.store.path == other.path else {})
        if kind == "observations" and state.store.path == other.path:
            yield {"table": "moods", "uid": "m-1"}

    monkeypatch.setattr(exchange._Side, "hello", hello_of_newer)
    monkeypatch.setattr(RowState, "lines", lines_of_newer)
    one.observations.add("c-1", title="of the older")
    other.observations.add("c-1", title="of the newer")
    other.searches.save("calm", "mood:calm")
    outcome, _ = meet(one, other)
    assert outcome is not None
    assert {item.kind for item in outcome.taken.refused} == {"moods"}
    for store in pair:
        titles = {item.title for item in store.observations.recent()}
        assert titles == {"of the older", "of the newer"}
        assert [search.name for search in store.searches.saved()] == ["calm"]


def test_nobody_at_the_other_end_is_told(store: Store) -> None:
    with pytest.raises(SyncError, match="Nobody answered"):
        begin(store, Channel(io.BytesIO(b"Welcome to laptop\n"), io.BytesIO()))


def test_forgetting_a_machine_drops_what_only_it_made(pair: tuple[Store, Store]) -> None:
    one, other = pair
    other.observations.add("c-1", title="theirs")
    other.observations.add("c-1", title="changed here")
    meet(one, other)
    machines = Machines(one)
    machines.add("laptop", "ssh://laptop")
    machines.note_meeting("laptop", other.machine_id)
    changed = next(item for item in one.observations.recent() if item.title == "changed here")
    one.change_many([changed.uid], Action("tag", add=("mine",)))
    assert machines.forget("laptop", keep=False) == 1
    assert [item.title for item in one.observations.recent()] == ["changed here"]
    assert machines.status() == []


def test_without_its_rule_a_later_edit_is_lost(
    pair: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rounds of `test_convergence` see what happens when the older version wins."""
    one, other = pair
    made = one.observations.add("c-1", title="first")
    meet(one, other)
    one.edit(made.uid, {"title": "earlier"})
    other.edit(made.uid, {"title": "later"})
    monkeypatch.setattr(receiving, "version_of", lambda line: (1 << 62, ""))
    monkeypatch.setattr(upsert.RowUpsert, "_put", _take_any)
    meet(one, other, Wishes(takes=False))
    assert other.observations.get(made.uid).title == "earlier"


def _take_any(
    self: upsert.RowUpsert, row: object, values: dict[str, object], known: dict[str, object]
) -> None:
    number = known[str(values["uid"])][0]  # type: ignore[index]
    self._update("observations", values, number)


def test_a_first_meeting_sends_nothing_back(pair: tuple[Store, Store]) -> None:
    one, other = pair
    for store, name in ((one, "one"), (other, "other")):
        for number in range(3):
            store.observations.add("s", title=f"{name} {number}", project="atlas")
    _, sent = meet(one, other)
    assert sent.count(b'"one 1"') == sent.count(b'"other 1"') == 1
