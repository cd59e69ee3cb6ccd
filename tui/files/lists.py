"""The files, one a line, under heads: told at a start, not told here, and the others by agent and scope."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from textual.content import Content

from memtui.store.files.overview import AgentFile, FilesOverview, Finding, ToldFile, UntoldFile
from memtui.store.platform.translation import _

from ..lists.grouped import GroupedList
from ..text.content import DIM, edges, fit, plain
from ..text.paths import short

TOLD, NOT_TOLD = _("told at a start"), _("not told here")
WARNED = "$text-warning"


@dataclass(frozen=True)
class FileRow:
    """A line of the list: a head of a group, or a file in one, with what is known of it there."""

    group: str
    path: Path | None = None
    number: int = 0
    told: ToldFile | None = None
    untold: UntoldFile | None = None
    file: AgentFile | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def key(self) -> tuple[str, str, int]:
        """What the line is known by when it is read anew."""
        return self.group, str(self.path or ""), self.number


def file_rows(
    shown: FilesOverview, words: tuple[str, ...] = (), holding: Set[Path] = frozenset()
) -> list[FileRow]:
    """Return the lines of a list: of all files, or of those whose path holds all of some words and those
    that are `holding` them; heads only above files."""
    every = [*_told(shown), *_untold(shown), *_others(shown)]
    rows: list[FileRow] = []
    for row in every:
        is_named = all(word in str(row.path).casefold() for word in words)
        if not is_named and row.path not in holding:
            continue
        if not rows or rows[-1].group != row.group:
            rows.append(FileRow(row.group))
        rows.append(row)
    return rows


def _told(shown: FilesOverview) -> Iterator[FileRow]:
    files = {file.path: file for file in shown.files}
    for number, piece in enumerate(shown.start.pieces, 1):
        findings = tuple(shown.findings.get(piece.path, ()))
        yield FileRow(TOLD, piece.path, number, piece, None, files.get(piece.path), findings)


def _untold(shown: FilesOverview) -> Iterator[FileRow]:
    files = {file.path: file for file in shown.files}
    for number, entry in enumerate(shown.start.untold, 1):
        findings = tuple(shown.findings.get(entry.path, ()))
        yield FileRow(NOT_TOLD, entry.path, number, None, entry, files.get(entry.path), findings)


def _others(shown: FilesOverview) -> Iterator[FileRow]:
    seen = {piece.path for piece in shown.start.pieces}
    seen |= {entry.path for entry in shown.start.untold}
    rest = [file for file in shown.files if file.path not in seen]
    rest.sort(key=lambda file: (file.agents[0], file.scope, str(file.path)))
    for file in rest:
        group = f"{file.agents[0]} · {_(file.scope)}"
        findings = tuple(shown.findings.get(file.path, ()))
        yield FileRow(group, file.path, 0, None, None, file, findings)


class AgentFileList(GroupedList[FileRow]):
    """What is amiss is marked before a file's name, and what is cut behind it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(key=lambda row: row.key, id=id)
        self.folder = Path()
        """The folder that paths are told from."""

    def is_item(self, row: FileRow) -> bool:
        return row.path is not None

    def render_row(self, item: FileRow, width: int, selected: bool) -> list[Content]:
        if item.path is None:
            return [plain(f" {item.group}", DIM)]
        mark = Content.styled("⚠ ", WARNED) if item.findings else plain("  ")
        if item.untold is not None:
            line = mark + plain(f"– {self._shown(item.path)}", "bold" if selected else "")
            return [fit(line + plain(f" · {item.untold.why}", DIM), width)]
        number = f"{item.number} " if item.number else ""
        line = mark + plain(f"{number}{self._shown(item.path)}", "bold" if selected else "")
        if item.told is None:
            kind = _(item.file.kind) if item.file is not None else ""
            return [edges(line, plain(f"{kind} ", DIM), width)]
        tokens = plain(f"≈{item.told.tokens:,} ", DIM)
        if item.told.cut_at:
            tokens = Content.styled(_("cut") + "  ", WARNED) + tokens
        return [edges(line, tokens, width)]

    def _shown(self, path: Path) -> str:
        if path.is_relative_to(self.folder):
            return str(path.relative_to(self.folder))
        # Of an agent's memory the name of its folder says nothing that people can read.
        memory = next((folder for folder in path.parents if folder.name == "memory"), None)
        return str(path.relative_to(memory.parent)) if memory is not None else short(path)
