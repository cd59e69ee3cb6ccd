"""What comes over a screen: a dialog, a question that a key answers, a letter on every pane that leads
there, and a toast that says what a key has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from textual import events, getters
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from ..keys.bindings import key
from ..text.content import Passage
from .text_view import TextView

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


NAMES = {"escape": "esc", "enter": "⏎"}
"""What keys are called that aren't letters."""


class QuestionScreen(Dialog[str]):
    """What is asked, as passages, and the answers: what each key does. It gives the key that was
    pressed, `escape` where nothing was chosen."""

    DEFAULT_CSS = "QuestionScreen > TextView { width: 90; }"
    BINDINGS = [
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
    BINDINGS = [
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


def tell_change(app: App[Any], sentence: str | None) -> None:
    """Show a sentence in the place of what the keys before it said, which would cover it and, with
    each key, more of the screen; nothing where there is none."""
    if sentence:
        app.clear_notifications()
        app.notify(sentence, markup=False)
