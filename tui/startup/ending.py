"""An end from outside (SIGTERM) leaves the terminal as `q` does, whenever it comes."""

from __future__ import annotations

import signal
from collections.abc import Callable

STATUS = 128 + signal.SIGTERM
"""The exit code of a program that was ended so."""

_asked = False


def hold() -> None:
    """Let an end wait until the browser is ready for it: half a start can't be taken back."""
    signal.signal(signal.SIGTERM, _note)


def listen(leave: Callable[[], object]) -> None:
    """Call a function of the running loop's when the end comes, or now where it has."""
    # What the first frame waits for imports no loop.
    import asyncio

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave)
    if _asked:
        leave()


def _note(*_: object) -> None:
    global _asked
    _asked = True
