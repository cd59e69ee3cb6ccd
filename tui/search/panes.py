"""The results of a search, what each is and why it was found, and beside them one memory in full, under it
what happened around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from memtui.store import ListRow, NotFoundError, Query, Record, Scope, Store
from memtui.store.platform.translation import _

from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..memory import Detail
from ..parts.split import Split
from ..protocol import Browser
from ..text.ages import WIDTH as AGE
from ..text.ages import age
from ..text.content import DIM, Passage, fit, fit_title, highlighted, plain, right_aligned
from ..text.glyphs import badge, flags
from ..text.records import Surroundings
from ..text.rows import WORD_FROM
from ..timeline.lists import TimelinePane, TimelineView, timeline_view
from ..timeline.moments import Moment
from .providers import Found
from .request import RELATED

if TYPE_CHECKING:
    from memtui.store.records.sharing import TeamMark


PROJECT = 14
ROOM_FOR_WORD, ROOM_FOR_PROJECT = 55, 59
"""Cells of a row from which on there is room for each; for the type's word only where the terminal is
wide too, and for the others beside it."""
ASKED = " › "
"""Stands behind what was asked, before what came of it."""
AHEAD = 20
"""Rows still to come when more are asked for."""


class ResultList(PagedList[Found]):
    """Rows of `Found`; `NearEnd` when the last of them come near."""

    may_have_marks = True
    row_height = 2
    shows_told = False
    """Whether each row says how often agents were told it."""
    BINDINGS = [
        key("enter", "select", "Open", "Read the selected memory", "results.open", display="⏎"),
        key(
            "f",
            "screen.facets",
            "Go to facets",
            "To the facets, to narrow by type, project, agent, branch, kind or day",
            "results.facets",
            footer="Facets",
        ),
    ]

    @dataclass
    class NearEnd(Message):
        """The view was scrolled near the last row. Replaces an older one still queued."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, ResultList.NearEnd)

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda found: found.hit.row.document_id, id=id)
        self._now = now

    @property
    def row(self) -> ListRow | None:
        """The row under the cursor."""
        return self.item.hit.row if self.item else None

    def ref_of(self, item: Found) -> str | None:
        return None if item.away else item.hit.row.ref

    def mark_of(self, item: Found) -> TeamMark | None:
        return item.away.mark if item.away else super().mark_of(item)

    def title_of(self, item: Found) -> str:
        return item.title.text

    def lines_for(self, item: Found) -> int:
        return 1 if item.second_line is None else 2

    def render_row(self, item: Found, width: int, selected: bool) -> list[Content]:
        row = item.hit.row
        with_word = width >= ROOM_FOR_WORD and self.app.size.width >= WORD_FROM
        sign = badge(row.type, with_word=with_word)
        right = self._columns(row, width - sign.cell_length + 1)
        room = width - sign.cell_length - right.cell_length - 2
        style = "bold" if selected else DIM if row.state else ""
        tail = flags(row)
        if self.shows_told:
            tail += Content.styled(f" {row.told}×", DIM)
        if item.hit.tier == "related":
            tail += Content.styled(f" {RELATED}", DIM)
        title = fit_title(highlighted(item.title, style), room, tail, self.shared)
        lines = [Content.assemble(sign, " ", title, " ", right)]
        if (line := item.second_line) is not None:
            # Under the title.
            indent = sign.cell_length + 1
            asked, question, _ = line.text.partition(ASKED)
            above = self.above and self.above.second_line
            is_said_above = question and above and above.text.startswith(asked + ASKED)
            said = highlighted(line, DIM)[len(asked + ASKED) if is_said_above else 0 :]
            lines.append(Content(" " * indent) + fit(said, width - indent))
        return lines

    @property
    def is_near_end(self) -> bool:
        """Whether few rows follow those in view."""
        return self.first_row + self.rows_in_view + AHEAD >= self.count

    @property
    def is_at_end(self) -> bool:
        """Whether no row follows those in view."""
        return self.first_row + self.rows_in_view >= self.count

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._look_ahead()

    def watch_cursor(self, old: int, new: int) -> None:
        super().watch_cursor(old, new)
        self._look_ahead()

    def _look_ahead(self) -> None:
        if self.is_near_end:
            self.post_message(self.NearEnd())

    def _columns(self, row: ListRow, width: int) -> Content:
        when = Content(age(row.created_at, self._now(), self.as_dates))
        parts = []
        if width >= ROOM_FOR_PROJECT:
            parts.append(fit(plain(row.project), PROJECT))
            when = right_aligned(when, AGE)
        parts.append(when)
        return Content(" ").join(parts).stylize(DIM)


class Reading(Split):
    """Shows a row from the store; of many asked for at once only the last is read."""

    DEFAULT_CSS = "Reading { layout: vertical; }"

    detail = getters.query_one(Detail)
    pane = getters.query_one(TimelinePane)

    def __init__(self, browser: Browser, *, id: str | None = None) -> None:
        super().__init__("search-timeline", is_column=True, id=id)
        self._browser = browser
        self._anchor: ListRow | None = None
        self._asked: ListRow | None = None
        self._is_placed = False
        """Whether the timeline shows the time around the anchor by now."""
        self._query = Query()

    @property
    def row(self) -> ListRow | None:
        """What is shown, or will be as soon as it is read; None when nothing is."""
        under_cursor = self.pane.row if self.pane.has_focus else None
        return under_cursor or self._asked

    def compose(self) -> ComposeResult:
        yield Detail()
        yield TimelinePane()

    def on_mount(self) -> None:
        self.detail.entitle(_("Memory"))

    def on_show(self) -> None:
        # What was shown while there was no room for it was put in its place blindly.
        if self._anchor is not None:
            self._read(self._anchor)

    def show(self, row: ListRow, query: Query) -> None:
        """Show a row with the query's matches highlighted, and the time around it."""
        self._query = query
        self._read(row)

    def show_again(self) -> None:
        """Show what was written meanwhile, with everything in its place."""
        if self._anchor is not None:
            self._read(self._anchor, hold=self._is_placed)

    def show_nothing(self) -> None:
        """Nothing is selected."""
        self._anchor = self._asked = None
        self._empty()

    def show_other(self, passages: Sequence[Passage]) -> None:
        """Show what is no memory of the store."""
        self._anchor = self._asked = None
        self._empty(passages)

    @work(group="reading", exclusive=True)
    async def _empty(self, passages: Sequence[Passage] = ()) -> None:
        self.detail.show_nothing()
        if passages:
            self.detail.show_other(passages)
        await self.pane.show_nothing()

    def step_window(self, steps: int) -> None:
        """Let the timeline look further (1) or less far (-1)."""
        self.pane.step_window(steps)
        self.show_again()

    def step_scope(self) -> None:
        """Step the timeline from the session to its project, to everything, and back."""
        self.pane.step_scope()
        self.show_again()

    @on(TimelinePane.Highlighted)
    def _read_along(self, message: TimelinePane.Highlighted) -> None:
        if self.pane.has_focus and isinstance(message.item, Moment):
            self._browser.selection = message.item.row
            self._read(message.item.row, move=False)

    @on(TimelinePane.Selected)
    def _anchor_there(self, message: TimelinePane.Selected) -> None:
        if isinstance(message.item, Moment):
            self._read(message.item.row)

    def _read(self, row: ListRow, *, move: bool = True, hold: bool = False) -> None:
        """Show `row`, and unless `move` is False, the time around it."""
        # A key that follows at once means this row, not the one that is still painted.
        self._asked = row
        if move:
            # What is written meanwhile has this one read again, not the one before.
            self._anchor, self._is_placed = row, hold
        self._read_soon(row, move, hold)

    @work(group="reading", exclusive=True)
    async def _read_soon(self, row: ListRow, move: bool, hold: bool) -> None:
        minutes, scope = self.pane.window_size.minutes, self.pane.scope
        has_marks = self._browser.team_marks.is_on
        try:
            view, record, beside = await self._browser.side.run(
                lambda store: _read(store, row, minutes, scope, has_marks=has_marks)
            )
        except NotFoundError:
            self.show_nothing()
            return
        of = view.sessions.get(view.anchor.session_id or 0)
        session, now = (of.session if of is not None else None), self._browser.now()
        self.detail.show_record(record, view.anchor, session, self._query, now, beside)
        self.screen.refresh_bindings()
        if move:
            self._anchor = view.anchor
            await self.pane.show_view(view, hold=hold)
            self._is_placed = True


def _read(
    store: Store, row: ListRow, minutes: float, scope: Scope, *, has_marks: bool
) -> tuple[TimelineView, Record, Surroundings]:
    view = timeline_view(store, row, minutes=minutes, scope=scope)
    assert view is not None  # There is always something around a row: itself.
    record = store.record_of(view.anchor)
    return view, record, Surroundings.of(store, record, has_marks=has_marks)
