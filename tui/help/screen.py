"""The help of a screen: its keys by their groups, what can be typed, and what signs mean; searched as one
types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from rich.segment import Segment
from textual import events, getters, on
from textual.actions import parse
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Input

from memtui.store.platform.translation import _

from ..actions import DAILY, DAILY_KEYS, GO_TO, READ_ONLY, THIS_LIST, THIS_TEXT, Action, actions_of
from ..keys.bindings import hidden, key
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..parts.text_view import LineView
from ..screen import MemScreen
from ..text.content import DIM, EMPTY, GAP, fit, place_in, plain, wrap_text
from ..text.glyphs import legend

LEAST_COLUMN, MOST_COLUMNS = 44, 3
BETWEEN = 3
"""Cells between two columns."""
MOST_LABEL = 16
KEYS = 8
"""Cells of the column of keys, the same in all sections; longer ones stand above what they do."""
NOTHING = _("No key here does that. Ctrl+P lists all that can be done.")


class HelpColumns(LineView, inherit_bindings=False):
    """The first sections stand at the top, each next one where there is room soonest."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self._sections: Sequence[HelpSection] = ()
        self._lines: list[Content] = []

    def show(self, sections: Sequence[HelpSection]) -> None:
        """Show sections from their beginning."""
        self._sections = sections
        self._lay_out()
        self.scroll_home(animate=False, force=True)

    def on_resize(self) -> None:
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        line = self.scroll_offset.y + y
        content = self._lines[line] if line < len(self._lines) else Content()
        base = self.visual_style
        segments = [Segment(text, style.rich_style) for text, style in content.render(base, end="")]
        return Strip(segments).adjust_cell_length(self.size.width, base.rich_style)

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        self._lines = in_columns(self._sections, width) if width > 0 else []
        self.virtual_size = Size(0, len(self._lines))
        self.refresh()


def in_columns(sections: Sequence[HelpSection], width: int) -> list[Content]:
    """Return the lines of sections side by side in `width` cells."""
    if not sections:
        return [*wrap_text(plain(NOTHING, DIM), width)]
    fitting = (width + BETWEEN) // (LEAST_COLUMN + BETWEEN)
    many = max(1, min(MOST_COLUMNS, fitting, len(sections)))
    column_width = (width - BETWEEN * (many - 1)) // many
    columns: list[list[Content]] = [[] for _ in range(many)]
    for section in sections:
        column = min(columns, key=len)
        if column:
            column.append(Content())
        column.extend(_lines(section, column_width))
    gap = Content(" " * BETWEEN)
    rows = zip_longest(*columns, fillvalue=Content())
    return [gap.join([fit(cell, column_width) for cell in row]) for row in rows]


class HelpInput(LineInput):
    """What narrows the help. The keys that open help and search do their work as long as it is empty."""

    def on_key(self, event: events.Key) -> None:
        """Close at `?`, and take `/` for a wish to type."""
        if not self.value and event.key in ("question_mark", "slash"):
            event.prevent_default()
            event.stop()
            if event.key == "question_mark" and isinstance(self.screen, HelpScreen):
                self.screen.dismiss()


class HelpScreen(Dialog[None]):
    """Made from the bindings of another screen, and of the widgets that are on it now."""

    CSS_PATH = "screen.tcss"
    BINDINGS = [
        key("escape,f1", "dismiss", "Close", "Back to the screen", "help.close"),
        hidden("up", "scroll('up')", "Up", "One line up", "help.up"),
        hidden("down", "scroll('down')", "Down", "One line down", "help.down"),
        hidden("pageup", "scroll('page_up')", "Page up", "A screenful up", "help.page-up"),
        hidden("pagedown", "scroll('page_down')", "Page down", "A screenful down", "help.page-down"),
    ]  # fmt: skip

    columns = getters.query_one(HelpColumns)

    def __init__(self, screen: MemScreen) -> None:
        super().__init__()
        self._place = screen.place
        self._sections = sections_of(screen)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield HelpInput(placeholder=_("Type to find a key"), compact=True)
            yield HelpColumns()

    def on_mount(self) -> None:
        box = self.query_one(Vertical)
        box.border_title = _("keys · {screen}", screen=_(self._place).lower())
        box.border_subtitle = _("↑ ↓ scroll · esc closes")
        self.columns.show(self._sections)

    def action_scroll(self, way: str) -> None:
        """Scroll by a line or a page, the letters still going to the line above."""
        getattr(self.columns, f"scroll_{way}")(animate=False)

    @on(Input.Changed)
    def _narrow(self, message: Input.Changed) -> None:
        self.columns.show(narrowed(self._sections, message.value))


TYPED, SIGNS = _("What can be typed"), _("Signs")
BRIEF = (DAILY, GO_TO, THIS_LIST, THIS_TEXT, SIGNS)
"""Sections whose names say it all: these follow each other on a line."""
_WORDS = re.compile(r"[\w$:-]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """A key, or what can be typed, or a sign; its name in a word or two, a sentence on it, and the `mem`
    command that does the same, `` for none."""

    label: Content
    name: str
    sentence: str
    command: str = ""

    def says(self, words: Iterable[str]) -> bool:
        """Whether each word begins one of its own, or is its key."""
        content = f"{self.name} {self.sentence} {self.command} {self.label.plain}".casefold()
        own = (*_WORDS.findall(content), *self.label.plain.casefold().split())
        return all(any(place_in(item, word) >= 0 for item in own) for word in words)


@dataclass(frozen=True, slots=True)
class HelpSection:
    """Entries under a title; `is_brief` where their names are enough."""

    title: str
    entries: tuple[Entry, ...]
    is_brief: bool = False


def sections_of(screen: MemScreen) -> list[HelpSection]:
    """Return all there is to tell of a screen, what only it has first."""
    groups: dict[str, list[Action]] = {}
    actions = [action for action in actions_of(screen) if action.keys and action.why_not != READ_ONLY]
    daily = {action.id: action for action in actions}
    groups[DAILY] = [daily[id] for id in DAILY_KEYS if id in daily]
    for action in actions:
        groups.setdefault(action.group, []).append(action)
    sections = [
        HelpSection(title, tuple(_entries(actions)), title in BRIEF) for title, actions in groups.items()
    ]
    typed = tuple(Entry(_label(typed), "", meaning) for typed, meaning in screen.hints)
    brief = (at for at, section in enumerate(sections) if at and section.title in BRIEF)
    at = next(brief, len(sections))
    if typed:
        sections.insert(at, HelpSection(TYPED, typed))
    return [
        *sections,
        HelpSection(SIGNS, tuple(Entry(sign, "", meaning) for sign, meaning in legend()), is_brief=True),
    ]


def narrowed(sections: Iterable[HelpSection], typed: str) -> list[HelpSection]:
    """Return what goes with the words that are typed, told in full."""
    words = typed.casefold().split()
    if not words:
        return [*sections]
    help_sections = (
        replace(
            section,
            entries=tuple(each for each in section.entries if each.says(words)),
            is_brief=False,
        )
        for section in sections
        # What it holds stands in its own section, too.
        if section.title != DAILY
    )
    return [help_section for help_section in help_sections if help_section.entries]


def _lines(section: HelpSection, width: int) -> Iterator[Content]:
    yield Content.styled(section.title, "bold $text-accent")
    if section.is_brief:
        yield from _flowing(section.entries, width)
        return
    longest = max(item.label.cell_length for item in section.entries)
    labels = min(longest, MOST_LABEL, width // 2) if section.title == TYPED else KEYS
    for entry in section.entries:
        yield from _told(entry, labels, width)


def _told(entry: Entry, labels: int, width: int) -> Iterator[Content]:
    """The entry's sentence beside its label; below it, where that is too long."""
    said = plain(entry.sentence)
    if entry.command:
        said = Content.assemble(said, " · ", plain(entry.command, DIM))
    lines = wrap_text(said, max(1, width - labels - len(GAP)))
    if entry.label.cell_length > labels:
        yield fit(entry.label, width)
        first = Content(" " * labels)
    else:
        first = fit(entry.label, labels)
    for number, line in enumerate(lines):
        yield (Content(" " * labels) if number else first) + GAP + line


def _flowing(entries: Sequence[Entry], width: int) -> Iterator[Content]:
    """The names behind their labels, one after the other."""
    line = Content()
    for entry in entries:
        name = Content.assemble(" ", plain(entry.name, DIM)) if entry.name else EMPTY
        content = entry.label + name
        if line and line.cell_length + len(GAP) + content.cell_length > width:
            yield line
            line = Content()
        line = GAP.join([line, content]) if line else content
    yield line


def _entries(actions: Iterable[Action]) -> Iterator[Entry]:
    """Yield one for each; those of one name, such as of moves in each direction, become one, and so do
    those of the same keys, of which one works at a time."""
    alike: dict[tuple[str, str], list[Action]] = {}
    for action in actions:
        alike.setdefault((action.name, parse(action.does)[1]), []).append(action)
    entries: dict[str, Entry] = {}
    for (name, _action), some in alike.items():
        keys = dict.fromkeys(
            key for item in some for key in (item.keys[:1] if item.group == GO_TO else item.keys)
        )
        sentences = [entry.sentence for entry in some]
        content = _("; ").join((sentences[0], *map(_lower, sentences[1:]))) if len(some) < 3 else name
        label = " ".join(keys)
        if (same := entries.get(label)) is None:
            command = f"mem {some[0].command}" if some[0].command else ""
            entries[label] = Entry(_label(label), name, content, command)
        else:
            names = _(", ").join((same.name, _lower(name)))
            sentence = _("; ").join((same.sentence, _lower(content)))
            entries[label] = replace(same, name=names, sentence=sentence)
    yield from entries.values()


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _label(text: str) -> Content:
    return plain(text, "$accent")
