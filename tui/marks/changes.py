"""Changing many memories, or exporting them: what is asked before (a question, a line, where to, for whom),
what is done to those that refs name, as one change of the store, and how it is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input, Static

from memtui.store import Action, ActionName, Changed, NotFoundError, Store
from memtui.store.formats.common.scope import Scope
from memtui.store.formats.export import ExportResult, Format, formats_here
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun, count_nouns

from ..keys.bindings import hidden, key
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..text.content import DIM, plain
from ..text.records import text_of

LONGEST = 500
"""Characters of what is typed."""


class ConfirmScreen(Dialog[bool]):
    """Whether to do something: Enter or `y` gives True, Esc or `n` False."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS = [
        key("enter,y", "dismiss(True)", "Yes", "Do it", "confirm.yes"),
        key("escape,n,q", "dismiss(False)", "No", "Leave all as it is", "confirm.no"),
    ]

    def __init__(self, question: str, consequence: str, yes: str) -> None:
        """`consequence` says what comes of it, `yes` in a word what Enter does."""
        super().__init__()
        self._question = question
        self._consequence = consequence
        self._yes = yes

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = _("are you sure?")
            box.border_subtitle = _("⏎ {does} · esc cancels", does=self._yes)
            yield Static(plain(self._question, "bold"))
            yield Static(plain(self._consequence, DIM), id="consequence")


class AskScreen(Dialog[str | None]):
    """Gives what was typed; None when it was left with Esc. `suggester` completes it with →."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS = [
        key("escape", "dismiss", "Cancel", "Leave all as it is", "ask.cancel"),
    ]

    def __init__(
        self,
        title: str,
        hint: str,
        yes: str,
        *,
        value: str = "",
        suggester: Suggester | None = None,
    ) -> None:
        """`hint` says what can be typed, `yes` in a word what Enter does."""
        super().__init__()
        self._title = title
        self._hint = hint
        self._yes = yes
        self._value = value
        self._suggester = suggester

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = self._title
            box.border_subtitle = _("⏎ {does} · esc cancels", does=self._yes)
            yield LineInput(
                self._value,
                suggester=self._suggester,
                max_length=LONGEST,
                select_on_focus=False,
                compact=True,
            )
            yield Static(plain(self._hint, DIM), id="consequence")

    @on(Input.Submitted)
    def _take(self, message: Input.Submitted) -> None:
        self.dismiss(message.value.strip())


class FileFormat(NamedTuple):
    """A format, what it is called, and how its file's name ends; `` for a folder."""

    format: Format
    name: str
    ending: str


CHOICES = tuple(
    choice
    for choice in (
        FileFormat("markdown", _("Markdown, one page"), ".md"),
        FileFormat("markdown", _("Markdown, a page for each session"), ""),
        FileFormat("html", _("pages for a web browser, with a search"), ""),
        FileFormat("jsonl", _("JSON lines, which lose nothing"), ".jsonl"),
        FileFormat("claude-mem", _("a database of claude-mem"), ".db"),
        FileFormat("scheme-c", _("memory-data, a folder (scheme C)"), ""),
    )
    if choice.format in formats_here()
)
ENDINGS = {choice.ending: at for at, choice in enumerate(CHOICES) if choice.ending}


class ExportScreen(AskScreen):
    """Gives the path that was typed, and keeps in `choice` which format goes there: ↑ and ↓ choose one,
    and so does what the name ends with."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS = [
        key("up", "format(-1)", "Format", "The format before", "export.before", display="↑ ↓"),
        hidden("down", "format(1)", "Format", "The next format", "export.next"),
    ]

    def __init__(self, title: str, note: str = "", name: str = "memories.md") -> None:
        """`note` says what of all that is meant doesn't go; `name` is offered, as one page of Markdown."""
        hint = " ".join(filter(None, (_("In {folder}.", folder=Path.cwd()), note)))
        super().__init__(title, hint, _("writes"), value=name)
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


def what_was_written(store: Store, made: ExportResult, refs: Sequence[str], scope: Scope) -> str:
    """Return in sentences what an export of memories or sessions wrote, what stayed, and what was lost."""
    if len(refs) == 1 and refs[0].startswith("@"):
        from memtui.store.formats.common.session_content import session_content

        written = _("Written to {path}.", path=made.path)
        return safe(" ".join((written, session_content(store.db, refs[0], scope).sentence)))
    many = len(refs)
    stayed = sum(number for table, number in made.left_out.items() if table != "sessions")
    sentences = [
        _(
            "{memories} written to {path}.",
            memories=count_noun(many - stayed, "memories"),
            path=made.path,
        )
    ]
    if made.left_out:
        sentences.append(
            _("Left out, since private, deleted or pending: {what}.", what=count_nouns(made.left_out))
        )
    return safe(" ".join((*sentences, *made.unheld)))


Progress = Callable[[int, int, str], None]
DOING: dict[ActionName, str] = {
    "delete": _("Deleting"),
    "restore": _("Restoring"),
    "pin": _("Pinning"),
    "hide": _("Hiding"),
    "tag": _("Tagging"),
    "project": _("Moving"),
    "confirm": _("Confirming"),
}
KEYS: dict[ActionName, str] = {
    "delete": "d", "restore": "r", "pin": "p", "hide": "x", "tag": "T", "project": "M", "confirm": "U",
}  # fmt: skip
"""The key of each, as the journal names it."""
QUESTIONS: dict[ActionName, tuple[str, str]] = {
    "delete": (N_("Delete {count} memories?"), _("deletes them")),
    "hide": (N_("Hide {count} memories?"), _("hides them")),
}
"""What takes many memories out of sight is asked back: the question, and what Enter does."""
OPPOSITES: dict[ActionName, ActionName] = {"delete": "restore", "pin": "unpin", "hide": "show"}
"""What a key does instead where all that it is to change is so already."""
MOST_COPIED = 1_000
"""Memories that the clipboard is given."""


def change(store: Store, refs: Sequence[str], action: Action, progress: Progress) -> Changed:
    """Do one thing to all, or its opposite where all of them are so already."""
    from memtui.store.observe.curating import change_many

    done = change_many(store, refs, action, progress=progress)
    opposite = OPPOSITES.get(action.name)
    if done.refs or done.left or opposite is None:
        return done
    return change_many(store, refs, Action(opposite), progress=progress)


def told(done: Changed) -> str:
    """Return in a sentence or two what became of many."""
    if done.refs:
        parts = [_("{change}. u undoes.", change=f"{done.what[:1].upper()}{done.what[1:]}")]
    else:
        parts = [_("Nothing was changed.")]
    if done.unchanged:
        many = count_noun(len(done.unchanged), "memories")
        parts.append(
            _("{memories} was so already.", memories=many)
            if len(done.unchanged) == 1
            else _("{memories} were so already.", memories=many)
        )
    return safe(" ".join((*parts, *done.left[:3])))


def tags(text: str) -> Action:
    """Return the change of tags that a line asks for: tags between commas, those after a - removed."""
    named = [name.strip() for name in text.split(",")]
    removed = tuple(word[1:].strip() for word in named if word.startswith("-") and word[1:].strip())
    return Action("tag", tuple(item for item in named if item and item[0] != "-"), removed)


def texts(store: Store, refs: Sequence[str]) -> list[str]:
    """Return what memories say; those that are gone meanwhile are left out."""
    results = []
    for ref in refs:
        try:
            results.append(text_of(store.any_record(ref)))
        except NotFoundError:
            continue
    return results
