"""Who makes vectors of texts, as `[embeddings]` of the configuration says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ..config import EmbeddingsSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """A model that makes vectors of texts."""

    @property
    def name(self) -> str:
        """What its vectors and costs are listed under, `static:potion-base-8M`."""

    @property
    def fingerprint(self) -> str:
        """Changes with whatever changes its vectors."""

    def embed(
        self, texts: Sequence[str], *, is_query: bool = False, seconds: float | None = None
    ) -> NDArray[np.float32]:
        """Return a row a text, of shape (texts, dimensions): each of unit length, and zeros for a text
        without anything that the model knows. All within `seconds`, else each call within what is
        configured. Raises ProviderError."""

    def tokens(self, texts: Sequence[str]) -> int:
        """About how many tokens the texts are, for cap and cost."""

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Return the share of tokens that the model's tokenizer doesn't know; None where only a server or
        program could tell. Raises ProviderError."""


def embedder(settings: EmbeddingsSettings) -> Embedder:
    """Return the configured embedder; its model is loaded when it is first used.

    ConfigurationError where a package that it needs is missing, or its directory lacks a file.
    """
    # One at a time: hooks ask which vectors are due, and a server's module takes long to import.
    made: Embedder
    if settings.provider == "static":
        from .providers.static import StaticEmbedder

        made = StaticEmbedder(settings)
    elif settings.provider == "onnx":
        from .providers.onnx import OnnxEmbedder

        made = OnnxEmbedder(settings)
    elif settings.provider == "command":
        from .providers.command import CommandEmbedder

        made = CommandEmbedder(settings)
    else:
        from .providers.openai_compatible import ServerEmbedder

        made = ServerEmbedder(settings)
    return made
