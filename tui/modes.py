"""The screens that are one key apart; each is imported when it is first shown. `tabs` names them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from textual.screen import Screen

from .tabs import TABS


def _screen(mode: str) -> Screen[Any]:
    """Return a new screen of a mode: of `search` the `SearchScreen` of `search/screen.py`."""
    module = import_module(f".{mode}.screen", __package__)
    screen: Screen[Any] = getattr(module, f"{mode.capitalize()}Screen")()
    return screen


MODES: dict[str, str | Callable[[], Screen[Any]]] = {tab.mode: partial(_screen, tab.mode) for tab in TABS}
