"""What is asked before many memories are changed: a question, a line to type, who in the team may read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.suggester import Suggester
from textual.widgets import Input, Static

from memtui.store import Store
from memtui.store.team.sharing import Choice, share_memories
from memtui.store.translation import _

from ..keys.bindings import key
from ..lists.picker import Pick, PickScreen
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..text.content import DIM, plain
from .changes import told

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


def ask_who(refs: Sequence[str], chosen: Sequence[Choice]) -> PickScreen[Choice]:
    """Return what asks who may read memories, and marks what was chosen by now."""
    title = _("who may read it") if len(refs) == 1 else _("who may read them")
    now = _("now")
    picks = [replace(pick, note=now) if pick.value in chosen else pick for pick in _picks()]
    return PickScreen(title, picks, _("shares"))


def share(store: Store, refs: Sequence[str], choice: Choice) -> str:
    """Choose who may read memories, and return what came of it in a sentence or two."""
    return told(share_memories(store, refs, choice))


def _picks() -> list[Pick[Choice]]:
    """Return what there is to choose from, what says least about others first."""
    return [
        Pick(
            _("Nobody else"),
            "private",
            told=_("Teammates lose it when they next meet the team; whoever read it has read it."),
        ),
        Pick(
            _("The project's members"),
            "project",
            told=_("Whoever is in its project may read it from the next meeting on."),
        ),
        Pick(
            _("The whole team"),
            "team",
            told=_("Everybody in the team may read it from the next meeting on."),
        ),
        Pick(
            _("As its project is shared"),
            None,
            told=_("By the rule that `mem team share PROJECT` made; without one it is yours alone."),
        ),
    ]
