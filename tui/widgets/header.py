"""The first line: where you are, and how the store is doing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ..ages import ago
from ..text import DIM, edges, plain

if TYPE_CHECKING:
    from ..app import MemApp
    from ..screens.base import MemScreen


class Header(Widget):
    """`memtui  Search`, and at the right how much is stored and since when."""

    DEFAULT_CSS = """
    Header {
        height: 1;
        padding: 0 1;
        background: $panel;
    }
    """

    place: reactive[str] = reactive("")
    """Where you are, beyond the name of the screen."""

    def on_mount(self) -> None:
        self.place = cast("MemScreen", self.screen).place
        self.watch(self.app, "holdings", self._refresh)
        self.set_interval(60, self._refresh)

    def _refresh(self) -> None:
        self.refresh()

    def render(self) -> Content:
        left = Content.assemble((" memtui ", "bold $accent"), " ", plain(self.place))
        return edges(left, plain(" · ".join(self._facts()), DIM), self.size.width)

    def _facts(self) -> list[str]:
        mem = cast("MemApp", self.app)
        holdings = mem.holdings
        if holdings is None:
            return []
        facts = [f"{holdings.memories:,} {'memory' if holdings.memories == 1 else 'memories'}"]
        if mem.read_only:
            facts.append("read-only")
        if when := ago(holdings.stored_at, mem.now()):
            facts.append(f"newest {when}")
        return facts
