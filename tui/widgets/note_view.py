"""A note to read: its text as it stands, its lines numbered, the headings bold."""

from __future__ import annotations

from collections.abc import Iterator

from store import Note
from store.note_sections import sections

from ..ages import ago
from ..text import DIM, plain
from .text_view import Passage, TextView


class NoteView(TextView):
    """Shows a note; plain lines, so that a long one costs no more than what is in view."""

    def show_note(self, note: Note, now: int, *, hold: bool = False) -> None:
        """Show a note as it is at `now`; with `hold` it is the same one again."""
        self.show(list(_passages(note, now)), hold=hold)


def _passages(note: Note, now: int) -> Iterator[Passage]:
    yield Passage(plain(note.path, "bold"))
    changed = ago(note.updated_at, now)
    found = sections(note.text)
    bullets = sum(len(section.bullets) for section in found)
    parts = (
        note.project,
        changed and f"changed {changed}",
        _many(len([section for section in found if section.level]), "section"),
        _many(bullets, "bullet"),
        f"{len(note.text):,} characters",
    )
    yield Passage(plain(" · ".join(filter(None, parts)), DIM))
    headings = {section.line for section in found if section.level}
    for number, line in enumerate(note.text.splitlines(), start=1):
        style = "bold $text-primary" if number in headings else ""
        label = str(number).rjust(len(str(note.text.count("\n") + 1)))
        yield Passage(plain(line.rstrip(), style), label, space=0 if number > 1 else 1)


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}" if count else ""
