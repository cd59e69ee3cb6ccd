"""Backoff after a provider's errors: why it isn't asked, and until when, kept in the store.

The boot clock counts, as for leases. A change of the settings ends a backoff.
"""

from __future__ import annotations

import json

import apsw

from ..database.transaction import Transaction
from ..records.dataclasses import asdict, dataclass
from ..tables.queue.messages import boot_ms
from .errors import HOUR, ProviderError


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
