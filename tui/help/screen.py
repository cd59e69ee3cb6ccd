"""The help: every key of a screen, as its bindings tell, and what can be typed there."""

from __future__ import annotations

from typing import ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input

from memtui.store.translation import _

from ..keys.bindings import hidden, key
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..screen import MemScreen
from .columns import HelpColumns
from .sections import narrowed, sections_of


class HelpInput(LineInput):
    """What narrows the help. The keys that open help and search do their work as long as it is empty."""

    def on_key(self, event: events.Key) -> None:
        """Close at `?`, and take `/` for a wish to type."""
        if not self.value and event.key in ("question_mark", "slash"):
            event.prevent_default()
            event.stop()
            if event.key == "question_mark" and isinstance(self.screen, HelpScreen):
                self.screen.dismiss()


class HelpScreen(Dialog[None]):
    """Made from the bindings of another screen, and of the widgets that are on it now."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,f1", "dismiss", "Close", "Back to the screen", "help.close"),
        hidden("up", "scroll('up')", "Up", "One line up", "help.up"),
        hidden("down", "scroll('down')", "Down", "One line down", "help.down"),
        hidden("pageup", "scroll('page_up')", "Page up", "A screenful up", "help.page-up"),
        hidden("pagedown", "scroll('page_down')", "Page down", "A screenful down", "help.page-down"),
    ]  # fmt: skip

    columns = getters.query_one(HelpColumns)

    def __init__(self, screen: MemScreen) -> None:
        super().__init__()
        self._place = screen.place
        self._sections = sections_of(screen)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield HelpInput(placeholder=_("Type to find a key"), compact=True)
            yield HelpColumns()

    def on_mount(self) -> None:
        box = self.query_one(Vertical)
        box.border_title = _("keys · {screen}", screen=_(self._place).lower())
        box.border_subtitle = _("↑ ↓ scroll · esc closes")
        self.columns.show(self._sections)

    def action_scroll(self, way: str) -> None:
        """Scroll by a line or a page, the letters still going to the line above."""
        getattr(self.columns, f"scroll_{way}")(animate=False)

    @on(Input.Changed)
    def _narrow(self, message: Input.Changed) -> None:
        self.columns.show(narrowed(self._sections, message.value))
