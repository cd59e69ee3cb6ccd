"""A line to type in."""

from __future__ import annotations

from textual import events
from textual.reactive import Reactive
from textual.widgets import Input

from memtui.store.text.display import safe
from memtui.store.translation import _


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
