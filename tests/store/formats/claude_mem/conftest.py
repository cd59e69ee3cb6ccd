"""A store to import into, and files to import."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store import Store

from .claude_mem_files import SHAPES, ClaudeMemFile


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store; whatever a test does to it, it has to be sound in the end."""
    with Store.open(tmp_path / "memory" / "memory.db") as store:
        yield store
        health = store.doctor(thorough=True)
        assert health.ok, [check for check in health.checks if not check.ok]


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
