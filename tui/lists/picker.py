"""Dialogs in which one of many is chosen by a few letters; in `PickScreen` one of a few names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..keys.bindings import hidden, key
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..text.content import DIM, MATCH, edges, plain
from .paged_list import PagedList
from .provider import ListProvider

T = TypeVar("T")

NOTHING = _("Nothing matches")


class Picker(Dialog[T | None]):
    """Gives what was chosen; None when it was left with Esc. A subclass composes a `PagedList`, with an
    input above it where letters narrow it, and a `nothing_line` in its place where nothing is offered."""

    DEFAULT_CSS = """
    Picker {
        & #nothing { display: none; padding: 0 1; color: $dim; }
        &.-none #nothing { display: block; }
        &.-none PagedList { display: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "dismiss", "Cancel", "Choose nothing", "choose.cancel"),
        hidden("up", "move(-1)", "Up", "The one above", "choose.up"),
        hidden("down", "move(1)", "Down", "The one below", "choose.down"),
        hidden("pageup", "move(-8)", "Page up", "Eight above", "choose.page-up"),
        hidden("pagedown", "move(8)", "Page down", "Eight below", "choose.page-down"),
    ]

    choices: getters.query_one[PagedList[Any]] = getters.query_one(PagedList)
    nothing = getters.query_one("#nothing", Static)

    async def offers(self, typed: str) -> Sequence[T]:
        """Return what there is to choose from, by the letters typed so far."""
        raise NotImplementedError

    def nothing_line(self) -> Static:
        """Return what stands in the place of the list where nothing is offered."""
        return Static(NOTHING, id="nothing", markup=False)

    def on_mount(self) -> None:
        self.offer("")

    def action_move(self, rows: int) -> None:
        """Move the cursor, the letters still going to the input."""
        self.choices.cursor += rows

    @on(Input.Changed)
    def _narrow(self, message: Input.Changed) -> None:
        self.offer(message.value)

    @on(Input.Submitted)
    def _take(self) -> None:
        self.choices.action_select()

    @on(PagedList.Selected)
    def _chosen(self, message: PagedList.Selected) -> None:
        self.choose(message.item)

    def choose(self, item: T) -> None:
        """Give one of them, and close."""
        self.dismiss(item)

    @work(exclusive=True, group="narrow")
    async def offer(self, typed: str) -> None:
        """Show what there is to choose from."""
        results = await self.offers(typed)
        await self.choices.set_provider(ListProvider(results))
        self.set_class(not results, "-none")
        self.offered(typed, results)

    def offered(self, typed: str, items: Sequence[T]) -> None:
        """What there is to choose from is shown."""


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
