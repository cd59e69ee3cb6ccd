"""Memory that is given back to the system while nobody uses the browser."""

from __future__ import annotations

import gc
from contextlib import suppress
from time import monotonic

from textual.events import Event, InputEvent

from memtui.store import StoreError
from memtui.store.system import release_memory

from ..protocol import Browser

REST_AFTER = 3.0
"""Seconds without a key or a click after which it is given back; and again after each twice as many, since
what goes on by itself meanwhile leaves some too."""


class Rest:
    """Notices when the browser is at rest, and has it keep no more than it needs then."""

    def __init__(self) -> None:
        self._touched_at = monotonic()
        self._rest_after = REST_AFTER

    def heard(self, event: Event) -> None:
        """Note whether someone uses the browser."""
        if isinstance(event, InputEvent):
            self._touched_at = monotonic()
            self._rest_after = REST_AFTER

    @property
    def is_due(self) -> bool:
        """Whether memory is to be given back, by how long nobody has used it; once for each time."""
        rested = monotonic() - self._touched_at
        if rested < self._rest_after:
            return False
        self._rest_after = 2 * rested
        return True

    async def give_back(self, browser: Browser) -> None:
        """Give up the rows and lines that are out of view and the pages that SQLite has read, and give to
        the system what that leaves."""
        browser.forget_unseen()
        for store in (browser.reader, browser.side, browser.counter):
            with suppress(StoreError):
                await store.release_memory()
        gc.collect()
        release_memory()
