"""Models that lie in a directory which the user names, and run on the processor: static ones, and
transformers as ONNX files, which alone need numpy.

A static model has a vector a token, and the mean of them for a text. Directories of model2vec, of
sentence-transformers' StaticEmbedding, and the word embeddings of a transformer are read. Of a
`.safetensors` file only the rows asked for are mapped.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ...config import EmbeddingsSettings
from ...platform.errors import ConfigurationError
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...records.dataclasses import dataclass
from .embedders import Embedder, Vector, as_vectors, file_states, model_directory
from .tokenizer import encode, load_tokenizer, unknown_id, unknown_share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Numbers = NDArray[np.float32]


NAMES = (
    *("embeddings", "embedding.weight", "embeddings.weight"),
    *("embeddings.word_embeddings.weight", "bert.embeddings.word_embeddings.weight"),
)
"""How the tensor of the tokens' vectors is called."""
TEXTS_AT_ONCE = 512
REMEMBERED = 4_000
"""The vectors of so many tokens are kept as they were read."""


class LocalEmbedder(Embedder):
    """An embedder of a model in a directory, with a tokenizer of its own."""

    needs: ClassVar[tuple[str, ...]] = ("tokenizers",)
    is_local = True

    def __init__(self, settings: EmbeddingsSettings) -> None:
        super().__init__(settings)
        self._directory = model_directory(settings, "tokenizer.json")

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Return the share of tokens that the model's tokenizer doesn't know. Raises ProviderError."""
        return unknown_share(self._tokenizer, texts)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self._directory / "tokenizer.json")


class StaticEmbedder(LocalEmbedder):
    """An embedder that averages the vectors of a text's tokens."""

    batch_characters = 200_000

    def __init__(self, settings: EmbeddingsSettings) -> None:
        super().__init__(settings)
        self.batch = TEXTS_AT_ONCE
        self._file = _weights_file(self._directory)
        self._row = lru_cache(REMEMBERED)(self._read_row)

    def _identity(self) -> Iterable[object]:
        return file_states((self._directory / "tokenizer.json", self._file))

    @cached_property
    def _tensors(self) -> dict[str, Tensor]:
        return read_tensors(self._file)

    @cached_property
    def _vectors(self) -> Tensor:
        """The tensor of the tokens' vectors, of shape (tokens, dimensions)."""
        for name in NAMES:
            if name in self._tensors and len(self._tensors[name].shape) == 2:
                return self._tensors[name]
        size = self._tokenizer.get_vocab_size(with_added_tokens=True)
        fitting = [
            tensor
            for tensor in self._tensors.values()
            if len(tensor.shape) == 2 and tensor.shape[0] == size
        ]
        if len(fitting) != 1:
            reason = _(
                "{file} has no tensor with a vector for each of {size} tokens.",
                file=self._file,
                size=f"{size:,}",
            )
            raise ProviderError("auth", reason)
        return fitting[0]

    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> list[Vector]:
        encoded = encode(self._tokenizer, texts)
        unknown = unknown_id(self._tokenizer)
        nothing = [0.0] * self._vectors.shape[1]
        sums: list[Vector] = []
        for encoding in encoded:
            rows = [self._row(number) for number in encoding.ids if number != unknown]
            sums.append([*map(sum, zip(*rows, strict=True))] if rows else nothing)
        return self._first_dimensions(sums)

    def _read_row(self, token: int) -> Vector:
        """Return the vector of a token, weighted where the model has weights."""
        mapping, weights = self._tensors.get("mapping"), self._tensors.get("weights")
        try:
            row = self._vectors.row(int(mapping.row(token)[0]) if mapping else token)
            weight = weights.row(token)[0] if weights else 1.0
            return array("f", [weight * number for number in row])
        except (IndexError, ValueError, struct.error) as error:
            reason = _("{file} doesn't fit to its tokenizer.json ({error}).", file=self._file, error=error)
            raise ProviderError("auth", reason) from error


def _weights_file(directory: Path) -> Path:
    """Return the file of a model's tensors."""
    paths = sorted(directory.glob("*.safetensors")) or sorted(directory.glob("*/*.safetensors"))
    named = [path for path in paths if path.name == "model.safetensors"]
    if not paths:
        raise ConfigurationError(
            "{directory} has no model.safetensors, which static needs.", directory=directory
        )
    return (named or paths)[0]


LONGEST_HEADER = 100_000_000
TYPES = {"F64": "d", "F32": "f", "F16": "e", "BF16": "H", "I8": "b", "I32": "i", "I64": "q"}
"""How `struct` calls them."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a file: where its numbers begin there, what type they are of, and its shape."""

    data: mmap.mmap
    begin: int
    type: str
    shape: tuple[int, ...]

    def row(self, place: int) -> Vector:
        """Return a row, or of a vector the single number. IndexError where it has none."""
        if not 0 <= place < self.shape[0]:
            raise IndexError(_("it has {rows} rows, not {place}", rows=self.shape[0], place=place + 1))
        code, width = TYPES[self.type], prod(self.shape[1:])
        offset = self.begin + place * width * struct.calcsize(f"<{code}")
        numbers: tuple[float, ...] = struct.unpack_from(f"<{width}{code}", self.data, offset)
        if self.type == "BF16":
            wide = struct.pack(f"<{width}I", *(int(number) << 16 for number in numbers))
            return struct.unpack(f"<{width}f", wide)
        return numbers


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a file by name, of those types that vectors are made of. Raises
    ProviderError."""
    try:
        if not path.is_file():
            raise ValueError(_("it is not a file"))
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > LONGEST_HEADER:
                raise ValueError(_("its header would be of {size} bytes", size=f"{size:,}"))
            header = json.loads(file.read(size))
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        tensors = {}
        for name, about in header.items():
            if name == "__metadata__" or about["dtype"] not in TYPES:
                continue
            begin, end = (8 + size + int(offset) for offset in about["data_offsets"])
            shape = tuple(map(int, about["shape"]))
            expected = prod(shape) * struct.calcsize(f"<{TYPES[about['dtype']]}")
            if not 0 < begin <= end <= len(data) or end - begin != expected or min(shape, default=0) < 0:
                raise ValueError(_("{name} lies outside of it", name=name))
            tensors[name] = Tensor(data, begin, about["dtype"], shape)
        return tensors
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ProviderError(
            "auth", _("{path} holds no tensors ({error}).", path=path, error=error)
        ) from error


MOST_TOKENS = 512
"""Tokens of a text that are read, at most, where the model takes as many."""
THREADS = 2
"""Processors that are used, at most; one is always left to the browser."""
POOLINGS = ("mean_tokens", "cls_token", "lasttoken")
"""How a text's vector can be made of its tokens', as 1_Pooling/config.json calls it."""


class OnnxEmbedder(LocalEmbedder):
    """An embedder that runs a model by onnxruntime."""

    needs = ("numpy", "tokenizers", "onnxruntime")
    extra = "onnx"
    batch_characters = 30_000
    at_once = 8

    def __init__(self, settings: EmbeddingsSettings) -> None:
        super().__init__(settings)
        nested = Path("onnx", "model.onnx")
        is_nested = (self._directory / nested).is_file()
        self._file = self._directory / (nested if is_nested else "model.onnx")
        model_directory(settings, str(self._file.relative_to(self._directory)))

    def _identity(self) -> Iterable[object]:
        names = ("tokenizer.json", "sentence_bert_config.json", "1_Pooling/config.json")
        data = self._file.with_name(f"{self._file.name}_data")
        return file_states((self._file, data, *(self._directory / name for name in names)))

    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> list[Vector]:
        import numpy as np

        encoded = encode(self._tokenizer, texts, special=True)
        longest = max(len(encoding.ids) for encoding in encoded)
        ids = np.zeros((len(texts), longest), np.int64)
        mask = np.zeros_like(ids)
        for row, item in enumerate(encoded):
            ids[row, : len(item.ids)] = item.ids
            mask[row, : len(item.ids)] = 1
        known = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(ids),
            "position_ids": np.broadcast_to(np.arange(longest), ids.shape),
        }
        given = {}
        for item in self._session.get_inputs():
            if item.name not in known:
                reason = _(
                    "{file} asks for {name}, so it is not a model for embeddings.",
                    file=self._file,
                    name=item.name,
                )
                raise ProviderError("auth", reason)
            given[item.name] = known[item.name].astype(
                np.int32 if item.type == "tensor(int32)" else np.int64
            )
        try:
            (result,) = self._session.run([self._output], given)
        # onnxruntime has an exception of its own for each status, and exports none of them.
        except Exception as error:
            raise ProviderError(
                "invalid", _("{file} failed ({error}).", file=self._file, error=error)
            ) from error
        vectors = np.asarray(result, np.float32)
        if vectors.ndim == 3:
            vectors = _pooled(vectors, mask.astype(np.float32), self._pooling)
        return self._first_dimensions(as_vectors(vectors.tolist(), self.name))

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, min(THREADS, (os.cpu_count() or 2) - 1))
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            return onnxruntime.InferenceSession(
                str(self._file), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise ProviderError(
                "auth", _("{file} can't be loaded ({error}).", file=self._file, error=error)
            ) from error

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = load_tokenizer(self._directory / "tokenizer.json")
        tokenizer.enable_truncation(min(MOST_TOKENS, self._own_limit()))
        return tokenizer

    def _own_limit(self) -> int:
        for name, key in (
            ("sentence_bert_config.json", "max_seq_length"),
            ("tokenizer_config.json", "model_max_length"),
        ):
            result = _read(self._directory / name).get(key)
            if isinstance(result, int) and result > 0:
                return result
        return MOST_TOKENS

    @cached_property
    def _output(self) -> str:
        """The output that is a text's vector, else the one that holds its tokens'."""
        outputs: dict[str, int] = {
            output.name: len(output.shape or ()) for output in self._session.get_outputs()
        }
        for name in ("sentence_embedding", "last_hidden_state", "token_embeddings"):
            if name in outputs:
                return name
        of_tokens = [name for name, rank in outputs.items() if rank == 3]
        return (of_tokens or list(outputs))[0]

    @cached_property
    def _pooling(self) -> str:
        content = _read(self._directory / "1_Pooling" / "config.json")
        chosen = [
            key.removeprefix("pooling_mode_")
            for key, value in content.items()
            if key.startswith("pooling_mode_") and value is True
        ] or ["mean_tokens"]
        if len(chosen) > 1 or chosen[0] not in POOLINGS:
            reason = _(
                "{directory} pools by {chosen}, which isn't supported.",
                directory=self._directory,
                chosen=_(", ").join(chosen),
            )
            raise ProviderError("auth", reason)
        return chosen[0]


def _pooled(tokens: Numbers, mask: Numbers, pooling: str) -> Numbers:
    """Return a vector a text of its tokens' (texts, tokens, dimensions)."""
    import numpy as np

    result: Numbers
    if pooling == "cls_token":
        result = tokens[:, 0]
    elif pooling == "lasttoken":
        result = tokens[np.arange(len(tokens)), mask.sum(axis=1).astype(np.int64) - 1]
    else:
        weights = mask[:, :, None]
        result = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    return result


def _read(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file; an empty one where there is none."""
    if not path.is_file():
        return {}
    try:
        result = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return result if isinstance(result, dict) else {}
