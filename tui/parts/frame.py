"""The frame of every screen: at the top its tabs, how the store is doing and the notice that stays; on the
last line the keys that work where the focus is. And the lines above a list: its heading, tabs with their
counts, and the heads of its columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, cast

from rich.cells import cell_len
from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ..protocol import Capture, NamedScreen, browser
from ..tabs import tab_labels
from ..text.ages import ago
from ..text.content import DIM, Separator, edges, fit, plain

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


LAST = ("app.help", "app.palette")
SHARED = ("entry.", "screen.", "app.", "mark.")
SCREENS = "screens"
ALT = "alt+"
FIRST = ("query.results", SCREENS)
"""How to get out of the query, before all else."""
LEAST = 2
"""Keys that stay even where help and the palette have no room."""
NOW = ("mark.stop", "mark.none", "screen.unzoom", "trash.", "merge.merge", "review.accept", "review.keep")
"""The keys that work only with marks, in the trash, in review, or while memories are compared."""
OF_MARKED = (
    *("entry.delete", "entry.hide", "entry.pin", "entry.tag", "entry.project", "entry.export"),
    *("entry.copy", "app.merge"),
)
"""What is done to all that is marked; while anything is, these come first."""


class KeysFooter(Widget):
    """Made from the active bindings that ask to be shown, the most useful first; a click on one is
    its key. Where it gets narrow, the last before help go first.

    The tabs name the keys of the screens; where these are typed, it names those that work there.
    """

    DEFAULT_CSS = """
    KeysFooter {
        split: bottom;
        height: 1;
        padding: 0 1;
        background: $panel;
    }
    """

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, _screen: Screen[object]) -> None:
        self.refresh()

    def render(self) -> Content:
        # What only this screen can do comes before what every screen can; what only now can be done
        # comes first.
        first = OF_MARKED if cast("NamedScreen", self.screen).marks else ()
        shown = sorted(self._shown(first), key=lambda key: _rank(key.id or "", first))
        middle = [key.content for key in shown if key.id not in LAST]
        last = [key.content for key in shown if key.id in LAST]
        state = list(self._state())
        while True:
            line = Content("  ").join([*state, *middle, *last])
            if line.cell_length <= self.size.width or not (middle or last):
                return line
            (middle if len(middle) > LEAST or not last else last).pop()

    def on_click(self, event: events.Click) -> None:
        if key := event.style.meta.get("key"):
            self.app.simulate_key(key)

    def _state(self) -> Iterator[Content]:
        """What is being done to many, and how many are marked."""
        screen = cast("NamedScreen", self.screen)
        if screen.at_work:
            yield plain(screen.at_work, "bold $text-warning")
        if screen.marks:
            yield Content.styled(
                _("✓ {count} marked", count=f"{len(screen.marks):,}"), "bold $text-success"
            )

    def _shown(self, hidden: Sequence[str]) -> Iterator[_Key]:
        """The keys that ask to be shown, and those of these `hidden` ones that work."""
        content, letters = set(), set()
        screens: list[Binding] = []
        palette = ""
        typed = self.screen.focused is not None and self.screen.focused.check_consume_key("1", "1")
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if typed and (display := binding.key_display or "").isascii() and len(display) == 1:
                # That would be typed; what works is another of its keys.
                if "+" not in binding.key:
                    continue
                binding = binding.with_key(binding.key)
            if binding.action.startswith("go("):
                screens.append(binding)
            elif (binding.show or binding.id in hidden) and active.enabled and binding.id not in content:
                content.add(binding.id)
                words = binding.group.description if binding.group else binding.description
                shown = self.app.get_key_display(binding)
                if shown not in letters:
                    # What comes first has the key.
                    letters.add(shown)
                    yield self._key(binding.id, binding, words, binding.key)
            if binding.id == "app.palette":
                palette = binding.key
        if typed and screens:
            # One click can't be many keys: the palette lists the screens.
            meta = Style.from_meta({"key": palette})
            yield _Key(SCREENS, _letters(self._together(screens)), plain(_("Screens"), DIM), meta)

    def _together(self, screens: list[Binding]) -> str:
        """`alt+1…8`, or each key where they were chosen otherwise."""
        keys = [self.app.get_key_display(binding) for binding in screens]
        if all(key.startswith(ALT) and len(key) == len(ALT) + 1 for key in keys):
            return f"{keys[0]}…{keys[-1][-1]}"
        return " ".join(keys)

    def _key(self, id: str | None, binding: Binding, words: str, key: str) -> _Key:
        letters = _letters(self.app.get_key_display(binding))
        return _Key(id, letters, plain(words, DIM), Style.from_meta({"key": key}))


class _Key(NamedTuple):
    id: str | None
    letters: Content
    words: Content
    meta: Style

    @property
    def content(self) -> Content:
        return Content.assemble(self.letters, " ", self.words).stylize(self.meta)


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


def _rank(id: str, first: Sequence[str]) -> int:
    if id in FIRST:
        return FIRST.index(id) - len(FIRST)
    if id in first:
        return 1
    return 0 if id.startswith(NOW) else 3 if id.startswith(SHARED) else 2


def _letters(keys: str) -> Content:
    return Content.styled(keys, "bold $accent")


MOST_GAP, LEAST_GAP = 3, 2


class Heading(Widget):
    """The left end gives way to the right one."""

    DEFAULT_CSS = "Heading { height: 1; padding: 0 1; }"

    left: reactive[Content] = reactive(Content())
    right: reactive[Content] = reactive(Content())

    def render(self) -> Content:
        return edges(self.left, self.right, self.size.width)


class TabLine(Widget):
    """One of `names` is `current`; whoever shows it binds the keys to `step`."""

    DEFAULT_CSS = "TabLine { height: 1; padding: 0 1; }"

    current: reactive[int] = reactive(0, init=False)
    counts: reactive[dict[str, int]] = reactive(dict)
    """How many there are under each name; shown where there is room for all."""

    @dataclass
    class Changed(Message):
        """Another tab is the current one."""

        tabs: TabLine
        name: str

        @property
        def control(self) -> TabLine:
            return self.tabs

    def __init__(self, *names: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self.names = names

    def step(self, places: int) -> None:
        """Switch to the next tab (1) or the one before (-1), round and round."""
        self.current = (self.current + places) % len(self.names)

    def watch_current(self, current: int) -> None:
        self.post_message(self.Changed(self, self.names[current]))

    def render(self) -> Content:
        line = Content(" " * self._gap).join(self._labels())
        if hidden := self._hidden:
            line = "…" + line[hidden + 1 :]
        return fit(line, self.size.width)

    def on_click(self, event: events.Click) -> None:
        if (offset := event.get_content_offset(self)) is not None:
            x = offset.x + self._hidden
            results = (at for at, end in enumerate(self._ends) if x < end)
            self.current = next(results, self.current)

    @property
    def _gap(self) -> int:
        names = sum(cell_len(_(name)) for name in self.names) + MOST_GAP * (len(self.names) - 1)
        return MOST_GAP if names <= self.size.width else LEAST_GAP

    @property
    def _ends(self) -> list[int]:
        """Where each label ends, with the gap behind it."""
        gap = self._gap
        return list(accumulate(label.cell_length + gap for label in self._labels()))

    @property
    def _hidden(self) -> int:
        """How many cells are out of view at the left, so that the current name is in it."""
        ends, width = self._ends, self.size.width
        whole = ends[-1] - self._gap
        return max(0, min(ends[self.current], whole) - width)

    def _labels(self) -> list[Content]:
        names = [self._title(at) for at in range(len(self.names))]
        counted = [
            Content.assemble(name, (f" {self.counts[key]:,}", DIM)) if key in self.counts else name
            for key, name in zip(self.names, names, strict=True)
        ]
        width = sum(label.cell_length + MOST_GAP for label in counted) - MOST_GAP
        return counted if width <= self.size.width else names

    def _title(self, at: int) -> Content:
        style = "bold $text-accent underline" if at == self.current else ""
        return Content.styled(_(self.names[at]), style)
