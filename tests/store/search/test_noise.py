"""Noise is a row and nothing else: no list, search, timeline, count or context tells of it."""

import pytest

from memtui.store import Observation, Store
from memtui.store.context.block import compose
from memtui.store.platform.clock import common_columns
from memtui.store.search.index.bulk import BULK_MINIMUM, Bulk
from memtui.store.tables.observations import INSERT
from tests.store.empty_records import empty_row


@pytest.fixture
def noise(store: Store) -> Observation:
    """A row of noise among others, with all that an index could hold."""
    store.observations.add("c-1", title="Fixed it", type="bugfix", project="atlas")
    return store.observations.add(
        "c-1",
        type="noise",
        title="Listed src",
        narrative="zwetschge",
        concepts=["gotcha"],
        files_read=["src/clock.py"],
        project="atlas",
    )


def shown(store: Store) -> bool:
    """Whether anything tells of the row."""
    assert store.doctor(thorough=True).ok
    ways = (
        store.find("zwetschge").page(related=True).hits,
        store.find("concept:gotcha").page().hits,
        store.find("file:clock").page().hits,
        store.find("type:noise,discovery").page().hits,
        store.find("").rows(0, 10)[1:],
        store.observations.of_session(1)[1:],
    )
    told = {bool(way) for way in ways}
    assert len(told) == 1
    assert ("zwetschge" in compose(store.db, "atlas").text) == told.copy().pop()
    return told.pop()


def test_noise_is_left_out_of_everything_but_is_noise(store: Store, noise: Observation) -> None:
    assert not shown(store)
    assert [hit.row.record_id for hit in store.find("is:noise").page().hits] == [noise.id]
    assert store.observations.get(noise.id) == noise
    stats = store.stats()
    assert (stats.observations, stats.noise, stats.hidden) == (2, 1, 0)


def test_private_and_deleted_noise_is_found_as_such_only(store: Store, noise: Observation) -> None:
    store.observations.set_private(noise)
    assert not store.find("is:noise").page().hits
    assert len(store.find("is:private").page().hits) == 1
    assert not shown(store)


def test_what_is_noise_no_longer_is_told_and_the_other_way_round(store: Store, noise: Observation) -> None:
    store.observations.revise(noise.id, type="discovery")
    assert shown(store)
    store.observations.revise(noise.id, type="noise")
    assert not shown(store)


def test_noise_that_comes_in_with_many_others_and_what_is_made_anew_are_left_out_too(
    store: Store, noise: Observation
) -> None:
    row = empty_row() | common_columns(store.machine_id, at=1) | {
        "session_id": 1, "project": "atlas", "title": "t", "narrative": "zwetschge",
        "files_read": '["src/clock.py"]', "concepts": '["gotcha"]', "type": "noise",
    }  # fmt: skip
    rows = [row | {"uid": f"{noise.uid[:-3]}{number:03}"} for number in range(BULK_MINIMUM)]
    with store.transaction(), Bulk(store.db) as bulk:
        bulk.insert("observations", INSERT, rows)
    assert not shown(store)
    store.rebuild()
    assert not shown(store)
    assert len(store.find("is:noise").page().hits) == BULK_MINIMUM + 1
