"""Embedders that are asked: any server with OpenAI's `/v1/embeddings` (Ollama, LM Studio, llama.cpp, vLLM,
a cloud), and a local program, with JSON on its standard input and on its output.
"""

from __future__ import annotations

import base64
import binascii
import json
import time
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ....platform.translation import _
from ....providers.calls import run
from ....providers.errors import ProviderError
from .base import BaseEmbedder, as_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 64_000_000
"""Bytes of an answer that are read, at most."""
SHORTEST = 250
"""Characters of a text below which it isn't cut for a server that finds it too long."""
TOO_LONG = (
    *("too long", "too large", "too many tokens", "context length", "context size"),
    *("context window", "input length", "maximum input", "max_seq_len", "maximum sequence"),
)
"""What servers say of texts that the model can't take whole."""


class ServerEmbedder(BaseEmbedder):
    """An embedder that asks a server."""

    @cached_property
    def _key(self) -> str:
        from ....providers.calls import key_of

        return key_of(self.settings)

    def _identity(self) -> Iterable[object]:
        return (self.settings.url, self.settings.model)

    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> NDArray[np.float32]:
        end = time.monotonic() + seconds
        longest = max(map(len, texts))
        while True:
            try:
                cut = [text[:longest] for text in texts]
                return self._ask(cut, max(0.001, end - time.monotonic()))
            except ProviderError as error:
                reason = error.reason.lower()
                longest //= 2
                if longest < SHORTEST or not any(words in reason for words in TOO_LONG):
                    raise

    def _ask(self, texts: list[str], seconds: float) -> NDArray[np.float32]:
        from ....providers.calls import post

        settings, key = self.settings, self._key
        document: dict[str, Any] = {"model": settings.model, "input": texts}
        if settings.dimensions:
            document["dimensions"] = settings.dimensions
        result = post(
            settings.url.rstrip("/") + "/embeddings",
            document,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            seconds=seconds,
            key=key,
            largest=LARGEST,
        )
        return as_rows(_vectors(result, len(texts)), self.name)


class CommandEmbedder(BaseEmbedder):
    """An embedder that runs a program once a batch. It gets `{"texts": […], "kind": "document"}`, or
    `"query"`, and prints `{"vectors": [[…], …]}` or the list alone."""

    def _identity(self) -> Iterable[object]:
        return self.settings.command

    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> NDArray[np.float32]:
        content = {"texts": list(texts), "kind": "query" if is_query else "document"}
        printed = run(
            self.settings.command,
            json.dumps(content, ensure_ascii=False),
            seconds=seconds,
            largest=LARGEST,
        )
        try:
            result = json.loads(printed)
        except (ValueError, RecursionError):
            begun = " ".join(printed.split())[:80]
            reason = _("{name} printed what is not valid JSON: {begun!r}.", name=self.name, begun=begun)
            raise ProviderError("invalid", reason, spent=True) from None
        vectors = result.get("vectors") if isinstance(result, dict) else result
        if not isinstance(vectors, list):
            raise ProviderError(
                "invalid", _("{name} printed no list of vectors.", name=self.name), spent=True
            )
        return self._first_dimensions(as_rows(vectors, self.name))


def _vectors(answer: Any, count: int) -> list[object]:
    """Return the vectors of an answer in the order of the texts."""
    listed = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise ProviderError("invalid", _("The answer has no list of vectors."), spent=True)
    places = [entry.get("index", place) for place, entry in enumerate(listed)]
    if not all(isinstance(place, int) for place in places) or sorted(places) != list(range(count)):
        reason = _(
            "The answer has {number} vectors for {count} texts, or the wrong ones.",
            number=len(listed),
            count=count,
        )
        raise ProviderError("invalid", reason, spent=True)
    by_place = dict(zip(places, listed, strict=True))
    return [_numbers(by_place[place].get("embedding")) for place in range(count)]


def _numbers(embedding: object) -> object:
    """Return a vector that may be written in base64, as 32-bit numbers."""
    if not isinstance(embedding, str):
        return embedding
    import numpy as np

    try:
        return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4")
    except (binascii.Error, ValueError):
        raise ProviderError("invalid", _("A vector is not base64 of numbers."), spent=True) from None
