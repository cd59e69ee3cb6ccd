"""What was understood of a query, at the right end of its line: its filters, and how much it finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from store import Chip

from ..text import DIM, fit, plain

LONGEST = 28
STEP = 12
"""The width grows in steps of so many cells: a new layout for each key would cost more than the key."""


class Chips(Widget):
    """`[type:bugfix ×] [since:30d ×]   38 hits`; a click on a filter asks for its removal.

    The query itself comes first. Where that leaves no room for all, `+1` stands for the first of
    them, then `2 filters` for all: the last filter, which Backspace would remove, stays longer than
    the others, and the count always.
    """

    DEFAULT_CSS = "Chips { width: auto; height: 1; text-align: right; }"

    chips: reactive[tuple[Chip, ...]] = reactive(())
    count: reactive[str] = reactive("")
    beside: reactive[int] = reactive(0)
    """Cells of the line that are taken."""

    @dataclass
    class Removed(Message):
        """A chip was clicked."""

        chip: Chip

    def render(self) -> Content:
        line = self._fitting(self.size.width)
        return fit(line, self.size.width) if line.cell_length > self.size.width else line

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        room = container.width - self.beside
        width = self._fitting(room).cell_length
        stepped = -(-width // STEP) * STEP
        return stepped if stepped <= room else width

    def watch_chips(self) -> None:
        self._make_room()

    def watch_count(self) -> None:
        self._make_room()

    def watch_beside(self) -> None:
        self._make_room()

    def on_click(self, event: events.Click) -> None:
        index = event.style.meta.get("chip")
        if index is not None and index < len(self.chips):
            self.post_message(self.Removed(self.chips[index]))

    def _fitting(self, width: int) -> Content:
        """As much as there is room for; the count at least, even where there is none for it."""
        count = Content.styled(self.count, DIM)
        lines = (Content("  ").join([chips, count]) for chips in self._ever_shorter())
        fitting = (line for line in lines if line.cell_length <= width)
        return next(fitting, count)

    def _ever_shorter(self) -> Iterator[Content]:
        chips = [_chip(index, chip) for index, chip in enumerate(self.chips)]
        many = len(chips)
        for left_out in range(many):
            more = [Content.styled(f"+{left_out}", DIM)] if left_out else []
            yield Content(" ").join([*more, *chips[left_out:]])
        if chips:
            yield Content.styled(f"{many} {'filter' if many == 1 else 'filters'}", DIM)

    def _make_room(self) -> None:
        if self.get_content_width(self.container_size, self.app.size) != self.size.width:
            self.refresh(layout=True)


def _chip(index: int, chip: Chip) -> Content:
    label = plain(chip.label)
    if label.cell_length > LONGEST:
        label = label.truncate(LONGEST, ellipsis=True)
    content = Content.assemble(("[", DIM), label.stylize("$text-accent"), (" ×]", DIM))
    return content.stylize(Style.from_meta({"chip": index}))
