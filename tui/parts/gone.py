"""Screens and widgets that were left while something was still being read for them."""

from __future__ import annotations

import traceback

from textual.widget import Widget


def is_of_what_is_gone(error: BaseException) -> bool:
    """Return whether an error arose in a widget, or for one, that is being removed or has been."""
    owners = (frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(
        # A screen's children go before the screen itself does. Textual has no public name for it.
        widget._pruning or not widget.is_attached
        for widget in owners
        if isinstance(widget, Widget)
    )
