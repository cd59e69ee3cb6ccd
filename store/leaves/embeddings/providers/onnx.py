"""A transformer as an ONNX file, run on the processor from a directory that the user names."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....config import EmbeddingsSettings
from ....platform.translation import _
from ....providers.errors import ProviderError
from .base import BaseEmbedder, as_rows, file_states, model_directory
from .tokenizer import encode, load_tokenizer, unknown_share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Numbers = NDArray[np.float32]

MOST_TOKENS = 512
"""Tokens of a text that are read, at most, where the model takes as many."""
THREADS = 2
"""Processors that are used, at most; one is always left to the browser."""
POOLINGS = ("mean_tokens", "cls_token", "lasttoken")
"""How a text's vector can be made of its tokens', as 1_Pooling/config.json calls it."""


class OnnxEmbedder(BaseEmbedder):
    """An embedder that runs a model by onnxruntime."""

    needs = ("numpy", "tokenizers", "onnxruntime")
    extra = "onnx"
    batch_characters = 30_000

    def __init__(self, settings: EmbeddingsSettings) -> None:
        super().__init__(settings)
        self._directory = model_directory(settings, "tokenizer.json")
        nested = Path("onnx", "model.onnx")
        is_nested = (self._directory / nested).is_file()
        self._file = self._directory / (nested if is_nested else "model.onnx")
        model_directory(settings, str(self._file.relative_to(self._directory)))

    def unknown_share(self, texts: Sequence[str]) -> float:
        """Return the share of tokens that the model's tokenizer doesn't know. Raises ProviderError."""
        return unknown_share(self._tokenizer, texts)

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
