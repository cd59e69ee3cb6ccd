"""The last line: the keys that work where the focus is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from memtui.store.platform.translation import _

from ..text.content import DIM, plain

if TYPE_CHECKING:
    from ..protocol import NamedScreen

LAST = ("app.help", "app.palette")
SHARED = ("entry.", "screen.", "app.", "mark.")
SCREENS = "screens"
ALT = "alt+"
FIRST = ("query.results", SCREENS)
"""How to get out of the query, before all else."""
LEAST = 2
"""Keys that stay even where help and the palette have no room."""
NOW = ("mark.stop", "mark.none", "screen.unzoom", "trash.", "merge.merge")
"""The keys that work only while something is marked, in the trash, or while memories are compared."""
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


def _rank(id: str, first: Sequence[str]) -> int:
    if id in FIRST:
        return FIRST.index(id) - len(FIRST)
    if id in first:
        return 1
    return 0 if id.startswith(NOW) else 3 if id.startswith(SHARED) else 2


def _letters(keys: str) -> Content:
    return Content.styled(keys, "bold $accent")


class _Key(NamedTuple):
    id: str | None
    letters: Content
    words: Content
    meta: Style

    @property
    def content(self) -> Content:
        return Content.assemble(self.letters, " ", self.words).stylize(self.meta)
