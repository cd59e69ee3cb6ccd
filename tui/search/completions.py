"""What a query may go on with: names of filters and stored values, in a list below the query line.

They lie over the results, so that nothing moves when they come and go. A word of two letters is far
more often a word than a filter: so arrows and Enter lead to the results while names are offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, work
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from ..protocol import browser
from ..text.content import DIM, edges, fit, plain

if TYPE_CHECKING:
    # These take parts of the store that the first paint can do without.
    from memtui.store import Completion, Completions, Remark

LONGEST_LABEL, LONGEST_NOTE = 40, 36
"""Cells of what is offered, and of the words on it."""
GAP = 2
MORE = "… type to narrow"
TAKES = "Tab"
MARK = "▌"
AROUND = 2 + len(MARK) + GAP + len(TAKES)
"""Cells of a line that no offer has."""


class CompletionList(Widget):
    """One line an offer, with how many memories have it; Tab takes the marked one, a click any.

    It lies over what is below the query line, so that nothing moves when it comes and goes.
    """

    DEFAULT_CSS = """
    CompletionList {
        overlay: screen;
        constrain: inside inside;
        position: absolute;
        width: auto;
        height: auto;
        max-width: 100%;
        padding: 0 1;
        background: $surface-lighten-1;
        display: none;
        &.-open { display: block; }
    }
    """

    offered: reactive[Completions | None] = reactive(None, layout=True)
    marked: reactive[int] = reactive(0)

    has_stepped = False
    """Whether the mark was moved to where it is."""
    _text = ""
    _remarks: tuple[Remark, ...] = ()

    @dataclass
    class Chosen(Message):
        """An offer was clicked."""

        place: int

    @dataclass
    class Opened(Message):
        """Something is offered for what the query has from `start` on."""

        start: int

    @dataclass
    class Remarked(Message):
        """What there is to say of the query; nothing on what is being typed while there are offers."""

        remarks: tuple[Remark, ...]

    @property
    def is_open(self) -> bool:
        """Whether anything is offered."""
        return self.offered is not None

    @property
    def has_values(self) -> bool:
        """Whether values of a filter are offered: the arrows move among these only, as names are
        offered for what may be meant as a word."""
        return self.offered is not None and bool(self.offered.name)

    @work(exclusive=True, group="complete")
    async def complete(self, text: str, cursor: int | None) -> None:
        """Offer what a query may go on with at its cursor, nothing where that is None; and say what
        of the query exists nowhere."""
        chinese = browser(self).settings.language == "zh"
        offered, self._remarks = await browser(self).side.run(
            lambda store: (
                None if cursor is None else store.completions(text, cursor, chinese=chinese),
                store.remarks(text),
            )
        )
        self._show(text, offered)

    def close(self) -> None:
        """Offer nothing, till another query is typed."""
        self.workers.cancel_group(self, "complete")
        if self.is_open:
            self._show(self._text, None)

    def place_at(self, x: int) -> None:
        """Show the labels from column `x` on, below the query line."""
        self.styles.offset = (max(0, x - 1 - len(MARK)), 1)

    def step(self, steps: int) -> None:
        """Mark another offer; after the last one comes the first."""
        if self.offered is not None:
            self.marked = (self.marked + steps) % len(self.offered.items)
            self.has_stepped = True

    def taken(self, text: str, place: int | None = None) -> tuple[str, int] | None:
        """Return the query with an offer in it, else with the marked one, and its cursor's place; None
        where the offers are for another query than `text`."""
        if self.offered is None or text != self._text:
            return None
        item = self.offered.items[self.marked if place is None else place]
        return self.offered.taken(text, item)

    def render(self) -> Content:
        return Content("\n").join(self._lines())

    def on_click(self, event: events.Click) -> None:
        if (place := event.style.meta.get("offer")) is not None:
            self.post_message(self.Chosen(place))

    def _show(self, text: str, offered: Completions | None) -> None:
        self._text, self.offered = text, offered
        self.marked, self.has_stepped = 0, False
        self.set_class(offered is not None, "-open")
        if offered is not None:
            self.post_message(self.Opened(offered.start))
        self.post_message(
            self.Remarked(
                tuple(
                    remark
                    for remark in self._remarks
                    if offered is None or remark.end <= offered.start or remark.start >= offered.end
                )
            )
        )

    def _lines(self) -> Iterator[Content]:
        if self.offered is None:
            return
        rows = [(_label(item), _beside(item)) for item in self.offered.items]
        widest = max(left.cell_length + right.cell_length for left, right in rows) + GAP
        if self.offered.more:
            widest = max(widest, len(f" {MORE}") + 2 - AROUND)
        width = min(widest, self.app.size.width - AROUND)
        for place, (left, right) in enumerate(rows):
            is_marked = place == self.marked
            line = edges(left, right, width)
            if is_marked:
                line = line.stylize("bold")
            line = Content.assemble(
                (MARK if is_marked else " ", "$accent"),
                line,
                " " * GAP,
                (TAKES if is_marked else " " * len(TAKES), DIM),
            )
            yield line.stylize(Style.from_meta({"offer": place}))
        if self.offered.more:
            yield fit(Content.styled(f" {MORE}", DIM), width + AROUND - 2)


def _label(item: Completion) -> Content:
    return plain(item.label).truncate(LONGEST_LABEL, ellipsis=True)


def _beside(item: Completion) -> Content:
    count = f"{item.count:,}" if item.count is not None else ""
    words = " · ".join(filter(None, (count, item.note)))
    return plain(words, DIM).truncate(LONGEST_NOTE, ellipsis=True)
