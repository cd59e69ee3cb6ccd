"""Undo of everything gives back what was there, redo what was made of it: whatever was done, in however
many connections, and wherever the process was killed.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.store import Action, ConflictError, InvalidRecordError, Store
from memtui.store.context.scope import Profile, forget_profile, save_profile
from tests.places import PYTHONPATH
from tests.promises import promise
from tests.sizes import costly, sizes

from ..database.test_journal import OWN, fill, rows

TABLES = ("observations", "prompts", "summaries", "facts", "notes", "sessions")
LETTERS = ("", "p", "s", "f", "n", "@")
FIELDS = ("title", "text", "learned", "content", "text", "title")
ACTIONS = (
    Action("delete"), Action("restore"), Action("pin"), Action("unpin"), Action("hide"),
    Action("show"), Action("tag", add=("new",)), Action("tag", add=("x",), remove=("new",)),
    Action("project", project="atlas"), Action("project", project="beta"),
)  # fmt: skip


def refs(store: Store, kind: int) -> list[str]:
    found = store.db.execute(f"SELECT id FROM {TABLES[kind]} ORDER BY id").fetchall()
    return [f"{LETTERS[kind]}{number}" for (number,) in found]


def edit(store: Store, number: int) -> None:
    kind = number % 6
    some = refs(store, kind)
    one = some[number % len(some)]
    try:
        store.edit(one, {FIELDS[kind]: f"edited {number % 7}"})
    except InvalidRecordError:
        # Two facts would say the same.
        assert kind == 3


def many(store: Store, number: int) -> None:
    some = [one for kind in range(6) for one in refs(store, kind)]
    store.change_many(some[number % 5 :: number % 3 + 1], ACTIONS[number % len(ACTIONS)])


def by_query(store: Store, number: int) -> None:
    query = ("kind:observation", "prompt", "is:pinned", "project:atlas")[number % 4]
    store.change_many(query, ACTIONS[number % len(ACTIONS)])


def restore_version(store: Store, number: int) -> None:
    some = refs(store, number % 6)
    one = some[number % len(some)]
    try:
        store.restore_version(one, number % len(store.history(one)) + 1)
    except InvalidRecordError:
        assert number % 6 == 3


def merge(store: Store, number: int) -> None:
    some = refs(store, number % 6)
    before = rows(store)
    try:
        store.merge(some[number % 2 :: number % 3 + 1], {FIELDS[number % 6]: f"one {number % 5}"})
    except InvalidRecordError:
        # Sessions, what is deleted, one alone, or another fact that says the same.
        assert rows(store) == before


def tell_apart(store: Store, number: int) -> None:
    some = refs(store, number % 5)
    with suppress(InvalidRecordError):
        store.not_duplicates(some[number % 3 : number % 3 + 3])


def revert(store: Store, number: int) -> None:
    changes = [one for one in store.changes() if one.undone_at is None]
    if changes:
        before = rows(store)
        try:
            store.revert(changes[number % len(changes)].id)
        except ConflictError:
            assert rows(store) == before


def supersede(store: Store, number: int) -> None:
    some = refs(store, 3)
    old, new = some[number % len(some)], some[number // 7 % len(some)]
    before = rows(store)
    try:
        if number % 3:
            store.supersede(old, new)
        else:
            store.supersede_by_text(old, f"instead {number % 2}")
    except InvalidRecordError:
        # One of them is deleted or hidden, or they would supersede each other.
        assert rows(store) == before


def reinstate(store: Store, number: int) -> None:
    some = refs(store, 3)
    store.reinstate(some[number % len(some)])


def choose_context(store: Store, number: int) -> None:
    if number % 3:
        save_profile(store, "atlas", Profile(500 + number, first=["1"]))
    else:
        forget_profile(store, "atlas")


def save_search(store: Store, number: int) -> None:
    with store.change("search saved"):
        store.searches.save(f"mine {number % 2}", f"tea {number}")


ALL = (
    *OWN, edit, edit, many, many, by_query, restore_version, revert, supersede, supersede, reinstate,
    merge, merge, tell_apart, choose_context, save_search,
)  # fmt: skip
STEPS = st.lists(
    st.tuples(st.sampled_from(("own", "own", "own", "undo", "redo", "reopen")), st.integers(0, 9_999)),
    max_size=14,
)


@promise("undo-exact")
@costly(5)
@given(STEPS)
@example([("own", 3), ("own", 159), ("own", 1)])
def test_undo_of_everything_and_redo_of_everything_are_exact(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with Store.open(path) as store:
            fill(store)
            before = rows(store)
        opened = [Store.open(path), Store.open(path)]
        try:
            for what, number in steps:
                store = opened[number % 2]
                if what == "own":
                    ALL[number % len(ALL)](store, number)
                elif what == "reopen":
                    store.close()
                    opened[number % 2] = Store.open(path)
                else:
                    store.undo() if what == "undo" else store.redo()
                assert opened[1].doctor().ok
            first, second = opened
            while first.redo():
                pass
            after = rows(first)
            while second.undo():
                assert first.doctor().ok
            assert rows(first) == before
            while first.redo():
                assert second.doctor().ok
            assert rows(second) == after
        finally:
            for store in opened:
                store.close()


WORKER = """
import sys
from memtui.store import Action, Store
with Store.open(sys.argv[1]) as store:
    for number in range(10_000):
        store.change_many("kind:observation,prompt,fact", Action("pin" if number % 2 else "unpin"))
        store.change_many("drift", Action("delete"))
        print(number, flush=True)
        store.edit("p1", {"text": f"asked {number}"})
        store.undo(); store.undo(); store.redo(); store.undo()
"""


@promise("undo-exact")
@sizes("places", 3, 8)
def test_a_kill_at_any_moment_leaves_each_change_whole_or_undone(tmp_path: Path, places: int) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        fill(store)
        for number in range(50):
            store.observations.add("c-1", title=f"drift {number}")
        before = rows(store)
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    for place in range(places):
        process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(path)], stdout=subprocess.PIPE, env=environment
        )
        with process:
            assert process.stdout is not None
            for _ in range(place % 5 + 1):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        with Store.open(path) as store:
            assert store.doctor(thorough=True).ok
    with Store.open(path) as store:
        while store.redo():
            pass
        after = rows(store)
        while store.undo():
            pass
        assert rows(store) == before
        while store.redo():
            pass
        assert rows(store) == after


@pytest.mark.parametrize("name", ["undo", "redo"])
def test_two_connections_never_undo_or_redo_the_same_twice(tmp_path: Path, name: str) -> None:
    with Store.open(tmp_path / "m.db") as one, Store.open(tmp_path / "m.db") as other:
        for number in range(1, 5):
            one.observations.pin(one.observations.add("c-1", title=f"t {number}"))
        if name == "redo":
            while one.undo():
                pass
        done = [getattr(store, name)() for store in (one, other, one, other)]
        assert len({found.what for found in done}) == 4
        assert getattr(one, name)() is None
