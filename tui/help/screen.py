"""The help: every key of a screen, as its bindings tell, and what can be typed there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen

from ..bindings import key
from ..parts.text_view import TextView
from ..screen import WRITING, MemScreen
from ..text.content import Passage, plain

TITLES = {
    "app": "Everywhere",
    "screen": "Everywhere",
    "entry": "The selected memory",
    "list": "In a list",
    "text": "In a text",
    "query": "In the query line",
}
"""By what the ids of bindings begin with; others are told by the name of their screen or widget."""


class HelpScreen(ModalScreen[None]):
    """Made from the bindings of another screen, and of the widgets that are on it now."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,question_mark,q,f1", "dismiss", "Close", "Back to the screen", "help.close"),
    ]

    def __init__(self, screen: MemScreen) -> None:
        super().__init__()
        self._about = screen

    def compose(self) -> ComposeResult:
        yield TextView(id="keys")

    def on_mount(self) -> None:
        view = self.query_one(TextView)
        view.border_title = f"keys · {self._about.place.lower()}"
        view.border_subtitle = "esc closes"
        view.show(list(self._passages()))
        view.focus()

    def _passages(self) -> Iterator[Passage]:
        if self._about.hints:
            yield Passage(Content.styled("What can be typed", "bold $text-accent"))
            yield from (Passage(plain(meaning), typed) for typed, meaning in self._about.hints)
        for space, (title, bindings) in enumerate(self._groups().items()):
            yield Passage(
                Content.styled(title, "bold $text-accent"),
                space=1 if space or self._about.hints else 0,
            )
            yield from (Passage(plain(one.tooltip), self._keys(one)) for one in bindings)

    def _groups(self) -> dict[str, list[Binding]]:
        groups: dict[str, dict[str, Binding]] = {}
        for binding in _bindings_of(self._about):
            prefix = (binding.id or "").partition(".")[0]
            title = TITLES.get(prefix, prefix.capitalize())
            groups.setdefault(title, {}).setdefault(binding.id or "", binding)
        everywhere = TITLES["app"]
        last = groups.pop(everywhere, {})
        return {title: list(some.values()) for title, some in (groups | {everywhere: last}).items()}

    def _keys(self, binding: Binding) -> str:
        each = (self.app.get_key_display(binding.with_key(one)) for one in binding.key.split(","))
        return " ".join(each)


def _bindings_of(screen: MemScreen) -> Iterator[Binding]:
    """All that tell what they are for: those of the screen, of what can have the focus, of the app."""
    nodes: list[DOMNode] = [screen, *screen.focus_chain, screen.app]
    for node in nodes:
        for each in type(node).__mro__:
            for binding in each.__dict__.get("BINDINGS", ()):
                # What has no id is Textual's own, and told by ours for the same keys.
                if isinstance(binding, Binding) and binding.id and _works(binding, screen):
                    yield binding


def _works(binding: Binding, screen: MemScreen) -> bool:
    if screen.browser.read_only and binding.action in WRITING:
        return False
    if binding.id == "app.agents" and screen.browser.owner:
        return False
    return screen.has_rows or not (binding.id or "").startswith("entry.")
