"""What all tests share: stores that have to be sound in the end, and hypothesis' settings."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, settings

from memtui.store import Store
from memtui.store.capture.ingest.catch_up import READER_SECONDS, catch_up
from memtui.store.database import schema
from memtui.store.database.deadline import Deadline
from memtui.store.database.schema import comparison, shapes

from . import empty_memory
from .sizes import of_today

pytest_plugins = ("tests.promises", "tests.extras")

OF_THE_USER = (
    *("XDG_", "MEMTUI_", "GIT_", "CI", "GITHUB_", "SSH_"),
    *("LANG", "LC_", "TZ", "EDITOR", "VISUAL", "PAGER", "BROWSER"),
    *("COLUMNS", "LINES", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "TMUX"),
    *("CLAUDE", "CODEX", "COPILOT", "CURSOR", "GEMINI", "OPENCODE", "TRAE", "WINDSURF"),
)
"""How names of variables begin by which a user, a terminal, a builder or an agent changes what is printed,
where it lies, or what is called."""


def leave_surroundings() -> None:
    """Have the same language, terminal, zone and permissions wherever tests run: before anything of them is
    imported, as some of it is read then."""
    for name in [name for name in os.environ if name.startswith(OF_THE_USER)]:
        # On which server a team's tests run, by which seed, and where it is noted, is said by
        # whoever runs them.
        if not name.startswith(("MEMTUI_TEST_", "MEMTUI_SEED", "MEMTUI_PROMISES")):
            del os.environ[name]
    os.environ |= {"LANG": "C.UTF-8", "TERM": "xterm", "TZ": "UTC"}
    time.tzset()
    os.umask(0o022)


leave_surroundings()

SHARED_MEMORY = Path("/dev/shm")
ROOM = 8 << 30
"""Bytes; a run may take half of it."""


def write_to_memory() -> None:
    """Make the directories of `tmp_path` in memory where the system offers it, with room and leave to run
    what is there: each commit waits for a disk, which is half of what the tests would take on one."""
    if "PYTEST_DEBUG_TEMPROOT" not in os.environ and os.access(SHARED_MEMORY, os.W_OK):
        place = os.statvfs(SHARED_MEMORY)
        if place.f_bavail * place.f_frsize >= ROOM and not place.f_flag & getattr(os, "ST_NOEXEC", 0):
            os.environ["PYTEST_DEBUG_TEMPROOT"] = str(SHARED_MEMORY)


write_to_memory()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Start three workers for two cores: a test of the browser waits for half of its time."""
    return (os.cpu_count() or 1) * 3 // 2 or 1


TOP = Path(__file__).parent.parent


def pytest_runtest_setup() -> None:
    """Begin each test in the same directory: that of a test before, which may have gone on in its own, is
    deleted when it passes."""
    os.chdir(TOP)


OpenStore = Callable[..., Store]

settings.register_profile(
    "quick",
    derandomize=True,
    deadline=None,
    max_examples=10,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("quick"), max_examples=50)
settings.register_profile("endless", settings.get_profile("quick"), derandomize=False, max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of properties, which the long run tries again with more examples, and of a sampled
    test as long all cases but the first and the last; with CASES=half each day another half of those."""
    cases: dict[str, list[pytest.Item]] = {}
    resting: set[pytest.Item] = set()
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("property")
        if item.get_closest_marker("sampled"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for several in cases.values():
        between = several[1:-1]
        for item in between:
            item.add_marker("long")
        if os.environ.get("CASES") == "half" and len(between) > 1:
            today = of_today(between, 2)
            resting.update(item for item in between if item not in today)
    items[:] = [item for item in items if item not in resting]


PATIENCE = 100
"""How many times as long as its users a test waits for a search: what is found doesn't hang on the load."""


@pytest.fixture(scope="session", autouse=True)
def late_deadlines() -> Iterator[None]:
    """What has a deadline has it much later; one at once stays at once."""
    begin = Deadline.__init__

    def begin_later(one: Deadline, db: apsw.Connection, seconds: float | None = None) -> None:
        begin(one, db, None if seconds is None else seconds * PATIENCE)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Deadline, "__init__", begin_later)
        patch.setattr(catch_up, "__defaults__", (READER_SECONDS * PATIENCE,))
        yield


@pytest.fixture(scope="session", autouse=True)
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home directory with no agent in it, so that no test sees or touches the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.endswith("_HOME"):
                patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        # Where `mem` is found by its name, what agents are told holds no path of this machine.
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        yield


@pytest.fixture(scope="session", autouse=True)
def copied_memories() -> Iterator[None]:
    """Copy one empty memory wherever this process would make one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memtui.store.database.file.create", empty_memory.copy_to)
        yield


@pytest.fixture(scope="session", autouse=True)
def schema_read_once() -> Iterator[None]:
    """Read the schema's files, and the shape of each table out of its SQL, once, and not again for each
    memory that is examined."""
    read = shapes._shape
    known: dict[tuple[str, bool, str], shapes.TableShape] = {}
    scripts = cache(lambda _steps, _version: schema.scripts())

    def read_once(db: apsw.Connection, name: str, without_rowid: bool, sql: str) -> shapes.TableShape:
        key = (name, without_rowid, sql)
        if key not in known:
            known[key] = read(db, *key)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shapes, "_shape", read_once)
        patch.setattr(comparison, "scripts", lambda: scripts(schema.STEPS, schema.SCHEMA))
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
