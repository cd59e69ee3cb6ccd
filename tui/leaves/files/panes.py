"""The files, one a line, under heads: told at a start, not told here, and the others by agent and scope;
and one in full: why it is told or not, what is wrong with it, and its text with the cut as a line."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from textual.content import Content

from memtui.store import Query
from memtui.store.leaves.files.overview import (
    AgentFile,
    Extra,
    FilesOverview,
    FileText,
    Finding,
    LoadedFile,
    SkippedFile,
)
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ...lists.grouped import GroupedList
from ...parts.document_view import DocumentView
from ...protocol import ReadingMode
from ...text.content import DIM, Passage, apart, difference_passages, edges, fit, joined, plain
from ...text.markdown.blocks import document
from ...text.paths import short

LOADED, SKIPPED = _("told at a start"), _("not told here")
BESIDE = _("told beside files")
WARNED = "$text-warning"


@dataclass(frozen=True)
class FileRow:
    """A line of the list: a head of a group, or a file in one, with what is known of it there."""

    group: str
    path: Path | None = None
    number: int = 0
    loaded: LoadedFile | None = None
    skipped: SkippedFile | None = None
    file: AgentFile | None = None
    findings: tuple[Finding, ...] = ()
    extra: Extra | None = None

    @property
    def name(self) -> str:
        """The path of a file, or what is told beside files."""
        return str(self.path or "") if self.extra is None else self.extra.name

    @property
    def key(self) -> tuple[str, str, int]:
        """What the line is known by when it is read anew."""
        return self.group, self.name, self.number


def file_rows(
    shown: FilesOverview, words: tuple[str, ...] = (), holding: Set[Path] = frozenset()
) -> list[FileRow]:
    """Return the lines of a list: of all files, or of those whose path holds all of some words and those
    that are `holding` them; heads only above files."""
    every = [*_loaded(shown), *_skipped(shown), *_others(shown), *_beside(shown)]
    rows: list[FileRow] = []
    for row in every:
        is_named = all(word in row.name.casefold() for word in words)
        if not is_named and row.path not in holding:
            continue
        if not rows or rows[-1].group != row.group:
            rows.append(FileRow(row.group))
        rows.append(row)
    return rows


class AgentFileList(GroupedList[FileRow]):
    """What is amiss is marked before a file's name, and what is cut behind it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(key=lambda row: row.key, id=id)
        self.folder = Path()
        """The folder that paths are told from."""

    def is_item(self, row: FileRow) -> bool:
        return row.path is not None or row.extra is not None

    def render_row(self, item: FileRow, width: int, selected: bool) -> list[Content]:
        if item.extra is not None:
            name = plain(f"  {item.extra.name}", "bold" if selected else "")
            unused = plain(_("never used") + "  ", WARNED) if item.extra.used == 0 else plain("")
            return [edges(name, unused + plain(f"≈{item.extra.tokens:,} ", DIM), width)]
        if item.path is None:
            return [plain(f" {item.group}", DIM)]
        mark = Content.styled("⚠ ", WARNED) if item.findings else plain("  ")
        if item.skipped is not None:
            line = mark + plain(f"– {self._shown(item.path)}", "bold" if selected else "")
            return [fit(line + plain(f" · {item.skipped.why}", DIM), width)]
        number = f"{item.number} " if item.number else ""
        line = mark + plain(f"{number}{self._shown(item.path)}", "bold" if selected else "")
        if item.loaded is None:
            kind = _(item.file.kind) if item.file is not None else ""
            return [edges(line, plain(f"{kind} ", DIM), width)]
        tokens = plain(f"≈{item.loaded.tokens:,} ", DIM)
        if item.loaded.cut_at:
            tokens = Content.styled(_("cut") + "  ", WARNED) + tokens
        return [edges(line, tokens, width)]

    def _shown(self, path: Path) -> str:
        if path.is_relative_to(self.folder):
            return str(path.relative_to(self.folder))
        # Of an agent's memory the name of its folder says nothing that people can read.
        memory = next((folder for folder in path.parents if folder.name == "memory"), None)
        return str(path.relative_to(memory.parent)) if memory is not None else short(path)


RULE = "┄┄"


class FileView(DocumentView):
    """Shows a file's text as the user reads texts."""

    def show_file(self, row: FileRow, text: FileText, in_step: str = "", *, hold: bool = False) -> None:
        """Show a file, and with which machines it is in step; with `hold` it is the same one again."""
        assert row.path is not None
        self.entitle(short(row.path))
        note = [Passage(plain(in_step, DIM))] if in_step else []
        self.show_document(lambda reading: [*note, *_passages(row, text, reading)], hold=hold)

    def show_extra(self, item: Extra) -> None:
        """Show what is told beside files: what it is, what it costs, how often it was used and where it is
        declared."""
        self.entitle(item.name)
        parts = [_(item.kind), count_noun(item.tokens, "tokens")]
        if item.used is not None:
            parts.append(_("used {times} times", times=f"{item.used:,}") if item.used else _("never used"))
        places = [Passage(plain(short(path), DIM)) for path in item.places]
        self.show_other([Passage(plain(joined(*parts))), *places])

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


def _loaded(shown: FilesOverview) -> Iterator[FileRow]:
    files = {file.path: file for file in shown.files}
    for number, piece in enumerate(shown.start.pieces, 1):
        findings = tuple(shown.findings.get(piece.path, ()))
        yield FileRow(LOADED, piece.path, number, piece, None, files.get(piece.path), findings)


def _beside(shown: FilesOverview) -> Iterator[FileRow]:
    for number, item in enumerate(shown.extras, 1):
        yield FileRow(f"{BESIDE} · {_(item.kind)}", None, number, extra=item)


def _skipped(shown: FilesOverview) -> Iterator[FileRow]:
    files = {file.path: file for file in shown.files}
    for number, entry in enumerate(shown.start.skipped, 1):
        findings = tuple(shown.findings.get(entry.path, ()))
        yield FileRow(SKIPPED, entry.path, number, None, entry, files.get(entry.path), findings)


def _others(shown: FilesOverview) -> Iterator[FileRow]:
    seen = {piece.path for piece in shown.start.pieces}
    seen |= {entry.path for entry in shown.start.skipped}
    rest = [file for file in shown.files if file.path not in seen]
    rest.sort(key=lambda file: (file.agents[0], file.scope, str(file.path)))
    for file in rest:
        group = f"{file.agents[0]} · {_(file.scope)}"
        findings = tuple(shown.findings.get(file.path, ()))
        yield FileRow(group, file.path, 0, None, None, file, findings)


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
    loaded, rest = _parted(text, row.loaded)
    body = document(loaded, Query(), reading)
    yield from apart(body)
    if rest and row.loaded is not None:
        yield Passage(
            plain(
                f"{RULE} {_('line {line}: {text}', line=row.loaded.cut_at, text=row.loaded.lost)} {RULE}",
                WARNED,
            ),
            space=1,
        )
        yield from apart(document(rest, Query(), reading))


def _head(row: FileRow) -> Iterator[Passage]:
    if row.loaded is not None:
        yield Passage(plain(_("Told as number {number}: {why}.", number=row.number, why=row.loaded.why)))
    elif row.skipped is not None:
        by = row.skipped.by
        why = row.skipped.why + (f" ({short(by)}:{row.skipped.line})" if by is not None else "")
        yield Passage(plain(_("Not told: {why}.", why=why)))
    if row.file is not None:
        parts = (
            _(row.file.kind),
            _(row.file.scope),
            _(", ").join(row.file.agents),
            _("{size} bytes", size=f"{row.file.size:,}"),
        )
        yield Passage(plain(joined(*parts), DIM))


def _parted(text: FileText, loaded: LoadedFile | None) -> tuple[str, str]:
    """Return the part of a text that is told, and the rest."""
    if loaded is None or not loaded.cut_at:
        return text.body, ""
    lines = text.body.splitlines(keepends=True)
    at = max(0, loaded.cut_at - 1 - text.skipped)
    return "".join(lines[:at]), "".join(lines[at:])
