"""The palette: the commands that what is typed may mean, the best first, and the memories that hold it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.cells import cell_len
from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..actions import DAILY, DAILY_KEYS
from ..keys.bindings import hidden, key
from ..links import copy_command
from ..lists.grouped import GroupedList
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..text.content import DIM, GAP, edges, fit, place_in, plain

MOST_NAME, LEAST_SENTENCE = 26, 16
ROOM_FOR_COMMANDS, MOST_COMMAND = 78, 36
"""Cells of sentence and command from which on both are shown, and those of a command."""
LIT = "bold $text-accent underline"


@dataclass(frozen=True, slots=True)
class Command:
    """A name to be found by, `also` other words for it, what it says of itself, its keys, and what it
    does. `why_not` is what stands in its way now, `` for nothing."""

    id: str
    """Tells it again at the next start; `` for what isn't remembered."""
    name: str
    sentence: str
    group: str
    do: Callable[[], Awaitable[None] | None]
    keys: str = ""
    also: str = ""
    why_not: str = ""
    line: tuple[Content, Content] | None = None
    """What is shown in the place of all this, at the two ends of its row."""
    is_listed: bool = True
    """Whether it shows before anything is typed."""
    by_sentence: bool = True
    """Whether it is found by words of its sentence, and not by its name alone."""
    command: str = ""
    """The `mem` command that does the same, without `mem`; `` for none."""


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


RECENT = _("Recently used")
MOST_RECENT = 5
KEYS = _("⏎ runs · esc closes")
Commands = Sequence[Command]


class MemorySearch(Protocol):
    """What a memory has of what is typed."""

    def all_of(self, typed: str) -> Command:
        """Return what searches for it."""

    async def hits(self, typed: str) -> Commands:
        """Return what opens the best hits."""

    async def destinations(self, typed: str) -> Commands:
        """Return what goes where an id, a file, a commit or a date leads."""


class PaletteScreen(Dialog[Command | None]):
    """Gives the command that was chosen; None when it was left with Esc."""

    CSS_PATH = "screen.tcss"
    BINDINGS = [
        key("escape,ctrl+p", "dismiss", "Close", "Choose nothing", "palette.close"),
        hidden(
            "alt+c",
            "copy_command",
            "Copy command",
            "Copy the mem command that does the same",
            "palette.command",
        ),
        hidden("up", "move(-1)", "Up", "The command above", "palette.up"),
        hidden("down", "move(1)", "Down", "The command below", "palette.down"),
        hidden("pageup", "page(-1)", "Page up", "A screenful up", "palette.page-up"),
        hidden("pagedown", "page(1)", "Page down", "A screenful down", "palette.page-down"),
    ]

    rows = getters.query_one(CommandList)
    input = getters.query_one(LineInput)

    def __init__(
        self,
        commands: Commands,
        used: Sequence[str] = (),
        *,
        more: Callable[[], Awaitable[Commands]] | None = None,
        memories: MemorySearch | None = None,
        title: str = _("commands"),
        placeholder: str = _("A command, an id, or words to search for"),
        selected: Callable[[Command], None] | None = None,
    ) -> None:
        """`used` are the ids of commands used of late, the newest first. `more` gives what takes a
        moment to be found out; `memories` what the memory has of what is typed. `selected` is
        called with each command that the cursor comes to."""
        super().__init__()
        self.commands = list(commands)
        self._used = used
        self._more = more
        self._memories = memories
        self._title = title
        self._placeholder = placeholder
        self._told_of_selected = selected
        self._has_moved = False
        """Whether the cursor was moved since something was typed: else it stands on the best row."""
        self._listed_for: str | None = None

    def compose(self) -> ComposeResult:
        with Vertical():
            yield LineInput(placeholder=self._placeholder, compact=True)
            yield CommandList()

    def on_mount(self) -> None:
        box = self.query_one(Vertical)
        box.border_title = self._title
        box.border_subtitle = KEYS
        self._show()
        self._load()

    def action_move(self, rows: int) -> None:
        """Move the cursor, the letters still going to the line."""
        self._has_moved = True
        self.rows.cursor += rows

    def action_copy_command(self) -> None:
        """Copy the `mem` command that does what the selected one does."""
        row = self.rows.item
        if isinstance(row, Command) and row.command:
            copy_command(self.app, row.command)
        else:
            self.notify(_("No mem command does the same."))

    def action_page(self, pages: int) -> None:
        """Move by as many rows as are in view."""
        self.action_move(pages * self.rows.rows_in_view)

    @on(Input.Changed)
    def _narrow(self) -> None:
        self._has_moved = False
        self._show()

    @on(Input.Submitted)
    def _take(self) -> None:
        typed = self.input.value.strip()
        if typed == self._listed_for:
            self.rows.action_select()
        else:
            # Typed faster than it is listed: what is meant is known all the same.
            self._take_unlisted(typed)

    @work(group="take", exclusive=True)
    async def _take_unlisted(self, typed: str) -> None:
        rows = await self._found(typed)
        if command := next((row for row in rows if isinstance(row, Command)), None):
            self._choose(command)

    @on(CommandList.Selected)
    def _selected(self, message: CommandList.Selected) -> None:
        if isinstance(message.item, Command):
            self._choose(message.item)

    @on(CommandList.Highlighted)
    def _highlighted(self, message: CommandList.Highlighted) -> None:
        item = message.item
        if not isinstance(item, Command):
            return
        command = ""
        if item.command:
            command = safe(_("mem {command} · alt+c copies · ", command=item.command))
        self.query_one(Vertical).border_subtitle = plain(f"{command}{KEYS}")
        if self._told_of_selected is not None:
            self._told_of_selected(item)

    def _choose(self, command: Command) -> None:
        if command.why_not:
            content = _("{name}: {why_not}.", name=command.name, why_not=command.why_not)
            self.notify(content, severity="warning", markup=False)
        else:
            self.dismiss(command)

    @work(group="load")
    async def _load(self) -> None:
        if self._more is not None:
            self.commands += await self._more()
            self._show()

    @work(exclusive=True, group="narrow")
    async def _show(self) -> None:
        typed = self.input.value.strip()
        self.rows.typed = typed
        results = await self._found(typed)
        await self.rows.set_rows(results, hold=self._has_moved)
        self._listed_for = typed
        if typed and self._memories is not None:
            hits = await self._memories.hits(typed)
            await self.rows.set_rows([*results, *hits], hold=self._has_moved)

    async def _found(self, typed: str) -> list[Row]:
        """What is listed for what is typed, but for the memories, which take a moment."""
        if not typed:
            return list(self._listed())
        results: list[Row] = [*matching(self.commands, typed, self._used)]
        if self._memories is None:
            return results
        places = await self._memories.destinations(typed)
        return [*places, *results, MEMORIES, self._memories.all_of(typed)]

    def _listed(self) -> Iterator[Row]:
        listed = [command for command in self.commands if command.is_listed and not command.why_not]
        by_id = {item.id: item for item in listed}
        recent = [by_id[id] for id in self._used if id in by_id][:MOST_RECENT]
        if recent:
            yield RECENT
            yield from recent
        daily = [by_id[id] for id in DAILY_KEYS if id in by_id and by_id[id] not in recent]
        if daily:
            yield DAILY
            yield from daily
        rest = [entry for entry in listed if entry not in (*recent, *daily)]
        for group in dict.fromkeys(one.group for one in rest):
            yield group
            yield from (one for one in rest if one.group == group)


WHOLE_NAME, NAME_START, WORD_START, OTHER_NAME, IN_SENTENCE = 100.0, 80.0, 60.0, 50.0, 30.0
LETTERS = 20.0
"""What it is worth that a word of the name holds the letters in this order, the first of them first."""
LEAST_LETTERS = 3
USED = 5.0
"""What it adds that a command was used of late."""
LAST = 1_000.0
"""What is taken off where it can't be done now."""
_WORDS = re.compile(r"[\w$]+")


def matching(commands: Sequence[Command], typed: str, used: Sequence[str]) -> list[Command]:
    """Return the commands that what is typed may mean: each of its words begins one of theirs, or is
    made of letters of one in their name. What works now comes first."""
    results: list[tuple[float, Command]] = []
    for command in commands:
        if score := _score(command, typed):
            score += USED if command.id in used else 0
            results.append((score - LAST if command.why_not else score, command))
    # Where two are as good, in the order they are listed in.
    return [command for _, command in sorted(results, key=lambda pair: -pair[0])]


def lit(name: str, typed: str) -> set[int]:
    """Return the offsets of a name's characters that were typed."""
    offsets: set[int] = set()
    for word in _WORDS.findall(typed.casefold()):
        offsets |= next((results for _, results in _in_name(word, name)), set())
    return offsets


MEMORIES = _("Memories")
"""The group under which memories stand that hold what is typed."""


def _key(row: Row) -> tuple[str, str]:
    return ("", row) if isinstance(row, str) else (row.group, row.id or row.name)


def _score(command: Command, typed: str) -> float:
    words = _WORDS.findall(typed.casefold())
    name, all_of_it = command.name.casefold(), " ".join(typed.casefold().split())
    if name.startswith(all_of_it):
        return WHOLE_NAME if name == all_of_it else NAME_START
    return min((_worth(word, command) for word in words), default=0.0)


def _worth(word: str, command: Command) -> float:
    in_name = [score for score, _ in _in_name(word, command.name)]
    sentence = command.sentence if command.by_sentence else ""
    elsewhere = [
        score
        for score, text in ((OTHER_NAME, command.also), (IN_SENTENCE, sentence))
        if any(place_in(other, word) >= 0 for other in _WORDS.findall(text.casefold()))
    ]
    return max((*in_name, *elsewhere), default=0.0)


def _in_name(word: str, name: str) -> Iterator[tuple[float, set[int]]]:
    """Yield what it is worth, and which characters are meant, where a word of the name has the letters."""
    words = [(match.start(), match.group()) for match in _WORDS.finditer(name.casefold())]
    for start, text in words:
        if (place := place_in(text, word)) >= 0:
            yield WORD_START, set(range(start + place, start + place + len(word)))
    if len(word) >= LEAST_LETTERS:
        for start, text in words:
            if text[0] == word[0] and (letters := _letters(word, text)):
                yield LETTERS, {start + offset for offset in letters}


def _letters(typed: str, word: str) -> list[int]:
    """The offsets in a word of the letters in the order typed; none where one is missing."""
    offsets: list[int] = []
    for letter in typed:
        at = word.find(letter, offsets[-1] + 1 if offsets else 0)
        if at < 0:
            return []
        offsets.append(at)
    return offsets
