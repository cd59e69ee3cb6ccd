"""The top of every screen: its tabs and how the store is doing, and the notice that stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ..protocol import browser
from ..tabs import tab_labels
from ..text.ages import ago
from ..text.content import DIM, Separator, fit, plain

if TYPE_CHECKING:
    from ..protocol import Capture, NamedScreen

BETWEEN = Separator.styled(" · ", DIM)
CURRENT = "bold reverse $text-accent"
"""The tab of the screen in front, marked without colours too."""
LEAST_FACT = 8
"""Cells in which a fact says anything."""
AMISS = 4
"""Facts of a lower rank say what waits or is amiss."""


class _Fact(NamedTuple):
    """Something worth knowing; the greatest `rank` goes first where there is no room for all."""

    rank: int
    content: Content


class Header(Widget):
    """The tabs of all screens, the current one marked, and at the right how much is stored and since
    when. A click on a tab leads to its screen.

    Of capture it tells only what waits or is amiss, and when the last event came. A click on that
    leads to its screen, whose tab has a badge where something needs a person.
    """

    DEFAULT_CSS = """
    Header {
        split: top;
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
        facts = list(self._facts())
        left = self._left(facts)
        room = width - left.cell_length - 1
        if not facts or room < LEAST_FACT:
            return fit(left, width)
        right = _joined(facts, room)
        return fit(left, width - right.cell_length) + right

    def _left(self, facts: list[_Fact]) -> Content:
        """The brand, the tabs, and whose memory it is or of when."""
        app, screen = browser(self), cast("NamedScreen", self.screen)
        whose = Content()
        if app.owner:
            whose += Content.assemble(" ", plain(_("of {owner}", owner=app.owner), "bold"), " ")
        if app.as_of:
            whose += Content.assemble(" ", (app.as_of, "bold $text-warning"), " ")
        # Nothing that is amiss is cut for the sake of names that the keys stand for.
        amiss = [fact.content for fact in facts if fact.rank < AMISS]
        beside = BETWEEN.join(amiss).cell_length + 1 if amiss else 0
        worst = max((content.cell_length + 1 for content in amiss), default=0)
        current = self.app.current_mode
        is_first = self.app.screen_stack[0] is self.screen
        place = "" if is_first and self.place == screen.place else _(self.place)
        if whose.cell_length > (most := self.size.width // 3):
            whose = fit(whose.rstrip(), most - 1) + " "
        room = self.size.width - whose.cell_length
        badged = "capture" if app.capture is not None and _needs_someone(app.capture) else ""
        brand, labels = tab_labels(app.tabs, current, place, room, beside, worst, badged)
        parts = [Content.styled(brand, "bold $accent")] if brand else []
        for tab, label in zip(app.tabs, labels, strict=True):
            style = CURRENT if tab.mode == current else DIM
            parts.append(plain(label, style).stylize(Style.from_meta({"mode": tab.mode})))
        return Content("").join([*parts, whose])

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
        if holdings.new:
            yield _Fact(4, plain(_("{count} new", count=f"{holdings.new:,}"), "bold $text-accent"))
        if app.read_only:
            yield _Fact(4, plain(_("read-only"), DIM))
        if when := ago(holdings.stored_at, now):
            yield _Fact(9 if last else 6, plain(_("newest {age}", age=when), DIM))
        if last:
            yield _Fact(7, _captured(_("last event {age}", age=last), DIM))


def _needs_someone(capture: Capture) -> bool:
    """Whether something of capture waits for a person."""
    health = capture.health
    failed = health is not None and health.failed + health.quarantined + health.lost
    return bool(capture.trouble or capture.silent or failed)


def _of_capture(capture: Capture, now: int) -> Iterator[_Fact]:
    # It takes imports that the first paint can do without.
    from ..text.capture import WARNED, WARNING, met, paused, synced, waiting, warnings

    warned = warnings(capture, now)
    for rank, words in enumerate(warned):
        yield _Fact(rank, _captured(WARNING + words, WARNED))
    if (health := capture.health) is None:
        return
    if words := paused(health, now):
        yield _Fact(2, _captured(words, WARNED))
    if (words := waiting(health, now)) and words not in warned:
        yield _Fact(3, _captured(words, DIM))
    if words := synced(capture.machines, now):
        is_amiss = any(machine.trouble for machine in capture.machines)
        yield _Fact(3 if is_amiss else 8, _captured(words, WARNED if is_amiss else DIM))
    if (team := capture.team) is not None:
        style = WARNED if team.trouble else DIM
        yield _Fact(3 if team.trouble else 8, _captured(met(team, now), style))


def _captured(words: str, style: str) -> Content:
    return plain(words, style).stylize(Style.from_meta({"mode": "capture"}))


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
        split: top;
        height: auto;
        padding: 0 1;
        background: $warning-muted;
        color: $lit;
    }
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(plain(sentence))
        self.display = bool(sentence)
