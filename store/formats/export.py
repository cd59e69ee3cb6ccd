"""Write a memory in a format to its place: whole, private, and over nothing that is there."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, Literal, cast, get_args

from ..database import log_size
from ..platform.leaves import has_leaf, leaf
from ..records.dataclasses import dataclass, field, replace
from ..store import Store
from ..text.plural import count_nouns
from .common.drafts import ExportError, draft_directory, draft_file, open_draft
from .common.report import FormatResult, Progress
from .common.scope import Scope, choose
from .jsonl.export import export_jsonl
from .markdown_pages import export_markdown, export_page
from .scheme_c.export import export_scheme_c

Format = Literal["jsonl", "claude-mem", "scheme-c", "markdown", "html"]
IN_RAM = 32_000_000
"""Bytes that a printed export keeps in RAM until it is whole."""

FORMATS: tuple[Format, ...] = get_args(Format)
FLAGGED: tuple[Format, ...] = ("jsonl", "markdown", "html")
"""Those that can say that a record is private or deleted."""
LEAVES: dict[Format, str] = {"claude-mem": "foreign", "html": "html"}
"""The leaves that write some of them."""


@dataclass(frozen=True, slots=True)
class ExportResult:
    """What an export wrote: rows by table or kind; the records that stayed, by table; and what the
    format can't hold, a sentence each."""

    format: Format
    path: str
    counts: dict[str, int]
    left_out: dict[str, int] = field(default_factory=dict)
    unheld: tuple[str, ...] = ()


def formats_here() -> tuple[Format, ...]:
    """Return the formats that can be written in this installation."""
    return tuple(name for name in FORMATS if name not in LEAVES or has_leaf(LEAVES[name]))


def export_to(
    store: Store,
    format: Format,
    path: Path | None,
    *,
    scope: Scope | None = None,
    refs: Sequence[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> ExportResult:
    """Write a memory to a file or directory, `jsonl` to standard output where the path is None.

    With `refs`, these memories only, with the sessions that they are of; as Markdown in one file
    where the path ends in `.md`. Raises ExportError where the place is taken or can't be written, or
    where all that was chosen is left out, and MissingLeafError; then nothing there is changed.
    """
    scope = scope or Scope()
    if format != "jsonl":
        # The others can't say that a memory waits for its user's word.
        scope = replace(scope, waiting=False)
    if refs is not None:
        scope = choose(store.db, refs, scope)
    if scope.chosen is not None and refs != []:
        _refuse_empty(store, format, scope)
    unheld: tuple[str, ...] = ()
    if format in LEAVES:
        leaf(LEAVES[format])
    try:
        if path is None:
            counts = _write_stream(store, sys.stdout.buffer, scope, progress)
        elif format == "jsonl":
            with open_draft(path, force=force) as file:
                counts = export_jsonl(store, file, scope, progress)
        elif format == "claude-mem":
            with draft_file(path, force=force) as draft:
                exported: FormatResult = leaf("foreign.claude_mem_export").export_claude_mem(
                    store, draft, Scope(noise=False, waiting=False, chosen=scope.chosen), progress
                )
            counts, unheld = exported.counts, exported.unheld
        elif format == "markdown" and refs is not None and path.suffix.casefold() == ".md":
            with open_draft(path, force=force) as file:
                counts = export_page(store, file, refs, scope)
        elif format == "markdown":
            with draft_directory(path, force=force) as directory:
                counts = export_markdown(store, directory, scope, progress)
        elif format == "html":
            with draft_directory(path, force=force) as directory:
                counts = leaf("html.export").export_html(store, directory, scope, progress)
        else:
            _refuse_used_directory(path)
            with draft_directory(path) as directory:
                exported = export_scheme_c(store, directory, scope, progress)
            counts, unheld = exported.counts, exported.unheld
    finally:
        if not (store.read_only or store.db.in_transaction):
            # The log that others' writes have grown meanwhile.
            log_size.empty(store.db)
    return ExportResult(format, str(path or "-"), counts, scope.left_out(store.db), unheld)


def _refuse_empty(store: Store, format: Format, scope: Scope) -> None:
    """Raise ExportError where nothing of what was chosen goes out."""
    if not scope.is_empty(store.db):
        return
    if not (left_out := scope.left_out(store.db)):
        raise ExportError("Nothing of what was chosen is there any more; nothing was written.")
    counts = count_nouns(left_out)
    raise ExportError(
        (
            "All that was chosen is private, deleted or pending ({counts}); nothing was written. `mem "
            "export --with-private --with-deleted` takes along what is private or deleted."
        )
        if format in FLAGGED
        else "All that was chosen is private, deleted or pending ({counts}); nothing was written.",
        counts=counts,
    )


def _refuse_used_directory(path: Path) -> None:
    """Raise ExportError for a directory that holds files: whoever uses it adds to them."""
    if path.is_dir() and any(path.iterdir()):
        raise ExportError(
            "{path} holds files already. Name a new directory, or keep that one in step: "
            "mem sync scheme-c {path}.",
            path=path,
        )


def _write_stream(
    store: Store, stream: BinaryIO, scope: Scope, progress: Progress | None
) -> dict[str, int]:
    """Write JSON lines to a stream, by way of RAM, or of a nameless file where they are many.

    Whoever reads the stream may pause for hours, and until then a read transaction would keep the
    memory's log from being emptied.
    """
    # On a full disk a small memory can be printed all the same. Only its owner can read the file.
    with SpooledTemporaryFile(IN_RAM, prefix="memtui-") as spooled:
        file = cast(BinaryIO, spooled)
        counts = export_jsonl(store, file, scope, progress, ascii_only=stream.isatty())
        file.seek(0)
        shutil.copyfileobj(file, stream)
        stream.flush()
    return counts
