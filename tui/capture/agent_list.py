"""The agents, one a line: whether each is here, whether our hooks are in it, and what it told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len
from textual.content import Content

from memtui.store.capture.status.health import EventHistory
from memtui.store.install import AgentState
from memtui.store.platform.translation import _

from ..lists.paged_list import PagedList
from ..text.ages import age
from ..text.capture import milliseconds
from ..text.content import DIM, GAP, in_column, plain
from ..text.sparkline import NOTHING, sparkline
from .agent_text import (
    ABSENT,
    ELSEWHERE,
    IN_PROJECT,
    INSTALLED,
    OUTDATED,
    SILENT,
    UNREADABLE,
    agent_status,
    ran,
)

COLUMNS = {
    "name": (_("Agent"), 11),
    "found": (_("On disk"), 9),
    "stands": (_("Hooks"), 13),
    "last": (_("last").capitalize(), 6),
    "today": (_("Today"), 6),
    "week": (_("7 days"), 7),
    "slowest": (_("95th pct"), 8),
}
"""The head of each column and how wide it is; the days come after them."""
NUMBERS = ("last", "today", "week", "slowest")
LEAVING = ("slowest", "week", "found", "days", "today", "last")
"""What leaves, one after another, where there is no room for all."""
LEAST_DAYS, DAYS = 11, 30
NONE = "—"
HINTS = {
    ELSEWHERE: _("press i to fix"),
    OUTDATED: _("press i to fix"),
    UNREADABLE: _("press i to see why"),
    INSTALLED: "",
    IN_PROJECT: "",
}
UNKNOWN = EventHistory()


class AgentList(PagedList[AgentState]):
    """Columns leave where there is no room for them; what is amiss takes the place of the days."""

    has_heads = True

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=lambda state: state.agent)
        self._now = now
        self.silent: Mapping[str, int] = {}
        """The agents that ran and told nothing of it, and when that was, ms since the epoch."""
        self.others: Mapping[str, str] = {}
        """Which memory has an agent's events instead of this one."""
        self.histories: Mapping[str, EventHistory] = {}
        """The last days of each agent of which anything is known."""
        self.is_changeable = True
        """Whether hooks can be installed from here, which rows hint at."""

    def render_heads(self, width: int) -> Content:
        names, days = _columns(width)
        heads = [_cell(name, plain(COLUMNS[name][0])) for name in names]
        if days and any(any(history.by_day) for history in self.histories.values()):
            head = _("events a day, {days} days", days=days)
            heads.append(plain(head if cell_len(head) <= days else _("events/day")))
        return Content("  ") + GAP.join(heads)

    def render_row(self, item: AgentState, width: int, selected: bool) -> list[Content]:
        names, days = _columns(width)
        ran_at = self.silent.get(item.agent)
        history = self.histories.get(item.agent, UNKNOWN)
        status = agent_status(item, ran_at, self.others.get(item.agent, ""))
        is_here = item.found or status is not ABSENT
        usual = "" if is_here else DIM
        last = age(item.last_event_at, self._now(), self.as_dates) if item.last_event_at else NONE
        slowest = NONE if history.slowest is None else milliseconds(history.slowest)
        cells = {
            "name": plain(item.agent, "bold" if selected else usual),
            "found": plain(
                _("Found").lower() if item.found else _("not found"), usual if item.found else DIM
            ),
            "stands": plain(status.word, status.style),
            "last": Content.styled(last, DIM),
            "today": _number(item.events_today),
            "week": _number(history.week),
            "slowest": Content.styled(slowest, DIM),
        }
        line = Content.styled(f"{status.symbol} ", status.style)
        line += GAP.join(_cell(name, cells[name]) for name in names)
        hint = (
            HINTS.get(status, _("press i to install") if item.found else "") if self.is_changeable else ""
        )
        if status is SILENT:
            hint = ran(ran_at or 0, self._now())
        shown = Content.styled(hint, "$text-accent" if is_here else DIM)
        line_of_days = bars(history.by_day[-days:]) if days and any(history.by_day) else Content()
        if not hint:
            return [line + GAP + line_of_days]
        room = width - line.cell_length - len(GAP)
        if line_of_days and room >= days + len(GAP) + shown.cell_length:
            return [line + GAP + line_of_days + GAP + shown]
        if line_of_days and status is ABSENT:
            # That the footer tells, too.
            return [line + GAP + line_of_days]
        return [line + GAP + shown if room >= shown.cell_length else line]


def bars(by_day: Sequence[int]) -> Content:
    """Return how many events there were on each day, a bar a day."""
    return Content.assemble(
        *((bar, "$foreground 30%" if bar == NOTHING else "$primary") for bar in sparkline(by_day))
    )


def _columns(width: int) -> tuple[list[str], int]:
    """The columns that there is room for, and how many days as bars behind them."""
    gone: set[str] = set()
    for leaving in (*LEAVING, ""):
        names = [name for name in COLUMNS if name not in gone]
        taken = 2 + sum(COLUMNS[name][1] + len(GAP) for name in names)
        room = width - taken
        if "days" in gone:
            if room + len(GAP) >= 0:
                break
        elif room >= LEAST_DAYS:
            return names, min(DAYS, room)
        gone.add(leaving)
    return names, 0


def _cell(name: str, content: Content) -> Content:
    return in_column(content, COLUMNS[name][1], is_number=name in NUMBERS)


def _number(count: int) -> Content:
    return Content.styled(f"{count:,}" if count else NONE, DIM)
