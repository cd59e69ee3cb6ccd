"""The picker as an app: the browser's connections and settings, and one screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size

from memtui.store import StoreError
from memtui.store.cli.picking import PickRequest
from memtui.store.platform.translation import _

from ..app import MemApp
from ..live.arrivals import NewArrivals
from ..settings import Found
from . import keys
from .answer import answer
from .screen import PickerScreen

LOOK_AT_SIZE_EVERY = 0.5


class PickerApp(MemApp, inherit_bindings=False):
    """Leaves with `answer`, what is to be printed; None where nothing was picked, and `is_without_match`
    where there was nothing to pick."""

    CSS_PATH = "../app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = keys.APP
    INLINE_PADDING = 0

    answer: str | None = None
    is_without_match = False

    def __init__(
        self,
        path: Path,
        request: PickRequest,
        *,
        lines: int = 0,
        read_only: bool = False,
        now: Callable[[], int] | None = None,
        settings: Found,
    ) -> None:
        """`lines` are those that it takes below the prompt, 0 where it has the whole screen."""
        # Textual copies it of the instance.
        self.__dict__["MODES"] = {"search": lambda: PickerScreen(request.query, lines)}
        browser_settings, problems = settings
        browser_settings = replace(browser_settings, start_screen="search", start_focus="query")
        super().__init__(path, read_only=read_only, now=now, settings=(browser_settings, problems))
        self._request = request
        # A look at the memory to pick of it is no visit.
        self.arrivals = NewArrivals(is_kept=False)

    def on_mount(self) -> None:
        # What hooks left is stored, but whoever picks changes nothing.
        self.read_only = True
        if not self.is_headless:
            self.set_interval(LOOK_AT_SIZE_EVERY, self._look_at_size)

    def _look_at_size(self) -> None:
        """See whether the terminal has another size. Below an editor no signal tells it, and on a busy
        machine one is lost now and then; one before the first layout reaches the app, not its screen."""
        size = Size(*os.get_terminal_size(0))
        if size != self.size:
            self.post_message(events.Resize(size, size))
        elif self.screen.outer_size.width != size.width:
            self.screen.post_message(events.Resize(size, size))

    async def take(self, refs: tuple[str, ...]) -> None:
        """Leave with some memories; with none, without a match."""
        if not refs:
            self.is_without_match = True
            self.exit()
            return
        request = self._request
        try:
            result = await self.side.run(lambda store: answer(store, refs, request))
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        if not result:
            self.notify(_("It is gone meanwhile."), severity="warning")
            return
        await self.history.remember(self.screen.query_one("#query").value)  # type: ignore[attr-defined]
        if request.clipboard:
            self.copy_to_clipboard(result.removesuffix("\n"))
        self.answer = result
        self.exit()

    def action_cancel(self) -> None:
        """Leave without picking."""
        self.exit()
