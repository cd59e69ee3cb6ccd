"""The machine on which agents are hooked up."""

from pathlib import Path

import pytest

from .machine import Machine


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with no agent on it; nothing of the real home can be reached."""
    made = Machine(tmp_path / "home", tmp_path / "programs")
    (made.project / ".git").mkdir(parents=True)
    made.path.mkdir()
    monkeypatch.setenv("HOME", str(made.home))
    return made
