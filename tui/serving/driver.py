"""How the browser reads and writes where a server passes both on to a web browser."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import Any

from textual.app import App
from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp

STARTED = b"__GANGLION__\n"
"""The line that Textual's driver writes before anything else."""


class ServedDriver(WebDriver):
    """Textual's driver for the web, which ends the browser when its server is gone."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._write = partial(_write, self.fileno)

    def run_input_thread(self) -> None:
        """Read until the end, which is the browser's too."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())


def _write(fileno: int, data: bytes) -> int:
    """Write all of some bytes, unless nobody reads them any more."""
    with suppress(BrokenPipeError):
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fileno, rest) :]
    return len(data)
