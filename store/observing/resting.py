"""A model that can't be asked now is left alone for a while: why, and until when, is kept in the store.

The boot clock counts, as for leases, and other settings end it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from ..config import ModelSettings
from ..observers.model.errors import HOUR, ObserverError
from ..pending import boot_ms
from ..store import Store

KEY = "observer_rest"


@dataclass(frozen=True, slots=True)
class Rest:
    """`until` is on the boot clock, in ms; `failures` is how often in a row."""

    until: int
    kind: str
    reason: str
    failures: int
    settings: str


def resting(store: Store, settings: ModelSettings) -> Rest | None:
    """Why the model isn't asked now; None where it may be."""
    found = _last(store, settings)
    # What lies too far ahead is of another boot.
    return found if found and 0 < found.until - boot_ms() <= HOUR else None


def rest(store: Store, settings: ModelSettings, error: ObserverError) -> None:
    """Leave the model alone for as long as was asked, or as its rule tells; an hour at most."""
    before = _last(store, settings)
    failures = before.failures + 1 if before and before.kind == error.kind else 1
    told = error.rule.rest_ms * 2 ** min(failures - 1, 12)
    wait = min(error.retry_ms if error.retry_ms is not None else told, HOUR)
    one = Rest(boot_ms() + wait, error.kind, error.reason, failures, settings.fingerprint)
    with store.unit():
        store.db.execute(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (KEY, json.dumps(asdict(one), ensure_ascii=False)),
        )


def wake(store: Store) -> None:
    """Have the model asked again."""
    if store.db.execute("SELECT 1 FROM meta WHERE key = ?", (KEY,)).get is None:
        return
    with store.unit():
        store.db.execute("DELETE FROM meta WHERE key = ?", (KEY,))


def _last(store: Store, settings: ModelSettings) -> Rest | None:
    found = store.db.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).get
    one = Rest(**json.loads(str(found))) if found else None
    return one if one and one.settings == settings.fingerprint else None
