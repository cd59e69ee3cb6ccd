"""Tests of the file itself make it themselves."""

from __future__ import annotations

import pytest

from memtui.store.database.file import create


@pytest.fixture(autouse=True)
def made_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each new memory from its schema, as the program does."""
    monkeypatch.setattr("memtui.store.database.file.create", create)
