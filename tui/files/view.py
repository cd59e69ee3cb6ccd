"""One file: why it is told or not, what is wrong with it, and its text with the cut as a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from textual.content import Content

from memtui.store import Query
from memtui.store.files.overview import FileText, ToldFile

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

    def show_difference(self, path: Path, before: str, now: str) -> None:
        """Show what differs between two texts of a file."""
        self.entitle(f"{short(path)} · since the version before")
        self.show_other(list(difference_passages(before, now)))


def _passages(row: FileRow, text: FileText, reading: ReadingMode) -> Iterator[Passage]:
    yield from _head(row)
    for finding in row.findings:
        where = f"line {finding.line}: " if finding.line else ""
        fix = f" — F: {finding.fix}" if finding.fix else ""
        content = Content.styled("⚠ ", WARNED) + plain(f"{where}{finding.text}")
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
            plain(f"{RULE} line {row.told.cut_at}: {row.told.lost} {RULE}", WARNED), space=1
        )
        yield from _spaced(document(rest, Query(), reading))


def _spaced(passages: list[Passage]) -> Iterator[Passage]:
    for at, passage in enumerate(passages):
        yield (
            passage
            if at
            else Passage(
                passage.content, passage.label, passage.mark, 1, passage.lead, passage.background
            )
        )


def _head(row: FileRow) -> Iterator[Passage]:
    if row.told is not None:
        yield Passage(plain(f"Told as number {row.number}: {row.told.why}."))
    elif row.untold is not None:
        by = row.untold.by
        named = f" ({short(by)}:{row.untold.line})" if by is not None else ""
        yield Passage(plain(f"Not told: {row.untold.why}{named}."))
    if row.file is not None:
        parts = (
            row.file.kind,
            row.file.scope,
            ", ".join(row.file.agents),
            f"{row.file.size:,} bytes",
        )
        yield Passage(plain(joined(*parts), DIM))


def _parted(text: FileText, told: ToldFile | None) -> tuple[str, str]:
    """Return the part of a text that is told, and the rest."""
    if told is None or not told.cut_at:
        return text.body, ""
    lines = text.body.splitlines(keepends=True)
    at = max(0, told.cut_at - 1 - text.skipped)
    return "".join(lines[:at]), "".join(lines[at:])
