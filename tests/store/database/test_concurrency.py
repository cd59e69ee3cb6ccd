"""Processes that write and read one store at once lose nothing and meet no error."""

from pathlib import Path

import pytest

from memtui.store import Store
from tests.promises import promise

from ...conftest import OpenStore
from ..processes import add_many, hide_and_seek, open_and_add, run_together


@pytest.mark.long
@promise("never-locked")
def test_eight_processes_may_make_the_store_at_once(tmp_path: Path, open_store: OpenStore) -> None:
    path = tmp_path / "new" / "memory.db"
    assert run_together(open_and_add, path, 8) == [0] * 8
    assert open_store(path).stats().observations == 8
    assert [entry.name for entry in path.parent.iterdir() if entry.name.startswith(".")] == []


@promise("never-locked")
def test_no_write_of_four_processes_is_lost(tmp_path: Path, open_store: OpenStore) -> None:
    path = tmp_path / "memory.db"
    assert run_together(add_many, path, 4) == [0] * 4
    store = open_store()
    assert store.stats().observations == 400
    assert [store.find(f'"token {number} "').count().value for number in range(4)] == [100] * 4


@promise("never-locked")
def test_a_search_is_of_one_state_while_others_write(store: Store) -> None:
    assert run_together(hide_and_seek, store.path, 2) == [0, 0]
    assert store.find("fleeting").page().hits == []


def test_another_processes_write_is_noticed(tmp_path: Path, store: Store) -> None:
    before = store.data_version()
    store.observations.add("c-1", title="ours")
    assert store.data_version() == before
    assert run_together(open_and_add, store.path, 1) == [0]
    assert store.data_version() != before
