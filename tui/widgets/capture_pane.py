"""How capture is doing, all of it."""

from __future__ import annotations

from textual.content import Content

from ..capture_text import passages
from ..intake import Capture
from ..text import DIM
from .text_view import Passage, TextView

LABELS = 12
"""Cells of the labels, beside which the line of bars stands."""


class CapturePane(TextView):
    """Shows a `Capture` as it stands, and keeps its place while that changes."""

    DEFAULT_CSS = """
    CapturePane {
        border-top: solid $panel;
        border-title-color: $foreground 75%;
        &:focus { border-title-color: $accent; border-title-style: bold; border-top: solid $primary; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.border_title = "capture"
        self._capture: Capture | None = None
        self._now = 0

    def show_capture(self, capture: Capture | None, now: int) -> None:
        """Show how it stands at `now`, ms since the epoch, UTC; None while that isn't known."""
        self._capture, self._now = capture, now
        self._tell()

    def on_resize(self) -> None:
        self._tell()

    def _tell(self) -> None:
        if self._capture is None:
            self.show([Passage(Content.styled("…", DIM))], hold=True)
            return
        room = self.scrollable_content_region.width - LABELS
        self.show(list(passages(self._capture, self._now, room)), hold=True)
