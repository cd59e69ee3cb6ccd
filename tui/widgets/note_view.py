"""A note to read: its text as it stands, the headings bold."""

from __future__ import annotations

from collections.abc import Iterator

from store import Note

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
    parts = (note.project, changed and f"changed {changed}", f"{len(note.text):,} characters")
    yield Passage(plain(" · ".join(filter(None, parts)), DIM))
    for number, line in enumerate(note.text.splitlines()):
        style = "bold $text-primary" if line.startswith("#") else ""
        yield Passage(plain(line.rstrip(), style), space=0 if number else 1)
