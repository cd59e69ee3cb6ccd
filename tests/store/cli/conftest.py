"""A memory of its own for every test, found sound when the test is over."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer

from memtui.store import Store

from .runner import Mem


@pytest.fixture(scope="session", autouse=True)
def built_once() -> Iterator[None]:
    """Build the command line once, and not again for each run of it in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(typer.main.get_command))
        yield


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository `atlas`, and the current directory inside it."""
    inside = tmp_path / "atlas" / "src"
    inside.mkdir(parents=True)
    (tmp_path / "atlas" / ".git").mkdir()
    monkeypatch.chdir(inside)
    return inside


@pytest.fixture
def mem(tmp_path: Path, folder: Path) -> Iterator[Mem]:
    """The command on a memory that isn't there yet."""
    db = tmp_path / "memory.db"
    yield Mem(db, folder)
    if db.exists():
        with Store.open(db) as store:
            assert store.doctor(thorough=True).ok
