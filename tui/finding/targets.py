"""What words are looked for in: the rows of a list, or a text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

from textual.worker import Worker, WorkerCancelled

from memtui.store.platform.translation import _

from ..lists.paged_list import PagedList
from ..parts.text_find import TextFind, Told
from ..parts.text_view import TextView


class Narrowing(Protocol):
    """A screen with a list that words narrow."""

    words: str

    def show_found(self) -> Worker[None] | None:
        """List what holds `words`; return what does so."""
        ...

    def run_worker(self, work: Any, *, group: str, exclusive: bool) -> object:
        """As Textual's screens have it."""
        ...


class Target(Protocol):
    """What is looked through."""

    steps: bool
    """Whether there are matches to go to one after another."""

    @property
    def widget(self) -> Any:
        """What has the focus again when the words are typed."""
        ...

    def look_for(self, words: str) -> None:
        """Show what was found, and tell how much; `` for nothing."""
        ...

    def step(self, steps: int) -> None:
        """Go to the next match, or to the one before."""
        ...

    def end(self, *, restore: bool) -> None:
        """Show all again; with `restore` as it was before the finding."""
        ...


class InText:
    """The text of a view."""

    steps = True

    def __init__(self, view: TextView, show: Told) -> None:
        self.widget = view
        self._find = view.find = TextFind(view, show)

    def look_for(self, words: str) -> None:
        self._find.look_for(words)

    def step(self, steps: int) -> None:
        self._find.step(steps)

    def end(self, *, restore: bool) -> None:
        self._find.end(restore=restore)


class InList:
    """The rows of the screen's list, which are narrowed to those that hold all the words."""

    steps = False

    def __init__(self, screen: Narrowing, rows: PagedList[Any], show: Told) -> None:
        self.widget = rows
        self._screen = screen
        self._told = show
        self._all = rows.how_many
        self._before = rows.cursor, rows.item

    def look_for(self, words: str) -> None:
        self._screen.run_worker(self._narrow(words), group="narrow", exclusive=True)

    def step(self, steps: int) -> None:
        pass

    def end(self, *, restore: bool) -> None:
        self._screen.run_worker(self._widen(restore=restore), group="narrow", exclusive=True)

    async def _narrow(self, words: str) -> None:
        if await self._show(words):
            result = self.widget.how_many
            content = ""
            if words.strip():
                content = _("{count} of {all}", count=f"{result:,}{self.widget.more}", all=f"{self._all:,}")
            self._told(content, not result)

    async def _widen(self, *, restore: bool) -> None:
        cursor, item = self._before
        chosen = item if restore else self.widget.item
        if await self._show("") and chosen is not None:
            if restore:
                self.widget.cursor = cursor
            key = self.widget.key
            if key is not None and (place := await self.widget.place_of(chosen)) is not None:
                self.widget.cursor = place

    async def _show(self, words: str) -> bool:
        """Have the screen list what holds the words; whether it does."""
        self._screen.words = words.strip()
        self.widget.found_words = words.strip()
        with suppress(WorkerCancelled):
            if (worker := self._screen.show_found()) is not None:
                await worker.wait()
            return True
        return False
