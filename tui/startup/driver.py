"""Textual's driver for a terminal that already shows our first frame."""

from __future__ import annotations

from textual.drivers.linux_driver import LinuxDriver

from .first_frame import ENTER


class SteadyDriver(LinuxDriver):
    """Stays on the alternate screen the first time: entering it again would clear the frame."""

    _entered = False

    def write(self, data: str) -> None:
        if not self._entered and ENTER in data:
            self._entered = True
            data = data.replace(ENTER, "", 1)
        super().write(data)
