"""What asks something over another screen."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A screen that closes once, however quickly Enter and Esc follow each other. What it shows stands in
    a frame: its title at the top left, its keys at the bottom right."""

    DEFAULT_CSS = """
    Dialog {
        & > Vertical, & > TextView {
            max-width: 96%;
            height: auto;
            max-height: 90%;
            padding: 1 2;
            background: $surface;
            border: round $accent;
            border-title-color: $foreground;
            border-subtitle-color: $dim;
        }
        &.-short > Vertical, &.-short > TextView { max-height: 100%; padding: 0 1; }
        & Input { background: $surface; &:focus { background-tint: transparent; } }
    }
    """

    def on_mount(self) -> None:
        # Toasts would cover the keys in its lower right corner.
        self.app.clear_notifications()

    @property
    def unsaved(self) -> str:
        """What would be lost if the browser were left now, in words; `` for nothing."""
        return ""

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        if self.is_active:
            return super().dismiss(result)
        # The second one would close what is below it, and where nothing is, end the browser.
        return AwaitComplete()
