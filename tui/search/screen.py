"""The search: a query line, its results, and the selected memory with what happened around it."""

from __future__ import annotations

from typing import ClassVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from store import Hit, ListRow, parse

from ..screen import MemScreen
from ..text.queries import toggled, without
from . import keys
from .facets import FacetLines
from .lists import ResultList
from .panes import Reading
from .providers import provider
from .query_bar import Chips, QueryBar, QueryInput
from .results import Results
from .suggestions import DidYouMean, NoHits
from .welcome import Welcome


class SearchScreen(MemScreen):
    """Results at the left, the selected memory and its timeline at the right, or as there is room."""

    CSS_PATH = "screen.tcss"

    AUTO_FOCUS = "#query"

    BINDINGS: ClassVar[list[BindingType]] = keys.KEYS

    place = "Search"
    mode = "search"
    hints = keys.HINTS

    reading = getters.query_one(Reading)
    welcome = getters.query_one(Welcome)
    bar = getters.query_one(QueryBar)
    results = getters.query_one(Results)

    exact_only = False

    @property
    def row(self) -> ListRow | None:
        return self.reading.row if self.is_mounted else None

    @property
    def hit(self) -> Hit | None:
        """The selected hit of a query with words; None where nothing is, or nothing was searched."""
        found = self.results.list.item if self.results.query_shown.clauses else None
        return found.hit if found else None

    def body(self) -> ComposeResult:
        yield QueryBar()
        with Horizontal(id="panes"):
            yield Results(self.browser, id="left")
            yield Reading(self.browser, id="right")
        yield Welcome(self.browser)

    async def on_mount(self) -> None:
        # Not as a worker: the first paint has the newest memories in it.
        await self._search("")

    def store_changed(self) -> None:
        self._read_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "query":
                return not self.bar.input.has_focus
            case "drop_filter":
                return bool(parse(self.bar.input.value).chips)
            case "save_search":
                return not self.browser.read_only and bool(self.bar.input.value.strip())
            case "exact":
                only = parameters == (True,)
                return only != self.exact_only and (not only or bool(self.results.counts.related))
            case "facets":
                return bool(self.results.counts.count.value)
            case "why":
                return self.hit is not None and not self.reading.pane.has_focus
            case "correct":
                return bool(self.results.corrections)
            case "stop":
                return self.results.searches_on
            case "resize_window" | "scope":
                return self.row is not None and self.reading.pane.display
        return super().check_action(action, parameters)

    def action_back(self) -> None:
        """From the selected memory to the results; from there to the mode before."""
        if self.reading.has_focus_within:
            self.remove_class("-open")
            self.set_focus(self.results.front)
            self._show_selected()
        else:
            super().action_back()

    def action_leave_results(self) -> None:
        """From the results to the query line; where this search was asked from, back to there."""
        if len(self.app.screen_stack) > 1:
            self.action_back()
        else:
            self.action_query()

    def action_stop(self) -> None:
        """No longer search on."""
        self.results.stop()

    def action_facets(self) -> None:
        """To the facets; where they have no room they show as long as they have the focus."""
        self.set_focus(self.results.facets)

    def action_leave_facets(self) -> None:
        """From the facets to the results."""
        self.set_focus(self.results.front)

    @work(exclusive=True, group="why")
    async def action_why(self) -> None:
        """Why the selected hit was found."""
        from .why import WhyScreen, why_passages

        if (hit := self.hit) is not None:
            results = self.results
            row, counts, corrections = results.list.cursor, results.counts, results.corrections
            why = await self.browser.side.run(lambda store: store.why(counts.query, hit))
            self.app.push_screen(WhyScreen(why_passages(hit.row, why, row, counts, corrections)))

    def action_leave_query(self) -> None:
        """From the query line to whatever is below it; its query is remembered."""
        self.set_focus(self.welcome if self.welcome.display else self.results.front)
        self.run_worker(self.browser.history.remember(self.bar.input.value), group="history")

    @work(exclusive=True, group="save")
    async def action_save_search(self) -> None:
        """Give the query a name, under which the palette lists it."""
        from .save_search import SaveSearchScreen

        saved = await self.browser.side.run(lambda store: store.searches.saved())
        self.app.push_screen(SaveSearchScreen(self.bar.input.value.strip(), saved))

    def action_resize_window(self, steps: int) -> None:
        """The timeline looks further, or less far."""
        self.reading.step_window(steps)

    def action_scope(self) -> None:
        """The timeline of its session, of its project, or of everything."""
        self.reading.step_scope()

    def action_exact(self, only: bool) -> None:
        """Leave out what is only related to the query, or show it again."""
        self.exact_only = only
        self.search(self.bar.input.value)

    def action_query(self) -> None:
        """To the query line."""
        # Not focus(), which waits: what is typed right after the key would go to where it was.
        self.set_focus(self.bar.input)

    def action_drop_filter(self) -> None:
        """Remove the query's last filter."""
        query = parse(self.bar.input.value, typing=True)
        self.ask(without(query.text, query.chips[-1]))

    def action_correct(self) -> None:
        """Search for what was meant."""
        self.results.did_you_mean.action_take()

    @work(exclusive=True, group="search")
    async def search(self, text: str) -> None:
        """Replace the results by those of another query."""
        await self._search(text)

    def ask(self, text: str) -> None:
        """Put another query into the query line, and search."""
        self.bar.input.value = text
        self.bar.input.action_end()

    @on(QueryInput.Changed)
    def _typed(self, message: QueryInput.Changed) -> None:
        self.search(message.value)

    @on(events.DescendantFocus, "FacetLines")
    @on(events.DescendantBlur, "FacetLines")
    def _show_facets(self) -> None:
        self.set_class(self.results.facets.has_focus, "-facets")

    @on(Results.Counted)
    def _tell(self, message: Results.Counted) -> None:
        self.bar.found(message.counts)

    @on(Results.Arrived)
    def _arrived_later(self) -> None:
        self._arrived()

    @on(ResultList.Highlighted, "ResultList")
    def _highlighted(self) -> None:
        if self.results.list.has_focus or not self.bar.input.value:
            self._show_selected()
        else:
            # While a query is typed the hits are painted first, then the memory beside them.
            self.call_after_refresh(self._show_selected)

    def _show_selected(self) -> None:
        if (row := self.results.list.row) is not None:
            self.browser.selection = row
            self.reading.show(row, self.results.query_highlighted)

    @on(ResultList.Selected, "ResultList")
    def _open(self) -> None:
        self.add_class("-open")
        self.set_focus(self.reading.detail)

    @on(Chips.Removed)
    def _remove(self, message: Chips.Removed) -> None:
        self.ask(without(self.bar.input.value, message.chip))

    @on(FacetLines.Chosen)
    def _narrow(self, message: FacetLines.Chosen) -> None:
        self.ask(toggled(self.bar.input.value, message.filter))

    @on(DidYouMean.Chosen)
    def _correct(self, message: DidYouMean.Chosen) -> None:
        self.ask(message.text)

    @on(NoHits.Chosen)
    def _take(self, message: NoHits.Chosen) -> None:
        self.ask(message.text)
        self.action_query()

    async def _search(self, text: str) -> None:
        query = parse(text, typing=True)
        self.bar.understood(query)
        # What the store has new can wait; what is typed can't, and both read with one connection.
        overtaken = self.workers.cancel_group(self, "refresh")
        with self.bar.searching():
            await self.results.show(
                provider(self.browser.reader, query, exact_only=self.exact_only)
            )
        self._arrived()
        if overtaken:
            self.reading.show_again()

    @work(exclusive=True, group="refresh")
    async def _read_again(self) -> None:
        await self.results.show_again()
        self.reading.show_again()
        self._arrived()

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
        if self.results.facets.has_focus and not self.results.counts.count.value:
            self.set_focus(self.results.front)
        self.refresh_bindings()
