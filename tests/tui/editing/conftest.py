"""A small memory to edit."""

from pathlib import Path

import pytest

from tests.tui.editing.editors import fill


@pytest.fixture
def memory(empty: Path) -> Path:
    """A memory with one of each kind."""
    fill(empty)
    return empty
