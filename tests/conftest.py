"""What all tests share: stores that have to be sound in the end, and hypothesis' settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from store import Store

from . import empty_memory


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Start three workers for two cores: a test of the browser waits for half of its time."""
    return (os.cpu_count() or 1) * 3 // 2 or 1


OpenStore = Callable[..., Store]

settings.register_profile(
    "quick",
    derandomize=True,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.register_profile("long", settings.get_profile("quick"), max_examples=400)
settings.register_profile(
    "endless", settings.get_profile("quick"), derandomize=False, max_examples=20_000
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of properties: the long run tries them again, with more examples."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("property")


@pytest.fixture(scope="session", autouse=True)
def copied_memories() -> Iterator[None]:
    """Copy one empty memory wherever this process would make one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("store.database.file.create", empty_memory.copy_to)
        yield


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[OpenStore]:
    """Opens stores, `memory.db` unless named; each is closed and has to be sound in the end."""
    opened: list[Store] = []

    def open_one(path: Path | None = None, *, read_only: bool = False) -> Store:
        opened.append(Store.open(path or tmp_path / "memory.db", read_only=read_only))
        return opened[-1]

    yield open_one
    for path in {store.path for store in opened}:
        with Store.open(path) as store:
            health = store.doctor(thorough=True)
        assert health.ok, [check for check in health.checks if not check.ok]
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    """An empty store."""
    return open_store()
