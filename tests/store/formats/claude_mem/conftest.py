"""A store to import into, and files to import."""

import fcntl
import os
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.common.report import Report
from memtui.store.leaves.foreign.database_import import import_database
from tests.places import FOREIGN

from ..holdings import contents
from .claude_mem_files import SHAPES, ClaudeMemFile


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store; whatever a test does to it, it has to be sound in the end."""
    with Store.open(tmp_path / "memory" / "memory.db") as store:
        yield store
        health = store.doctor(thorough=True)
        assert health.ok, [check for check in health.checks if not check.ok]


def imported_into(path: Path, name: str) -> Report:
    """Import a file that a program wrote into a new memory, which has to be sound."""
    before = contents(FOREIGN)
    with Store.open(path) as store:
        report = import_database(store, FOREIGN / name)
        assert contents(FOREIGN) == before
        health = store.doctor(thorough=True)
        assert health.ok, [check for check in health.checks if not check.ok]
    return report


Imported = Callable[[str], tuple[Store, Report]]


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Imported]:
    """By its name: the memory of a file that a program wrote, read-only, and the report of its import.

    Each file is imported once, and its memory has to be sound.
    """
    opened: list[Store] = []
    # The processes of a run have directories side by side, and share what is above them.
    own = tmp_path_factory.getbasetemp()
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    @cache
    def import_once(name: str) -> tuple[Store, Report]:
        folder = run / "imported" / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path, told = folder / "memory" / "memory.db", folder / "report"
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not told.exists():
                told.write_bytes(pickle.dumps(imported_into(path, name)))
        opened.append(Store.open(path, read_only=True))
        return opened[-1], pickle.loads(told.read_bytes())

    yield import_once
    for store in opened:
        store.close()


@pytest.fixture(params=SHAPES)
def file(tmp_path: Path, request: pytest.FixtureRequest) -> ClaudeMemFile:
    """A file of either shape, with one session."""
    file = ClaudeMemFile(tmp_path / "claude-mem.db", request.param)
    file.session(user_prompt="make it fast", prompt_counter=0, worker_port=37777)
    return file


@pytest.fixture
def newest(tmp_path: Path) -> ClaudeMemFile:
    """An empty file of the newest shape."""
    return ClaudeMemFile(tmp_path / "newest.db", "newest")
