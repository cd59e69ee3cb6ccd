"""One file: why it is told or not, what is wrong with it, and its text with the cut as a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from textual.content import Content

from memtui.store import Query
from memtui.store.files.overview import FilesOverview, FileText, ToldFile
from memtui.store.platform.translation import _

from ..parts.document_view import DocumentView
from ..protocol import ReadingMode
from ..text.content import DIM, Passage, joined, plain
from ..text.line_difference import difference_passages
from ..text.markdown.blocks import document
from ..text.paths import short
from .lists import WARNED, FileRow

RULE = "┄┄"


class FileView(DocumentView):
    """Shows a file's text as the user reads texts."""

    def show_file(self, row: FileRow, text: FileText, *, hold: bool = False) -> None:
        """Show a file; with `hold` it is the same one again."""
        assert row.path is not None
        self.entitle(short(row.path))
        self.show_document(lambda reading: list(_passages(row, text, reading)), hold=hold)

    def show_none(self, shown: FilesOverview, words: str) -> None:
        """Say that no file holds some words."""
        self.entitle(_("No files"))
        said = _(
            "No file that {title} is told here, or that lies here, holds {words}.",
            title=shown.title,
            words=words,
        )
        self.show_other([Passage(plain(said, DIM))])

    def show_difference(self, path: Path, before: str, now: str) -> None:
        """Show what differs between two texts of a file."""
        self.entitle(_("{path} · since the version before", path=short(path)))
        self.show_other(list(difference_passages(before, now)))


def _passages(row: FileRow, text: FileText, reading: ReadingMode) -> Iterator[Passage]:
    yield from _head(row)
    for finding in row.findings:
        words = finding.text
        if finding.line:
            words = _("line {line}: {text}", line=finding.line, text=words)
        fix = f" — F: {finding.fix}" if finding.fix else ""
        content = Content.styled("⚠ ", WARNED) + plain(words)
        yield Passage(content + plain(fix, DIM))
    for at, (name, value) in enumerate(text.front):
        yield Passage(plain(value), name, space=0 if at else 1)
    if text.trouble:
        yield Passage(plain(text.trouble, DIM), space=1)
    told, rest = _parted(text, row.told)
    body = document(told, Query(), reading)
    yield from _spaced(body)
    if rest and row.told is not None:
        yield Passage(
            plain(
                f"{RULE} {_('line {line}: {text}', line=row.told.cut_at, text=row.told.lost)} {RULE}",
                WARNED,
            ),
            space=1,
        )
        yield from _spaced(document(rest, Query(), reading))


def _spaced(passages: list[Passage]) -> Iterator[Passage]:
    for at, passage in enumerate(passages):
        yield (
            passage
            if at
            else Passage(passage.content, passage.label, passage.mark, 1, passage.lead, passage.background)
        )


def _head(row: FileRow) -> Iterator[Passage]:
    if row.told is not None:
        yield Passage(plain(_("Told as number {number}: {why}.", number=row.number, why=row.told.why)))
    elif row.untold is not None:
        by = row.untold.by
        why = row.untold.why + (f" ({short(by)}:{row.untold.line})" if by is not None else "")
        yield Passage(plain(_("Not told: {why}.", why=why)))
    if row.file is not None:
        parts = (
            _(row.file.kind),
            _(row.file.scope),
            _(", ").join(row.file.agents),
            _("{size} bytes", size=f"{row.file.size:,}"),
        )
        yield Passage(plain(joined(*parts), DIM))


def _parted(text: FileText, told_file: ToldFile | None) -> tuple[str, str]:
    """Return the part of a text that is told, and the rest."""
    if told_file is None or not told_file.cut_at:
        return text.body, ""
    lines = text.body.splitlines(keepends=True)
    at = max(0, told_file.cut_at - 1 - text.skipped)
    return "".join(lines[:at]), "".join(lines[at:])
