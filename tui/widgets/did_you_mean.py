"""The line above the results that offers what mistyped words may have meant."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from store import Correction

from ..text import DIM, fit, plain

KEY = "^y"


class DidYouMean(Widget):
    """`No memory has the word athentication. Did you mean authentication?` A click takes it.

    Where there is no room for all of it, the question alone.
    """

    DEFAULT_CSS = """
    DidYouMean {
        height: 1;
        padding: 0 1;
        display: none;
        &.-offered { display: block; }
    }
    """

    corrections: reactive[tuple[Correction, ...]] = reactive(())

    @dataclass
    class Taken(Message):
        """What was meant is to be searched for; `text` is the query."""

        text: str

    def watch_corrections(self) -> None:
        self.set_class(bool(self.corrections), "-offered")

    def render(self) -> Content:
        if not self.corrections:
            return Content()
        typed = Content(" or ").join(plain(one.typed, "bold") for one in self.corrections)
        first, *others = self.corrections
        meant = plain(first.query if others else first.meant, "bold $text-accent")
        why = Content.assemble("No memory has the word ", typed, ". ")
        question = Content.assemble("Did you mean ", meant, "?")
        offer = Content.assemble("  ", (KEY, "bold $accent"), (" takes it", DIM))
        room = self.size.width - offer.cell_length
        told = why + question
        if told.cell_length > room:
            told = fit(question, room).rstrip()
        return told + offer

    def on_click(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        """Search for what was meant."""
        if self.corrections:
            self.post_message(self.Taken(self.corrections[0].query))
