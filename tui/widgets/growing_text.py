"""A text that takes the height it needs."""

from __future__ import annotations

from textual.geometry import Size

from .text_view import TextView


class GrowingText(TextView):
    """A `TextView` as high as its text, up to its `max-height`."""

    DEFAULT_CSS = "GrowingText { height: auto; }"

    def watch_virtual_size(self, size: Size) -> None:
        super().watch_virtual_size(size)
        # Unlike the other texts, it makes what is below it move.
        self.refresh(layout=True)
