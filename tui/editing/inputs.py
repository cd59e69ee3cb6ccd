"""What the fields of a form are typed in: lines that complete what the store holds already, and texts."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.widgets import TextArea

from memtui.store import FACT_KINDS
from memtui.store.aio import AsyncStore
from memtui.store.text.display import safe

from ..keys.bindings import hidden
from ..parts.completion import ValuesInUse
from ..parts.line_input import LineInput
from .fields import COMPLETED, WORDS


def completion(side: AsyncStore, field: str) -> ValuesInUse | None:
    """Return what completes a field; None for one of free words."""
    if field not in COMPLETED:
        return None
    known = tuple(FACT_KINDS.values()) if field == "kind" else ()
    return ValuesInUse(side, field, is_list=field in WORDS, known=known)


class FieldLine(LineInput):
    """A field of one line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        hidden("up", "app.focus_previous", "Up", "To the field above", "field.up"),
        hidden("down,enter", "app.focus_next", "Down", "To the field below", "field.down"),
    ]

    def __init__(self, value: str, field: str, side: AsyncStore) -> None:
        self.completion = completion(side, field)
        super().__init__(
            value,
            suggester=self.completion,
            compact=True,
            select_on_focus=False,
            id=f"field-{field}",
        )
        self.field = field


class FieldText(TextArea):
    """A field of many lines; whatever gets into it is fit for the screen."""

    def __init__(self, value: str, field: str, side: AsyncStore) -> None:
        super().__init__(value, compact=True, highlight_cursor_line=False, id=f"field-{field}")
        self.cursor_blink = False
        self.completion = completion(side, field)
        self.field = field

    @property
    def typed(self) -> str:
        """What stands before the cursor in its line; "" where more stands behind it."""
        row, column = self.cursor_location
        line = self.document.get_line(row)
        return line if column == len(line) else ""

    @property
    def value(self) -> str:
        """What stands in it."""
        return self.text

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        result = self._replace_via_keyboard(safe(event.text, newlines=True), *self.selection)
        if result is not None:
            self.move_cursor(result.end_location)
