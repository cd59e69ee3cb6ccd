"""A demo memory as it stands at a frozen time, and times shown as UTC."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import Store
from store.demo import fill
from tests.tui.browser import NOW


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
    monkeypatch.delenv("CLAUDE_MEM_DATA_DIR", raising=False)
    return path


@pytest.fixture(autouse=True)
def counting_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.search.results.PAUSE", 0)


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
