"""What asking a model about all that waits would take."""

from __future__ import annotations

from ...config import ModelSettings
from ...records.dataclasses import dataclass
from ...store import Store
from ..model.question import INSTRUCTIONS
from .turn_batch import LONGEST, MOST

CHARACTERS_A_TOKEN = 3.5
TOKENS_A_RECORD = 250
"""Tokens that a model writes for an observation or a summary, about."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many messages wait for a model, and about how many tokens it would read and write; `dollars` is
    None where no prices are configured."""

    messages: int = 0
    input: int = 0
    output: int = 0
    dollars: float | None = None


def forecast(store: Store, settings: ModelSettings | None) -> Forecast:
    """Return what asking about all waiting messages would take; zeros where no model is configured."""
    if settings is None:
        return Forecast()
    messages, turns, characters = store.pending.sizes(LONGEST)
    calls = max(turns, -(-messages // MOST))
    read = round((characters + calls * 2 * len(INSTRUCTIONS)) / CHARACTERS_A_TOKEN)
    written = min(messages * TOKENS_A_RECORD, calls * settings.output_tokens)
    return Forecast(messages, read, written, settings.dollars(read, written))
