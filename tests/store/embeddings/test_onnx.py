"""A model as an ONNX file is run from its directory, and pooled as that says."""

from pathlib import Path

import numpy as np
import pytest

from memtui.store.config import EmbeddingsSettings
from memtui.store.leaves.embeddings.embedders import Embedder
from memtui.store.leaves.embeddings.model import embedder
from memtui.store.providers.errors import ProviderError
from tests.store.embeddings.models import DIMENSIONS, mean_of, onnx_model


def onnx(directory: Path, **more: object) -> Embedder:
    return embedder(EmbeddingsSettings("onnx", directory=str(directory), **more))  # type: ignore[arg-type]


def test_a_text_is_the_mean_of_its_tokens_without_padding(tmp_path: Path) -> None:
    found = onnx(onnx_model(tmp_path)).embed(["the clock drifts", "tabs", ""])
    assert [*map(len, found)] == [DIMENSIONS] * 3
    expected = mean_of("[CLS]", "the", "clock", "drifts", "[SEP]")
    np.testing.assert_allclose(found[0], expected, atol=1e-6)
    np.testing.assert_allclose(found[1], mean_of("[CLS]", "tabs", "[SEP]"), atol=1e-6)
    assert not any(found[2])


@pytest.mark.parametrize(("pooling", "word"), [("cls_token", "[CLS]"), ("lasttoken", "[SEP]")])
def test_it_is_pooled_as_the_directory_says(tmp_path: Path, pooling: str, word: str) -> None:
    found = onnx(onnx_model(tmp_path, pooling=pooling)).embed(["the clock", "code"])
    np.testing.assert_allclose(found, [mean_of(word)] * 2, atol=1e-6)


def test_a_pooling_that_is_not_known_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="pools by max_tokens, which isn't supported"):
        onnx(onnx_model(tmp_path, pooling="max_tokens")).embed(["clock"])


@pytest.mark.parametrize(
    "inputs",
    [("input_ids",), ("input_ids", "attention_mask", "token_type_ids", "position_ids")],
    ids=["one", "four"],
)
def test_the_model_gets_the_inputs_that_it_asks_for(tmp_path: Path, inputs: tuple[str, ...]) -> None:
    found = onnx(onnx_model(tmp_path, place="onnx/model.onnx", inputs=inputs)).embed(["code"])
    np.testing.assert_allclose(found[0], mean_of("[CLS]", "code", "[SEP]"), atol=1e-6)


def test_a_model_that_asks_for_pictures_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="asks for pixel_values"):
        onnx(onnx_model(tmp_path, inputs=("input_ids", "pixel_values"))).embed(["clock"])


def test_a_text_is_cut_where_the_model_ends(tmp_path: Path) -> None:
    onnx_model(tmp_path)
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 4}')
    found = onnx(tmp_path).embed(["the clock drifts drifts drifts"])
    np.testing.assert_allclose(found[0], mean_of("[CLS]", "the", "clock", "[SEP]"), atol=1e-6)


def test_texts_of_all_lengths_keep_their_places(tmp_path: Path) -> None:
    texts = ["clock " * (1 + i * 7 % 30) + "tabs" for i in range(100)]
    model = onnx(onnx_model(tmp_path), batch=7)
    together = model.embed(texts)
    alone = np.concatenate([model.embed([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_the_share_of_unknown_words_is_the_tokenizers_own(tmp_path: Path) -> None:
    assert onnx(onnx_model(tmp_path)).unknown_share(["the zebra"]) == 0.5


def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    (onnx_model(tmp_path) / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ProviderError, match="can't be loaded") as told:
        onnx(tmp_path).embed(["clock"])
    assert told.value.kind == "auth"
