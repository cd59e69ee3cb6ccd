"""The model that makes vectors of texts, as `[embeddings]` of the configuration says; asked with passages,
counted, and within the daily cap where it costs something.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...config import EmbeddingsSettings
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...providers.usage import TokenUsage

if TYPE_CHECKING:
    from .blocks import Floats
    from .embedders import Embedder


def embedder(settings: EmbeddingsSettings) -> Embedder:
    """Return the configured embedder; its model is loaded when it is first used.

    ConfigurationError where a package that it needs is missing, or its directory lacks a file.
    """
    # Not all at once: hooks ask which vectors are due, and a server's module takes long to import.
    kind: type[Embedder]
    if settings.provider in ("static", "onnx"):
        from .local_models import OnnxEmbedder, StaticEmbedder

        kind = StaticEmbedder if settings.provider == "static" else OnnxEmbedder
    else:
        from .embedders import CommandEmbedder, ServerEmbedder

        kind = CommandEmbedder if settings.provider == "command" else ServerEmbedder
    return kind(settings)


def settings_text(settings: EmbeddingsSettings) -> str:
    """Return settings as a file of vectors keeps them. No key is among them."""
    from ...records.dataclasses import asdict

    return json.dumps(asdict(settings), ensure_ascii=False)


def settings_of(text: str) -> EmbeddingsSettings:
    """Return the settings that a file of vectors keeps. Raises ValueError."""
    try:
        result = json.loads(text)
        listed = {name: tuple(item) for name, item in result.items() if isinstance(item, list)}
        return EmbeddingsSettings(**(result | listed))
    except (TypeError, AttributeError) as error:
        raise ValueError(_("the file of vectors says of its model {text!r}.", text=text)) from error


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
