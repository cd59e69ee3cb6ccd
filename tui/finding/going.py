"""Going anywhere: the line that asks where to, and what it leads to as it is typed.

Lists address rows by their place, which is the count of what is newer. Hits by relevance have no
place for a date.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from textual import on, work

from memtui.store.links.destinations import Destination
from memtui.store.platform.translation import _
from memtui.store.search.query.dates import may_become, parse_range, whole_date
from memtui.store.text.display import safe

from ..parts.line_input import PromptInput, PromptLine
from ..protocol import Browser
from ..text.content import joined
from .places import Dates, find_destinations, many_of, name_of

HINT = _("276, p12, @4, a file, a commit, 3d, 上周 · g: the beginning")
NOWHERE = _("no id, file, commit or date of this store")
FIRST = "g"
"""What, typed alone, goes to the beginning: the key twice."""

Where = Dates | list[Destination] | Literal["first"] | None
"""Dates of the list that was asked from, what was typed leads to, the beginning, or nowhere."""


class GoToPrompt(PromptLine):
    """Asks where to go, and tells what is meant as it is typed: dates, as the query language has them, are
    those of the list that was asked from, where it `has_dates`."""

    def __init__(
        self, app: Browser, left: Callable[[Where], None], has_dates: bool, note: str = ""
    ) -> None:
        """`left` takes where to go; `note` says what else going to a date does."""
        super().__init__(_("Go to"), placeholder=HINT)
        self._browser = app
        self._leave = left
        self._has_dates = has_dates
        self._note = note

    @on(PromptLine.Changed)
    def _resolve(self, message: PromptLine.Changed) -> None:
        message.stop()
        text = message.text.strip()
        if text == FIRST:
            self._leave("first")
            return
        dates = self._dates(text)
        if dates is not None:
            self.tell(joined(dates.named(self._browser.now()), self._note))
        if dates is None or text.isdecimal():
            self._look(text)

    @work(exclusive=True, group="destinations")
    async def _look(self, text: str) -> None:
        destinations = await find_destinations(self._browser, text)
        if len(destinations) == 1:
            self.tell(safe(joined(name_of(destinations[0]).plain, many_of(destinations[0]))))
        elif destinations:
            self.tell(_("one of {count}", count=len(destinations)))
        elif self._dates(text) is None:
            is_wrong = bool(text) and not may_become(text)
            self.tell(NOWHERE if is_wrong else "", is_wrong)

    @on(PromptLine.Submitted)
    @work(exclusive=True, group="destinations")
    async def _take(self, message: PromptLine.Submitted) -> None:
        text = message.text.strip()
        dates = self._dates(text)
        # Of digits alone an id is meant, or a year.
        destinations = (
            [] if dates and not text.isdecimal() else await find_destinations(self._browser, text)
        )
        if dates and all(item.ref != text for item in destinations):
            self._leave(dates)
        elif destinations or not text:
            self._leave(destinations or None)
        else:
            self.tell(NOWHERE, is_wrong=True)

    @on(PromptInput.Cancelled)
    def _cancel(self, message: PromptInput.Cancelled) -> None:
        message.stop()
        self._leave(None)

    @on(PromptInput.Moved)
    def _stay(self, message: PromptInput.Moved) -> None:
        message.stop()

    def _dates(self, text: str) -> Dates | None:
        now = datetime.fromtimestamp(self._browser.now() / 1000)
        date = whole_date(text, now) if self._has_dates else None
        result = parse_range(date, now, whole_days=True) if date else None
        return Dates(*result) if result is not None else None
