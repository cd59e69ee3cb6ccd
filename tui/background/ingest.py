"""Beside the browser: what hooks left is stored, and how capture is doing is asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from memtui.store import Store
from memtui.store.aio import AsyncStore

from ..protocol import Capture

SLICE = 0.25
"""Seconds that one look may spend on storing, on a thread of its own."""

SILENT_AFTER, SILENT_EVERY = 2.0, 60.0
"""Seconds from the first look to that at who isn't heard, which walks through many folders, and at which
machines are to be met, and from that to the next."""


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What one look found, and whether all that waited is stored now."""

    capture: Capture
    done: bool


class BackgroundIngest:
    """A connection of its own, opened at the first look, so that nothing else waits for it."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self._path = path
        self._read_only = read_only
        self._store: asyncio.Task[AsyncStore] | None = None
        self._known = Capture()
        self._is_looking = self._is_over = False
        self._silent_at = time.monotonic() + SILENT_AFTER

    async def look(self) -> IngestResult:
        """Store a slice of what waits, unless this memory can only be read, or that goes on already."""
        if self._is_looking or self._is_over:
            # A look that begins while the browser is left would open what nobody closes.
            return IngestResult(self._known, True)
        self._is_looking = True
        try:
            if self._store is None:
                opening = AsyncStore.open(self._path, read_only=self._read_only)
                self._store = asyncio.create_task(opening)
            # Leaving cancels this look; what is half open then would keep its thread, and us with it.
            store = await asyncio.shield(self._store)
            taken = await store.run(_taken)
            silent = self._known.silent
            if time.monotonic() >= self._silent_at:
                silent = await store.run(_silent)
                if not self._read_only and (taken.capture.machines or taken.capture.team):
                    await store.run(_meet_due)
                self._silent_at = time.monotonic() + SILENT_EVERY
        except Exception as error:
            # Whatever a spool, a transcript or the disk brings about, the browser goes on without.
            # The connection's own state is in doubt, so the next look opens another.
            await self._drop()
            return IngestResult(replace(self._known, trouble=str(error) or type(error).__name__), True)
        finally:
            self._is_looking = False
        self._known = replace(taken.capture, silent=silent)
        return replace(taken, capture=self._known)

    async def close(self) -> None:
        """Stop what is being stored, which waits for the next reader, and close the file for good."""
        self._is_over = True
        await self._drop()

    async def _drop(self) -> None:
        opening, self._store = self._store, None
        if opening is not None:
            with suppress(Exception):
                await (await opening).close()


def _taken(store: Store) -> IngestResult:
    # Here, on the connection's thread: they aren't needed before the first paint.
    from memtui.store.capture.ingest.catch_up import catch_up
    from memtui.store.capture.settings import excluded
    from memtui.store.capture.status.health import capture_health
    from memtui.store.sync.machines import Machines
    from memtui.store.team.membership import may_have_marks

    done = catch_up(store, SLICE, observing=False)
    if done:
        from memtui.store import process_briefly

        process_briefly(store, SLICE)
    store.shorten_log()
    machines = tuple(Machines(store).automatic())
    capture = Capture(capture_health(store), tuple(excluded(store.path)), machines=machines)
    if may_have_marks(store):
        from memtui.store.team.marks import standing

        capture = replace(capture, team=standing(store), has_marks=True)
    return IngestResult(capture, done)


def _meet_due(store: Store) -> None:
    """Have a job of its own meet the machines that are met by themselves, where it is time to."""
    from memtui.store import start_job
    from memtui.store.sync.machines import Machines
    from memtui.store.team.membership import is_due

    if Machines(store).due() or is_due(store):
        start_job(store.path)


def _silent(store: Store) -> Mapping[str, int]:
    from memtui.store.install import silent_agents, states

    return silent_agents(store.path, states(store))
