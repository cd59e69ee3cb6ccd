"""A question over another screen, answered by a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events, getters
from textual.app import ComposeResult
from textual.binding import BindingType

from ..keys.bindings import key
from ..text.content import Passage
from .dialog import Dialog
from .text_view import TextView

NAMES = {"escape": "esc", "enter": "⏎"}
"""What keys are called that aren't letters."""


class QuestionScreen(Dialog[str]):
    """What is asked, as passages, and the answers: what each key does. It gives the key that was
    pressed, `escape` where nothing was chosen."""

    DEFAULT_CSS = "QuestionScreen > TextView { width: 90; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "dismiss('escape')", "Back", "Choose nothing", "question.back"),
    ]

    view = getters.query_one(TextView)

    def __init__(self, title: str, passages: Sequence[Passage], answers: Mapping[str, str]) -> None:
        """`answers` maps keys to what each does; `escape` may be among them, to be told."""
        super().__init__()
        self._title = title
        self._passages = passages
        self._answers = answers

    def compose(self) -> ComposeResult:
        yield TextView()

    def on_mount(self) -> None:
        view = self.view
        view.border_title = self._title
        answers = (f"{NAMES.get(text, text)} {does}" for text, does in self._answers.items())
        view.border_subtitle = " · ".join(answers)
        view.show(self._passages)
        # As high as the text, which it didn't have until now.
        view.refresh(layout=True)
        view.focus()

    def on_key(self, event: events.Key) -> None:
        """Answer."""
        if event.key in self._answers:
            event.stop()
            self.dismiss(event.key)
