"""What `mem doctor` says of the queue and its observer."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import ModelSettings, model_settings
from ...database.health import Check
from ...errors import ConfigurationError
from ...store import Store
from ...tables.queue import boot_ms
from .backoff import current_backoff


def observer_checks(store: Store) -> Iterator[Check]:
    """Yield the checks of the observer and of the messages that were given up."""
    yield observer_check(store)
    failed = store.pending.given_up()
    yield Check(
        "queue",
        failed == 0,
        f"{failed:,} message{'' if failed == 1 else 's'} given up",
        "mem queue list --status failed and --status abandoned tell why; then mem queue retry or drop",
    )


def observer_check(store: Store) -> Check:
    """Return who observes; not well where `config.toml` can't be read, or a backoff holds."""
    try:
        settings = model_settings()
    except ConfigurationError as error:
        return Check("observer", False, str(error), "What waits for a model waits until then.")
    if settings is None:
        return Check("observer", True, "rules")
    return _of_model(store, settings)


def _of_model(store: Store, settings: ModelSettings) -> Check:
    backoff = current_backoff(store, settings)
    if backoff is None:
        return Check("observer", True, f"rules, then {settings.name}")
    minutes = -(-(backoff.until - boot_ms()) // 60_000)
    return Check(
        "observer",
        False,
        f"{settings.name} rests for {minutes} min ({backoff.kind}): {backoff.reason}",
        "mem queue process asks it at once.",
    )
