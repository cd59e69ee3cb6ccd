"""The top of every screen: where you are and how the store is doing, and the notice that stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from store.text.plural import count_noun

from ..protocol import browser
from ..text.ages import ago
from ..text.content import DIM, fit, plain

if TYPE_CHECKING:
    from ..protocol import Capture, NamedScreen

BETWEEN = Content.styled(" · ", DIM)


class _Fact(NamedTuple):
    """Something worth knowing; the greatest `rank` goes first where there is no room for all."""

    rank: int
    content: Content


class Header(Widget):
    """`memtui  Search`, and at the right how much is stored and since when.

    Of capture it tells only what waits or is amiss, and when the last event came. A click on that
    leads to the agents.
    """

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
        self.place = cast("NamedScreen", self.screen).place
        self.watch(self.app, "holdings", self._refresh)
        self.watch(self.app, "capture", self._refresh)
        self.set_interval(60, self._refresh)

    def on_click(self, event: events.Click) -> None:
        if mode := event.style.meta.get("mode"):
            browser(self).action_go(mode)

    def _refresh(self) -> None:
        self.refresh()

    def render(self) -> Content:
        width = self.size.width
        left = Content.assemble((" memtui ", "bold $accent"), " ", plain(self.place))
        if owner := browser(self).owner:
            left += Content.assemble("  ", plain(f"of {owner}", "bold"))
        right = _joined(list(self._facts()), width - min(left.cell_length, width // 2) - 3)
        return fit(left, width - right.cell_length - 1) + " " + right

    def _facts(self) -> Iterator[_Fact]:
        app = browser(self)
        now, holdings, last = app.now(), app.holdings, ""
        if app.capture is not None:
            yield from _of_capture(app.capture, now)
            health = app.capture.health
            last = ago(health.last_at, now) if health and health.last_at else ""
        if holdings is None:
            return
        yield _Fact(5, plain(count_noun(holdings.memories, "memories"), DIM))
        if app.read_only:
            yield _Fact(4, plain("read-only", DIM))
        if when := ago(holdings.stored_at, now):
            yield _Fact(9 if last else 6, plain(f"newest {when}", DIM))
        if last:
            yield _Fact(7, _of_agents(f"last event {last}", DIM))


def _of_capture(capture: Capture, now: int) -> Iterator[_Fact]:
    # It takes imports that the first paint can do without.
    from ..text.capture import WARNED, WARNING, paused, waiting, warnings

    warned = warnings(capture, now)
    for rank, words in enumerate(warned):
        yield _Fact(rank, _of_agents(WARNING + words, WARNED))
    if (health := capture.health) is None:
        return
    if words := paused(health, now):
        yield _Fact(2, _of_agents(words, WARNED))
    if (words := waiting(health, now)) and words not in warned:
        yield _Fact(3, _of_agents(words, DIM))


def _of_agents(words: str, style: str) -> Content:
    return plain(words, style).stylize(Style.from_meta({"mode": "agents"}))


def _joined(facts: list[_Fact], room: int) -> Content:
    """As many facts as there is room for, at least the one that matters most."""
    while True:
        line = BETWEEN.join(fact.content for fact in facts)
        if line.cell_length <= room or len(facts) < 2:
            return fit(line, room).rstrip() if line.cell_length > room else line
        facts.remove(max(facts, key=lambda fact: fact.rank))


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
