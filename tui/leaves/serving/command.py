"""Serve until Ctrl+C, on a port of this machine only."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from memtui.store import StoreError
from memtui.store.platform.translation import _

LOOPBACK = "127.0.0.1"


def serve(arguments: Sequence[str], port: int) -> int:
    """Serve the browser that `memtui` opens with these arguments; port 0 takes any that is free.

    Raises StoreError where it can't be.
    """
    if find_spec("textual_serve") is None:
        raise StoreError(
            "Serving needs the extra `web`: install memtui again with it named behind the file, "
            "pipx install --force 'FILE.whl[web]'."
        )
    with _bound(port) as bound:
        from .server import BrowserServer

        server = BrowserServer([sys.executable, "-P", "-m", "memtui.tui", *arguments], bound)
        print(_("memtui is served to this machine: {address}", address=server.address), flush=True)
        print(
            _("Whoever has this address sees the store, so keep it to yourself. Ctrl+C ends it."),
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
            content = _("Port {port} is in use. Choose another with --port.", port=port)
        else:
            # Its own text repeats the address in Python's words.
            reason = os.strerror(number) if number else _("there is no such port")
            content = _(
                "Port {port} can't be served on ({reason}). Choose another with --port.",
                port=port,
                reason=reason,
            )
        raise StoreError(content) from error
