"""One action is one undo, and what others wrote meanwhile stays."""

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.database.recording import CLOCKS, JOURNALED
from memtui.store.maintain.duplicates.alike import clusters, merge
from tests.promises import promise
from tests.sizes import costly
from tests.store.undoing import undone

AT = 1_771_000_000_000


def write(path: Path, sql: str) -> None:
    """What another program does to the same file."""
    with closing(apsw.Connection(str(path))) as other:
        other.execute(sql)


def rows(store: Store) -> dict[str, list[Any]]:
    """All rows of the journaled tables, but for their clocks."""
    found: dict[str, list[Any]] = {}
    for table in JOURNALED:
        names = [str(row[1]) for row in store.db.execute(f"PRAGMA table_info({table})")]
        kept = ", ".join(name for name in names if name not in CLOCKS)
        found[table] = sorted(store.db.execute(f"SELECT {kept} FROM {table}"), key=repr)
    return found


def fill(store: Store) -> None:
    """A few records of every kind, in two projects."""
    for number, project in enumerate(("atlas", "orders"), 1):
        session = store.sessions.start(f"c-{number}", project=project, at=AT, title="one")
        store.prompts.add(session, f"prompt {number}", at=AT)
        store.observations.add(session, title="The very same words", narrative="told", at=AT)
        store.summaries.add(session, request=f"summary {number}", at=AT)
        store.facts.add("tea is green", project=project, at=AT)
        store.facts.add(f"fact {number}", project=project, at=AT, entities=["tea"])
        store.notes.upsert("MEMORY.md", f"note {number}", project=project, at=AT)
    store.observations.add("c-1", title="The very same words", narrative="told", concepts=["x"])
    store.db.execute("INSERT INTO project_places VALUES ('root', '/w/atlas', 'atlas')")


def flag(store: Store, number: int) -> None:
    tables: tuple[Any, ...] = (
        store.observations, store.prompts, store.summaries, store.facts, store.notes,
        store.sessions,
    )  # fmt: skip
    table = tables[number % 6]
    ids = [one for (one,) in store.db.execute(f"SELECT id FROM {table.name} WHERE id < 100")]
    which = ids[number // 6 % len(ids)]
    (table.pin, table.set_private, table.delete, table.pin)[number % 4](which)


def several(store: Store, number: int) -> None:
    with store.change("several deleted"):
        for one in store.observations.recent(limit=number % 3 + 1):
            store.observations.delete(one)


def put_note(store: Store, number: int) -> None:
    with store.change("note put"):
        store.notes.upsert(("MEMORY.md", f"n-{number}.md")[number % 2], f"put {number}")


def add_fact(store: Store, number: int) -> None:
    with store.change("fact added"):
        store.facts.add(("tea is green", f"new {number}")[number % 2], project="atlas")


def add_observation(store: Store, number: int) -> None:
    with store.change("observation added"):
        store.observations.add(None, title=f"added {number}", project=f"own-{number % 2}")


def add_prompt(store: Store, number: int) -> None:
    with store.change("prompt added"):
        store.prompts.add(f"own-{number % 2}", f"asked {number}", project="atlas")


def end_session(store: Store, number: int) -> None:
    with store.change("session ended"):
        store.sessions.end(number % 2 + 1, at=AT + number)


def link_session(store: Store, number: int) -> None:
    with store.change("session linked"):
        store.sessions.link(1, f"m-{number}")


def merge_projects(store: Store, number: int) -> None:
    pair = ("atlas", "orders") if number % 2 else ("orders", "atlas")
    if store.db.execute("SELECT 1 FROM sessions WHERE project = ?", (pair[0],)).get:
        with store.change("project merged"):
            store.known_projects.merge(*pair)


def merge_duplicates(store: Store, number: int) -> None:
    del number
    with store.change("duplicates merged"):
        for cluster in list(clusters(store)):
            merge(store, cluster)


OWN = (
    flag, several, put_note, add_fact, add_observation, add_prompt, end_session, link_session,
    merge_projects, merge_duplicates,
)  # fmt: skip

OTHERS = (
    "UPDATE observations SET title = 'other {0}' WHERE id = {0} % 3 + 1",
    "UPDATE facts SET extra = '[{0}]' WHERE id = {0} % 4 + 1",
    "UPDATE notes SET text = 'other {0}' WHERE id = {0} % 2 + 1",
    "UPDATE sessions SET title = 'other {0}' WHERE id = {0} % 2 + 1",
    "UPDATE summaries SET project = 'other-{0}' WHERE id = {0} % 2 + 1",
    "INSERT INTO observations (id, uid, created_at, updated_at, session_id, project, title) "
    "VALUES ({0} + 1000, 'u-{0}', 1, 1, {0} % 2 + 1, 'atlas', 'hooked {0}') ON CONFLICT DO NOTHING",
    "INSERT INTO facts (id, uid, created_at, updated_at, project, content) "
    "VALUES ({0} + 1000, 'v-{0}', 1, 1, 'atlas', 'hooked {0}') ON CONFLICT DO NOTHING",
)
STEPS = st.lists(
    st.tuples(st.sampled_from(("own", "own", "others", "reopen", "undo")), st.integers(0, 999)), max_size=14
)


@promise("undo-exact")
@costly(12)
@given(STEPS)
def test_after_every_undo_only_what_others_wrote_is_there(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        mine, theirs = Path(folder) / "mine.db", Path(folder) / "theirs.db"
        with Store.open(mine) as store:
            fill(store)
            store.backup(theirs)
        opened = [Store.open(mine), Store.open(mine)]
        try:
            for what, number in steps:
                store = opened[number % 2]
                if what == "own":
                    OWN[number % len(OWN)](store, number)
                elif what == "undo":
                    store.undo()
                elif what == "reopen":
                    store.close()
                    opened[number % 2] = Store.open(mine)
                else:
                    for path in (mine, theirs):
                        write(path, OTHERS[number % len(OTHERS)].format(number))
                assert opened[0].doctor().ok
            while opened[0].undo():
                assert opened[1].doctor().ok
            with Store.open(theirs) as others:
                assert rows(opened[0]) == rows(others)
        finally:
            for store in opened:
                store.close()


@promise("undo-exact")
def test_what_one_action_deleted_comes_back_at_once(store: Store) -> None:
    fill(store)
    before = rows(store)
    several(store, 2)
    told = store.undo()
    assert told is not None
    assert len(told.records) == 3
    assert told.sentence.startswith("several deleted. Restored: “The very same words”")
    assert rows(store) == before
    assert store.undo() is None


@promise("undo-exact")
def test_a_later_write_to_a_merged_memory_stays_and_is_said(store: Store) -> None:
    fill(store)
    merge_duplicates(store, 0)
    kept = next(one for one in store.observations.recent() if one.concepts)
    write(store.path, f"UPDATE observations SET concepts = '[\"later\"]' WHERE id = {kept.id}")
    told = store.undo()
    assert told is not None
    assert told.is_done
    assert told.kept == (
        f"Observation {kept.id} “The very same words” keeps its concepts, which was changed since.",
    )
    assert len(store.observations.recent()) == 3
    assert store.observations.get(kept.id).concepts == ("later",)


@promise("undo-exact")
def test_a_session_that_others_use_by_now_stays(store: Store) -> None:
    with store.change("observation 1 added"):
        store.observations.add("c-1", title="mine")
    store.observations.add("c-1", title="a hook's")
    told = store.undo()
    assert told is not None
    assert [one.title for one in told.records] == ["mine"]
    assert told.kept == ("Session @1 “c-1” stays, since others have used it since.",)
    assert [one.title for one in store.observations.recent()] == ["a hook's"]


def test_an_action_that_can_not_be_taken_back_is_said_and_the_next_undo_goes_on(store: Store) -> None:
    store.observations.pin(store.observations.add("c-1", title="t"))
    store.journal.note("import from elsewhere")
    told = store.undo()
    assert told is not None
    assert told.kept == ("“import from elsewhere” can't be undone.",)
    assert undone(store) == "observation 1 pinned"
    assert store.undo() is None


def test_a_later_record_with_the_number_of_one_that_is_gone_stays_as_it_is(store: Store) -> None:
    first = store.observations.add("c-1", title="first")
    store.observations.pin(first)
    write(store.path, "DELETE FROM observations")
    # No program of ours gives a number away twice.
    write(store.path, "DELETE FROM sqlite_sequence")
    second = store.observations.add("c-1", title="second", pinned=True)
    assert second.id == first.id
    assert undone(store) is None
    assert store.observations.get(second.id).pinned
