"""Backoff after a model's errors: why it isn't asked, and until when, kept in the store.

The boot clock counts, as for leases. A change of the settings ends a backoff.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from ...config import ModelSettings
from ...providers.errors import HOUR, ProviderError
from ...records.dataclasses import dataclass
from ...store import Store
from ...tables.queue import boot_ms

KEY = "observer_rest"


@dataclass(frozen=True, slots=True)
class Backoff:
    """Until when a model isn't asked (ms, boot clock), by which error, and how many of that kind came in a
    row; `settings` is the fingerprint of those that were asked with."""

    until: int
    kind: str
    reason: str
    failures: int
    settings: str


def current_backoff(store: Store, settings: ModelSettings) -> Backoff | None:
    """Return the backoff that holds now; None where the model may be asked."""
    found = _last(store, settings)
    # What lies too far ahead is of another boot.
    return found if found and 0 < found.until - boot_ms() <= HOUR else None


def back_off(
    store: Store, settings: ModelSettings, error: ProviderError, *, again_ms: int = 0
) -> None:
    """Start a backoff: as long as the provider asked, else by the error's rule; an hour at most.
    `again_ms` stands for the rule's from the second error in a row on."""
    before = _last(store, settings)
    failures = before.failures + 1 if before and before.kind == error.kind else 1
    usual = error.rule.backoff_ms * 2 ** min(failures - 1, 12)
    if again_ms and failures > 1:
        usual = again_ms * 2 ** min(failures - 2, 12)
    wait = min(error.retry_ms if error.retry_ms is not None else usual, HOUR)
    one = Backoff(boot_ms() + wait, error.kind, error.reason, failures, settings.fingerprint)
    with store.transaction():
        store.db.execute(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (KEY, json.dumps(asdict(one), ensure_ascii=False)),
        )


def end_backoff(store: Store) -> None:
    """End the backoff, so that the model is asked again."""
    if store.db.execute("SELECT 1 FROM meta WHERE key = ?", (KEY,)).get is None:
        return
    with store.transaction():
        store.db.execute("DELETE FROM meta WHERE key = ?", (KEY,))


def _last(store: Store, settings: ModelSettings) -> Backoff | None:
    found = store.db.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).get
    try:
        one = Backoff(**json.loads(str(found))) if found else None
    except (TypeError, ValueError):
        return None
    return one if one and one.settings == settings.fingerprint else None
