"""Small models of our own making in directories, as users have them."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ("[UNK]", "[CLS]", "[SEP]", "the", "clock", "drifts", "tabs", "indent", "code", "a", "b")
DIMENSIONS = 8

Vectors = NDArray[np.float32]


def vectors_of_words() -> Vectors:
    """A vector for each of the words."""
    return np.random.default_rng(7).normal(size=(len(WORDS), DIMENSIONS)).astype(np.float32)


def mean_of(*words: str, vectors: Vectors | None = None) -> Vectors:
    """The mean of words' vectors, of unit length."""
    rows = vectors_of_words() if vectors is None else vectors
    mean: Vectors = rows[[WORDS.index(word) for word in words]].mean(axis=0)
    return mean / np.linalg.norm(mean)


def write_tokenizer(directory: Path, *, with_marks: bool = False) -> None:
    """Write tokenizer.json: a token a word, and `[CLS] … [SEP]` around them."""
    directory.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    if with_marks:
        tokenizer.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
        )
    tokenizer.save(str(directory / "tokenizer.json"))


def static_model(directory: Path, tensors: dict[str, NDArray[np.generic]] | None = None) -> Path:
    """Write a static model, that of model2vec unless tensors are given, and return its directory."""
    write_tokenizer(directory)
    given = {"embeddings": vectors_of_words()} if tensors is None else tensors
    save_file(given, directory / "model.safetensors")
    return directory


def onnx_model(
    directory: Path,
    *,
    place: str = "model.onnx",
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    pooling: str = "",
) -> Path:
    """Write a model that looks up the words' vectors, and return its directory."""
    write_tokenizer(directory, with_marks=True)
    table = vectors_of_words()
    tensor = (
        b"".join(_number(1, size) for size in table.shape)
        + _number(2, 1)
        + _bytes(8, b"words")
        + _bytes(9, table.tobytes())
    )
    node = _bytes(1, b"words") + _bytes(1, b"input_ids") + _bytes(2, b"last_hidden_state")
    graph = _bytes(1, node + _bytes(4, b"Gather")) + _bytes(2, b"graph") + _bytes(5, tensor)
    for name in inputs:
        graph += _bytes(11, _value(name, 7, 2))
    graph += _bytes(12, _value("last_hidden_state", 1, 3))
    model = _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 13))
    file = directory / place
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(model)
    if pooling:
        (directory / "1_Pooling").mkdir()
        told = {"pooling_mode_mean_tokens": False, f"pooling_mode_{pooling}": True}
        (directory / "1_Pooling" / "config.json").write_text(json.dumps(told))
    return directory


def _value(name: str, kind: int, rank: int) -> bytes:
    dimensions = b"".join(_bytes(1, _bytes(2, f"{name}_{i}".encode())) for i in range(rank))
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dimensions)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
