"""How much models are asked: token usage by day, the table observer_days, with what the daily cap leaves;
and backoff after a provider's errors, why it isn't asked, and until when.

Models that observe and models that make vectors each have a cap of their own.

The boot clock counts, as for leases. A change of the settings ends a backoff.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Protocol, get_args

import apsw

from ..config import EmbeddingsProvider
from ..database.transaction import Transaction
from ..platform.clock import DAY_MS, now_ms
from ..records.dataclasses import asdict, dataclass
from ..tables.queue import boot_ms
from .errors import HOUR, ProviderError

ADD = """
INSERT INTO observer_days VALUES (:day, :model, :calls, :failed, max(0, :input), max(0, :output))
ON CONFLICT DO UPDATE SET calls = calls + :calls, failed = failed + :failed,
    input = max(0, input + :input), output = max(0, output + :output)
"""

EMBEDDERS = tuple(f"{provider}:" for provider in get_args(EmbeddingsProvider))
"""How the names of models that make vectors begin."""


class CappedModel(Protocol):
    """The settings of a model: its name, the most tokens of a day, and what tokens cost."""

    @property
    def name(self) -> str: ...

    @property
    def daily_tokens(self) -> int: ...

    def dollars(self, input: int, output: int) -> float | None: ...


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

    @property
    def is_of_embeddings(self) -> bool:
        """Whether the model makes vectors."""
        return self.model.startswith(EMBEDDERS)

    def dollars(self, settings: CappedModel | None) -> float | None:
        """Return its price; None where no prices, or another model, are configured."""
        if settings is None or settings.name != self.model:
            return None
        return settings.dollars(self.input, self.output)


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that is being made, counted with its estimated tokens."""

    day: int
    model: str
    input: int
    output: int


class TokenUsage:
    """The observer_days table."""

    def __init__(self, db: apsw.Connection, transaction: Transaction) -> None:
        self.db = db
        self.transaction = transaction

    def days(self, days: int = 30) -> list[DailyUsage]:
        """Return what models were asked in the last `days` days, newest first."""
        sql = "SELECT * FROM observer_days WHERE day > ? ORDER BY day DESC, model"
        rows: Iterable[Any] = self.db.execute(sql, (today() - days,)).fetchall()
        return [DailyUsage(*row) for row in rows]

    def left_today(self, settings: CappedModel) -> int:
        """Return how many tokens the daily cap still allows, for all models of the same use together."""
        makes_vectors = settings.name.startswith(EMBEDDERS)
        used = sum(
            usage.input + usage.output
            for usage in self.days(1)
            if usage.day == today() and usage.is_of_embeddings == makes_vectors
        )
        return max(0, settings.daily_tokens - used)

    def reserve(self, settings: CappedModel, input: int, output: int = 0) -> Reservation | None:
        """Count a call before it is made, so that none is made uncounted; None where the cap has no
        room."""
        with self.transaction:
            if input + output > self.left_today(settings):
                return None
            reservation = Reservation(today(), settings.name, input, output)
            self._add(reservation, calls=1, input=input, output=output)
        return reservation

    def settle(
        self, reservation: Reservation, input: int = 0, output: int = 0, *, failed: bool = False
    ) -> None:
        """Replace the estimated tokens of a call by its real ones."""
        self._add(
            reservation,
            failed=int(failed),
            input=input - reservation.input,
            output=output - reservation.output,
        )

    def note_failure(self, settings: CappedModel) -> None:
        """Count a failure of a call whose tokens are counted already."""
        self._add(Reservation(today(), settings.name, 0, 0), failed=1, input=0, output=0)

    def _add(
        self, reservation: Reservation, *, calls: int = 0, failed: int = 0, input: int, output: int
    ) -> None:
        values = {
            "day": reservation.day, "model": reservation.model, "calls": calls, "failed": failed,
            "input": input, "output": output,
        }  # fmt: skip
        with self.transaction:
            self.db.execute(ADD, values)


def today() -> int:
    """Return the present day, UTC, in days since the epoch."""
    return now_ms() // DAY_MS


@dataclass(frozen=True, slots=True)
class Backoff:
    """Until when a model isn't asked (ms, boot clock), by which error, and how many of that kind came in a
    row; `settings` is the fingerprint of those that were asked with."""

    until: int
    kind: str
    reason: str
    failures: int
    settings: str


class Backoffs:
    """The backoff of one use of models, a row of `meta`."""

    def __init__(self, db: apsw.Connection, transaction: Transaction, key: str) -> None:
        self.db = db
        self.transaction = transaction
        self.key = key

    def current(self, fingerprint: str) -> Backoff | None:
        """Return the backoff that holds now for these settings; None where the model may be asked."""
        backoff = self._last(fingerprint)
        # What lies too far ahead is of another boot.
        return backoff if backoff and 0 < backoff.until - boot_ms() <= HOUR else None

    def begin(self, fingerprint: str, error: ProviderError, *, again_ms: int = 0) -> None:
        """Start a backoff: as long as the provider asked, else by the error's rule; an hour at most.
        `again_ms` stands for the rule's from the second error in a row on."""
        before = self._last(fingerprint)
        failures = before.failures + 1 if before and before.kind == error.kind else 1
        usual = error.rule.backoff_ms * 2 ** min(failures - 1, 12)
        if again_ms and failures > 1:
            usual = again_ms * 2 ** min(failures - 2, 12)
        wait = min(error.retry_ms if error.retry_ms is not None else usual, HOUR)
        backoff = Backoff(boot_ms() + wait, error.kind, error.reason, failures, fingerprint)
        with self.transaction:
            self.db.execute(
                "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (self.key, json.dumps(asdict(backoff), ensure_ascii=False)),
            )

    def end(self) -> None:
        """End the backoff, so that the model is asked again."""
        if self.db.execute("SELECT 1 FROM meta WHERE key = ?", (self.key,)).get is None:
            return
        with self.transaction:
            self.db.execute("DELETE FROM meta WHERE key = ?", (self.key,))

    def _last(self, fingerprint: str) -> Backoff | None:
        result = self.db.execute("SELECT value FROM meta WHERE key = ?", (self.key,)).get
        try:
            backoff = Backoff(**json.loads(str(result))) if result else None
        except (TypeError, ValueError):
            return None
        return backoff if backoff and backoff.settings == fingerprint else None
