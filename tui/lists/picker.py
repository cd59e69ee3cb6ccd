"""A dialog in which one of many is chosen by a few letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from textual import getters, on, work
from textual.binding import BindingType
from textual.widgets import Input, Static

from memtui.store.translation import _

from ..keys.bindings import hidden, key
from ..parts.dialog import Dialog
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
