"""A screen with a list whose newest row can be followed."""

from __future__ import annotations

from ..finding.screen import FindingScreen
from ..lists.following import FollowingView


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
