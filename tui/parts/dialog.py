"""What asks something over another screen."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A screen that closes once, however quickly Enter and Esc follow each other."""

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
