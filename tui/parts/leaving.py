"""Leaving the terminal to another program, and coming back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from textual.app import App, SuspendNotSupported

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
