"""What goes on beside what is shown: files are looked at for news, what hooks left is stored, git is asked
which memories' files have changed, and memory that nobody uses is given back."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import cast

from textual.app import App
from textual.events import Event, InputEvent

from memtui.store import Store, StoreError
from memtui.store.aio import AsyncStore
from memtui.store.config import config_path
from memtui.store.links.changed_files import BACKGROUND_SECONDS, Limit, refresh
from memtui.store.platform.paths import fallback_spools, spool_path
from memtui.store.platform.processes import release_memory

from .protocol import Browser, Capture, browser

FIRST_LOOK = 0.3
"""Seconds after the first paint, with which it must not compete."""
LOOK_EVERY = 1.0
"""Seconds between two looks."""
ANYWAY = 20
"""Of so many looks one says that there may be news though no file has changed: time alone brings some,
and two writes may fall into one tick of the file system's clock."""


class FileWatch:
    """What the files of one memory were like at the last look. A look takes some microseconds, a
    question to the store a hundred times as long, all day long."""

    def __init__(self, database: Path) -> None:
        name = os.fsencode(database)
        self._store = (name, name + b"-wal")
        self._config = os.fsencode(config_path())
        self._settings = _state(self._config)
        self._spools = (spool_path(name), *fallback_spools(name))
        self._seen: dict[str, Hashable] = {}
        self._same: dict[str, int] = {}

    def store_may_have_changed(self) -> bool:
        """Whether something may have been committed since the last look, by whichever process."""
        return self._is_news("store", tuple(map(_state, self._store)))

    def spool_may_have_changed(self) -> bool:
        """Whether hooks may have left something since the last look, or something else is due."""
        results = tuple(state for folder in self._spools for state in _states_in(folder))
        return self._is_news("spool", results)

    def settings_may_have_changed(self) -> bool:
        """Whether `config.toml` may have been written since the last look."""
        before, self._settings = self._settings, _state(self._config)
        return before != self._settings

    def _is_news(self, name: str, state: Hashable) -> bool:
        if name in self._seen and self._seen[name] == state and self._same[name] < ANYWAY:
            self._same[name] += 1
            return False
        self._seen[name], self._same[name] = state, 1
        return True


class Watcher:
    """Looks, with one timer for all of it."""

    def __init__(self, database: Path) -> None:
        self.files = FileWatch(database)
        self.rest = Rest()

    def start(self, app: App[str]) -> None:
        """Look from now on, again and again."""
        look = partial(self.look, app)
        app.set_timer(FIRST_LOOK, look)
        app.set_interval(LOOK_EVERY, look)

    def look(self, app: App[str]) -> None:
        """Ask the store where its files tell of news, and give memory back where nobody uses it."""
        if self.files.store_may_have_changed():
            browser(app).look()
        else:
            browser(app).count_new()
        if self.files.spool_may_have_changed():
            browser(app).ingest()
        if self.files.settings_may_have_changed():
            browser(app).reread_settings()
        if self.rest.is_due:
            app.run_worker(self.rest.give_back(browser(app)), group="rest")


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


FIRST_REFRESH, REFRESH_EVERY = 1.5, 20.0
"""Seconds from the start until git is asked, and from then to the next time."""
LOOK_AGAIN_AFTER = 15
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

        app.set_timer(FIRST_REFRESH, look)
        app.set_interval(REFRESH_EVERY, look)

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
        if self._repositories or version != self._version or self._skipped >= LOOK_AGAIN_AFTER:
            self._version, self._skipped = version, 0
            return True
        self._skipped += 1
        return False


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
        self._silent_at = monotonic() + SILENT_AFTER

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
            if monotonic() >= self._silent_at:
                silent = await store.run(_silent)
                if not self._read_only and (taken.capture.machines or taken.capture.team):
                    await store.run(_meet_due)
                self._silent_at = monotonic() + SILENT_EVERY
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


def _state(path: bytes) -> Hashable:
    try:
        result = os.stat(path)  # noqa: PTH116 - a path in bytes, asked twice a second
    except OSError:
        return None
    return result.st_ino, result.st_size, result.st_mtime_ns


def _states_in(folder: bytes) -> Iterator[Hashable]:
    with suppress(OSError), os.scandir(folder) as iterator:
        for name in sorted(entry.name for entry in iterator):
            yield name, _state(folder + b"/" + name)


def _taken(store: Store) -> IngestResult:
    # Here, on the connection's thread: they aren't needed before the first paint.
    from memtui.store.capture.health import capture_health
    from memtui.store.capture.ingest.catch_up import catch_up
    from memtui.store.capture.settings import excluded
    from memtui.store.platform.leaves import offers

    done = catch_up(store, SLICE, observing=False)
    if done:
        from memtui.store import process_briefly

        process_briefly(store, SLICE)
    store.shorten_log()
    places = [place for offered in offers("standing") for place in offered(store)]
    capture = Capture(
        capture_health(store),
        tuple(excluded(store.path)),
        machines=tuple(place for place in places if not place.is_team),
        team=next((place for place in places if place.is_team), None),
        has_marks=any(may_have_marks(store) for may_have_marks in offers("marks")),
    )
    return IngestResult(capture, done)


def _meet_due(store: Store) -> None:
    """Have a job of its own meet the machines that are met by themselves, where it is time to."""
    from memtui.store import start_job
    from memtui.store.platform.leaves import offers

    if any(is_due(store) for is_due in offers("due")):
        start_job(store.path)


def _silent(store: Store) -> Mapping[str, int]:
    from memtui.store.install import silent_agents, states

    return silent_agents(store.path, states(store))
