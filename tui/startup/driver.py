"""Textual's driver for a terminal that already shows our first frame."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from textual.driver import Driver

from .first_frame import ENTER


def driver_after_frame(attributes: list[Any]) -> type[Driver]:
    """Return the driver for a terminal that had these attributes (`termios`) before the frame."""

    # Windows has another one, and no first frame.
    from textual.drivers.linux_driver import LinuxDriver

    class SteadyDriver(LinuxDriver):
        """Stays on the alternate screen the first time: entering it again would clear the frame."""

        _entered = False

        def start_application_mode(self) -> None:
            super().start_application_mode()  # type: ignore[no-untyped-call]
            # An editor that the browser makes room for would else get the frame's: without echo.
            self.attrs_before = attributes

        def write(self, data: str) -> None:
            if not self._entered and ENTER in data:
                self._entered = True
                data = data.replace(ENTER, "", 1)
            super().write(data)

    return SteadyDriver


def pass_over_bytes(driver: Driver) -> None:
    """Have Textual's driver pass over bytes that are no UTF-8 (a paste in another encoding, Meta as the
    eighth bit), at which it would end. There is no public hook."""
    for kind in type(driver).__mro__:
        module = sys.modules[kind.__module__]
        if hasattr(module, "getincrementaldecoder"):
            vars(module)["getincrementaldecoder"] = _lenient_decoder


def _lenient_decoder(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), "ignore")
