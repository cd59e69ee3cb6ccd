"""When a search has to end, though it may not be through."""

from __future__ import annotations

import time
from types import TracebackType

import apsw

STEPS_BETWEEN_CHECKS = 1_000
"""SQLite steps between looks at the time: below a ms, also where a step reads a page of an index."""


class Deadline:
    """Ends what is done inside `with deadline:` when its time is up, also a statement under way.

    What was under way then is left without an error, and `passed` is true. Not to be nested.
    """

    def __init__(self, db: apsw.Connection, seconds: float | None = None) -> None:
        self.passed = False
        self._db = db
        self._end = None if seconds is None else time.monotonic() + seconds

    def __enter__(self) -> None:
        if self._end is not None:
            self._db.set_progress_handler(self._is_over, STEPS_BETWEEN_CHECKS, id=self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if self._end is not None:
            self._db.set_progress_handler(None, id=self)
        return self.passed and isinstance(error, apsw.InterruptError)

    def check(self) -> None:
        """Leave the `with` block if the time is up: for loops of our own."""
        if self._is_over():
            raise apsw.InterruptError("The time is up.")

    def _is_over(self) -> bool:
        if self._end is not None and time.monotonic() > self._end:
            self.passed = True
        return self.passed
