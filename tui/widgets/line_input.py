"""A line to type into that shows nothing a terminal could take for a command."""

from __future__ import annotations

from textual.widgets import Input

from store.display import safe


class LineInput(Input):
    """Whatever gets into it, pasted or restored, is fit for the screen."""

    def validate_value(self, value: str) -> str:
        return value if value.isprintable() else safe(value)
