"""The search: a query line, its results, and the selected memory with what happened around it."""

from __future__ import annotations

from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from store import Entry, parse

from ..finding import source
from ..query_text import narrowed, without
from ..widgets.chips import Chips
from ..widgets.facet_lines import FacetLines
from ..widgets.no_hits import NoHits
from ..widgets.query_bar import QueryBar
from ..widgets.query_input import QueryInput
from ..widgets.reading import Reading
from ..widgets.result_list import ResultList
from ..widgets.results import Results
from ..widgets.welcome import Welcome
from . import search_keys
from .base import MemScreen


class SearchScreen(MemScreen):
    """Results at the left, the selected memory and its timeline at the right, or as there is room."""

    CSS_PATH = "search.tcss"
    AUTO_FOCUS = "#query"
    BINDINGS: ClassVar[list[BindingType]] = search_keys.KEYS

    place = "Search"
    mode = "search"
    hints = search_keys.HINTS

    bar = getters.query_one(QueryBar)
    results = getters.query_one(Results)
    reading = getters.query_one(Reading)
    welcome = getters.query_one(Welcome)

    exact_only = False

    def body(self) -> ComposeResult:
        yield QueryBar()
        with Horizontal(id="panes"):
            yield Results(self.mem, id="left")
            yield Reading(self.mem, id="right")
        yield Welcome(self.mem)

    @property
    def entry(self) -> Entry | None:
        return self.reading.entry if self.is_mounted else None

    async def on_mount(self) -> None:
        # Not as a worker: the first paint has the newest memories in it.
        await self._search("")

    def ask(self, text: str) -> None:
        """Put another query into the query line, and search."""
        self.bar.input.value = text
        self.bar.input.action_end()

    @work(exclusive=True, group="search")
    async def search(self, text: str) -> None:
        """Replace the results by those of another query."""
        await self._search(text)

    async def _search(self, text: str) -> None:
        query = parse(text)
        self.bar.understood(query)
        with self.bar.searching():
            await self.results.show(source(self.mem.reader, query, exact_only=self.exact_only))
        self._arrived()

    def store_changed(self) -> None:
        self._read_again()

    @work(exclusive=True, group="refresh")
    async def _read_again(self) -> None:
        await self.results.show_again()
        self.reading.show_again()
        self._arrived()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "query":
                return not self.bar.input.has_focus
            case "drop_filter":
                return bool(self.results.query_shown.chips)
            case "exact":
                return not self.results.query_shown.is_filter_only
            case "zoom" | "scope":
                return self.entry is not None and self.reading.pane.display
        return super().check_action(action, parameters)

    def action_back(self) -> None:
        """From the selected memory to the results; from there to the mode before."""
        if self.reading.has_focus_within:
            self.remove_class("-open")
            self.set_focus(self.results.front)
            self._show_selected()
        else:
            super().action_back()

    def action_query(self) -> None:
        """To the query line."""
        # Not focus(), which waits: what is typed right after the key would go to where it was.
        self.set_focus(self.bar.input)

    def action_leave_results(self) -> None:
        """From the results to the query line; where this search was asked from, back to there."""
        if len(self.mem.screen_stack) > 1:
            self.action_back()
        else:
            self.action_query()

    def action_leave_query(self) -> None:
        """From the query line to whatever is below it."""
        self.set_focus(self.welcome if self.welcome.display else self.results.front)

    def action_zoom(self, rungs: int) -> None:
        """The timeline looks further, or less far."""
        self.reading.step_zoom(rungs)

    def action_scope(self) -> None:
        """The timeline of its session, of its project, or of everything."""
        self.reading.step_scope()

    def action_exact(self) -> None:
        """Leave out what is only related to the query, or show it again."""
        self.exact_only = not self.exact_only
        self.search(self.bar.input.value)

    def action_drop_filter(self) -> None:
        """Remove the query's last filter."""
        query = self.results.query_shown
        self.ask(without(query.text, query.chips[-1]))

    @on(QueryInput.Changed)
    def _typed(self, message: QueryInput.Changed) -> None:
        self.search(message.value)

    @on(Chips.Removed)
    def _remove(self, message: Chips.Removed) -> None:
        self.ask(without(self.results.query_shown.text, message.chip))

    @on(FacetLines.Chosen)
    def _narrow(self, message: FacetLines.Chosen) -> None:
        self.ask(narrowed(self.results.query_shown.text, message.filter))

    @on(NoHits.Taken)
    def _take(self, message: NoHits.Taken) -> None:
        self.ask(message.text)
        self.action_query()

    @on(Results.Counted)
    def _tell(self, message: Results.Counted) -> None:
        self.bar.found(message.query, message.count, message.related)

    @on(ResultList.Highlighted, "ResultList")
    def _show_selected(self) -> None:
        if (entry := self.results.list.entry) is not None:
            self.mem.selection = entry
            self.reading.show(entry, self.results.query_shown)

    @on(ResultList.Selected, "ResultList")
    def _open(self) -> None:
        self.add_class("-open")
        self.set_focus(self.reading.detail)

    def _arrived(self) -> None:
        """Show what the results are like: some, none, or a memory that is still empty."""
        nothing = self.results.are_none
        empty = nothing and not self.results.query_shown.text.strip()
        welcome = empty or self.welcome.progress is not None
        if welcome and not self.welcome.display:
            self.set_focus(self.welcome)
        elif self.welcome.has_focus and not welcome:
            self.action_query()
        self.set_class(welcome, "-welcome")
        self.set_class(nothing, "-nothing")
        if nothing:
            self.reading.show_nothing()
        self.refresh_bindings()
