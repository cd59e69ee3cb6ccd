"""The line in which a query is typed, and where the arrows bring back those used before."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import BindingType

from ..bindings import key
from ..history import Walk
from ..query_text import without_last
from .line_input import LineInput

if TYPE_CHECKING:
    from ..app import MemApp

LONGEST = 2_000
"""Characters that can be typed or pasted."""


class QueryInput(LineInput):
    """The up arrow walks back through the history; down forward, and from there to the results."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("up", "walk(1)", "Earlier", "Back through the queries used before", "query.earlier"),
        # Before the next: it takes the key as long as there is something to walk forward to.
        key("down", "walk(-1)", "Later", "Forward again, to what was typed", "query.later"),
        key(
            "down,enter,escape", "screen.leave_query", "Results", "To the results", "query.results"
        ),
        key("ctrl+u", "clear", "Clear", "Empty the query line", "query.clear"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            placeholder='Search memories: words, "a phrase", type:bugfix project:x since:7d',
            max_length=LONGEST,
            compact=True,
            select_on_focus=False,
            id=id,
        )
        self._walk = Walk("", ())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "walk":
            walk = self._walk_from_here()
            return not (walk.is_at_the_start if parameters == (-1,) else walk.is_at_the_end)
        return super().check_action(action, parameters)

    def action_walk(self, steps: int) -> None:
        """Show the query so many steps earlier in the history, or later where `steps` is negative."""
        self._walk = self._walk_from_here()
        self.value = self._walk.step(steps)
        self.action_end()

    def action_delete_left(self) -> None:
        """Delete a letter; where only filters are left, the last of them."""
        left = without_last(self.value, self.cursor_position) if self.selection.is_empty else None
        if left is None:
            super().action_delete_left()
        else:
            self.value = left
            self.action_end()

    def action_clear(self) -> None:
        """Empty the query line."""
        self.value = ""

    def _walk_from_here(self) -> Walk:
        """The walk as it stands; a new one where something else was typed since."""
        if self._walk.text == self.value and not self._walk.is_at_the_start:
            return self._walk
        return Walk(self.value, cast("MemApp", self.app).history.texts)
