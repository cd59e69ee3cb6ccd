"""A line at the bottom of a screen that asks for a few words: what to find, or where to go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from ..keys.bindings import hidden, key
from ..text.content import DIM, plain
from .line_input import LineInput

LONGEST = 200
"""Characters that can be typed."""


class PromptInput(LineInput):
    """What is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter", "submit", "Take", "Keep what was typed, and go on", "prompt.take", display="⏎"),
        key("escape", "cancel", "Cancel", "Leave it as it was", "prompt.cancel"),
        hidden("up", "move(-1)", "Up", "The row above", "prompt.up"),
        hidden("down", "move(1)", "Down", "The row below", "prompt.down"),
    ]

    @dataclass
    class Moved(Message):
        """The cursor of the list that it is about is to be moved."""

        rows: int

    class Cancelled(Message):
        """It was left with Esc."""

    def action_move(self, rows: int) -> None:
        """Move the cursor of a list, the letters still going here."""
        self.post_message(self.Moved(rows))

    def action_cancel(self) -> None:
        """Leave it as it was."""
        self.post_message(self.Cancelled())


class PromptLine(Widget):
    """A label, what is typed, and what is told of it. It stays when it was left, until it is removed."""

    DEFAULT_CSS = """
    PromptLine {
        layout: horizontal;
        height: 1;
        background: $boost;
        padding: 0 1;
        & > .prompt--label { width: auto; text-style: bold; color: $text-accent; margin-right: 1; }
        & > PromptInput, & > PromptInput:focus {
            width: 1fr; height: 1; border: none; padding: 0; background: $boost;
        }
        & > .prompt--told { width: auto; max-width: 60%; margin-left: 1; }
    }
    """

    told = ""
    """What is said of what was typed."""

    input = getters.query_one(PromptInput)
    _told = getters.query_one(".prompt--told", Static)

    @dataclass
    class Changed(Message):
        """Something else was typed."""

        text: str

    @dataclass
    class Submitted(Message):
        """Enter was pressed."""

        text: str

    def __init__(self, label: str, placeholder: str = "") -> None:
        super().__init__()
        self._label = label
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        yield Static(plain(self._label), classes="prompt--label")
        yield PromptInput(placeholder=self._placeholder, max_length=LONGEST, compact=True)
        yield Static("", classes="prompt--told")

    def tell(self, message: str, is_wrong: bool = False) -> None:
        """Say something of what was typed; `is_wrong` where it is an error, or that nothing was found."""
        self.told = message
        self._told.update(plain(message, "$text-warning" if is_wrong else DIM))

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        message.stop()
        self.post_message(self.Changed(message.value))

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.post_message(self.Submitted(message.value))
