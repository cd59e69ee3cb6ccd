"""Serve until Ctrl+C, on a port of this machine only."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from memtui.store import StoreError

LOOPBACK = "127.0.0.1"


def serve(arguments: Sequence[str], port: int) -> int:
    """Serve the browser that `memtui` opens with these arguments; port 0 takes any that is free.

    Raises StoreError where it can't be.
    """
    if find_spec("textual_serve") is None:
        raise StoreError("Serving needs the extra `web`: pipx install '.[web]'.")
    with _bound(port) as bound:
        from .server import BrowserServer

        server = BrowserServer([sys.executable, "-P", "-m", "memtui.tui", *arguments], bound)
        print(f"memtui is served to this machine: {server.address}", flush=True)
        print(
            "Whoever has this address sees the memory, so keep it to yourself. Ctrl+C ends it.",
            file=sys.stderr,
        )
        server.run()
    return 0


def _bound(port: int) -> socket.socket:
    try:
        return socket.create_server((LOOPBACK, port))
    except (OSError, OverflowError) as error:
        number = error.errno if isinstance(error, OSError) else None
        if number == errno.EADDRINUSE:
            what = "is in use"
        else:
            # Its own text repeats the address in Python's words.
            said = os.strerror(number) if number else "there is no such port"
            what = f"can't be served on ({said})"
        raise StoreError(f"Port {port} {what}. Choose another with --port.") from error
