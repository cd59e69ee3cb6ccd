"""Many rows at once leave what they leave one by one: documents, labels and all indexes."""

from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.aio import AsyncStore
from memtui.store.platform.clock import common_columns
from memtui.store.search.index.bulk import BULK_MINIMUM, Bulk
from memtui.store.tables.observations import INSERT
from memtui.store.tables.prompts import INSERT as INSERT_PROMPT
from tests.conftest import OpenStore
from tests.store.empty_records import empty_row

COUNT = 3 * BULK_MINIMUM


def observations(store: Store, session: int) -> list[dict[str, Any]]:
    """Rows of every kind: with lists, in Chinese, private, deleted, pinned, with nothing in them."""
    rows = []
    for number in range(COUNT):
        row = empty_row() | common_columns(
            store.machine_id,
            at=number,
            private=number % 7 == 3,
            deleted_at=5 if number % 7 == 4 else None,
            pinned=number % 7 == 5,
            source="here",
            native_id=str(number),
        )
        row |= {"session_id": session, "project": "atlas", "type": "change"}
        row |= {"title": f"row {number} 缓存", "narrative": "canary" if row["private"] else "refreshToken"}
        if number % 2:
            row |= {"concepts": '["gotcha", "gotcha", "缓存"]', "files_read": f'["src/{number}.py"]'}
        rows.append(row)
    return rows


@pytest.mark.parametrize("tokenizer", ["trigram", "unicode61", "like"])
def test_rows_put_in_at_once_are_as_rows_put_in_one_by_one(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch, tokenizer: str
) -> None:
    monkeypatch.setenv("MEMTUI_TOKENIZER", tokenizer)
    store = open_store()
    session = store.sessions.start("c-1", project="atlas")
    with store.transaction(), Bulk(store.db) as bulk:
        bulk.insert("observations", INSERT, observations(store, session.id))
    assert store.doctor(thorough=True).ok
    shown = sum(number % 7 not in (3, 4) for number in range(COUNT))
    assert store.find("refresh").count().value == store.find("缓存").count().value == shown
    assert store.find("canary").count().value == 0
    assert store.find("concept:gotcha").count().value == sum(
        number % 2 and number % 7 not in (3, 4) for number in range(COUNT)
    )
    assert store.find("is:private").count().value == sum(number % 7 == 3 for number in range(COUNT))


def test_several_batches_and_kinds_go_into_one_unit_of_work(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    prompts = [
        common_columns(store.machine_id) | {"session_id": session.id, "prompt_number": 1, "text": "go on"}
        for _ in range(COUNT)
    ]
    rows = observations(store, session.id)
    with store.transaction(), Bulk(store.db) as bulk:
        first = bulk.insert("observations", INSERT, rows[:BULK_MINIMUM])
        second = bulk.insert("observations", INSERT, rows[BULK_MINIMUM:])
        bulk.insert("prompts", INSERT_PROMPT, prompts)
    assert [*first, *second] == [one.id for one in store.observations.where("true ORDER BY id")]
    assert store.find("kind:prompt project:atlas on").count().value == COUNT


def test_an_error_takes_back_all_of_it(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    with pytest.raises(KeyboardInterrupt), store.transaction(), Bulk(store.db) as bulk:
        bulk.insert("observations", INSERT, observations(store, session.id))
        raise KeyboardInterrupt
    assert store.stats().observations == store.find("row").count().value == 0
    store.observations.add(session, title="still working")
    assert store.find("working").count().value == 1


async def test_rows_can_be_put_in_at_once_behind_await(tmp_path: Path) -> None:
    memory = await AsyncStore.open(tmp_path / "memory.db")

    def put(store: Store) -> bool:
        session = store.sessions.start("c-1", project="atlas")
        with store.transaction(), Bulk(store.db) as bulk:
            bulk.insert("observations", INSERT, observations(store, session.id))
        return store.doctor(thorough=True).ok

    assert await memory.run(put)
    await memory.close()
