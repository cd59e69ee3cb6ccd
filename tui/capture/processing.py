"""Who observes, and working on what waits. Nothing here is quick: call it in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memtui.store import Store, StoreError, TokenUsage, current_backoff, process_at_once
from memtui.store.config import model_settings
from memtui.store.translation import _

SECONDS = 10.0
"""What one press of the key may spend on the rules."""


@dataclass(frozen=True, slots=True)
class Observer:
    """Which model observes, None for the rules; how many tokens it has left today; why it rests, and
    what is wrong with the configuration, `` for nothing."""

    model: str | None = None
    left: int = 0
    rest: str = ""
    trouble: str = ""


def current_observer(store: Store) -> Observer:
    """Return which model observes by the configuration, and how it stands."""
    try:
        settings = model_settings()
    except StoreError as error:
        return Observer(trouble=str(error))
    if settings is None:
        return Observer()
    rest = current_backoff(store, settings)
    left = TokenUsage(store.db, store.transaction()).left_today(settings)
    return Observer(settings.name, left, rest.kind if rest else "")


def process_now(path: Path) -> str:
    """Work on the queue, on a connection of its own, and tell what came of it."""
    try:
        with Store.open(path) as store:
            done, is_asked = process_at_once(store, SECONDS)
    except StoreError as error:
        return str(error)
    if not done.elected:
        return _("Another process is at work on the queue.")
    count = f"{done.recorded + done.settled:,}"
    if is_asked:
        return _("{count} processed by the rules. The model is asked in the background.", count=count)
    return _("{count} processed by the rules.", count=count)
