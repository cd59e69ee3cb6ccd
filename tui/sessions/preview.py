"""The pane beside the list: what a session was about, in brief."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from textual.content import Content

from memtui.store.platform.translation import _

from ..parts.document_view import DocumentView
from ..protocol import ReadingMode
from ..text.content import DIM, Passage, plain
from ..text.glyphs import glyph
from .lists import use_mark
from .panes import family_line, said_by, session_lines
from .view import SessionGlance

BRIEF = ("request", "learned", "completed", "next_steps")
"""The parts that tell what a session came to; the rest is read on its screen."""
BETWEEN = Content("   ")
PROMPTS, FILES = 5, 8
"""How many are named."""


class SessionPreview(DocumentView):
    """Shows what a `SessionGlance` tells."""

    _session_id: int | None = None

    def show_session(self, view: SessionGlance, now: int) -> None:
        """Show a session as it stands at `now`, ms since the epoch, UTC; the same one stays scrolled."""
        is_same, self._session_id = self._session_id == view.row.session.id, view.row.session.id
        self.show_document(lambda reading: list(_passages(view, reading, now)), hold=is_same)

    def show_nothing(self) -> None:
        """Say that no session is selected."""
        self._session_id = None
        self.show_other([Passage(Content.styled(_("No session is selected."), DIM))])


def _passages(view: SessionGlance, reading: ReadingMode, now: int) -> Iterator[Passage]:
    title, *lines = session_lines(view.row, now)
    yield Passage(title)
    for line in lines:
        yield Passage(plain(line, DIM))
    if not view.family.is_alone:
        yield Passage(plain(family_line(view.family), DIM))
    yield from _apart(_types(view))
    # The one prompt of a session is listed below.
    parts = BRIEF[1:] if view.row.prompts == 1 else BRIEF
    said = list(said_by(view.summary, reading, parts)) if view.summary is not None else []
    yield from _apart(said or [Passage(Content.styled(_("No summary yet."), DIM))])
    mark = glyph("prompt").content + " "
    prompts = [(mark, row.title or _("untitled")) for row in view.prompts]
    yield from _apart(_listed(_("Asked"), prompts, view.row.prompts))
    files = [(use_mark(file_use), file_use.path) for file_use in view.files]
    yield from _apart(_listed(_("Files"), files[:FILES], len(files)))


def _apart(passages: Iterable[Passage]) -> Iterator[Passage]:
    for number, passage in enumerate(passages):
        yield passage if number else replace(passage, space=1)


def _types(view: SessionGlance) -> Iterator[Passage]:
    """How many memories of each type there are, the most first."""
    if view.types:
        yield Passage(
            Flow(
                [
                    Content.assemble(glyph(type).content, " ", plain(f"{many:,} {_(type)}"))
                    for type, many in view.types
                ]
            )
        )


@dataclass(frozen=True, slots=True)
class Flow:
    """Items side by side, none of them broken."""

    items: Sequence[Content]

    def wrap(self, width: int) -> list[Content]:
        """Return lines of at most `width` cells, but where an item is wider."""
        lines: list[Content] = []
        for item in self.items:
            if lines and lines[-1].cell_length + len(BETWEEN) + item.cell_length <= width:
                lines[-1] = lines[-1] + BETWEEN + item
            else:
                lines.append(item)
        return lines


def _listed(label: str, items: Sequence[tuple[Content, str]], all: int) -> Iterator[Passage]:
    for number, (mark, text) in enumerate(items):
        yield Passage(plain(text), "" if number else label, mark)
    if all > len(items) > 0:
        yield Passage(plain(_("and {count} more", count=f"{all - len(items):,}"), DIM), "")
