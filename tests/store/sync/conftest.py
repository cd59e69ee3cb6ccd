import pytest

from .machines import Clocks


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    """Clocks that each thread sets for itself."""
    clocks = Clocks()
    for name in ("time", "posix"):
        monkeypatch.setattr(f"memtui.store.platform.clock.{name}", clocks)
    return clocks
