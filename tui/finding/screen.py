"""A screen on which words can be found, in the rows of its list or in one of its texts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from textual import on
from textual.widget import Widget
from textual.worker import Worker, WorkerCancelled

from memtui.store.platform.translation import _

from ..lists.paged_list import PagedList
from ..lists.rows import FollowingView
from ..marks.screen import MarkingScreen
from ..parts.document_view import TextFind, Told
from ..parts.line_input import PromptInput, PromptLine
from ..parts.text_view import TextView
from .places import ByTime, Dates

if TYPE_CHECKING:
    from .going import Where


FINDING = {"find", "find_next", "drop_find", "go_to"}


class FindingScreen(MarkingScreen):
    """`/` opens a line to type in. What was typed holds while it is open, and after Enter until Esc."""

    words = ""
    """What the list is narrowed to."""
    finds_from_lists = True
    """Whether what the key opens is a line to find something, also while a list has the focus."""

    _target: Target | None = None
    _prompt: PromptLine | None = None
    _going: PromptLine | None = None
    _asked_from: Widget | None = None

    @property
    def list_to_narrow(self) -> PagedList[Any] | None:
        """The list that words narrow; None where there is none."""
        return None

    @property
    def by_time(self) -> ByTime | None:
        """What is listed by time, in which a date can be gone to; None where nothing is."""
        return None

    @property
    def has_dates(self) -> bool:
        """Whether a date can be gone to from where the focus is."""
        shown = self.by_time
        return shown is not None and self.focused is shown.rows

    @property
    def dates_note(self) -> str:
        """What going to a date changes here beside, in words; `` for nothing."""
        return ""

    async def go_to_dates(self, dates: Dates) -> str:
        """Go to what is nearest to some dates; return what is to be told of it, `` where all is well."""
        shown = self.by_time
        return await shown.go_to(dates, self.browser.now()) if shown is not None else ""

    async def action_go_to(self) -> None:
        """Open the line to type in where to go."""
        from .going import GoToPrompt

        self._asked_from = self.focused
        self._going = GoToPrompt(self.browser, self._leave_to, self.has_dates, self.dates_note)
        await self.mount(self._going, before="KeysFooter")
        self.set_focus(self._going.input)

    def _leave_to(self, where: Where) -> None:
        """Close the line, and go there."""
        rows = self._asked_from
        if self._going is not None:
            self.set_focus(rows)
            self._going.remove()
            self._going = None
        if isinstance(where, Dates):
            self.run_worker(self._go(where), group="date", exclusive=True)
        elif isinstance(where, list):
            self.browser.go_to(where)
        elif where == "first" and isinstance(rows, PagedList):
            rows.action_first()
        elif where == "first" and isinstance(rows, TextView):
            rows.action_scroll_home()

    async def _go(self, dates: Dates) -> None:
        if content := await self.go_to_dates(dates):
            self.notify(content, markup=False)

    @property
    def text_to_search(self) -> TextView | None:
        """The text in which words are found: the one with the focus, else the first that shows."""
        focused = self.focused
        if isinstance(focused, TextView):
            return focused if focused.is_searchable else None
        views = (view for view in self.query(TextView) if view.is_on_screen and view.display)
        return next((view for view in views if view.is_searchable), None)

    finds_a_target = False
    """Whether `find_target` has what is looked through from the lists."""

    def find_target(self, show: Callable[[str, bool], None]) -> Target | None:  # noqa: ARG002
        """Return what is looked through from the lists, if it is neither a list's rows nor a text."""
        return None

    def show_found(self) -> Worker[None] | None:
        """List what holds `words`; return what does so."""
        return None

    def finds(self, action: str) -> bool:
        """Whether one of the actions of finding can be done now."""
        is_typing = isinstance(self.focused, PromptInput)
        if action == "go_to":
            return not is_typing
        if action == "find":
            return not is_typing and self.can_find
        if is_typing or self._target is None:
            return False
        if action == "find_next":
            return self._target.steps
        # From what was opened it is one step back first, to the list.
        return self.focused is self._target.widget

    @property
    def can_find(self) -> bool:
        """Whether there is anything to look through from where the focus is."""
        if isinstance(self.focused, TextView):
            return self.focused.is_searchable
        if not self.finds_from_lists:
            return False
        is_list = self.finds_a_target or self.list_to_narrow is not None
        return is_list or self.text_to_search is not None

    async def action_find(self) -> None:
        """Open the line to type what is to be found, or go on in it."""
        if self._target is None or self._target.widget is not self.focused:
            await self._end_find(restore=False)
            self._target = self._new_target()
        if self._target is not None:
            await self._open_prompt()

    async def find(self, words: str) -> None:
        """Find some words from where the focus is, as if they were typed."""
        await self.action_drop_find()
        await self.action_find()
        if self._prompt is not None and self._target is not None:
            self._prompt.input.value = words
            self.set_focus(self._target.widget)

    def _new_target(self) -> Target | None:
        if not isinstance(self.focused, TextView):
            if (target := self.find_target(self._tell_found)) is not None:
                return target
            if (rows := self.list_to_narrow) is not None:
                return InList(self, rows, self._tell_found)
        text = self.text_to_search
        return InText(text, self._tell_found) if text is not None else None

    def action_find_next(self, steps: int) -> None:
        """Go to the next match, or to the one before."""
        if self._target is not None:
            self._target.step(steps)

    async def action_drop_find(self) -> None:
        """Find nothing any more."""
        await self._end_find(restore=False)

    async def _open_prompt(self) -> None:
        if self._prompt is None:
            self._prompt = PromptLine(_("Find"))
            await self.mount(self._prompt, before="KeysFooter")
        self.set_focus(self._prompt.input)

    def _tell_found(self, message: str, is_wrong: bool) -> None:
        if self._prompt is not None:
            self._prompt.tell(message, is_wrong)

    async def _end_find(self, *, restore: bool) -> None:
        target, self._target = self._target, None
        prompt, self._prompt = self._prompt, None
        if target is not None:
            self.set_focus(target.widget)
            target.end(restore=restore)
        if prompt is not None:
            await prompt.remove()
        self.refresh_bindings()

    @on(PromptLine.Changed)
    def _find_typed(self, message: PromptLine.Changed) -> None:
        if self._target is not None:
            self._target.look_for(message.text)

    @on(PromptLine.Submitted)
    async def _find_kept(self, message: PromptLine.Submitted) -> None:
        if not message.text.strip():
            await self._end_find(restore=True)
        elif self._target is not None:
            self.set_focus(self._target.widget)
            self.refresh_bindings()

    @on(PromptInput.Cancelled)
    async def _find_cancelled(self) -> None:
        await self._end_find(restore=True)

    @on(PromptInput.Moved)
    def _find_moved(self, message: PromptInput.Moved) -> None:
        if self._target is None:
            return
        if isinstance(rows := self._target.widget, PagedList):
            rows.cursor += message.rows
        else:
            self._target.step(message.rows)


class FollowingScreen(FindingScreen):
    """`F` keeps the newest in view and selected; moving the cursor away pauses that."""

    @property
    def followed(self) -> FollowingView | None:
        """The list whose newest row can be followed now; None for none."""
        return None

    def action_follow(self) -> None:
        """Keep the newest row in view from now on; again, no longer."""
        if (rows := self.followed) is not None:
            rows.follow(on=not rows.holds_newest)
            if rows.is_following:
                self.show_newest(rows)

    def show_newest(self, rows: FollowingView) -> None:
        """Select the newest row."""
        rows.cursor = rows.newest


class Narrowing(Protocol):
    """A screen with a list that words narrow."""

    words: str

    def show_found(self) -> Worker[None] | None:
        """List what holds `words`; return what does so."""

    def run_worker(self, work: Any, *, group: str, exclusive: bool) -> object:
        """As Textual's screens have it."""


class Target(Protocol):
    """What is looked through."""

    steps: bool
    """Whether there are matches to go to one after another."""

    @property
    def widget(self) -> Any:
        """What has the focus again when the words are typed."""

    def look_for(self, words: str) -> None:
        """Show what was found, and tell how much; `` for nothing."""

    def step(self, steps: int) -> None:
        """Go to the next match, or to the one before."""

    def end(self, *, restore: bool) -> None:
        """Show all again; with `restore` as it was before the finding."""


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
