"""A memory whose vectors are kept, by a small model of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Store
from memtui.store.config import EmbeddingsSettings

from .byte_model import byte_model, missing, strangers

Build = Callable[[Store], None]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> EmbeddingsSettings:
    """A model that knows every text."""
    return byte_model(tmp_path_factory.mktemp("models") / "bytes")


@pytest.fixture(scope="session")
def other_model(tmp_path_factory: pytest.TempPathFactory) -> EmbeddingsSettings:
    """Another such model."""
    return byte_model(tmp_path_factory.mktemp("models") / "other-bytes", seed=2, dimensions=16)


@pytest.fixture
def build(model: EmbeddingsSettings) -> Build:
    """Builds the vectors of a memory, after which they have to be all of it and nothing else."""

    def build_all(store: Store) -> None:
        done = vectors_in(store).build(model)
        assert (done.stopped, done.left) == ("", 0)
        assert not vectors_in(store).is_due()
        assert_exact(store.path, model)

    return build_all


def assert_exact(path: Path, model: EmbeddingsSettings) -> None:
    """Each passage that the memory says has its vector, and nothing else has one."""
    assert strangers(path, model) == []
    assert missing(path, model) == []
