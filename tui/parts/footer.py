"""The last line: the seven screens, and the keys that work where the focus is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from ..text.content import DIM, plain

if TYPE_CHECKING:
    from ..protocol import NamedScreen

LAST = ("app.help", "app.palette")
SHARED = ("entry.", "screen.", "app.")


class KeysFooter(Widget):
    """Made from the active bindings that ask to be shown; a click on one is its key.

    Where it gets narrow, the names of the other screens go first, then the last keys before help.
    """

    DEFAULT_CSS = """
    KeysFooter {
        height: 1;
        padding: 0 1;
        background: $panel;
    }
    """

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, _: Screen[object]) -> None:
        self.refresh()

    def render(self) -> Content:
        # What only this screen can do comes before what every screen can.
        shown = sorted(self._shown(), key=lambda key: (key.id or "").startswith(SHARED))
        middle = [key.content for key in shown if not key.is_mode and key.id not in LAST]
        last = _join((key.content for key in shown if key.id in LAST), 2)
        for modes in (
            _join((key.content for key in shown if key.is_mode), 1),
            _join((key.content if key.is_here else key.letter for key in shown if key.is_mode), 1),
        ):
            line = _join(filter(None, (modes, *middle, last)), 2)
            if line.cell_length <= self.size.width:
                return line
        while middle and line.cell_length > self.size.width:
            middle.pop()
            line = _join(filter(None, (modes, *middle, last)), 2)
        return line

    def on_click(self, event: events.Click) -> None:
        if key := event.style.meta.get("key"):
            self.app.simulate_key(key)

    def _shown(self) -> Iterator[_Key]:
        here = f"go('{cast('NamedScreen', self.screen).mode}')"
        told = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.show and active.enabled and binding.id not in told:
                told.add(binding.id)
                yield _Key(
                    binding.id,
                    Content.styled(self.app.get_key_display(binding), "bold $accent"),
                    plain(binding.description, "bold" if binding.action == here else DIM),
                    Style.from_meta({"key": binding.key}),
                    binding.action.startswith("go("),
                    binding.action == here,
                )


class _Key(NamedTuple):
    id: str | None
    letter: Content
    words: Content
    meta: Style
    is_mode: bool
    is_here: bool

    @property
    def content(self) -> Content:
        return Content.assemble(self.letter, " ", self.words).stylize(self.meta)


def _join(parts: Iterable[Content], gap: int) -> Content:
    return Content(" " * gap).join(parts)
