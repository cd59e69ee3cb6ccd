"""A small memory to edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.editing.editors import fill


@pytest.fixture
def memory(empty: Path) -> Path:
    """A memory with one of each kind."""
    fill(empty)
    return empty
