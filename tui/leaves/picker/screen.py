"""The picker's screen: a query, its hits, and where there is room the selected memory in full. Its keys are
those of the search that change nothing, and those that pick."""

from __future__ import annotations

import asyncio
from typing import Protocol, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from memtui.store.platform.translation import N_, _

from ...keys.bindings import ENTRY, SCREEN, TEXTS, hidden, key
from ...parts.frame import KeysFooter
from ...search.keys import EXACT, HINTS
from ...search.panes import ResultList
from ...search.query_bar import QueryInput
from ...search.screen import SearchScreen

PICK, CANCEL, RESULTS, LATER = "picker.pick", "picker.cancel", "picker.results", "picker.later"
TOLD = _("Print it, or all marked ones, and leave")
PICK_KEY = key("enter", "screen.pick", "Pick", TOLD, PICK, display="⏎")
APP_KEYS: list[BindingType] = [
    key("question_mark,f1", "help", "Help", "All keys of the picker (F1 while you type)", "app.help"),
    # Before the focus, so also in the help.
    hidden(
        "ctrl+c,ctrl+q",
        "cancel",
        "Leave",
        "Leave without picking, from anywhere",
        "picker.leave",
        priority=True,
    ),
]
QUERY_KEYS: list[BindingType] = [
    hidden("enter", "take_offer(True)", "Take value", "Take the value that ↑ and ↓ moved to",
        "query.take_stepped"),
    PICK_KEY,
    hidden("down", "step_offer(1)", "Next offer", "To the value below", "query.next_offer"),
    hidden("down", "walk(-1)", "Later", "Forward again, to what was typed", LATER),
    key("down", "screen.to_results", "Results", "To the next memory; Space marks there", RESULTS,
        display="↓"),
    key("escape", "close_offers", "Close", "Close the offers", "query.close"),
    key("escape", "screen.cancel", "Cancel", "Leave without picking", CANCEL),
]  # fmt: skip
"""Of the query line; `↑` and `Tab` are the search's."""
_SHARED = ("mark.one", "mark.range", "mark.all", "screen.next", "screen.previous", "screen.density",
           "entry.copy")  # fmt: skip
SCREEN_KEYS: list[BindingType] = [
    PICK_KEY,
    key("slash", "query", "Query", "Go to the query line", "search.query"),
    key("escape,q", "cancel", "Cancel", "Leave without picking", CANCEL),
    hidden("ctrl+y", "correct", "Did you mean", "Search for what was meant", "search.correct"),
    key("equals_sign", "exact(True)", "Exact", EXACT, "search.exact"),
    key("equals_sign", "exact(False)", "Related", EXACT, "search.exact"),
    key("backspace", "drop_filter", "Drop filter", "Remove the last filter", "search.drop"),
    *(binding for binding in (*SCREEN, *ENTRY) if getattr(binding, "id", "") in _SHARED),
    *TEXTS,
]  # fmt: skip
PATIENCE = 10.0
"""Seconds that a pick waits for the hits of what was typed."""
SIZES = [(0, "-short"), (14, "-low"), (32, "-tall")]
"""Lines, and the class that a picker of so many has."""


class Taker(Protocol):
    """Who is given what was picked."""

    async def take(self, refs: tuple[str, ...]) -> None:
        """Give these memories, and leave."""

    def action_cancel(self) -> None:
        """Leave without any."""


class PickerInput(QueryInput):
    """The query line: Enter picks, Esc leaves."""

    leads = False

    BINDINGS = QUERY_KEYS


class PickerRows(ResultList):
    """The hits: Enter picks."""

    BINDINGS = [PICK_KEY]


class PickerScreen(SearchScreen, inherit_bindings=False):
    """The browser's search without its header, its timeline, and all that would change a memory."""

    CSS_PATH = ["../../search/screen.tcss", "screen.tcss"]
    BINDINGS = SCREEN_KEYS

    place = N_("Picker")
    mode = ""
    hints = HINTS
    line = PickerInput
    rows = PickerRows

    def __init__(self, query: str = "", lines: int = 0) -> None:
        """`lines` are those that it takes below the prompt, 0 where it has the whole screen."""
        super().__init__()
        self.first_query = query
        self._lines = lines
        # In a few lines too, and without room for facets.
        self.HORIZONTAL_BREAKPOINTS = [(0, "-one"), (80, "-two"), (120, "-three")]
        # Below the prompt nothing follows of the size of the terminal.
        size = [name for least, name in SIZES if lines >= least][-1]
        self.VERTICAL_BREAKPOINTS = [(0, size)] if lines else SIZES

    def compose(self) -> ComposeResult:
        yield from self.body()
        yield KeysFooter()

    async def on_mount(self) -> None:
        if self._lines:
            self.styles.height = self._lines

    def on_key(self, event: events.Key) -> None:
        # No word on keys that would change something: there are none.
        event.prevent_default()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "facets":
            return False
        if action in ("pick", "cancel"):
            return True
        return super().check_action(action, parameters)

    @work(exclusive=True, group="pick")
    async def action_pick(self) -> None:
        """Give what is marked, or else the selected memory of what was typed by now."""
        if not self.marks:
            await self._until_found()
        row = self.results.list.row
        refs = tuple(self.marks) or ((row.ref,) if row is not None else ())
        await cast(Taker, self.app).take(refs)

    def action_cancel(self) -> None:
        """Leave without picking."""
        cast(Taker, self.app).action_cancel()

    def action_to_results(self) -> None:
        """From the query line to the memory below the first."""
        self.set_focus(self.results.front)
        if self.results.front is self.results.list:
            self.results.list.cursor += 1

    @on(ResultList.Selected, "ResultList")
    def _pick_clicked(self, message: ResultList.Selected) -> None:
        # It would be opened else.
        message.prevent_default()
        self.action_pick()

    async def _until_found(self) -> None:
        """Wait until the hits are those of the query line: keys may come faster than hits."""
        end = asyncio.get_running_loop().time() + PATIENCE
        while asyncio.get_running_loop().time() < end:
            typed = self.query_one(Input).value
            is_searching = any(
                worker.group == "search" and worker.is_running
                for worker in self.workers
                if worker.node is self
            )
            if typed == self.results.asked.query.text and not is_searching:
                return
            await asyncio.sleep(0.005)
