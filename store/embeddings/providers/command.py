"""A local program that makes vectors: JSON on its standard input, JSON on its output."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...providers.errors import ProviderError
from ...providers.program import run
from ...translation import _
from .base import BaseEmbedder, as_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 64_000_000
"""Bytes of an answer that are read, at most."""


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
