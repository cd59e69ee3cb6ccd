"""The progress of what takes long before the browser opens: a line on stderr, erased at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memtui.store.text.display import safe


@contextmanager
def telling(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield the function to call with what is done and the total; None where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    name = safe(what)

    def tell(done: int, total: int) -> None:
        part = f"{100 * done // total}%" if total else ""
        sys.stderr.write(f"\r\x1b[K{name} {part}")
        sys.stderr.flush()

    tell(0, 0)
    try:
        yield tell
    finally:
        sys.stderr.write("\r\x1b[K")
