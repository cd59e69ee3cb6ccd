"""Where memories are exported to, and as what."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from memtui.store.formats.export import ExportResult, Format
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun, count_nouns
from memtui.store.translation import _

from ..keys.bindings import hidden, key
from ..text.content import DIM, plain
from .dialogs import AskScreen


class FileFormat(NamedTuple):
    """A format, what it is called, and how its file's name ends; `` for a folder."""

    format: Format
    name: str
    ending: str


CHOICES = (
    FileFormat("markdown", _("Markdown, one page"), ".md"),
    FileFormat("markdown", _("Markdown, a page for each session"), ""),
    FileFormat("html", _("pages for a web browser, with a search"), ""),
    FileFormat("jsonl", _("JSON lines, which lose nothing"), ".jsonl"),
    FileFormat("claude-mem", _("a database of claude-mem"), ".db"),
    FileFormat("scheme-c", _("memory-data, a folder (scheme C)"), ""),
)
ENDINGS = {choice.ending: at for at, choice in enumerate(CHOICES) if choice.ending}


class ExportScreen(AskScreen):
    """Gives the path that was typed, and keeps in `choice` which format goes there: ↑ and ↓ choose one,
    and so does what the name ends with."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("up", "format(-1)", "Format", "The format before", "export.before", display="↑ ↓"),
        hidden("down", "format(1)", "Format", "The next format", "export.next"),
    ]

    def __init__(self, title: str, note: str = "") -> None:
        """`note` says what of all that is meant doesn't go."""
        hint = " ".join(filter(None, (_("In {folder}.", folder=Path.cwd()), note)))
        super().__init__(title, hint, _("writes"), value="memories.md")
        self._at = 0

    @property
    def choice(self) -> FileFormat:
        """The format that is chosen."""
        return CHOICES[self._at]

    def on_mount(self) -> None:
        box = self.query_one("Vertical")
        box.border_subtitle = _("↑↓ format · {keys}", keys=box.border_subtitle)
        box.mount(Static(id="formats"), before="#consequence")
        self._show()

    def on_resize(self) -> None:
        """Show one format where there is no room for all."""
        self._show()

    def action_format(self, step: int) -> None:
        """Choose the next format, or the one before; the name ends as it does then."""
        self._at = (self._at + step) % len(CHOICES)
        line = self.query_one(Input)
        name = line.value
        ending = Path(name).suffix
        with self.prevent(Input.Changed):
            line.value = (name.removesuffix(ending) if ending in ENDINGS else name) + self.choice.ending
        line.cursor_position = len(line.value)
        self._show()

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        ending = Path(message.value).suffix.casefold()
        if ending in ENDINGS:
            self._at = ENDINGS[ending]
        elif self.choice.ending:
            self._at = 1
        self._show()

    def _show(self) -> None:
        lines = [
            Content.assemble(("▸ " if here else "  ", "$accent"), plain(choice.name, "" if here else DIM))
            for at, choice in enumerate(CHOICES)
            if (here := at == self._at) or self.app.size.height >= 14
        ]
        for shown in self.query("#formats").results(Static):
            shown.update(Content("\n").join(lines))


def is_taken(path: Path) -> bool:
    """Whether there is something at a path that an export would replace, or write into."""
    if path.is_dir():
        return any(path.iterdir())
    return os.path.lexists(path)


def what_was_written(made: ExportResult, many: int) -> str:
    """Return in sentences what an export of `many` memories wrote, what stayed, and what was lost."""
    stayed = sum(number for table, number in made.left_out.items() if table != "sessions")
    sentences = [
        _(
            "{memories} written to {path}.",
            memories=count_noun(many - stayed, "memories"),
            path=made.path,
        )
    ]
    if made.left_out:
        sentences.append(_("Left out, since private or deleted: {what}.", what=count_nouns(made.left_out)))
    return safe(" ".join((*sentences, *made.unheld)))
