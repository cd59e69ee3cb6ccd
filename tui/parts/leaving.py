"""Leaving the terminal to another program, and screens while something is still being read for them."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from textual.app import App, SuspendNotSupported
from textual.widget import Widget

from memtui.store import StoreError

T = TypeVar("T")


class LeavingError(StoreError):
    """The browser can't be suspended here."""


def leave_for(app: App[Any], run: Callable[[], T]) -> T:
    """Run a program in the terminal while the browser is suspended, and paint it anew. Raises what the
    program's start does, and LeavingError."""
    try:
        with app.suspend():
            return run()
    except SuspendNotSupported as error:
        raise LeavingError("This terminal can't be left for another program.") from error
    finally:
        app.refresh()


def is_of_what_is_gone(error: BaseException) -> bool:
    """Return whether an error arose in a widget, or for one, that is being removed or has been."""
    owners = (frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(
        # A screen's children go before the screen itself does. Textual has no public name for it.
        widget._pruning or not widget.is_attached
        for widget in owners
        if isinstance(widget, Widget)
    )
