"""Memory that is given back to the system when nobody has used the browser for a while."""

from __future__ import annotations

import gc
from contextlib import suppress
from time import monotonic

from textual.events import Event, InputEvent

from memtui.store import StoreError
from memtui.store.system import release_memory

from ..protocol import Browser

REST_AFTER = 3.0
"""Seconds without a key or a click after which it is given back."""


class Rest:
    """Notices when the browser is at rest, and has it keep only what is in view then."""

    def __init__(self) -> None:
        self._touched_at = monotonic()
        self._is_resting = False

    def heard(self, event: Event) -> None:
        """Note whether someone uses the browser."""
        if isinstance(event, InputEvent):
            self._touched_at = monotonic()
            self._is_resting = False

    @property
    def begins(self) -> bool:
        """Whether it has come to rest since this was last asked."""
        if self._is_resting or monotonic() - self._touched_at < REST_AFTER:
            return False
        self._is_resting = True
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
