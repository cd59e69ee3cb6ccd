"""What a query may go on with, names of filters and stored values, and where its words lead, in a list
below the query line.

They lie over the results, so that nothing moves when they come and go. A word of two letters is far
more often a word than a filter: so arrows and Enter lead to the results while names are offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events, work
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from memtui.store import parse
from memtui.store.platform.translation import _, language
from memtui.store.search.narrowing import asks_for_sessions

from ..finding.places import find_destinations, many_of, name_of
from ..protocol import browser
from ..text.content import DIM, edges, fit, plain
from ..text.queries import without
from .suggestions import asks_for_files

if TYPE_CHECKING:
    # These take parts of the store that the first paint can do without.
    from memtui.store import Completion, Completions, Remark
    from memtui.store.links.destinations import Destination

LONGEST_LABEL, LONGEST_NOTE = 40, 36
"""Cells of what is offered, and of the words on it."""
LONGEST_NAME = 60
"""Cells of where something leads."""
GAP = 2
MORE = _("… type to narrow")
TAKES, GOES = "Tab", "⏎"
MARK = "▌"
AROUND = 2 + len(MARK) + GAP + len(TAKES)
"""Cells of a line that no offer has."""


class CompletionList(Widget):
    """One line an offer, with how many memories have it; Tab takes the marked one, a click any. What an
    id, a file, a commit or a date leads to comes first, and Enter goes there.

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
    found: reactive[tuple[Destination, ...]] = reactive((), layout=True)
    """Where the words of the query lead."""
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
        return self.offered is not None or bool(self.found)

    @property
    def has_values(self) -> bool:
        """Whether values of a filter, or several destinations, are offered: the arrows move among these
        only, as names are offered for what may be meant as a word."""
        return len(self.found) > 1 or (self.offered is not None and bool(self.offered.name))

    @property
    def is_taken_by_enter(self) -> bool:
        """Whether Enter takes the marked offer: it leads somewhere, or was stepped to."""
        return self.has_stepped or self.marked < len(self.found)

    @work(exclusive=True, group="complete")
    async def complete(self, text: str, cursor: int | None, *, leads: bool) -> None:
        """Offer what a query may go on with at its cursor, nothing where that is None, and with `leads`
        where its words lead; and say what of the query exists nowhere."""
        app = browser(self)
        chinese = language() == "zh"
        offered, self._remarks = await app.side.run(
            lambda store: (
                None if cursor is None else store.completions(text, cursor, chinese=chinese),
                () if asks_for_files(text) or asks_for_sessions(text) else store.remarks(text),
            )
        )
        words = "" if cursor is None or not leads else without(text, *parse(text).chips).strip()
        destinations = await find_destinations(app, words) if words else []
        self._show(text, offered, tuple(destinations))

    def close(self) -> None:
        """Offer nothing, till another query is typed."""
        self.workers.cancel_group(self, "complete")
        if self.is_open:
            self._show(self._text, None, ())

    def place_at(self, x: int) -> None:
        """Show the labels from column `x` on, below the query line."""
        self.styles.offset = (max(0, x - 1 - len(MARK)), 1)

    def step(self, steps: int) -> None:
        """Mark another offer; after the last one comes the first."""
        if many := len(self.found) + (len(self.offered.items) if self.offered else 0):
            self.marked = (self.marked + steps) % many
            self.has_stepped = True

    def destination(self, text: str, place: int | None = None) -> Destination | None:
        """Return where an offer leads, else the marked one; None where it leads nowhere, or is for another
        query than `text`."""
        at = self.marked if place is None else place
        return self.found[at] if text == self._text and at < len(self.found) else None

    def taken(self, text: str, place: int | None = None) -> tuple[str, int] | None:
        """Return the query with an offer in it, else with the marked one, and its cursor's place; None
        where the offers are for another query than `text`."""
        if self.offered is None or text != self._text:
            return None
        at = self.marked if place is None else place
        item = self.offered.items[at - len(self.found)]
        return self.offered.taken(text, item)

    def render(self) -> Content:
        return Content("\n").join(self._lines())

    def on_click(self, event: events.Click) -> None:
        if (place := event.style.meta.get("offer")) is not None:
            self.post_message(self.Chosen(place))

    def _show(self, text: str, offered: Completions | None, destinations: tuple[Destination, ...]) -> None:
        self._text, self.offered, self.found = text, offered, destinations
        self.marked, self.has_stepped = 0, False
        self.set_class(self.is_open, "-open")
        if self.is_open:
            self.post_message(self.Opened(0 if offered is None or destinations else offered.start))
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
        offers = self.offered.items if self.offered is not None else ()
        rows = [(*_destination(item), GOES) for item in self.found]
        rows += [
            (plain(completion.label).truncate(LONGEST_LABEL, ellipsis=True), _beside(completion), TAKES)
            for completion in offers
        ]
        if not rows:
            return
        more = self.offered is not None and self.offered.more
        widest = max(left.cell_length + right.cell_length for left, right, _ in rows) + GAP
        if more:
            widest = max(widest, cell_len(f" {MORE}") + 2 - AROUND)
        width = min(widest, self.app.size.width - AROUND)
        for place, (left, right, takes) in enumerate(rows):
            is_marked = place == self.marked
            line = edges(left, right, width)
            if is_marked:
                line = line.stylize("bold")
            line = Content.assemble(
                (MARK if is_marked else " ", "$accent"),
                line,
                " " * GAP,
                (takes.rjust(len(TAKES)) if is_marked else " " * len(TAKES), DIM),
            )
            yield line.stylize(Style.from_meta({"offer": place}))
        if more:
            yield fit(Content.styled(f" {MORE}", DIM), width + AROUND - 2)


def _destination(item: Destination) -> tuple[Content, Content]:
    name = Content.assemble((_("go to "), DIM), name_of(item)).truncate(LONGEST_NAME, ellipsis=True)
    return name, plain(many_of(item) or _(item.kind), DIM)


def _beside(item: Completion) -> Content:
    count = f"{item.count:,}" if item.count is not None else ""
    words = " · ".join(filter(None, (count, item.note)))
    return plain(words, DIM).truncate(LONGEST_NOTE, ellipsis=True)
