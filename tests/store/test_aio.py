"""The store behind `await`: answers and errors come through, and nobody waits for what is cancelled."""

import asyncio
import weakref
from collections.abc import AsyncIterator
from pathlib import Path
from threading import Event, current_thread

import pytest

from memtui.store import Action, DatabaseError, NotFoundError, ReadOnlyError, Store
from memtui.store.aio import AsyncStore
from tests.promises import promise
from tests.store.full_disk import full_disk

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.fixture
async def astore(tmp_path: Path) -> AsyncIterator[AsyncStore]:
    """An open store; sound in the end."""
    astore = await AsyncStore.open(tmp_path / "memory.db")
    yield astore
    await astore.close()
    with Store.open(astore.path) as store:
        assert store.doctor(thorough=True).ok


class Endless:
    """A query that never ends by itself, and tells when it has begun."""

    def __init__(self) -> None:
        self.began = Event()

    def __call__(self, store: Store) -> object:
        self.began.set()
        return store.db.execute(ENDLESS).get

    async def cancelled(self, task: asyncio.Task[object]) -> None:
        """Cancel the task that runs this, once it does."""
        await asyncio.to_thread(self.began.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_what_a_call_gives_comes_back(astore: AsyncStore) -> None:
    added = await astore.run(lambda store: store.observations.add("c-1", title="drift"))
    hits = await astore.run(lambda store: store.find("drift").page().hits)
    assert [hit.record for hit in hits] == [added]
    assert (await astore.run(lambda store: store.doctor(thorough=True))).ok
    assert not astore.read_only


async def test_many_may_ask_at_once(astore: AsyncStore) -> None:
    await asyncio.gather(
        *(astore.run(lambda store: store.observations.add("c-1", title="drift")) for _ in range(20))
    )
    counts = await asyncio.gather(*(astore.run(lambda s: s.find("drift").count().value) for _ in range(5)))
    assert counts == [20] * 5


async def test_what_a_call_raises_comes_through(astore: AsyncStore) -> None:
    with pytest.raises(NotFoundError, match="no observation 7"):
        await astore.run(lambda store: store.observations.get(7))
    assert await astore.run(lambda store: store.find("").count().value) == 0


async def test_a_cancelled_query_frees_the_thread(astore: AsyncStore) -> None:
    query = Endless()
    await query.cancelled(asyncio.create_task(astore.run(query)))
    assert await asyncio.wait_for(astore.run(lambda store: store.find("").count().value), 30) == 0


async def test_a_cancelled_write_is_taken_back(astore: AsyncStore) -> None:
    endless = Endless()

    def write(store: Store) -> object:
        with store.transaction():
            store.observations.add("c-1", title="half done")
            return endless(store)

    await endless.cancelled(asyncio.create_task(astore.run(write)))
    assert await astore.run(lambda store: store.find("half done").page().hits) == []
    await astore.run(lambda store: store.observations.add("c-1", title="whole"))
    assert await astore.run(lambda store: store.find("").count().value) == 1


class Local:
    """What a call holds in a variable, as it may hold a cursor; notes the thread on which it ends."""

    def __init__(self, ended_on: list[str]) -> None:
        weakref.finalize(self, lambda: ended_on.append(current_thread().name))


class Stop(BaseException):
    """Ends a call as a cancellation does: by what is no Exception."""


@pytest.mark.parametrize("error", [NotFoundError, Stop])
async def test_what_a_failed_call_held_ends_on_the_thread_of_the_connection(
    astore: AsyncStore, error: type[BaseException]
) -> None:
    ended_on: list[str] = []

    def fail(store: Store) -> object:
        local = Local(ended_on)
        raise error(f"{store} and {local}")

    def fail_after_that(store: Store) -> object:
        try:
            return fail(store)
        except error:
            raise error("once more") from None

    name = await astore.run(lambda _: current_thread().name)
    for call in (fail, fail_after_that):
        with pytest.raises(error) as caught:
            await astore.run(call)
        assert ended_on == [name]
        ended_on.clear()
        assert call.__name__ in {entry.name for entry in caught.traceback}


@pytest.mark.parametrize("name", ["directory", "missing.db"])
async def test_what_can_not_be_opened_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "directory").mkdir()
    with pytest.raises(DatabaseError, match=name):
        await AsyncStore.open(tmp_path / name, read_only=True)


async def test_read_only_reads_and_refuses_writes(astore: AsyncStore) -> None:
    await astore.run(lambda store: store.observations.add("c-1", title="drift"))
    reader = await AsyncStore.open(str(astore.path), read_only=True)
    assert reader.read_only
    assert len(await reader.run(lambda store: store.find("drift").page().hits)) == 1
    with pytest.raises(ReadOnlyError):
        await reader.run(lambda store: store.observations.delete(1))
    await reader.close()


async def test_another_connections_write_is_noticed(astore: AsyncStore) -> None:
    before = await astore.run(lambda store: store.data_version())
    with Store.open(astore.path) as other:
        other.observations.add("c-1", title="drift")
    assert await astore.run(lambda store: store.data_version()) != before


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    astore = await AsyncStore.open(tmp_path / "memory.db")
    await astore.close()
    await astore.close()
    with pytest.raises(DatabaseError, match="closed"):
        await astore.run(lambda store: store.find("x").page().hits)


@promise("full-disk")
async def test_after_a_full_disk_it_reads_on_and_writes_when_there_is_room(astore: AsyncStore) -> None:
    await astore.run(lambda store: store.observations.add("c-1", title="drift"))
    for _ in range(3):
        with full_disk():
            with pytest.raises(DatabaseError, match=r"The disk of .*memory\.db"):
                await astore.run(lambda store: store.observations.add("c-1", title="too much"))
            hits = await astore.run(lambda store: store.find("drift").page().hits)
            assert [hit.row.title for hit in hits] == ["drift"]
    await astore.run(lambda store: store.observations.add("c-1", title="more"))
    assert await astore.run(lambda store: store.find("is:pinned").count().value) == 0
    assert await astore.run(lambda store: store.stats().observations) == 2


async def test_one_opened_on_a_full_disk_is_written_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="drift")
    monkeypatch.setattr("memtui.store.aio.RETRY_SECONDS", 0)
    with full_disk():
        astore = await AsyncStore.open(path)
        assert await astore.run(lambda store: store.stats().observations) == 1
        with pytest.raises(DatabaseError, match="The disk of"):
            await astore.run(lambda store: store.observations.add("c-1", title="too much"))
    await astore.run(lambda store: store.observations.add("c-1", title="more"))
    assert await astore.run(lambda store: store.stats().observations) == 2
    await astore.close()


async def test_a_long_change_runs_beside_while_others_are_answered(tmp_path: Path) -> None:
    store = await AsyncStore.open(tmp_path / "memory.db")
    try:
        await store.run(lambda one: one.made_by("d"))
        await store.run(lambda one: one.observations.add("c-1", title="drift"))
        begun, go_on = Event(), Event()

        def change(one: Store) -> str:
            with one.transaction():
                begun.set()
                assert go_on.wait(30)
                return one.change_many("drift", Action("delete")).what

        long = asyncio.create_task(store.run_beside(change))
        assert await asyncio.to_thread(begun.wait, 30)
        assert len(await store.run(lambda one: one.find("drift").page().hits)) == 1
        go_on.set()
        assert await long == "observation 1 deleted"
        assert await store.run(lambda one: one.find("drift").page().hits) == []
        assert (await store.run(lambda one: one.changes()))[0].via == "d"
    finally:
        await store.close()


async def test_what_runs_beside_stops_when_it_is_cancelled_and_leaves_nothing(astore: AsyncStore) -> None:
    begun = Event()

    def change(one: Store) -> None:
        with one.transaction():
            one.observations.add("c-1", title="half done")
            begun.set()
            for number in range(1_000_000):
                one.observations.add("c-1", title=f"more {number}")

    long = asyncio.create_task(astore.change_beside(change))
    assert await asyncio.to_thread(begun.wait, 30)
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    assert await astore.run(lambda one: one.find("").count().value) == 0


async def test_changes_beside_come_after_all_that_was_asked_for_before(astore: AsyncStore) -> None:
    order: list[str] = []
    may_go_on, began = Event(), Event()

    def change(name: str) -> None:
        if not order:
            began.set()
            may_go_on.wait(30)
        order.append(name)

    async with asyncio.TaskGroup() as group:
        group.create_task(astore.run(lambda _: change("first")))
        await asyncio.to_thread(began.wait, 30)
        for name in ("second", "third", "fourth"):
            group.create_task(astore.change_beside(lambda _, name=name: change(name)))  # type: ignore[misc]
        # Without an order of their own the others would be through by now.
        await astore.run_beside(lambda _: None)
        may_go_on.set()
    assert order == ["first", "second", "third", "fourth"]


async def test_an_undo_right_after_a_change_takes_that_change_back(astore: AsyncStore) -> None:
    one = await astore.run(lambda store: store.observations.add("c-1", title="drift"))
    await astore.run(lambda store: store.change_many([str(one.id)], Action("pin")))
    async with asyncio.TaskGroup() as group:
        group.create_task(astore.run(lambda store: store.change_many([str(one.id)], Action("delete"))))
        undone = group.create_task(astore.change_beside(lambda store: store.undo()))
    assert undone.result() is not None
    kept = await astore.run(lambda store: store.observations.get(one.id))
    assert kept.pinned and kept.deleted_at is None
