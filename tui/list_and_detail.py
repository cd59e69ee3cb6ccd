"""What screens share that show a list, and beside it in full what is selected there."""

from __future__ import annotations

from textual.widget import Widget

from .lists.paged_list import PagedList
from .parts.split import Split
from .screen import MemScreen


class ListAndDetailScreen(MemScreen):
    """Its `Split` has the list first and the detail last. Where there is room for one of them only, the
    detail is `-open` in place of the list."""

    @property
    def is_inside(self) -> bool:
        return self.is_mounted and (self._detail_pane.has_focus or self.has_class("-open"))

    @property
    def _detail_pane(self) -> Widget:
        return self.query_one(Split).children[-1]

    def action_back(self) -> None:
        """From the detail to the list; from there to where you were before."""
        if self.is_inside:
            self.remove_class("-open")
            self.focus_list()
        else:
            super().action_back()

    def focus_list(self) -> None:
        """Give the list the focus."""
        self.query_one(PagedList).focus()

    def open_detail(self) -> None:
        """Give the detail the focus, which it can't have before it is in view."""
        self.add_class("-open")
        self.call_after_refresh(self._detail_pane.focus)
