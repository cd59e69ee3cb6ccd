"""The screens that are one key apart, each imported when it is first shown (`tabs` names them); and what
would be lost, or stopped, if they were left now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from textual.screen import Screen

from memtui.store.platform.translation import _

from .parts.dialog import Dialog
from .tabs import TABS, screen_module


def _screen(mode: str) -> Screen[Any]:
    """Return a new screen of a mode: of `search` the `SearchScreen` of `search/screen.py`."""
    screen: Screen[Any] = getattr(screen_module(mode), f"{mode.capitalize()}Screen")()
    return screen


MODES: dict[str, str | Callable[[], Screen[Any]]] = {tab.mode: partial(_screen, tab.mode) for tab in TABS}


def is_running(screens: Iterable[Screen[Any]]) -> str:
    """Return which change is on its way on one of these screens, and how to stop it; `` for none."""
    words = next((content for screen in screens if (content := getattr(screen, "at_work", ""))), "")
    return _("{doing} q stops it, takes it back and quits; or wait.", doing=words) if words else ""


def would_be_lost(screens: Sequence[Screen[Any]], contexts: Sequence[str]) -> str:
    """Return what isn't saved on these screens, or of the contexts of these projects, and how to save
    or leave it; `` for nothing."""
    for screen in screens:
        if isinstance(screen, Dialog) and screen.unsaved:
            return _("{what} is not saved: ^s saves it, ^q leaves without.", what=screen.unsaved)
    if not contexts:
        return ""
    from memtui.store.text.display import safe

    from .composer.text import project_name

    names = _(", ").join(safe(project_name(name)) for name in contexts)
    return _("The context of {names} is not saved: 7, then s saves it; q leaves without.", names=names)
