"""Tests of the file itself make it themselves."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store.database import schema
from memtui.store.database.file import create

from . import steps

Upgrade = Callable[..., None]


@pytest.fixture(autouse=True)
def made_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each new memory from its schema, as the program does."""
    monkeypatch.setattr("memtui.store.database.file.create", create)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A store of the baseline with rows in all tables."""
    return steps.filled(tmp_path / "memory.db")


@pytest.fixture
def upgrade_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Upgrade:
    """Have this program know these steps, each a version and its SQL, in place of those that it has."""
    # What a test sets is put back when it ends.
    monkeypatch.setattr(schema, "STEPS", schema.STEPS)
    monkeypatch.setattr(schema, "SCHEMA", schema.SCHEMA)
    return lambda *some: steps.know(steps.write(tmp_path / "steps", *some))
