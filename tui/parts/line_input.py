"""A line to type in, and values that the store holds already to complete it by."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.reactive import Reactive
from textual.suggester import Suggester
from textual.widgets import Input

from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import _
from memtui.store.text.display import safe


class LineInput(Input):
    """Whatever gets into it, pasted or restored, is fit for the screen."""

    # Steady: each blink is a repaint, and all of them cost more than the rest of an idle browser.
    cursor_blink = Reactive(False, init=False)

    def validate_value(self, value: str) -> str:
        return value if value.isprintable() else safe(value)

    def on_key(self, event: events.Key) -> None:
        """Type no letter that was pressed with Alt: it is the key of something, or of nothing."""
        if event.key.startswith("alt+"):
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Insert as much as there is room for, its lines as one."""
        # Textual would take the first line only, and nothing where that is too long.
        event.prevent_default()
        event.stop()
        text = " ".join(filter(None, event.text.splitlines()))
        if self.max_length:
            room = self.max_length - len(self.value) + len(self.selected_text)
            if len(text) > room:
                content = _("Cut: there is room for {count} characters.", count=f"{self.max_length:,}")
                self.notify(content)
            text = safe(text[:room])[:room]
        self.replace(text, *self.selection)


OFFERED = 8


class ValuesInUse(Suggester):
    """Completes a line by the values of a field; where it `is_list`, the last of its words, which
    commas part. A - before a word, which removes it, is no part of it."""

    def __init__(
        self, side: AsyncStore, field: str, *, is_list: bool = False, known: Sequence[str] = ()
    ) -> None:
        """`known` are all values there can be, where they aren't the store's."""
        super().__init__(use_cache=False, case_sensitive=True)
        self._side = side
        self._field = field
        self._is_list = is_list
        self._known = known

    async def offers(self, text: str) -> list[str]:
        """Return values that begin with what was typed."""
        begun = self._begun(text)
        if self._known:
            return [name for name in self._known if name.startswith(begun.casefold())]
        results = await self._side.run(lambda store: store.values_in_use(self._field, begun, OFFERED))
        return [word for word in results if word == safe(word) and not (self._is_list and "," in word)]

    async def get_suggestion(self, value: str) -> str | None:
        begun = self._begun(value)
        if not begun:
            return None
        offers = await self.offers(value)
        longer = next((offer for offer in offers if len(offer) > len(begun)), None)
        # What was typed stays as it was typed: a suggestion only goes on.
        return value + longer[len(begun) :] if longer else None

    def _begun(self, text: str) -> str:
        return text.rpartition(",")[2].lstrip().removeprefix("-") if self._is_list else text
