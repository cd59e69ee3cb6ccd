"""Beside the browser: what hooks left is stored, and how capture is doing is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from store import Store
from store.aio import AsyncStore

if TYPE_CHECKING:
    from store.capture.health import CaptureHealth

SLICE = 0.25
"""Seconds that one look may spend on storing, on a thread of its own."""


@dataclass(frozen=True, slots=True)
class Capture:
    """How capture is doing, as far as is known; `trouble` is why nothing can be stored, else ``."""

    health: CaptureHealth | None = None
    excluded: tuple[str, ...] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What one look found, and whether all that waited is stored now."""

    capture: Capture
    done: bool


class Intake:
    """A connection of its own, opened at the first look, so that nothing else waits for it."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self._path = path
        self._read_only = read_only
        self._store: AsyncStore | None = None
        self._known = Capture()

    async def look(self) -> Taken:
        """Store a slice of what waits, unless this memory can only be read."""
        try:
            if self._store is None:
                self._store = await AsyncStore.open(self._path, read_only=self._read_only)
            taken = await self._store.run(_taken)
        except Exception as error:
            # Whatever a spool, a transcript or the disk brings about, the browser goes on without.
            # The connection's own state is in doubt, so the next look opens another.
            await self.close()
            return Taken(replace(self._known, trouble=str(error) or type(error).__name__), True)
        self._known = taken.capture
        return taken

    async def close(self) -> None:
        """Stop what is being stored, which waits for the next reader, and close the file."""
        store, self._store = self._store, None
        if store is not None:
            await store.close()


def _taken(store: Store) -> Taken:
    # Here, on the connection's thread: they aren't needed before the first paint.
    from store.capture.catching_up import catch_up
    from store.capture.health import capture_health
    from store.capture.settings import excluded

    done = catch_up(store, SLICE)
    return Taken(Capture(capture_health(store), tuple(excluded(store.path))), done)
