"""The prices of models' tokens: the makers' list prices, which come with the program, and the user's own.

`prices.json` has the list prices for the makers' usual service: dollars for a million tokens that are read,
written, read from the cache and written to the cache, there for an hour too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..records.dataclasses import dataclass
from ..records.events import Usage
from .reading import own_prices

DATED = re.compile(r"-(?:20\d{6}|20\d\d-\d\d-\d\d|latest)$")
"""Tells versions of a model apart that cost the same."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens: read, written, read from the cache, and written to the cache, for as
    long as is usual and for an hour."""

    input: float
    output: float
    cache_read: float
    cache_written: float
    cache_hour: float

    def dollars(self, usage: Usage) -> float:
        """Return what an answer's tokens cost."""
        return (
            usage.input * self.input
            + usage.output * self.output
            + usage.cache_read * self.cache_read
            + (usage.cache_written - usage.cache_hour) * self.cache_written
            + usage.cache_hour * self.cache_hour
        ) / 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of models by their names; those of the makers are of `date` (YYYY-MM-DD)."""

    date: str
    models: Mapping[str, Price]

    def of(self, model: str) -> Price | None:
        """Return what a model's tokens cost; None where that isn't known."""
        # Who resells a model puts his name before it.
        return self.models.get(_plain(model.rpartition("/")[2])) or self.models.get(_plain(model))


def prices(path: Path | None = None) -> Prices:
    """Return the list prices, and in their place those that `[prices]` of `config.toml` has. Never raises:
    what is wrong there counts as not said."""
    date, listed = _listed()
    own = {_plain(name): _price(numbers) for name, numbers in own_prices(path).items()}
    return Prices(date, {**listed, **own})


@cache
def _listed() -> tuple[str, Mapping[str, Price]]:
    # As JSON: what reads TOML takes 5 ms to import.
    tables = json.loads(Path(__file__).with_name("prices.json").read_text("utf-8"))
    models = {_plain(name): _price(numbers) for name, numbers in tables["models"].items()}
    return tables["date"], models


def _price(numbers: tuple[float, ...]) -> Price:
    input, output, *cached = numbers
    # Anthropic alone tells which tokens are kept for an hour, and takes twice the price of those read.
    read, written, hour = [*cached, *(input, input, 2 * input)[len(cached) :]]
    return Price(input, output, read, written, hour)


def _plain(model: str) -> str:
    """A model's name as all write it: `claude-sonnet-4.5` and `claude-sonnet-4-5-20250929` are one."""
    return DATED.sub("", model.casefold()).replace(".", "-")
