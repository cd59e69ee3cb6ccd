"""The bar that stays: what doesn't work with this memory, and why."""

from __future__ import annotations

from textual.widgets import Static

from ..text import plain


class Notice(Static):
    """One sentence across the screen; nothing at all when there is none."""

    DEFAULT_CSS = """
    Notice {
        height: auto;
        padding: 0 1;
        background: $warning-muted;
        color: $foreground;
    }
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(plain(sentence))
        self.display = bool(sentence)
