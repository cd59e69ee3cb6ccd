"""Beside the browser: git is asked which memories' files have changed since."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import cast

from textual.app import App

from memtui.store import Store, StoreError
from memtui.store.aio import AsyncStore
from memtui.store.links.git.refresh import BACKGROUND_SECONDS, Limit, refresh

from ..protocol import Browser

FIRST, EVERY = 1.5, 20.0
"""Seconds from the start until git is asked, and from then to the next time."""
ANYWAY = 15
"""So often a memory without a repository is looked at again even if nothing was written to it: one may
have been cloned meanwhile."""


class ChangedFilesRefresh:
    """Refreshes the marks on a thread and with a connection of its own, once at a time."""

    def __init__(self) -> None:
        self._limit: Limit | None = None
        self._version: int | None = None
        self._repositories = self._skipped = 0

    def start(self, app: App[str], store: AsyncStore) -> None:
        """Look from now on, again and again; what was found shows as any other write."""

        def look() -> None:
            if self._may_find_something(cast("Browser", app).version):
                app.run_worker(self.look(store), group="changed-files")

        app.set_timer(FIRST, look)
        app.set_interval(EVERY, look)

    async def look(self, store: AsyncStore) -> None:
        """Refresh, unless that goes on already. What can't be read or written now is tried next time."""
        if self._limit is not None or store.read_only:
            return
        limit = self._limit = Limit(BACKGROUND_SECONDS)

        def refreshed(beside: Store) -> None:
            self._repositories = refresh(beside, limit).repositories

        try:
            with suppress(StoreError, OSError):
                await store.run_beside(refreshed)
        except asyncio.CancelledError:
            limit.stop()
            raise
        finally:
            self._limit = None

    def close(self) -> None:
        """Stop what goes on."""
        if self._limit is not None:
            self._limit.stop()

    def _may_find_something(self, version: int) -> bool:
        """Whether there are repositories, or a version of the memory that wasn't looked at. Which
        directories its sessions were in takes tens of milliseconds to find out in a large memory."""
        if self._repositories or version != self._version or self._skipped >= ANYWAY:
            self._version, self._skipped = version, 0
            return True
        self._skipped += 1
        return False
