"""Beside the browser: its files are looked at for news, and whether anybody uses it: else memory
is given back.

Times and sizes of the files are looked at once a second, which takes microseconds; the store is
asked only where one has changed, and every twentieth time anyway.
"""

from __future__ import annotations

import gc
import os
import posix
from collections.abc import Hashable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic

from textual.app import App
from textual.events import Event, InputEvent

from memtui.store import StoreError
from memtui.store.config import config_path
from memtui.store.platform.paths import fallback_spools, spool_path
from memtui.store.platform.processes import release_memory

from ..protocol import Browser, browser

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


def _state(path: bytes) -> Hashable:
    try:
        result = posix.stat(path)
    except OSError:
        return None
    return result.st_ino, result.st_size, result.st_mtime_ns


def _states_in(folder: bytes) -> Iterator[Hashable]:
    with suppress(OSError), os.scandir(folder) as iterator:
        for name in sorted(entry.name for entry in iterator):
            yield name, _state(folder + b"/" + name)


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
