"""What was understood of a query, at the right end of its line: its filters, and how much it finds."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from store import Chip

from ..text import DIM, plain

LONGEST = 28
STEP = 12
"""The width grows in steps of so many cells: a new layout for each key would cost more than the key."""


class Chips(Widget):
    """`[type:bugfix ×] [since:30d ×]   38 hits`; a click on a filter asks for its removal.

    Where there is no room for all, `+1` stands for the first of them: the count stays, and the last
    filter, which Backspace would remove.
    """

    DEFAULT_CSS = "Chips { width: auto; height: 1; text-align: right; }"

    chips: reactive[tuple[Chip, ...]] = reactive(())
    count: reactive[str] = reactive("")

    @dataclass
    class Removed(Message):
        """A chip was clicked."""

        chip: Chip

    def render(self) -> Content:
        lines = (self._line(left_out) for left_out in range(len(self.chips) + 1))
        return next((line for line in lines if line.cell_length <= self.size.width), Content())

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return -(-self._line().cell_length // STEP) * STEP

    def watch_chips(self) -> None:
        self._make_room()

    def watch_count(self) -> None:
        self._make_room()

    def on_click(self, event: events.Click) -> None:
        index = event.style.meta.get("chip")
        if index is not None and index < len(self.chips):
            self.post_message(self.Removed(self.chips[index]))

    def _line(self, left_out: int = 0) -> Content:
        more = [Content.styled(f"+{left_out}", DIM)] if left_out else []
        chips = [_chip(index, chip) for index, chip in enumerate(self.chips)][left_out:]
        return Content("  ").join(
            [Content(" ").join([*more, *chips]), Content.styled(self.count, DIM)]
        )

    def _make_room(self) -> None:
        if self.get_content_width(self.size, self.size) != self.size.width:
            self.refresh(layout=True)


def _chip(index: int, chip: Chip) -> Content:
    label = plain(chip.label)
    if label.cell_length > LONGEST:
        label = label.truncate(LONGEST, ellipsis=True)
    content = Content.assemble(("[", DIM), label.stylize("$text-accent"), (" ×]", DIM))
    return content.stylize(Style.from_meta({"chip": index}))
