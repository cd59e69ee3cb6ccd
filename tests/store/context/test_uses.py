"""How often agents were told a memory, read it and named it: counted, found, sorted by, gone with it."""

from __future__ import annotations

import pytest

from memtui.store import Store
from memtui.store.context.log import KEPT, log_entry, write_log_entry
from memtui.store.context.uses import UNUSED, count_answer, count_cited, use_of
from memtui.store.maintain.purge import purge

AT = 1_771_400_000_000


def tell(store: Store, refs: str, times: int = 1, session: str = "s-1") -> None:
    for _ in range(times):
        assert write_log_entry(store.db, log_entry("codex", session, "atlas", 9, refs.split(), "prompt"))


def fill(store: Store) -> None:
    """Memories 1 to 6, p1 and f1; 2 was told three times, 4 and f1 once."""
    session = store.sessions.start("c-1", agent="codex", project="atlas", at=AT)
    for number in range(1, 7):
        store.observations.add(session, title=f"drift {number}", at=AT + number)
    store.prompts.add(session, "why does it drift", at=AT + 10)
    store.facts.add("clocks drift", kind="W", project="atlas", at=AT + 11)
    tell(store, "2", times=2)
    tell(store, "2 4 f1")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("told:0", "p1 6 5 3 1"),
        ("told:1", "f1 4"),
        ("told:1+", "f1 4 2"),
        ("told:1-3", "f1 4 2"),
        ("told:2–3", "2"),
        ("told:3×", "2"),
        ("told:==3", "2"),
        ("told:=>1", "f1 4 2"),
        ("told:３", "2"),
        ("told:>1", "2"),
        ("told:>=1", "f1 4 2"),
        ("told:<1", "p1 6 5 3 1"),
        ("told:<=1", "f1 p1 6 5 4 3 1"),
        ("told:<0", ""),
        ("told:>=0 kind:fact", "f1"),
        ("told:=3", "2"),
        ("told:1,3", "f1 4 2"),
        ("told:0..2", "f1 p1 6 5 4 3 1"),
        ("told:2..", "2"),
        ("told:..0", "p1 6 5 3 1"),
        ("-told:0..1", "2"),
        ("told:≥1", "f1 4 2"),
        ("告知：＝1", "f1 4"),
        ("-told:0", "f1 4 2"),
        ("sort:told", "2 f1 4 p1 6 5 3 1"),
        ("drift sort:told", "2 f1 4 p1 6 5 3 1"),
        ("sort:told kind:observation", "2 4 6 5 3 1"),
        ("告知:0 排序:告知 种类:事实", ""),
    ],
)
def test_memories_are_found_by_how_often_they_were_told(store: Store, query: str, found: str) -> None:
    fill(store)
    found_hits = store.find(query)
    assert [hit.row.ref for hit in found_hits.page(related=False, turns=False).hits] == found.split()
    assert found_hits.count().value == len(found.split())


@pytest.mark.parametrize("query", ["sort:told", "sort:told kind:observation"])
def test_each_row_of_the_list_knows_its_place(store: Store, query: str) -> None:
    fill(store)
    found = store.find(query)
    rows = found.rows(0, 20)
    assert [found.position(row) for row in rows] == [*range(len(rows))]
    assert [row.ref for start in range(0, len(rows), 3) for row in found.rows(start, 3)] == [
        row.ref for row in rows
    ]
    assert [row.told for row in rows] == sorted((row.told for row in rows), reverse=True)


@pytest.mark.parametrize("value", ["x", ">", "-1", "1.5", "9999999999", "..", "5..2", ">1..2", "2-1"])
def test_what_is_no_number_is_a_word_and_said_to_be(store: Store, value: str) -> None:
    fill(store)
    assert not store.parse(f"told:{value}").filters
    (remark, *_) = store.remarks(f"told:{value}")
    assert "takes a number" in remark.sentence


def test_counts_outlast_the_log(store: Store) -> None:
    fill(store)
    tell(store, "5", times=KEPT + 3)
    assert store.db.execute("SELECT count(*) FROM given_contexts").get == KEPT
    use = use_of(store, store.record("5"))
    assert (use.told, use.agent, use.session) == (KEPT + 3, "codex", "s-1")
    assert use_of(store, store.record("2")).told == 3


def test_what_a_question_lists_is_told_and_what_it_tells_in_full_is_read(store: Store) -> None:
    fill(store)
    count_answer(store, {"hits": [{"id": "1"}, {"id": "@1"}]}, "codex", "c-1")
    count_answer(store, {"records": [{"id": "1"}]}, "codex", "c-1", is_full=True)
    use = use_of(store, store.record("1"))
    assert (use.told, use.reads, use.session) == (1, 1, "c-1") and use.read_at


@pytest.mark.parametrize(
    ("reply", "cited"),
    [
        ("As [mem 2: drift 2] says, it drifts.", {"2"}),
        ("Per memory #4 and memory f1.", {"4", "f1"}),
        ("See mem 2, and mem f1.", {"2", "f1"}),
        ("It takes memory 4 GB, fixes #2 and is in s3, page p1.", set()),
        ("mem 6 was never told", set()),
    ],
)
def test_a_reply_that_names_a_memory_cites_it_once(store: Store, reply: str, cited: set[str]) -> None:
    fill(store)
    for _ in range(2):
        count_cited(store, reply, AT)
    rows = (store.list_row(store.record(ref)) for ref in ("2", "4", "f1", "6", "p1"))
    assert {row.ref for row in rows if use_of(store, store.record(row.ref)).cited == 1} == cited
    count_cited(store, reply, AT + 1)
    assert all(use_of(store, store.record(ref)).cited == 2 for ref in cited)


def test_they_go_with_a_purged_memory_and_with_one_whose_adding_is_undone(store: Store) -> None:
    fill(store)
    with store.change("added"):
        added = store.observations.add("c-1", title="one more", at=AT + 20)
    tell(store, str(added.id))
    store.undo()
    purge(store, "observations", [2])
    left = store.db.execute("SELECT kind, record_id FROM memory_uses").fetchall()
    assert sorted(left) == [("f", 1), ("o", 4)]
    again = store.observations.add("c-1", title="another", at=AT + 21)
    assert use_of(store, again) == UNUSED


def test_a_deleted_memory_that_is_restored_keeps_its_counts(store: Store) -> None:
    fill(store)
    store.observations.delete(2)
    assert [row.ref for row in store.find("is:deleted told:3").rows(0, 9)] == ["2"]
    store.undo()
    assert use_of(store, store.record("2")).told == 3


def test_what_the_log_knew_before_is_counted_by_the_step(store: Store) -> None:
    fill(store)
    from importlib.resources import files

    step = files("memtui.store.database.schema").joinpath("0036_memory_uses.sql").read_text("utf-8")
    before = store.db.execute("SELECT * FROM memory_uses ORDER BY 1, 2").fetchall()
    store.db.execute("DROP TABLE memory_uses")
    store.db.execute(step.partition("-- They go with")[0])
    assert store.db.execute("SELECT * FROM memory_uses ORDER BY 1, 2").fetchall() == before
