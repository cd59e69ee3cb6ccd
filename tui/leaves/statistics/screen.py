"""The statistics: what was remembered when, of what, and what it cost; every figure is a search.

Sums that triggers keep and indexes answer, and figures are painted as they come.
"""

from __future__ import annotations

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Grid, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.store.leaves.statistics.counts import RANGES, RangeName
from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun

from ...keys.bindings import hidden, key
from ...lists.picker import EVERYTHING, Choice, ChooseScreen, everything_and_projects
from ...parts.frame import Heading
from ...screen import MemScreen
from ...text.content import DIM, joined, plain
from .bars import Bars, Costs
from .columns import COUNTED, Calendar, Growth, Sessions, SpendingColumns, Tokens
from .figures import Figures, FiguresPane, read

NAMES: dict[RangeName, str] = {
    "30d": _("30 days"),
    "quarter": _("a quarter"),
    "year": _("a year"),
    "all": _("all time"),
}
MANY = 200_000
"""A memory with more is not read again at each change of it, but at a key."""


class StatisticsScreen(MemScreen):
    """A calendar above panes of bars; a line at the bottom tells the figures at the cursor."""

    CSS_PATH = "screen.tcss"

    BINDINGS = [
        key(
            "right_square_bracket",
            "range(1)",
            "Range",
            "A longer range: 30 days, a quarter, a year, all time",
            "statistics.longer",
            display="[ ]",
        ),
        hidden("left_square_bracket", "range(-1)", "Range", "A shorter range", "statistics.shorter"),
        key("s", "project", "Project", "Only one project, or all", "statistics.project"),
        key(
            "c",
            "count",
            "Count",
            "Count days by memories, by the tokens it took to discover them, or by what agents cost",
            "statistics.count",
        ),
        hidden("r", "again", "Read again", "Count again what is stored by now", "statistics.again"),
    ]

    place = N_("Statistics")
    mode = "statistics"
    has_rows = False

    heading = getters.query_one(Heading)
    calendar = getters.query_one(Calendar)
    line = getters.query_one("#figure", Static)

    range: RangeName | None = None
    """None until it is known what there is."""
    project: str | None = None
    _is_whole = False
    """Whether all of it was read."""

    def body(self) -> ComposeResult:
        yield Heading()
        with VerticalScroll(can_focus=False):
            yield Calendar(id="days")
            with Grid(id="panes"):
                yield Bars(N_("type"), _("Types"), id="types")
                yield Bars(N_("project"), _("Projects"), id="projects")
                yield Bars(N_("agent"), _("Agents"), id="agents")
                yield Bars(N_("file"), _("Busiest files"), id="files")
                yield Bars(N_("concept"), _("Busiest concepts"), id="concepts")
                yield Sessions(id="sessions")
                yield Costs("model", id="models")
                yield Costs("project", id="project-costs")
                yield Costs("session", id="session-costs")
                yield SpendingColumns(id="spending")
                yield Tokens(id="tokens")
                yield Growth(id="growth")
        yield Static(id="figure", markup=False)

    def on_mount(self) -> None:
        self.calendar.focus()
        self._load()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        if not self._is_whole:
            self._load()

    def on_screen_suspend(self) -> None:
        super().on_screen_suspend()
        # Nobody looks: the counts of other screens need not wait for these.
        self.workers.cancel_group(self, "figures")

    def store_changed(self) -> None:
        holdings = self.browser.holdings
        if holdings is None or holdings.memories <= MANY:
            self._load()

    def action_range(self, step: int) -> None:
        """Take the next longer range, or the next shorter one."""
        place = RANGES.index(self.range or "year") + step
        if 0 <= place < len(RANGES):
            self.range = RANGES[place]
            self._load()

    def action_count(self) -> None:
        """Show the days by memories, by tokens or by cost."""
        ways = list(COUNTED)
        self.calendar.counted = ways[(ways.index(self.calendar.counted) + 1) % len(ways)]
        self.calendar.retitle()
        self.calendar.refresh()

    def action_again(self) -> None:
        """Read everything again."""
        self._load()

    def action_project(self) -> None:
        """Choose a project, or all."""
        current = Choice(project=self.project) if self.project else EVERYTHING
        self.app.push_screen(
            ChooseScreen(current, everything_and_projects, _("a project")), self._take_project
        )

    def _take_project(self, chosen: Choice | None) -> None:
        if chosen is not None:
            self.project = chosen.project
            self._load()

    @on(FiguresPane.Moved)
    def _tell(self, message: FiguresPane.Moved) -> None:
        if message.pane.figures is not None:
            self.line.update(plain(message.pane.in_words(message.pane.figures)))

    @on(FiguresPane.Asked)
    async def _search(self, message: FiguresPane.Asked) -> None:
        await self.browser.show_search(f"{message.query} ")

    @work(group="figures", exclusive=True)
    async def _load(self) -> None:
        self._is_whole = False
        await read(self.browser.counter, self.range, self.browser.now(), self.project, self._show)
        self._is_whole = True

    def _elsewhere(self, figures: Figures, memories: int) -> str:
        """Say how many of all memories are of no day up to today, which no range tells."""
        holdings = self.browser.holdings
        if figures.period.range != "all" or figures.project is not None or holdings is None:
            return ""
        others = holdings.memories - memories
        return _("{count} dated ahead or not at all", count=f"{others:,}") if others > 0 else ""

    def _show(self, figures: Figures) -> None:
        period = figures.period
        self.range = period.range
        days = _("{first} to {last}", first=period.first, last=period.day(period.days - 1))
        self.heading.left = Content.assemble(
            (NAMES[period.range], "bold"),
            (f" · {days} · ", DIM),
            plain(figures.project or _("all projects"), "bold" if figures.project else DIM),
        )
        memories = sum(figures.memories)
        content = joined(count_noun(memories, "memories"), self._elsewhere(figures, memories))
        self.heading.right = plain(content, DIM)
        self.set_class(not memories, "-none")
        for pane in self.query(FiguresPane):
            pane.show(figures)
