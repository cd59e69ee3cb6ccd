"""The line in which a query is typed."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.widgets import Input

from store.display import safe

from ..bindings import key

LONGEST = 2_000
"""Characters that can be typed or pasted."""


class QueryInput(Input):
    """Whatever gets into it, pasted or restored, is fit for the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
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

    def validate_value(self, value: str) -> str:
        return value if value.isprintable() else safe(value)

    def action_clear(self) -> None:
        """Empty the query line."""
        self.value = ""
