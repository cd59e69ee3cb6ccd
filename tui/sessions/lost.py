"""Choosing what of a compaction's loss is told to the session again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content

from memtui.store.capture.next_prompt import Lost
from memtui.store.platform.translation import _

from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..lists.provider import ListProvider
from ..parts.dialog import Dialog
from ..text.content import edges, plain

MOST_LINES = 12
ROOM = 6
"""Rows of the screen for what isn't in the list."""


class LostList(PagedList[Lost]):
    """What a summary lacks, one a line; a sign before what is chosen."""

    chosen: frozenset[Lost] = frozenset()

    def render_row(self, item: Lost, width: int, selected: bool) -> list[Content]:
        sign = "✓ " if item in self.chosen else "  "
        left = plain(f"{sign}{item.text}", "bold" if selected else "")
        return [edges(left, plain(_(item.kind), "$text-warning"), width)]


class LostScreen(Dialog[Sequence[Lost] | None]):
    """Gives those that were chosen, or the one under the cursor; None when it was left with Esc."""

    DEFAULT_CSS = "LostScreen > Vertical { width: 100; padding: 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "dismiss", "Cancel", "Choose nothing", "choose.cancel"),
        key("space", "choose", "Choose", "Choose it, or leave it", "lost.choose"),
    ]

    rows = getters.query_one(LostList)

    def __init__(self, lost: Sequence[Lost]) -> None:
        super().__init__()
        self._lost = lost

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = _("what is told at the next prompt?")
            box.border_subtitle = _("space chooses · ⏎ tells · esc cancels")
            yield LostList()

    async def on_mount(self) -> None:  # type: ignore[override]
        self.rows.styles.height = min(len(self._lost), MOST_LINES, max(1, self.app.size.height - ROOM))
        await self.rows.set_provider(ListProvider(self._lost))
        self.rows.focus()

    def action_choose(self) -> None:
        """Choose the one under the cursor, or leave it."""
        if (item := self.rows.item) is not None:
            self.rows.chosen ^= {item}
            self.rows.refresh()
            self.rows.cursor += 1

    @on(PagedList.Selected)
    def _tell(self, message: PagedList.Selected) -> None:
        chosen = self.rows.chosen
        self.dismiss([lost for lost in self._lost if lost in chosen] or [message.item])
