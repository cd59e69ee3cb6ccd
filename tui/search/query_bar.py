"""The query line: where a query is typed, the queries used before, what of it was understood, and
how much it finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Self

from rich.cells import cell_len
from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from memtui.store import Chip
from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..keys.bindings import hidden, key
from ..parts.line_input import LineInput
from ..protocol import browser
from ..text.content import DIM, fit, plain
from ..text.queries import named_here, without_last
from .completions import CompletionList
from .request import ResultCounts, SearchRequest

MOST_REMEMBERED = 200
"""Queries that the history holds."""

LONGEST_CHIP = 28
STEP = 12
"""The width grows in steps of so many cells: a new layout for each key would cost more than the key."""

LONGEST_QUERY = 2_000
"""Characters that can be typed or pasted."""

PLACEHOLDERS = (
    _('Search memories: words, "a phrase", type:bugfix project:x since:7d'),
    _('Search memories: words, "a phrase", type:bugfix'),
    _("Search memories"),
    _("Search"),
)
"""The first that there is room for is shown."""

PATIENCE = 0.15
"""Seconds after which the bar says that it is at work."""
PROMPT = 3
"""Cells before the query."""
AROUND = 4
"""Cells for the prompt before the query, the cursor behind it, and a blank."""


class History:
    """The queries used before, the newest first; stored where the memory can be written."""

    def __init__(self, side: AsyncStore, texts: Iterable[str]) -> None:
        self.texts = [safe(text) for text in texts]
        self._side = side

    @classmethod
    async def load(cls, side: AsyncStore) -> Self:
        """Load the newest queries from the store."""
        return cls(side, await side.run(lambda store: store.searches.recent(MOST_REMEMBERED)))

    async def remember(self, text: str) -> None:
        """Put a query at the front; a blank one is none."""
        text = text.strip()
        if text and self.texts[:1] != [text]:
            self.texts = [text, *(other for other in self.texts if other != text)]
            await self._side.run(lambda store: store.searches.remember(text))


class Walk:
    """From what was typed back to the oldest query, and forward again."""

    def __init__(self, typed: str, texts: Iterable[str]) -> None:
        self._steps = [typed, *(text for text in texts if text != typed.strip())]
        self._at = 0

    @property
    def text(self) -> str:
        """The query it is at."""
        return self._steps[self._at]

    @property
    def is_at_the_start(self) -> bool:
        """Whether it is at what was typed."""
        return self._at == 0

    @property
    def is_at_the_end(self) -> bool:
        """Whether it is at the oldest query."""
        return self._at == len(self._steps) - 1

    def step(self, steps: int) -> str:
        """Return the query so many steps back, or forward where `steps` is negative."""
        self._at = min(max(self._at + steps, 0), len(self._steps) - 1)
        return self.text


class Chips(Widget):
    """`[type:bugfix ×] [since:30d ×]   38 hits`; a click on a filter asks for its removal.

    The query itself comes first. Where that leaves no room for all, `+1` stands for the first of
    them, then `2 filters` for all: the last filter, which Backspace would remove, stays longer than
    the others, and the count always.
    """

    DEFAULT_CSS = "Chips { width: auto; height: 1; text-align: right; }"

    asked: reactive[SearchRequest] = reactive(SearchRequest())
    count: reactive[str] = reactive("")

    @dataclass
    class Removed(Message):
        """A chip was clicked."""

        chip: Chip

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The query's filters and what operators join, in their order."""
        query = self.asked.query
        parts = sorted((*query.chips, *query.expressions), key=lambda chip: chip.start)
        return tuple(named_here(chip, browser(self).here) for chip in parts)

    def render(self) -> Content:
        line = self._fitting(self.size.width)
        return fit(line, self.size.width) if line.cell_length > self.size.width else line

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        room = container.width - AROUND - plain(self.asked.query.text).cell_length
        width = self._fitting(room).cell_length
        stepped = -(-width // STEP) * STEP
        return stepped if stepped <= room else width

    def watch_asked(self) -> None:
        self._make_room()

    def watch_count(self) -> None:
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
            yield Content.styled(count_noun(many, "filters"), DIM)

    def _make_room(self) -> None:
        if self.get_content_width(self.container_size, self.app.size) != self.size.width:
            self.refresh(layout=True)


def _chip(index: int, chip: Chip) -> Content:
    label = plain(chip.label)
    if label.cell_length > LONGEST_CHIP:
        label = label.truncate(LONGEST_CHIP, ellipsis=True)
    content = Content.assemble(("[", DIM), label.stylize("$text-accent"), (" ×]", DIM))
    return content.stylize(Style.from_meta({"chip": index}))


class QueryInput(LineInput):
    """The up arrow walks back through the history; down forward, and from there to the results.

    Where the query may go on with what the store holds, the first four keys are for that.
    """

    leads: ClassVar[bool] = True
    """Whether it goes where an id, a file, a commit or a date leads."""

    BINDINGS = [
        key("tab", "take_offer", "Take", "Take what is offered", "query.take"),
        hidden(
            "enter",
            "take_offer(True)",
            "Take offer",
            "Take the value that ↑ and ↓ moved to, or go where the id, file, commit or date leads",
            "query.take_stepped",
        ),
        hidden("up", "step_offer(-1)", "Offer before", "To the value above", "query.offer_before"),
        hidden("down", "step_offer(1)", "Next offer", "To the value below", "query.next_offer"),
        key("escape", "close_offers", "Close", "Close the offers", "query.close"),
        key("up", "walk(1)", "Earlier", "Back through the queries used before", "query.earlier"),
        # Before the next: it takes the key as long as there is something to walk forward to.
        key("down", "walk(-1)", "Later", "Forward again, to what was typed", "query.later"),
        key(
            "escape,down",
            "screen.leave_query",
            "Results",
            "To the results",
            "query.results",
            display="esc",
        ),
        hidden(
            "enter",
            "screen.leave_query(True)",
            "Answer",
            "To the results; of kind:file and the like, to agents' files",
            "query.answer",
        ),
        key("ctrl+u", "clear", "Clear", "Empty the query line", "query.clear"),
    ]

    def __init__(self, offers: CompletionList, *, id: str | None = None) -> None:
        super().__init__(
            placeholder=PLACEHOLDERS[0],
            max_length=LONGEST_QUERY,
            compact=True,
            select_on_focus=False,
            id=id,
        )
        self._walk = Walk("", ())
        self._put = ""
        self._offers = offers

    def on_resize(self) -> None:
        width = self.content_size.width
        fitting = (words for words in PLACEHOLDERS if cell_len(words) < width)
        self.placeholder = next(fitting, PLACEHOLDERS[-1])

    @property
    def is_typed(self) -> bool:
        """Whether the query was typed: it was not put here by a key or a click."""
        return self.value != self._put

    def put(self, text: str) -> None:
        """Replace what is typed by another query."""
        self._put = self.value = text
        self.action_end()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "walk":
            walk = self._walk_from_here()
            return not (walk.is_at_the_start if parameters == (-1,) else walk.is_at_the_end)
        match action:
            case "take_offer":
                return self._offers.is_taken_by_enter if parameters else self._offers.is_open
            case "step_offer":
                return self._offers.has_values
            case "close_offers":
                return self._offers.is_open
        return super().check_action(action, parameters)

    def action_take_offer(self, stepped: bool = False) -> None:  # noqa: ARG002
        """Take the offer that is marked."""
        self.take_offer()

    def action_step_offer(self, steps: int) -> None:
        """Mark another offer."""
        self._offers.step(steps)

    def action_close_offers(self) -> None:
        """Offer nothing, till something else is typed."""
        self._offers.close()

    def take_offer(self, place: int | None = None) -> None:
        """Go where an offer leads, else on with the query that it makes; that of the marked one unless
        `place` says which."""
        if (destination := self._offers.destination(self.value, place)) is not None:
            self._offers.close()
            browser(self).go_to([destination])
        elif (taken := self._offers.taken(self.value, place)) is not None:
            self.value, self.cursor_position = taken

    def action_walk(self, steps: int) -> None:
        """Show the query so many steps earlier in the history, or later where `steps` is negative."""
        self._walk = self._walk_from_here()
        self.put(self._walk.step(steps))

    def action_delete_left(self) -> None:
        """Delete a letter; where only filters are left, the last of them."""
        left = without_last(self.value, self.cursor_position) if self.selection.is_empty else None
        if left is None:
            super().action_delete_left()
        else:
            self.put(left)

    def action_clear(self) -> None:
        """Empty the query line."""
        self.value = ""

    def _walk_from_here(self) -> Walk:
        """The walk as it stands; a new one where something else was typed since."""
        if self._walk.text == self.value and not self._walk.is_at_the_start:
            return self._walk
        return Walk(self.value, browser(self).history.texts)


class QueryBar(Horizontal):
    """`❯ token refresh   [type:bugfix ×]   38 hits`."""

    DEFAULT_CSS = """
    QueryBar {
        height: 1;
        padding: 0 1;
        & > #prompt { width: 2; color: $accent; }
        & > QueryInput { width: 1fr; background: $background; &:focus { background-tint: transparent; } }
        & > Chips { max-width: 60%; margin: 0 0 0 1; }
        &:focus-within > #prompt { text-style: bold; }
    }
    """

    input = getters.query_one(QueryInput)
    offers = getters.query_one(CompletionList)
    chips = getters.query_one(Chips)

    def __init__(self, line: type[QueryInput] = QueryInput) -> None:
        super().__init__()
        self._line = line

    def compose(self) -> ComposeResult:
        offers = CompletionList()
        yield Static("❯", id="prompt")
        yield self._line(offers, id="query")
        yield Chips()
        yield offers

    @on(QueryInput.Changed)
    def _complete(self) -> None:
        self.offers.complete(self.input.value, self._cursor, leads=self.input.leads)

    @on(events.DescendantBlur, "QueryInput")
    def _left(self) -> None:
        self.offers.close()

    @on(CompletionList.Opened)
    def _opened(self, message: CompletionList.Opened) -> None:
        message.stop()
        before = plain(self.input.value[: message.start]).cell_length
        self.offers.place_at(PROMPT + before - self.input.scroll_offset.x)

    @on(CompletionList.Chosen)
    def _take(self, message: CompletionList.Chosen) -> None:
        message.stop()
        self.input.take_offer(message.place)

    @property
    def _cursor(self) -> int | None:
        """Where something is typed; None where the query was put here, or is left."""
        line = self.input
        return line.cursor_position if line.has_focus and line.is_typed else None

    def understood(self, asked: SearchRequest) -> None:
        """Show what was understood of the query, as far as the query itself leaves room."""
        self.chips.asked = asked

    def found(self, counts: ResultCounts) -> None:
        """Show how much a query finds, and in which order."""
        self.chips.count = counts.words

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Show `searching…` instead of the count while the block runs, after `PATIENCE`."""
        timer = self.set_timer(PATIENCE, self._say_searching)
        try:
            yield
        finally:
            timer.stop()

    def _say_searching(self) -> None:
        self.chips.count = _("searching…")
