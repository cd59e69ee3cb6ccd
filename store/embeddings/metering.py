"""Asking a model for vectors, counted and within the daily cap where they cost something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..config import EmbeddingsSettings
from ..providers.errors import ProviderError
from ..providers.usage import TokenUsage
from ..translation import _

if TYPE_CHECKING:
    from .blocks import Floats
    from .embedder import Embedder


def metered(
    usage: TokenUsage, settings: EmbeddingsSettings, model: Embedder, texts: Sequence[str]
) -> Floats:
    """Return the vectors of texts, a row each. Raises ProviderError, also where the cap is reached."""
    if not settings.is_metered:
        return model.embed(texts)
    tokens = model.tokens(texts)
    reserved = usage.reserve(settings, tokens)
    if reserved is None:
        raise ProviderError("quota", _("The daily cap of tokens is reached."))
    try:
        result = model.embed(texts)
    except ProviderError as error:
        usage.settle(reserved, tokens if error.spent else 0, failed=True)
        raise
    usage.settle(reserved, tokens)
    return result
