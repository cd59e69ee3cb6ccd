"""The machine on which parts are installed; its memtui can run a server."""

from __future__ import annotations

import pytest

from ..conftest import machine

__all__ = ["machine"]


@pytest.fixture(autouse=True)
def server_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that a server takes is installed, whatever this Python has."""
    monkeypatch.setattr("store.install.installer.server_is_available", lambda: True)
