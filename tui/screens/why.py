"""Why a hit was found, and why it stands where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from ..bindings import key
from ..widgets.text_view import Passage, TextView


class WhyScreen(ModalScreen[None]):
    """The passages of `why_text`, over the search."""

    CSS_PATH = "why.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,w,q", "dismiss", "Close", "Back to the results", "why.close"),
    ]

    def __init__(self, passages: Sequence[Passage]) -> None:
        super().__init__()
        self._passages = passages

    def compose(self) -> ComposeResult:
        yield TextView(id="why")

    def on_mount(self) -> None:
        view = self.query_one(TextView)
        view.border_title = "why this hit"
        view.border_subtitle = "esc closes"
        view.show(self._passages)
        # As high as the text, which it didn't have until now.
        view.refresh(layout=True)
        view.focus()
