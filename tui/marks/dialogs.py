"""One question, and one line to type: what is asked before something is done to many memories."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.suggester import Suggester
from textual.widgets import Input, Static

from memtui.store.translation import _

from ..keys.bindings import key
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..text.content import DIM, plain

LONGEST = 500
"""Characters of what is typed."""


class ConfirmScreen(Dialog[bool]):
    """Whether to do something: Enter or `y` gives True, Esc or `n` False."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter,y", "dismiss(True)", "Yes", "Do it", "confirm.yes"),
        key("escape,n,q", "dismiss(False)", "No", "Leave all as it is", "confirm.no"),
    ]

    def __init__(self, question: str, consequence: str, yes: str) -> None:
        """`consequence` says what comes of it, `yes` in a word what Enter does."""
        super().__init__()
        self._question = question
        self._consequence = consequence
        self._yes = yes

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = _("are you sure?")
            box.border_subtitle = _("⏎ {does} · esc cancels", does=self._yes)
            yield Static(plain(self._question, "bold"))
            yield Static(plain(self._consequence, DIM), id="consequence")


class AskScreen(Dialog[str | None]):
    """Gives what was typed; None when it was left with Esc. `suggester` completes it with →."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "dismiss", "Cancel", "Leave all as it is", "ask.cancel"),
    ]

    def __init__(
        self,
        title: str,
        hint: str,
        yes: str,
        *,
        value: str = "",
        suggester: Suggester | None = None,
    ) -> None:
        """`hint` says what can be typed, `yes` in a word what Enter does."""
        super().__init__()
        self._title = title
        self._hint = hint
        self._yes = yes
        self._value = value
        self._suggester = suggester

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self._title
            box.border_subtitle = _("⏎ {does} · esc cancels", does=self._yes)
            yield LineInput(
                self._value,
                suggester=self._suggester,
                max_length=LONGEST,
                select_on_focus=False,
                compact=True,
            )
            yield Static(plain(self._hint, DIM), id="consequence")

    @on(Input.Submitted)
    def _take(self, message: Input.Submitted) -> None:
        self.dismiss(message.value.strip())
