"""What the two screens of the history share: a list, and beside it what is selected there."""

from __future__ import annotations

from typing import Any

from textual import getters, on
from textual.app import ComposeResult
from textual.widgets import Static

from ..list_and_detail import ListAndDetailScreen
from ..lists.paged_list import PagedList
from ..parts.headings import Heading
from ..parts.split import Split
from ..parts.text_view import TextView


class HistoryScreen(ListAndDetailScreen):
    """Subclasses give `rows`, and show what is under the cursor. Where there is no room beside the
    list, Enter opens it."""

    CSS_PATH = "screen.tcss"
    has_rows = False

    heading = getters.query_one(Heading)
    nothing = getters.query_one("#nothing", Static)
    view = getters.query_one("#told", TextView)

    def rows(self) -> PagedList[Any]:
        """Return the list."""
        raise NotImplementedError

    def tell(self, *, hold: bool = False) -> object:
        """Show what is under the cursor."""
        raise NotImplementedError

    def above(self) -> ComposeResult:
        """Yield what stands between the heading and the list."""
        yield from ()

    def body(self) -> ComposeResult:
        yield Heading()
        yield from self.above()
        yield Static(id="nothing", markup=False)
        with Split("history"):
            yield self.rows()
            yield TextView(id="told")

    @on(PagedList.Highlighted)
    def _look(self) -> None:
        self.tell()
        self.refresh_bindings()

    @on(PagedList.Selected)
    def _open(self) -> None:
        self.open_detail()
