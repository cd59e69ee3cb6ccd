from pathlib import Path

import pytest

from memtui.store import Store
from tests.tui.editing.editors import fill

from .teamed import bring, join


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A memory in the team `crew`: an observation and a fact are Ada's, the rest is one's own."""
    path = tmp_path / "memory.db"
    fill(path)
    with Store.open(path) as store:
        store.observations.add("x", title="Retry with jitter", type="decision", project="atlas")
        join(store)
        bring(store, "ada", ["2", "4", "f1"])
    return path
