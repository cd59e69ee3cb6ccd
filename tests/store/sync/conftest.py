import pytest

from .machines import Clocks


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    """Clocks that each thread sets for itself."""
    clocks = Clocks()
    monkeypatch.setattr("memtui.store.platform.clock.time", clocks)
    return clocks
