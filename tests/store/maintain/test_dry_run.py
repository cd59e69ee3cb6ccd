"""What is tried out on a copy changes not a byte of the memory."""

from pathlib import Path

from memtui.store import Store
from memtui.store.maintain.importing import private_copy
from tests.store.formats.holdings import contents


def test_a_memory_is_as_before_and_the_copy_gone(tmp_path: Path) -> None:
    place = tmp_path / "memory" / "memory.db"
    with Store.open(place) as store:
        store.observations.add(None, title="known")
    before = contents(place.parent)
    with private_copy(place) as copy:
        assert copy.find("known").count().value == 1
        copy.observations.add(None, title="tried")
        tried = copy.path
        assert tried.stat().st_mode & 0o077 == 0
    assert contents(place.parent) == before
    assert not tried.parent.exists()


def test_what_is_still_in_the_log_is_there_too(tmp_path: Path) -> None:
    place = tmp_path / "memory" / "memory.db"
    with Store.open(place) as store:
        store.observations.add(None, title="known")
        before = {name: one for name, one in contents(place.parent).items() if not name.endswith("-shm")}
        with private_copy(place) as copy:
            assert copy.find("known").count().value == 1
        after = contents(place.parent)
    assert {name: after[name] for name in before} == before


def test_without_a_memory_it_is_empty_and_none_is_made(tmp_path: Path) -> None:
    with private_copy(tmp_path / "memory.db") as copy:
        assert copy.stats().observations == 0
    assert list(tmp_path.iterdir()) == []
