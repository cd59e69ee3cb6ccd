"""An end from outside: SIGTERM leaves the terminal as `q` does, whenever it comes; a terminal that is gone
ends the browser also where nobody says so (`nohup`, a shell or make between them).
"""

from __future__ import annotations

import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

STATUS = 128 + signal.SIGTERM
"""The exit code of a program that was ended so."""

_asked = False


def hold() -> None:
    """Let an end wait until the browser is ready for it: half a start can't be taken back."""
    signal.signal(signal.SIGTERM, _note)


def listen(leave: Callable[[], object]) -> None:
    """Call a function of the running loop's when an end comes, or now where it has."""
    # What the first frame waits for imports no loop.
    import asyncio
    from threading import Thread

    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGTERM, leave)
    if _asked:
        leave()
    if not hasattr(select, "poll"):
        # Windows has neither.
        return

    def wait() -> None:
        # Textual's own thread would read nothing from it again and again.
        hung_up = select.poll()
        hung_up.register(sys.stdin.fileno(), 0)
        hung_up.poll()
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(leave)

    Thread(target=wait, daemon=True).start()


def _note(*_: object) -> None:
    global _asked
    _asked = True
