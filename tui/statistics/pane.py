"""What every pane of figures has: a title, a cursor that keys and clicks move, and what it stands on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widget import Widget

from memtui.store.platform.translation import _

from ..keys.bindings import hidden, key
from ..text.content import fit, plain
from .figures import Figures

CURSOR = "$text-accent on $accent-muted"
"""The style of a mark where the cursor stands: reversed, a full block would be gone."""
CURSOR_TEXT = "$lit on $accent-muted"
READING = "…"
"""Stands where something is still being read."""

Place = tuple[int, int]


def _move(keys: str, down: int, right: int, tooltip: str, id: str) -> Binding:
    return hidden(keys, f"move({down}, {right})", "Move", tooltip, f"figures.{id}")


class FiguresPane(Widget, can_focus=True):
    """Subclasses give `title`, `beside`, `lines`, `moved`, `told` and `search_for`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "enter",
            "search",
            "Search",
            "The memories that the figure counts",
            "figures.search",
            display="⏎",
        ),
        _move("left,h", 0, -1, _("The week before; in bars the stretch of days before"), "left"),
        _move("right,l", 0, 1, _("The next week; in bars the next stretch of days"), "right"),
        _move("up,k", -1, 0, _("The day before; the bar above"), "up"),
        _move("down,j", 1, 0, _("The next day; the bar below"), "down"),
    ]

    @dataclass
    class Moved(Message):
        """The cursor stands elsewhere, or what it stands on has other figures."""

        pane: FiguresPane

    @dataclass
    class Asked(Message):
        """A figure was chosen, which is this search."""

        query: str

    title = ""
    figures: Figures | None = None
    cursor: Place = (0, 0)

    def show(self, figures: Figures) -> None:
        """Show the figures; the cursor stays, if there is anything where it stands."""
        self.figures = figures
        self.cursor = self.moved(figures, 0, 0)
        self.retitle()
        self.refresh()
        self._tell()

    def beside(self, figures: Figures) -> str:
        """What stands beside the title."""
        raise NotImplementedError

    def retitle(self) -> None:
        """Have the line above the pane say what it shows."""
        beside = READING if self.figures is None else self.beside(self.figures)
        self.border_title = Content.assemble(
            " ", plain(self.title), " ", plain(f"{beside} ", "not bold") if beside else ""
        )

    def on_mount(self) -> None:
        self.add_class("pane")
        self.retitle()

    def on_resize(self) -> None:
        # How many rows there is room for stands there too.
        self.retitle()

    def lines(self, figures: Figures, width: int, height: int) -> Iterator[Content]:
        """Yield what stands below the title."""
        raise NotImplementedError

    def moved(self, figures: Figures, down: int, right: int) -> Place:
        """Return where the cursor goes, or has to go where there is nothing below it any more."""
        raise NotImplementedError

    def told(self, figures: Figures) -> str:
        """Return the figures at the cursor, in words."""
        raise NotImplementedError

    def search_for(self, figures: Figures) -> str | None:
        """Return the search for what the cursor stands on; None where there is none."""
        raise NotImplementedError

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor."""
        if self.figures is not None:
            self._go(self.moved(self.figures, down, right))

    def action_search(self) -> None:
        """Search for what the figure counts."""
        if self.figures is None:
            return
        if query := self.search_for(self.figures):
            self.post_message(self.Asked(query))
        else:
            self.notify(_("There is no search for this."), severity="warning")

    def on_click(self, event: events.Click) -> None:
        if (place := event.style.meta.get("place")) and self.figures is not None:
            self._go(place)

    def watch_has_focus(self, _has_focus: bool) -> None:
        super().watch_has_focus(_has_focus)
        self.refresh()
        self._tell()

    def _go(self, place: Place) -> None:
        self.cursor = place
        self.refresh()
        self._tell()

    def _tell(self) -> None:
        if self.has_focus:
            self.post_message(self.Moved(self))

    def at(self, content: Content, place: Place, cursor: str = CURSOR) -> Content:
        """A part of a line that a click leads to, in the style `cursor` where the cursor stands on it."""
        if self.has_focus and place == self.cursor:
            content = content.stylize(cursor)
        return content.stylize(Style.from_meta({"place": place}))

    def render(self) -> Content:
        width, height = self.content_size
        if self.figures is None:
            return Content()
        lines = self.lines(self.figures, width, height)
        return Content("\n").join(fit(line, width) for line in lines)
