"""A first look at a model: what it makes of a text, and how quick it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..config import EmbeddingsSettings
from ..records.dataclasses import dataclass
from ..text.tokens import estimate_tokens

if TYPE_CHECKING:
    from .vectors import Vectors

TEXT = "The login failed because the clock of the server was two minutes late."
SAMPLE = tuple(f"{number}. {TEXT} {TEXT}" for number in range(16))
"""Texts of nobody's own, about as long as a passage of a memory: none of that leaves the machine yet."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How many numbers a vector has, the seconds that one text took, and tokens a second of many."""

    dimensions: int
    seconds: float
    tokens_a_second: float


def try_out(vectors: Vectors, settings: EmbeddingsSettings) -> Trial:
    """Embed a few texts. Raises ProviderError; ConfigurationError where the model can't be used at all."""
    dimensions = vectors.embed(settings, [TEXT]).shape[1]
    # The first call may have had to load the model.
    began = time.perf_counter()
    vectors.embed(settings, [TEXT])
    value = time.perf_counter() - began
    began = time.perf_counter()
    vectors.embed(settings, SAMPLE)
    many = time.perf_counter() - began
    return Trial(dimensions, value, sum(map(estimate_tokens, SAMPLE)) / max(many, 1e-6))
