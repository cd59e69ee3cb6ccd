"""Let a connection run statements on a thread of its own, while this one makes what comes next: SQLite
needs no Python for them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from threading import Thread


class Background:
    """One task of a connection at a time; from `run` to `wait` nobody else may use the connection. As a
    context it waits in the end, and has the task stop where there was an error."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        self.thread: Thread | None = None
        self.error: BaseException | None = None

    def __enter__(self) -> Background:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is not None and self.thread is not None:
            self.db.interrupt()
            with suppress(apsw.Error):
                self.wait()
        self.wait()

    def run(self, task: Callable[[], object]) -> None:
        """Begin a task; one of a connection that answers on its own thread only is done at once."""
        if self.db.is_async:
            self._run(task)
        else:
            from threading import Thread

            self.thread = Thread(target=self._run, args=(task,))
            self.thread.start()

    def wait(self) -> None:
        """Wait for the task, and raise its error."""
        if self.thread is not None:
            self.thread.join()
            self.thread = None
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _run(self, task: Callable[[], object]) -> None:
        try:
            task()
        except BaseException as error:
            self.error = error
