"""Toasts that say what a key has changed."""

from __future__ import annotations

from typing import Any

from textual.app import App


def tell_change(app: App[Any], sentence: str | None) -> None:
    """Show a sentence in the place of what the keys before it said, which would cover it and, with
    each key, more of the screen; nothing where there is none."""
    if sentence:
        app.clear_notifications()
        app.notify(sentence, markup=False)
