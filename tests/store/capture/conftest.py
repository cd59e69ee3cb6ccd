"""What the tests of capture share: a machine on which hooks run."""

import posix
from pathlib import Path

import pytest

from .hooks import Machine


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine in order, whose fallback directories are this process's too."""
    found = Machine.at(tmp_path / "machine")
    for name, value in found.environment().items():
        monkeypatch.setitem(posix.environ, name.encode(), value.encode())
    return found
