"""Rows of which the newest stays in view and selected as it arrives, until the cursor is moved away."""

from __future__ import annotations

from memtui.store.platform.translation import _

from ..text.content import joined
from .rows import RowView


class FollowingView(RowView):
    """While it follows, its title says so, and `paused` while the cursor is elsewhere."""

    newest_is_last = False
    """Whether the rows are in time order."""
    is_following = False
    is_paused = False

    _title_parts = ("", "")

    @property
    def holds_newest(self) -> bool:
        """Whether what arrives is to be selected."""
        return self.is_following and not self.is_paused

    @property
    def newest(self) -> int:
        """The index of the newest row."""
        return self.validate_cursor(self.count - 1 if self.newest_is_last else 0)

    def follow(self, *, on: bool) -> None:
        """Follow from now on, or no longer."""
        self.is_following, self.is_paused = on, False
        self.entitle(*self._title_parts)

    def entitle(self, title: str, beside: str = "") -> None:
        self._title_parts = title, beside
        state = _("following") if self.is_following else ""
        if self.is_paused:
            state = _("paused, F goes on")
        super().entitle(title, joined(beside, state))

    def pause(self) -> None:
        """No longer select what arrives, until the cursor is on the newest row again."""
        if self.is_following and not self.is_paused:
            self.is_paused = True
            self.entitle(*self._title_parts)

    def moved_by_hand(self) -> None:
        """Pause, or go on, after the cursor was moved by someone."""
        is_paused = self.is_following and self.cursor != self.newest
        if is_paused != self.is_paused:
            self.is_paused = is_paused
            self.entitle(*self._title_parts)
