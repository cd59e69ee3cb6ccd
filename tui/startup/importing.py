"""Importing what other memories and agents' transcripts have on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.store import Store, StoreError
from memtui.store.aio import AsyncStore

if TYPE_CHECKING:
    from memtui.store.maintain.importing import Offer

# What only an import needs is imported then.

Tell = Callable[["Offer", int, int], None]
"""Called on the store's thread with what is imported, how much of it, and of how much."""


async def found_here() -> list[Offer]:
    """Return what can be imported on this machine; only names, sizes and times are read."""
    from memtui.store.maintain.importing import offers

    return await asyncio.to_thread(lambda: list(offers()))


async def import_all(memory: Path, offers: Sequence[Offer], tell: Tell) -> tuple[int, list[str]]:
    """Import one after the other, with a connection of its own. Return how many records were new or
    changed, and why what could not be imported wasn't. None of their files is touched."""
    changes = 0
    refusals: list[str] = []
    store = await AsyncStore.open(memory)
    try:
        for offer in offers:
            try:
                changes += await _imported(store, offer, tell)
            except StoreError as error:
                refusals.append(str(error))
    finally:
        await store.close()
    return changes, refusals


async def _imported(store: AsyncStore, offer: Offer, tell: Tell) -> int:
    from memtui.store.maintain.importing import run

    def told(done: int, total: int, _words: str) -> None:
        tell(offer, done, total)

    def imported(own: Store) -> int:
        return run(own, offer.source, offer.path, told).changes

    return await store.run(imported)
