"""The search: a query line, its results, and the selected memory with what happened around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.types import CSSPathType
from textual.widget import Widget
from textual.widgets import Input

from memtui.store import IN_PROJECT_HERE, Hit, ListRow, parse
from memtui.store.config import lists_turns
from memtui.store.platform.translation import N_, _
from memtui.store.search.narrowing import asks_for_sessions

from ..finding.places import ByTime, Dates
from ..keys.mem_commands import filled
from ..lists.paged_list import PagedList
from ..lists.rows import FollowingView
from ..optional import has_part, part
from ..parts.frame import Header
from ..parts.split import Split
from ..text.queries import toggled, without
from . import keys
from .completions import CompletionList
from .facets import FacetView
from .panes import Reading, ResultList
from .providers import Away, Newest, Ranked, provider
from .query_bar import Chips, QueryBar, QueryInput
from .request import SearchRequest
from .results import Results
from .suggestions import DidYouMean, NoHits, asks_for_files
from .trash import QUERY as TRASH
from .trash import ForgettingScreen
from .welcome import Welcome


class SearchScreen(ForgettingScreen):
    """Results at the left, the selected memory and its timeline at the right, or as there is room."""

    CSS_PATH: ClassVar[CSSPathType | None] = "screen.tcss"

    AUTO_FOCUS = "#query"

    BINDINGS = keys.KEYS

    place = N_("Search")
    mode = "search"
    hints = keys.HINTS
    finds_from_lists = False

    reading = getters.query_one(Reading)
    welcome = getters.query_one(Welcome)
    bar = getters.query_one(QueryBar)
    results = getters.query_one(Results)

    line: ClassVar[type[QueryInput]] = QueryInput
    rows: ClassVar[type[ResultList]] = ResultList
    """What a query is typed into, and what lists its hits."""

    first_query = ""
    starts_in_results = False
    asked = SearchRequest()
    """What is searched for: of it the query line's chips, the facets and the list are drawn."""
    _query_before_trash = ""

    @property
    def row(self) -> ListRow | None:
        if not self.is_mounted or self._away is not None:
            return None
        return self.results.list.row if self.results.list.has_focus else self.reading.row

    @property
    def _away(self) -> Away | None:
        """What is selected, where only the team's server has it."""
        item = self.results.list.item if self.is_mounted and self.asked.is_on_server else None
        return item.away if item is not None else None

    def refusal(self, action: str) -> str:
        return super().refusal(action) if (away := self._away) is None else away.why

    @property
    def followed(self) -> FollowingView | None:
        is_by_time = self.is_mounted and self.results.asked.is_by_time and not self.is_trash
        return self.results.list if is_by_time else None

    @property
    def has_dates(self) -> bool:
        return self.is_mounted and self.focused is self.results.list

    @property
    def dates_note(self) -> str:
        return "" if self.results.asked.is_by_time else _("not newest first: Enter sorts so")

    async def go_to_dates(self, dates: Dates) -> str:
        if not self.results.asked.is_by_time:
            await self._search_sorted("recent")
        results = self.results
        rows = ByTime(results.list, results.not_before, lambda item: item.hit.row.created_at)
        return await rows.go_to(dates, self.browser.now())

    @property
    def hit(self) -> Hit | None:
        """The selected hit of a query with words, or for what is like a memory; None where nothing is
        selected, or nothing was searched."""
        query = self.results.asked.query
        result = self.results.list.item if query.clauses or query.similar else None
        return result.hit if result else None

    @property
    def command_values(self) -> dict[str, str]:
        return super().command_values | {"query": self.bar.input.value.strip()}

    @property
    def shown_command(self) -> str:
        if self.reading.detail.has_focus:
            return filled("show {id}", self.command_values)
        if self.reading.pane.has_focus:
            return filled("timeline {id}", self.command_values)
        values = self.command_values
        # Without a query the newest are listed.
        return filled("search {query}", values | {"query": values["query"] or "sort:recent"})

    def body(self) -> ComposeResult:
        yield QueryBar(self.line)
        with Split("search", id="panes"):
            results = Results(self.browser, self.rows, id="left")
            yield results
            yield Reading(self.browser, id="right")
            yield results.facet_column
        with Container(id="welcome"):
            yield Welcome(self.browser)

    async def on_mount(self) -> None:
        self.asked = SearchRequest(turns=lists_turns())
        if self.browser.here and not self.first_query:
            self.first_query = f"{IN_PROJECT_HERE} "
        if self.first_query:
            with self.bar.input.prevent(QueryInput.Changed):
                self.ask(self.first_query)
        # Not as a worker: the first paint has the memories in it.
        await self._search(self.first_query)
        in_results = self.starts_in_results or self.browser.settings.start_focus == "results"
        if self.has_class("-welcome"):
            self.set_focus(self.welcome)
        elif in_results:
            self.set_focus(self.results.front)

    def store_changed(self) -> None:
        self._read_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "query":
                return not isinstance(self.focused, Input)
            case "back" if self.bar.input.value == TRASH:
                return True
            case "drop_filter":
                return bool(parse(self.bar.input.value).chips)
            case "save_search":
                return not self.browser.read_only and bool(self.bar.input.value.strip())
            case "exact":
                only = parameters == (True,)
                return only != self.asked.exact_only and (not only or bool(self.results.counts.related))
            case "turns":
                return parameters != (self.asked.turns,)
            case "facets" | "export_query":
                return bool(self.results.counts.count.value)
            case "why":
                return self.hit is not None and not self.reading.pane.has_focus
            case "here":
                return bool(self.browser.here)
            case "on_server":
                capture = self.browser.capture
                return capture is not None and capture.team is not None and has_part("team")
            case "correct":
                return self.results.did_you_mean.meant is not None
            case "stop":
                return self.results.searches_on
            case "resize_window" | "scope":
                return self.row is not None and self._shows_timeline
        return super().check_action(action, parameters)

    @property
    def _shows_timeline(self) -> bool:
        around = self.reading.pane.ancestors_with_self
        is_covered = self.maximized is not None and self.maximized not in around
        return not is_covered and all(node.display for node in around if isinstance(node, Widget))

    @property
    def is_inside(self) -> bool:
        return self.is_mounted and bool(self.reading.has_focus_within)

    def action_back(self) -> None:
        """From the selected memory to the results; from the trash to the query before; from there to the
        mode before."""
        if self.is_inside:
            self.remove_class("-open")
            self.set_focus(self.results.front)
            self._show_selected()
        elif self.bar.input.value == TRASH:
            self.action_trash()
        else:
            super().action_back()

    @property
    def is_trash(self) -> bool:
        return self.results.asked.is_of_trash

    async def refs_of_all(self, rows: PagedList[Any]) -> Sequence[str]:
        if rows is not self.results.list:
            return await super().refs_of_all(rows)
        query = self.results.asked.query
        return await self.browser.reader.run(lambda store: store.find(query).refs())

    def action_trash(self) -> None:
        """To what is deleted; from there back to the query before."""
        if self.is_trash:
            self.ask(self._query_before_trash)
        else:
            self._query_before_trash = self.bar.input.value
            self.ask(TRASH)
        self.set_focus(self.results.front)

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
        from .dialogs import WhyScreen, why_passages

        if (hit := self.hit) is not None:
            results = self.results
            row, counts, corrections = results.list.cursor, results.counts, results.corrections
            why = await self.browser.side.run(lambda store: store.find(counts.query).why(hit))
            counts = await results.counted(counts)
            self.app.push_screen(WhyScreen(why_passages(hit.row, why, row, counts, corrections)))

    async def action_leave_query(self, answers: bool = False) -> None:
        """From the query line to whatever is below it, or where it `answers` a query for agents' files to
        these, for sessions to those; its query is remembered."""
        query = self.bar.input.value
        self.set_focus(self.welcome if self.welcome.display else self.results.front)
        self.run_worker(self.browser.history.remember(query), group="history")
        if answers and self.browser.has_mode("files") and asks_for_files(query):
            await self.browser.find_in_files(query)
        elif answers and asks_for_sessions(query):
            await self.browser.search_for(query)

    @work(exclusive=True, group="save")
    async def action_save_search(self) -> None:
        """Give the query a name, under which the palette lists it."""
        from ..parts.save_search import SaveSearchScreen

        saved = await self.browser.side.run(lambda store: store.searches.saved())
        self.app.push_screen(SaveSearchScreen(self.bar.input.value.strip(), saved))

    @work(group="write")
    async def action_export_query(self) -> None:
        """Write all that the query matches exactly into a file."""
        from .dialogs import export_query

        await export_query(self, self.results.asked.query, self.results.counts)

    def action_resize_window(self, steps: int) -> None:
        """The timeline looks further, or less far."""
        self.reading.step_window(steps)

    def action_scope(self) -> None:
        """The timeline of its session, of its project, or of everything."""
        self.reading.step_scope()

    def action_exact(self, only: bool) -> None:
        """Leave out what is only related to the query, or show it again."""
        self._search_so(replace(self.asked, exact_only=only))

    def action_turns(self, on: bool) -> None:
        """List each turn once, or the single records of turns."""
        self._search_so(replace(self.asked, turns=on))

    def action_query(self) -> None:
        """To the query line."""
        # Not focus(), which waits: what is typed right after the key would go to where it was.
        self.set_focus(self.bar.input)

    def action_drop_filter(self) -> None:
        """Remove the query's last filter."""
        query = parse(self.bar.input.value, typing=True)
        self.ask(without(query.text, query.chips[-1]))

    def action_here(self) -> None:
        """Search the project here alone, or all."""
        text = self.bar.input.value
        query = parse(text, typing=True)
        here = [chip for chip in query.chips if chip.label == IN_PROJECT_HERE]
        if here:
            self.ask(without(text, *here))
        else:
            others = [chip for chip in query.chips if chip.label.startswith("project:")]
            self.ask(f"{IN_PROJECT_HERE} {without(text, *others)}")

    def action_on_server(self) -> None:
        """Ask the team's server, or search here again."""
        self._search_so(replace(self.asked, is_on_server=not self.asked.is_on_server))
        self.set_class(self.asked.is_on_server, "-on-server")

    def action_correct(self) -> None:
        """Search for what was meant."""
        self.results.did_you_mean.action_take()

    @work(exclusive=True, group="search")
    async def search(self, text: str) -> None:
        """Replace the results by those of another query."""
        await self._search(text)

    def _search_so(self, asked: SearchRequest) -> None:
        """Search for the query of the line in another way."""
        self.asked = asked
        self.search(self.bar.input.value)

    def ask(self, text: str) -> None:
        """Put another query into the query line, and search."""
        self.bar.input.put(text)

    @on(CompletionList.Remarked)
    def _remarked(self, message: CompletionList.Remarked) -> None:
        self.results.did_you_mean.remarks = message.remarks
        self.refresh_bindings()

    @on(QueryInput.Changed)
    def _typed(self, message: QueryInput.Changed) -> None:
        self.search(message.value)

    @on(FacetView.Shown)
    def _count_facets(self) -> None:
        self.results.count_facets()

    @on(events.DescendantFocus, "FacetLines")
    @on(events.DescendantBlur, "FacetLines")
    def _show_facets(self) -> None:
        self.set_class(self.results.facet_lines.has_focus, "-facets")

    @on(events.DescendantBlur, "FacetColumn, FacetLines")
    def _keep_facets(self) -> None:
        # The one takes the other's place where the width of the terminal changes.
        if self.focused is None and not (self.results.are_none or self.welcome.display):
            self.set_focus(self.results.facets)

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
        if (away := self._away) is not None:
            self.reading.show_other(away.passages(self.browser.now()))
            self.refresh_bindings()
        elif (row := self.results.list.row) is not None:
            self.browser.selection = row
            self.reading.show(row, self.results.query_highlighted)

    @on(ResultList.Selected, "ResultList")
    def _open(self) -> None:
        self.add_class("-open")
        self.set_focus(self.reading.detail)

    @on(Chips.Removed)
    def _remove(self, message: Chips.Removed) -> None:
        self.ask(without(self.bar.input.value, message.chip))

    @on(FacetView.Chosen)
    def _narrow(self, message: FacetView.Chosen) -> None:
        self.ask(toggled(self.bar.input.value, message.filter))

    @on(DidYouMean.Chosen)
    def _correct(self, message: DidYouMean.Chosen) -> None:
        self.ask(message.text)

    @on(NoHits.Chosen)
    async def _take(self, message: NoHits.Chosen) -> None:
        if asks_for_sessions(message.text):
            await self.browser.search_for(message.text)
            return
        self.ask(message.text)
        self.action_query()

    async def _search_sorted(self, order: str) -> None:
        """Search for the same, in another order."""
        query = parse(self.bar.input.value, typing=True)
        sorts = [chip for chip in query.chips if chip.text.startswith("sort")]
        text = without(query.text, sorts[-1]) if sorts else query.text
        # It is searched for here, and not once more when the change is heard of.
        with self.bar.input.prevent(QueryInput.Changed):
            self.ask(f"{text.strip()} sort:{order} ")
        await self._search(self.bar.input.value)

    def _place(self) -> str:
        """What the search is of, in a word; another one over the first says more than "Search"."""
        if self.asked.is_on_server:
            return N_("Team's server")
        if self.asked.is_of_trash:
            return N_("Trash")
        if self.asked.query.similar:
            return N_("Similar")
        is_over_another = self.app.current_mode == "search" and self.app.screen_stack[0] is not self
        return N_("Results") if is_over_another else self.place

    async def _search(self, text: str) -> None:
        asked = self.asked.with_text(text)
        if asked.query.named_time and not asked.is_on_server:
            query = await self.browser.reader.run(lambda store: store.find(asked.query).query)
            asked = replace(asked, query=query)
        self.asked = asked
        self.bar.understood(self.asked)
        for header in self.query(Header):
            header.place = self._place()
        # What the store has new can wait; what is typed can't, and both read with one connection.
        overtaken = self.workers.cancel_group(self, "refresh")
        with self.bar.searching():
            await self.results.show(self._provider())
        self._arrived()
        if overtaken:
            self.reading.show_again()

    def _provider(self) -> Newest | Ranked:
        if not self.asked.is_on_server:
            return provider(self.browser.reader, self.asked)
        on_server: Ranked = part("team.on_server").OnServer(self.browser.reader, self.asked)
        return on_server

    @work(exclusive=True, group="refresh")
    async def _read_again(self) -> None:
        await self.results.show_again()
        await self.show_sought()
        self.reading.show_again()
        self._arrived()

    async def move_selection(self, ref: str, row: ListRow | None) -> None:  # noqa: ARG002
        if row is not None and await self.results.move_to(row):
            self._show_selected()

    def _arrived(self) -> None:
        """Show what the results are like: some, none, or a memory that is still empty."""
        nothing = self.results.are_none
        empty = nothing and self.results.asked.is_for_all
        # Whoever types in the line stays there: the welcome's keys are letters that import, or leave.
        if empty and not self.welcome.display and self.focused is not self.bar.input:
            self.set_focus(self.welcome)
        elif self.welcome.has_focus and not empty:
            self.action_query()
        self.set_class(empty, "-welcome")
        self.set_class(nothing, "-nothing")
        if nothing:
            self.reading.show_nothing()
        if self.results.facets.has_focus and not self.results.counts.count.value:
            self.set_focus(self.results.front)
        self.refresh_bindings()
