"""A static model is read from its directory, whichever program wrote it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui.store.config import EmbeddingsSettings
from memtui.store.leaves.embeddings.embedders import Embedder
from memtui.store.leaves.embeddings.model import embedder
from memtui.store.providers.errors import ProviderError
from tests.store.embeddings.models import (
    DIMENSIONS,
    WORDS,
    mean_of,
    static_model,
    vectors_of_words,
    write_tokenizer,
)


def static(directory: Path, **more: object) -> Embedder:
    return embedder(EmbeddingsSettings("static", directory=str(directory), **more))  # type: ignore[arg-type]


def test_a_text_is_the_mean_of_the_words_that_are_known(tmp_path: Path) -> None:
    found = static(static_model(tmp_path)).embed(
        ["the clock drifts", "quixotic", "", "tabs zebra tabs", "code"]
    )
    assert [*map(len, found)] == [DIMENSIONS] * 5
    np.testing.assert_allclose(found[0], mean_of("the", "clock", "drifts"), atol=1e-6)
    np.testing.assert_allclose(found[3], mean_of("tabs"), atol=1e-6)
    np.testing.assert_allclose(found[4], mean_of("code"), atol=1e-6)
    assert not any(found[1]) and not any(found[2])


@pytest.mark.parametrize(
    "name", ["embeddings", "embedding.weight", "embeddings.word_embeddings.weight", "anything"]
)
def test_the_tensor_is_found_by_its_name_or_its_size(tmp_path: Path, name: str) -> None:
    other: dict[str, NDArray[np.generic]] = {"pooler.dense.weight": np.zeros((4, 4), np.float32)}
    model = static_model(tmp_path, {name: vectors_of_words(), **other})
    np.testing.assert_allclose(static(model).embed(["clock"])[0], mean_of("clock"), atol=1e-6)


@pytest.mark.parametrize("kind", [np.float16, np.float64])
def test_numbers_of_other_sizes_are_read_as_well(tmp_path: Path, kind: type[np.generic]) -> None:
    model = static_model(tmp_path, {"embeddings": vectors_of_words().astype(kind)})
    np.testing.assert_allclose(static(model).embed(["clock code"])[0], mean_of("clock", "code"), atol=2e-3)


def test_numbers_of_two_bytes_are_widened(tmp_path: Path) -> None:
    """As numpy has no such type the file is written by hand."""
    vectors = vectors_of_words()
    write_tokenizer(tmp_path)
    numbers = (vectors.view(np.uint32) >> 16).astype("<u2").tobytes()
    header = json.dumps(
        {"embeddings": {"dtype": "BF16", "shape": vectors.shape, "data_offsets": [0, len(numbers)]}}
    ).encode()
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + numbers)
    np.testing.assert_allclose(
        static(tmp_path).embed(["clock code"])[0], mean_of("clock", "code"), atol=2e-2
    )


@pytest.mark.parametrize(
    "about",
    [
        {"dtype": "F32", "shape": [11, 8], "data_offsets": [0, 9_999]},
        {"dtype": "F32", "shape": [11, 8], "data_offsets": [-352, 0]},
        {"dtype": "F32", "shape": [11, 9], "data_offsets": [0, 352]},
        {"dtype": "F32", "shape": [-11, -8], "data_offsets": [0, 352]},
        {"dtype": "F32", "shape": "many", "data_offsets": [0, 352]},
    ],
)
def test_a_tensor_that_lies_elsewhere_is_refused(tmp_path: Path, about: dict[str, object]) -> None:
    write_tokenizer(tmp_path)
    header = json.dumps({"embeddings": about}).encode()
    content = len(header).to_bytes(8, "little") + header + bytes(352)
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(ProviderError, match="holds no tensors"):
        static(tmp_path).embed(["clock"])


def test_it_needs_no_numpy(tmp_path: Path) -> None:
    static_model(tmp_path)
    script = (
        "import sys; sys.modules['numpy'] = None\n"
        "from memtui.store.config import EmbeddingsSettings\n"
        "from memtui.store.leaves.embeddings.model import embedder\n"
        f"model = embedder(EmbeddingsSettings('static', directory={str(tmp_path)!r}))\n"
        "print(*model.embed(['the clock'])[0])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    np.testing.assert_allclose([*map(float, printed.split())], mean_of("the", "clock"), atol=1e-6)


def test_weights_and_mapping_of_model2vec_are_followed(tmp_path: Path) -> None:
    vectors = vectors_of_words()
    weights = np.linspace(0.1, 2, len(WORDS), dtype=np.float32)
    mapping = np.arange(len(WORDS), dtype=np.int64)[::-1].copy()
    tensors: dict[str, NDArray[np.generic]] = {
        "embeddings": vectors[::-1].copy(),
        "weights": weights,
        "mapping": mapping,
    }
    model = static_model(tmp_path, tensors)
    expected = mean_of("clock", "code", vectors=vectors * weights[:, None])
    np.testing.assert_allclose(static(model).embed(["clock code"])[0], expected, atol=1e-6)


def test_vectors_can_be_cut_and_stay_of_unit_length(tmp_path: Path) -> None:
    found = static(static_model(tmp_path), dimensions=3).embed(["clock"])
    first = mean_of("clock")[:3]
    np.testing.assert_allclose(found[0], first / np.linalg.norm(first), atol=1e-6)


def test_more_dimensions_than_the_model_has_are_told(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="8 dimensions, not 512"):
        static(static_model(tmp_path), dimensions=512).embed(["clock"])


def test_each_row_stays_with_its_text_however_many_there_are(tmp_path: Path) -> None:
    texts = [f"{WORDS[3 + i % 8]} " * (1 + i % 5) for i in range(1_500)]
    found = static(static_model(tmp_path)).embed(texts)
    expected = [mean_of(WORDS[3 + i % 8]) for i in range(1_500)]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_the_share_of_unknown_words_is_the_tokenizers_own(tmp_path: Path) -> None:
    model = static(static_model(tmp_path))
    assert model.unknown_share(["the clock"]) == 0
    assert model.unknown_share(["the zebra", "clock 时钟"]) == 0.5
    assert model.unknown_share(["", "  "]) == 0
    assert model.unknown_share([]) == 0


def test_a_text_that_is_no_unicode_is_embedded_still(tmp_path: Path) -> None:
    found = static(static_model(tmp_path)).embed(["clock \ud800"])
    np.testing.assert_allclose(found[0], mean_of("clock"), atol=1e-6)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda path: (path / "model.safetensors").write_bytes(b"no tensors"), "holds no tensors"),
        (lambda path: (path / "model.safetensors").write_bytes(b""), "holds no tensors"),
        (lambda path: (path / "tokenizer.json").write_text("{}"), "describes no tokenizer"),
        (
            lambda path: static_model(path, {"x": np.zeros((4, 4), np.float32)}),
            "no tensor with a vector for each of 11 tokens",
        ),
        (
            lambda path: static_model(path, {"embeddings": vectors_of_words()[:3]}),
            "doesn't fit to its tokenizer.json",
        ),
    ],
    ids=["text", "empty", "tokenizer", "other tensors", "too few rows"],
)
def test_a_damaged_model_is_told_in_a_sentence(tmp_path: Path, damage: object, says: str) -> None:
    model = static(static_model(tmp_path))
    assert callable(damage)
    damage(tmp_path)
    with pytest.raises(ProviderError) as told:
        model.embed(["the clock drifts"])
    assert says in told.value.reason and told.value.reason.endswith(".")
    assert told.value.kind == "auth"
