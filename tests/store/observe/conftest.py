"""What the tests of the observers share: a scripted model, and a boot clock set by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.store.config import ModelSettings
from memtui.store.tables import queue as queue
from tests.store.scripted_server import ScriptedServer, serving


class BootClock:
    """The clock that leases and rests count, set by hand; ms."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> BootClock:
    found = BootClock()
    monkeypatch.setattr(queue, "boot_ms", found)
    monkeypatch.setattr("memtui.store.providers.usage.boot_ms", found)
    return found


@pytest.fixture(autouse=True)
def no_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A place for a configuration, where there is none yet."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    return path


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as found:
        yield found


@pytest.fixture
def settings(server: ScriptedServer) -> ModelSettings:
    return ModelSettings(
        "openai", server.url, "tiny", input_price=1.0, output_price=2.0, timeout_seconds=30
    )
