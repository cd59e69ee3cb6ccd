"""The rough form of many long vectors: what it finds, and that it follows them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from memtui.store.leaves.embeddings.vector_file import VectorFile, hash_of
from numpy.typing import NDArray

from memtui.store.leaves.embeddings import blocks

NUMBER, DIMENSIONS = 3_000, 160


@pytest.fixture
def vectors() -> NDArray[np.float32]:
    """Vectors that lie about fifty middles, as those of texts do about topics."""
    draw = np.random.default_rng(7)
    middles = draw.standard_normal((50, DIMENSIONS))
    found = middles[draw.integers(0, 50, NUMBER)] + draw.standard_normal((NUMBER, DIMENSIONS)) / 2
    unit: NDArray[np.float32] = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.fixture
def file(
    tmp_path: Path, vectors: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch
) -> Iterator[VectorFile]:
    monkeypatch.setattr(blocks, "WORTH", 100_000)
    file = _file(tmp_path / "vectors.db")
    _put(file, vectors, 1)
    yield file
    file.close()


def test_few_or_short_vectors_have_no_rough_form(tmp_path: Path, vectors: NDArray[np.float32]) -> None:
    file = _file(tmp_path / "few.db")
    _put(file, vectors[:100], 1)
    with file.transaction():
        file.roughen()
    assert not file.is_rough
    file.close()


@pytest.mark.long
def test_the_nearest_are_among_the_roughly_nearest(file: VectorFile, vectors: NDArray[np.float32]) -> None:
    exact = [np.argsort(-file.scores(one))[:10] for one in vectors[:50]]
    with file.transaction():
        file.roughen()
    assert file.is_rough
    rough = [np.argsort(-file.scores(one))[:300] for one in vectors[:50]]
    kept = [len(np.intersect1d(one, other)) for one, other in zip(exact, rough, strict=True)]
    assert sum(kept) >= 0.95 * 10 * 50


def test_what_comes_and_goes_later_has_and_loses_its_rough_form(
    file: VectorFile, vectors: NDArray[np.float32]
) -> None:
    with file.transaction():
        file.roughen()
    new = -vectors[:1]
    _put(file, new, NUMBER + 1)
    assert np.argmax(file.scores(new[0])) == NUMBER
    with file.transaction():
        file.forget([("o", NUMBER + 1), ("o", 1)])
    scores = file.scores(new[0])
    assert scores[NUMBER] == 0 and scores[0] == 0


def _file(path: Path) -> VectorFile:
    VectorFile.create(path)
    return VectorFile(path)


def _put(file: VectorFile, vectors: NDArray[np.float32], first: int) -> None:
    hashes = [hash_of(str(first + row)) for row in range(len(vectors))]
    with file.transaction():
        file.put(
            {("o", first + row): [one] for row, one in enumerate(hashes)},
            dict(zip(hashes, vectors, strict=True)),
        )
