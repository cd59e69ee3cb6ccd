"""Picking one of a few things, by a few letters of what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.store.text.display import safe
from memtui.store.translation import _

from ..parts.line_input import LineInput
from ..text.content import DIM, MATCH, edges, plain
from .paged_list import PagedList
from .picker import Picker

V = TypeVar("V")

ROOM = 6
"""Rows of the screen for what isn't a row of the list."""


@dataclass(frozen=True, slots=True)
class Pick(Generic[V]):
    """One of them: what it is called, what stands at the end of its row, what is said of it while the
    cursor is on it, and what is picked; `trouble` says why it can't be, `` where it can."""

    name: str
    value: V
    note: str = ""
    told: str = ""
    trouble: str = ""


class PickList(PagedList[Pick[V]]):
    """A name a row, the typed letters lit in it."""

    typed = ""

    def render_row(self, item: Pick[V], width: int, selected: bool) -> list[Content]:
        style = DIM if item.trouble else "bold" if selected else ""
        name = plain(item.name, style)
        if self.typed and (at := name.plain.casefold().find(self.typed)) >= 0:
            name = name.stylize(MATCH, at, at + len(self.typed))
        return [edges(name, plain(item.note, DIM), width)]


class PickScreen(Picker[Pick[V]]):
    """Gives what was picked; None when it was left with Esc."""

    CSS_PATH = "pick.tcss"

    picks = getters.query_one(PickList)
    told = getters.query_one("#told", Static)

    def __init__(self, title: str, picks: Sequence[Pick[V]], does: str) -> None:
        """`does` says in a word or two what Enter does."""
        super().__init__()
        self._title = title
        self._all = picks
        self._does = does

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = safe(self._title)
            box.border_subtitle = _("⏎ {does} · esc cancels", does=self._does)
            yield LineInput(placeholder=_("type to narrow"), compact=True)
            yield PickList()
            yield self.nothing_line()
            yield Static(id="told", markup=False)

    def on_mount(self) -> None:
        # As high as what there is to pick, as far as there is room.
        height = min(len(self._all), max(1, self.app.size.height - ROOM), 16)
        self.picks.styles.height = self.nothing.styles.height = height

    async def offers(self, typed: str) -> Sequence[Pick[V]]:
        wanted = self.picks.typed = safe(typed).casefold().strip()
        return [pick for pick in self._all if wanted in safe(pick.name).casefold()]

    def offered(self, typed: str, picks: Sequence[Pick[V]]) -> None:  # noqa: ARG002
        if not picks:
            self.told.update("")

    def choose(self, item: Pick[V]) -> None:
        if item.trouble:
            self.notify(safe(item.trouble), severity="warning", markup=False)
        else:
            super().choose(item)

    @on(PickList.Highlighted)
    def _tell(self, message: PickList.Highlighted) -> None:
        item: Pick[V] = message.item
        style = "$text-warning" if item.trouble else ""
        self.told.update(plain(item.trouble or item.told, style))
