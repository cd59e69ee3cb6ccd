"""The observer's backoff: why the model that observes isn't asked, and until when."""

from __future__ import annotations

from ...config import ModelSettings
from ...providers.errors import ProviderError
from ...providers.usage import Backoff, Backoffs
from ...store import Store

KEY = "observer_rest"


def current_backoff(store: Store, settings: ModelSettings) -> Backoff | None:
    """Return the backoff that holds now; None where the model may be asked."""
    return _backoffs(store).current(settings.fingerprint)


def back_off(store: Store, settings: ModelSettings, error: ProviderError, *, again_ms: int = 0) -> None:
    """Start a backoff: as long as the provider asked, else by the error's rule; an hour at most.
    `again_ms` stands for the rule's from the second error in a row on."""
    _backoffs(store).begin(settings.fingerprint, error, again_ms=again_ms)


def end_backoff(store: Store) -> None:
    """End the backoff, so that the model is asked again."""
    _backoffs(store).end()


def _backoffs(store: Store) -> Backoffs:
    return Backoffs(store.db, store.transaction(), KEY)
