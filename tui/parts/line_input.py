"""A line to type in, values that the store holds already to complete it by, and such a line at the bottom
of a screen: what to find, or where to go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, getters, on
from textual.app import ComposeResult
from textual.message import Message
from textual.reactive import Reactive
from textual.suggester import Suggester
from textual.widget import Widget
from textual.widgets import Input, Static

from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..keys.bindings import hidden, key
from ..text.content import DIM, plain


class LineInput(Input):
    """Whatever gets into it, pasted or restored, is fit for the screen."""

    # Steady: each blink is a repaint, and all of them cost more than the rest of an idle browser.
    cursor_blink = Reactive(False, init=False)

    def validate_value(self, value: str) -> str:
        return value if value.isprintable() else safe(value)

    def on_key(self, event: events.Key) -> None:
        """Type no letter that was pressed with Alt: it is the key of something, or of nothing."""
        if event.key.startswith("alt+"):
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Insert as much as there is room for, its lines as one."""
        # Textual would take the first line only, and nothing where that is too long.
        event.prevent_default()
        event.stop()
        text = " ".join(filter(None, event.text.splitlines()))
        if self.max_length:
            room = self.max_length - len(self.value) + len(self.selected_text)
            if len(text) > room:
                content = _("Cut: there is room for {count} characters.", count=f"{self.max_length:,}")
                self.notify(content)
            text = safe(text[:room])[:room]
        self.replace(text, *self.selection)


OFFERED = 8


class ValuesInUse(Suggester):
    """Completes a line by the values of a field; where it `is_list`, the last of its words, which
    commas part. A - before a word, which removes it, is no part of it."""

    def __init__(
        self, side: AsyncStore, field: str, *, is_list: bool = False, known: Sequence[str] = ()
    ) -> None:
        """`known` are all values there can be, where they aren't the store's."""
        super().__init__(use_cache=False, case_sensitive=True)
        self._side = side
        self._field = field
        self._is_list = is_list
        self._known = known

    async def offers(self, text: str) -> list[str]:
        """Return values that begin with what was typed."""
        begun = self._begun(text)
        if self._known:
            return [name for name in self._known if name.startswith(begun.casefold())]
        results = await self._side.run(lambda store: store.values_in_use(self._field, begun, OFFERED))
        return [word for word in results if word == safe(word) and not (self._is_list and "," in word)]

    async def get_suggestion(self, value: str) -> str | None:
        begun = self._begun(value)
        if not begun:
            return None
        offers = await self.offers(value)
        longer = next((offer for offer in offers if len(offer) > len(begun)), None)
        # What was typed stays as it was typed: a suggestion only goes on.
        return value + longer[len(begun) :] if longer else None

    def _begun(self, text: str) -> str:
        return text.rpartition(",")[2].lstrip().removeprefix("-") if self._is_list else text


LONGEST = 200
"""Characters that can be typed."""


class PromptInput(LineInput):
    """What is typed."""

    BINDINGS = [
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
