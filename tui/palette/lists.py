"""The palette's rows: commands under the headings of their groups, their keys in a column."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.content import Content

from ..lists.grouped import GroupedList
from ..text.content import DIM, GAP, edges, fit, plain
from .command import Command, lit

MOST_NAME, LEAST_SENTENCE = 26, 16
ROOM_FOR_COMMANDS, MOST_COMMAND = 78, 36
"""Cells of sentence and command from which on both are shown, and those of a command."""
LIT = "bold $text-accent underline"

Row = Command | str
"""A command, or the heading of a group."""


class CommandList(GroupedList[Row]):
    """The keys go to the line above it, which moves its cursor; a click chooses."""

    can_focus = False

    DEFAULT_CSS = """
    CommandList > .paged-list--cursor-blur { background: $block-cursor-blurred-background 60%; }
    """

    typed = ""
    """What is lit in the names."""

    def __init__(self) -> None:
        super().__init__(key=_key)

    def is_item(self, row: Row) -> bool:
        return isinstance(row, Command)

    async def set_rows(self, rows: Sequence[Row], *, hold: bool = False) -> None:
        commands = [row for row in rows if isinstance(row, Command) and row.line is None]
        self._name_width = min(max((cell_len(command.name) for command in commands), default=0), MOST_NAME)
        self._keys_width = max((cell_len(item.keys) for item in commands), default=0)
        await super().set_rows(rows, hold=hold)

    def render_row(self, item: Row, width: int, selected: bool) -> list[Content]:
        if isinstance(item, str):
            return [fit(Content.styled(item, "bold $text-secondary"), width)]
        if item.line is not None:
            return [edges(*item.line, width)]
        name = plain(item.name, DIM if item.why_not else "bold" if selected else "")
        if self.typed and not item.why_not:
            for offset in lit(item.name, self.typed):
                name = name.stylize(LIT, offset, offset + 1)
        keys = Content.styled(f"{item.keys.rjust(self._keys_width)} ", "$accent")
        names = min(self._name_width, width // 3)
        room = width - names - keys.cell_length - 2 * len(GAP)
        if room < LEAST_SENTENCE:
            return [edges(name, Content.styled(f"{item.keys} ", "$accent"), width)]
        sentence = plain(item.why_not or item.sentence, f"italic {DIM}" if item.why_not else DIM)
        if room < ROOM_FOR_COMMANDS:
            return [GAP.join([fit(name, names), fit(sentence, room), keys])]
        command = plain(f"mem {item.command}" if item.command else "", DIM)
        commands = min(room // 3, MOST_COMMAND)
        parts = [
            fit(name, names),
            fit(sentence, room - commands - len(GAP)),
            fit(command, commands),
        ]
        return [GAP.join([*parts, keys])]

    def on_click(self, event: events.Click) -> None:
        before = self.cursor
        super().on_click(event)
        if self.cursor != before:
            self.action_select()


def _key(row: Row) -> tuple[str, str]:
    return ("", row) if isinstance(row, str) else (row.group, row.id or row.name)
