"""The token budget: what models were asked by day, the daily cap, and a forecast of what waits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...clock import DAY_MS, now_ms
from ...config import ModelSettings
from ...records.dataclasses import dataclass
from ...store import Store
from ..model.question import INSTRUCTIONS
from .turn_batch import LONGEST, MOST

ADD = """
INSERT INTO observer_days VALUES (:day, :model, :calls, :failed, max(0, :input), max(0, :output))
ON CONFLICT DO UPDATE SET calls = calls + :calls, failed = failed + :failed,
    input = max(0, input + :input), output = max(0, output + :output)
"""

CHARACTERS_A_TOKEN = 3.5
TOKENS_A_RECORD = 250
"""Tokens that a model writes for an observation or a summary, about."""


@dataclass(frozen=True, slots=True)
class DailyUsage:
    """What one model was asked on one day (UTC, in days since the epoch): calls, and tokens read and
    written."""

    day: int
    model: str
    calls: int
    failed: int
    input: int
    output: int

    def dollars(self, settings: ModelSettings | None) -> float | None:
        """Return its price; None where no prices, or another model, are configured."""
        if settings is None or settings.name != self.model:
            return None
        return price(settings, self.input, self.output)


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that is being made, counted with its estimated tokens."""

    day: int
    model: str
    input: int
    output: int


def price(settings: ModelSettings, input: int, output: int) -> float | None:
    """Return the price of so many tokens in dollars; None where no prices are configured."""
    if settings.input_price is None or settings.output_price is None:
        return None
    return (input * settings.input_price + output * settings.output_price) / 1_000_000


def daily_usage(store: Store, days: int = 30) -> list[DailyUsage]:
    """Return what models were asked in the last `days` days, newest first."""
    sql = "SELECT * FROM observer_days WHERE day > ? ORDER BY day DESC, model"
    rows: Iterable[Any] = store.db.execute(sql, (today() - days,)).fetchall()
    return [DailyUsage(*row) for row in rows]


def left_today(store: Store, settings: ModelSettings) -> int:
    """Return how many tokens the daily cap still allows, for all models together."""
    sql = "SELECT total(input + output) FROM observer_days WHERE day = ?"
    return max(0, settings.daily_tokens - int(store.db.execute(sql, (today(),)).get or 0))


def reserve(store: Store, settings: ModelSettings, input: int, output: int) -> Reservation | None:
    """Count a call before it is made, so that none is made uncounted; None where the cap has no room."""
    with store.transaction():
        if input + output > left_today(store, settings):
            return None
        one = Reservation(today(), settings.name, input, output)
        _add(store, one, calls=1, input=input, output=output)
    return one


def settle(
    store: Store, one: Reservation, input: int = 0, output: int = 0, *, failed: bool = False
) -> None:
    """Replace the estimated tokens of a call by its real ones."""
    _add(store, one, failed=int(failed), input=input - one.input, output=output - one.output)


def note_failure(store: Store, settings: ModelSettings) -> None:
    """Count a failure of a call whose tokens are counted already."""
    _add(store, Reservation(today(), settings.name, 0, 0), failed=1, input=0, output=0)


def today() -> int:
    """Return the present day, UTC, in days since the epoch."""
    return now_ms() // DAY_MS


def _add(
    store: Store, one: Reservation, *, calls: int = 0, failed: int = 0, input: int, output: int
) -> None:
    values = {
        "day": one.day, "model": one.model, "calls": calls, "failed": failed,
        "input": input, "output": output,
    }  # fmt: skip
    with store.transaction():
        store.db.execute(ADD, values)


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
    return Forecast(messages, read, written, price(settings, read, written))
