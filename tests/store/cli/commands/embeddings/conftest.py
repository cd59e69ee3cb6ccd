"""A configuration of its own, a small static model, and a server of vectors."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.cli.runner import Mem
from tests.store.embeddings.models import static_model
from tests.store.scripted_server import Scripted, ScriptedServer, serving


@pytest.fixture(autouse=True)
def config(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the configuration would be."""
    path = tmp_path / "config" / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The directory of a static model."""
    return static_model(tmp_path / "tiny")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server whose vectors tell texts apart by their lengths."""

    def answer(body: dict[str, list[str]]) -> Scripted:
        data = [
            {"index": place, "embedding": [1.0, float(len(text)), 0.5]}
            for place, text in enumerate(body["input"])
        ]
        return Scripted(raw=json.dumps({"data": data}).encode())

    with serving() as found:
        found.answers = answer
        yield found


@pytest.fixture
def some(mem: Mem) -> Mem:
    """A memory of three observations in the words of the model."""
    for title in ("the clock drifts", "tabs indent code", "a clock"):
        mem.ok("add", title)
    return mem
