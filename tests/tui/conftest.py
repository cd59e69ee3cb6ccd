"""A demo memory as it stands at a frozen time, and times shown as UTC."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.screen import Screen

from memtui.store import Store
from memtui.store.capture.demo import fill
from memtui.tui.search.providers import PATIENCE
from tests.tui import rest, styles, tasks
from tests.tui.browser import NOW

NEVER = 86_400.0
"""Seconds: longer than any test."""


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home directory with nothing in it, so that no test sees the user's own."""
    path = tmp_path / "home"
    path.mkdir()
    monkeypatch.setenv("HOME", str(path))
    return path


@pytest.fixture(autouse=True)
def host(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that the machine has wherever tests run."""
    monkeypatch.setattr("memtui.store.database.recording.host_name", lambda: "workbench")


@pytest.fixture(autouse=True)
def nonce(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same nonce in every context: how many tokens a random one takes isn't always the same."""
    for user in (
        *("memtui.store.context.block", "memtui.store.context.preview", "memtui.store.maintain.past"),
        "memtui.tui.composer.screen",
    ):
        monkeypatch.setattr(f"{user}.random_nonce", lambda: "6724b9f4")


@pytest.fixture(scope="session", autouse=True)
def without_a_clock() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        use_no_clock(patch)
        styles.use(patch)
        # What is there when a browser has started is there to stay: here, all browsers before it.
        patch.setattr("gc.freeze", lambda: None)
        yield


def use_no_clock(patch: pytest.MonkeyPatch) -> None:
    """What the browser does after a while it does at once, or only when a test has it do so."""
    rest.use(patch)
    tasks.use(patch, tasks.AS_RUN)
    patch.setattr("memtui.tui.search.results.PAUSE", 0)
    patch.setattr("memtui.tui.search.providers.SOON", PATIENCE - 1)
    for each in (
        "background.LOOK_EVERY",
        "background.FIRST_LOOK",
        "background.SILENT_AFTER",
        "app.NEXT_SLICE",
    ):
        patch.setattr(f"memtui.tui.{each}", NEVER)
    patch.setattr("memtui.tui.facts.screen.LOOK_AT_FILES", NEVER)
    patch.setattr("memtui.tui.capture.hooking.REFRESH_EVERY", NEVER)
    for each in ("Input", "TextArea"):
        patch.setattr(f"textual.widgets.{each}.cursor_blink", False)


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paint each frame, for what only painting brings about: what it leaves in memory, or asks for."""
    monkeypatch.setattr(Screen, "_compositor_refresh", rest.paint_frame)


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "memory.db"
    with Store.open(path) as store:
        fill(store, now=NOW)
    return path


@pytest.fixture
def demo(demo_file: Path, tmp_path: Path) -> Path:
    """The demo memory, a copy of its own for each test."""
    path = tmp_path / "memory.db"
    shutil.copy(demo_file, path)
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A memory with nothing in it."""
    path = tmp_path / "empty.db"
    Store.open(path).close()
    return path
