"""The agents, one a line: whether each is here, whether our hooks are in it, and what it told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from textual.content import Content

from store.install import AgentState

from ..lists.paged_list import PagedList
from ..text.ages import age
from ..text.content import DIM, GAP, fit, plain
from .text import ABSENT, IN_PROJECT, INSTALLED, OUTDATED, SILENT, UNREADABLE, agent_status, ran

WIDTHS = {"name": 11, "found": 9, "stands": 13, "last": 4, "today": 11}
LONG = 70
"""Cells from which on the hint has room."""
HINTS = {OUTDATED: "i mends it", UNREADABLE: "i tells why", INSTALLED: "", IN_PROJECT: ""}


class AgentList(PagedList[AgentState]):
    """The hint leaves where there is no room for it."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda state: state.agent, id=id)
        self._now = now
        self.silent: Mapping[str, int] = {}
        """The agents that ran and told nothing of it, and when that was, ms since the epoch."""

    def render_row(self, item: AgentState, width: int, selected: bool) -> list[Content]:
        ran_at = self.silent.get(item.agent)
        status = agent_status(item, ran_at)
        is_here = item.found or status is not ABSENT
        usual = "" if is_here else DIM
        name = plain(item.agent, "bold" if selected else usual)
        last = age(item.last_event_at, self._now()) if item.last_event_at else "—"
        today = f"{item.events_today:,} today" if item.events_today else "—"
        cells = {
            "name": name,
            "found": plain("found" if item.found else "not found", usual if item.found else DIM),
            "stands": plain(status.word, status.style),
            "last": Content.styled(last.rjust(WIDTHS["last"]), DIM),
            "today": Content.styled(today.rjust(WIDTHS["today"]), DIM),
        }
        line = Content.styled(f"{status.symbol} ", status.style)
        line += GAP.join(fit(cell, WIDTHS[part]) for part, cell in cells.items())
        hint = HINTS.get(status, "i installs" if item.found else "")
        if status is SILENT:
            hint = ran(ran_at or 0, self._now())
        if width >= LONG and hint:
            line = Content.assemble(line, GAP, (hint, "$text-accent" if is_here else DIM))
        return [line]
