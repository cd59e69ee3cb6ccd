"""Jumping: a letter on every pane and field of a screen, and the letter leads there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from ..keys.bindings import key
from .dialog import Dialog

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""Those under the fingers first."""


def jump_targets(screen: Screen[object]) -> list[Widget]:
    """Return what can have the focus and is in view, in the order of Tab, as many as there are letters."""
    return [widget for widget in screen.focus_chain if widget.region.area][: len(LETTERS)]


class JumpScreen(Dialog[Widget | None]):
    """Gives the pane or field whose letter was pressed, None for any other key."""

    DEFAULT_CSS = """
    JumpScreen {
        background: transparent;
        & > Static {
            position: absolute;
            width: 3;
            height: 1;
            background: $accent;
            color: $background;
            text-style: bold;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "dismiss", "Stay", "Go nowhere", "jump.close"),
    ]

    def __init__(self, targets: Sequence[Widget]) -> None:
        super().__init__()
        self._targets = dict(zip(LETTERS, targets, strict=False))

    def compose(self) -> ComposeResult:
        for letter, widget in self._targets.items():
            label = Static(f" {letter} ", markup=False)
            label.styles.offset = widget.region.offset
            yield label

    def on_key(self, event: events.Key) -> None:
        """Go where the letter stands."""
        if event.key != "escape":
            event.stop()
            self.dismiss(self._targets.get(event.key))
