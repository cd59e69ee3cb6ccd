"""Models that lie in a directory which the user names, and run on the processor: static ones, and
transformers as ONNX files.

A static model has a vector a token, and the mean of them for a text. Directories of model2vec, of
sentence-transformers' StaticEmbedding, and the word embeddings of a transformer are read. Of a
`.safetensors` file only the rows asked for are mapped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ...config import EmbeddingsSettings
from ...platform.errors import ConfigurationError
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...records.dataclasses import dataclass
from .embedders import Embedder, as_rows, file_states, model_directory
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


class LocalEmbedder(Embedder):
    """An embedder of a model in a directory, with a tokenizer of its own."""

    needs: ClassVar[tuple[str, ...]] = ("numpy", "tokenizers")

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

    def _identity(self) -> Iterable[object]:
        return file_states((self._directory / "tokenizer.json", self._file))

    @cached_property
    def _tensors(self) -> dict[str, Tensor]:
        return read_tensors(self._file)

    @cached_property
    def _vectors(self) -> Tensor:
        """The tensor of the tokens' vectors, of shape (tokens, dimensions)."""
        for name in NAMES:
            if name in self._tensors and self._tensors[name].numbers.ndim == 2:
                return self._tensors[name]
        size = self._tokenizer.get_vocab_size(with_added_tokens=True)
        fitting = [
            tensor
            for tensor in self._tensors.values()
            if tensor.numbers.ndim == 2 and len(tensor.numbers) == size
        ]
        if len(fitting) != 1:
            reason = _(
                "{file} has no tensor with a vector for each of {size} tokens.",
                file=self._file,
                size=f"{size:,}",
            )
            raise ProviderError("auth", reason)
        return fitting[0]

    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> NDArray[np.float32]:
        import numpy as np

        encoded = encode(self._tokenizer, texts)
        ids = np.concatenate([np.array(encoding.ids, np.int64) for encoding in encoded])
        owners = np.repeat(np.arange(len(texts)), [len(item.ids) for item in encoded])
        unknown = unknown_id(self._tokenizer)
        if unknown is not None:
            known = ids != unknown
            ids, owners = ids[known], owners[known]
        sums = np.zeros((len(texts), self._vectors.numbers.shape[1]), np.float32)
        if len(ids):
            begins = np.flatnonzero(np.diff(owners, prepend=-1))
            sums[owners[begins]] = np.add.reduceat(self._rows(ids), begins, axis=0)
        return self._first_dimensions(sums)

    def _rows(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of tokens, weighted where the model has weights."""
        import numpy as np

        distinct, places = np.unique(ids, return_inverse=True)
        mapping, weights = self._tensors.get("mapping"), self._tensors.get("weights")
        try:
            kept = mapping.numbers[distinct] if mapping else distinct
            rows = self._vectors.rows(kept)
            if weights:
                rows *= weights.rows(distinct).reshape(-1, 1)
        except (IndexError, ValueError) as error:
            reason = _("{file} doesn't fit to its tokenizer.json ({error}).", file=self._file, error=error)
            raise ProviderError("auth", reason) from error
        return rows[places]


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
TYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I8": "|i1",
    "I32": "<i4",
    "I64": "<i8",
}


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a file: its numbers as they are stored, and their type's name."""

    numbers: NDArray[Any]
    type: str

    def rows(self, places: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return rows, or single numbers of a vector, as 32-bit numbers."""
        import numpy as np

        result = self.numbers[places]
        if self.type == "BF16":
            return (result.astype(np.uint32) << 16).view(np.float32)
        return result.astype(np.float32)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a file by name, of those types that vectors are made of. Raises
    ProviderError."""
    import numpy as np

    try:
        if not path.is_file():
            raise ValueError(_("it is not a file"))
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > LONGEST_HEADER:
                raise ValueError(_("its header would be of {size} bytes", size=f"{size:,}"))
            header = json.loads(file.read(size))
        mapped = np.memmap(path, np.uint8, "r", offset=8 + size)
        tensors = {}
        for name, about in header.items():
            if name != "__metadata__" and about["dtype"] in TYPES:
                begin, end = about["data_offsets"]
                numbers = np.asarray(mapped[begin:end]).view(TYPES[about["dtype"]])
                tensors[name] = Tensor(numbers.reshape(about["shape"]), about["dtype"])
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

    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> Numbers:
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
        vectors = as_rows(result, self.name)
        if vectors.ndim == 3:
            vectors = _pooled(vectors, mask.astype(np.float32), self._pooling)
        return self._first_dimensions(vectors)

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
