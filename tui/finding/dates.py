"""Going to a date: the line that asks for one.

Lists address rows by their place, which is the count of what is newer. Hits by relevance have no
place for a date.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from textual import on

from memtui.store.search.query.dates import may_become, parse_range
from memtui.store.search.query.time_words import whole_date

from ..parts.prompt_line import PromptInput, PromptLine
from ..text.content import joined
from .by_time import Dates

HINT = "today, 3d, 2026-02-17, 上周 · g: first row"
NO_DATE = "not a date"
FIRST = "g"
"""What, typed alone, goes to the first row: the key twice."""


class DatePrompt(PromptLine):
    """Asks for a date as the query language has them, and tells which is meant as it is typed."""

    def __init__(
        self,
        now: int,
        chosen: Callable[[Dates | None], None],
        closed: Callable[[], None],
        note: str = "",
    ) -> None:
        """`chosen` takes the dates, None for the first row; `closed` is called when it was left; `note`
        says what else going there does."""
        super().__init__("Go to", placeholder=HINT)
        self._now = now
        self._note = note
        self._go = chosen
        self._leave_it = closed

    @on(PromptLine.Changed)
    def _resolve(self, message: PromptLine.Changed) -> None:
        message.stop()
        text = message.text.strip()
        if text == FIRST:
            self._go(None)
            return
        dates = self._dates(text)
        if dates is not None:
            self.tell(joined(dates.named(self._now), self._note))
        elif not text or may_become(text):
            self.tell("")
        else:
            self.tell(NO_DATE, is_wrong=True)

    @on(PromptLine.Submitted)
    def _take(self, message: PromptLine.Submitted) -> None:
        message.stop()
        text = message.text.strip()
        if (dates := self._dates(text)) is not None:
            self._go(dates)
        elif text:
            self.tell(NO_DATE, is_wrong=True)
        else:
            self._leave_it()

    @on(PromptInput.Cancelled)
    def _leave(self, message: PromptInput.Cancelled) -> None:
        message.stop()
        self._leave_it()

    @on(PromptInput.Moved)
    def _stay(self, message: PromptInput.Moved) -> None:
        message.stop()

    def _dates(self, text: str) -> Dates | None:
        now = datetime.fromtimestamp(self._now / 1000)
        date = whole_date(text, now)
        result = parse_range(date, now, whole_days=True) if date else None
        return Dates(*result) if result is not None else None
