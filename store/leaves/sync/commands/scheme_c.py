"""`mem sync scheme-c`: keep a directory and the store in step, both ways."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call, Command
from ....cli.output.console import Row, print_json, print_rows, progress_bar, tell
from ....cli.typer_later import typer
from ....formats.common.report import Progress
from ....platform.translation import _
from ....records.dataclasses import asdict
from ....records.kinds import TABLES
from ....text.plural import count_noun
from .machines import app

if TYPE_CHECKING:
    from ....formats.scheme_c.changes import SyncReport


SHOWN_WARNINGS = 20
SHOWN_FILES = 4


@app.command("scheme-c", cls=Command)
def scheme_c(
    call: Call,
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where MEMORY.md and daily/ are, or shall be.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tell what would be done, and do nothing.")
    ] = False,
    all_warnings: Annotated[
        bool,
        typer.Option("--all-warnings", help=_("Tell all, not the first {number}.", number=SHOWN_WARNINGS)),
    ] = False,
) -> None:
    """Bring in what is new in a directory of scheme C, then write there what is new here.

    What is private never goes out. Files of days only grow; every line of another program stays as
    it is. The store can be made again of the directory alone: sync an empty one with it.
    """
    from ....formats.scheme_c.sync import sync

    with call.writing() as store, progress_bar(_("Importing")) as bar:
        tell_lines = None if bar is None else partial(_tell_lines, bar)
        store.check_person()
        has_older = store.journal.has_standing()
        report = sync(store, directory, dry_run=dry_run, progress=tell_lines)
        if report.read.changes and has_older and not dry_run:
            store.journal.note(_("sync with {name}", name=directory.name))
    if call.json:
        print_json(asdict(report))
        return
    show(report, len(report.read.warnings) if all_warnings else SHOWN_WARNINGS)


def show(report: SyncReport, warnings: int) -> None:
    """Print what came in and what went out, and tell what is odd."""
    kinds = list(report.read.counts) + [f"{kind}s" for kind in ("prompt", "note")]
    written = {TABLES[kind]: many for kind, many in report.written.items()}
    print_rows(
        ("kind", "read", "new", "changed", "written", "left out"),
        (
            Row(
                kind,
                str(report.read.of(kind).read),
                str(report.read.of(kind).new),
                str(report.read.of(kind).changed),
                str(written.get(kind, 0)),
                _(", ").join(
                    f"{many} {_(reason)}" for reason, many in report.read.of(kind).skipped.items()
                ),
            )
            for kind in dict.fromkeys([*kinds, *written])
        ),
        wide="left out",
    )
    for warning in report.read.warnings[:warnings]:
        tell(f"{warning.table}: {warning.message}")
    if warnings < len(report.read.warnings):
        tell(
            "{more} more warnings; --all-warnings tells them.",
            more=len(report.read.warnings) - warnings,
        )
    for sentence in (*report.notes, *report.conflicts):
        tell(sentence)
    if report.is_in_step:
        tell("They are in step.")
    elif report.files:
        many, names = count_noun(len(report.files), "files"), _named(report.files)
        tell(
            "To be written to {files}: {names}." if report.is_dry_run else "Written to {files}: {names}.",
            files=many,
            names=names,
        )
    else:
        tell("Nothing had to be written there.")


def _tell_lines(bar: Progress, done: int, total: int) -> None:
    bar(done, total, _("of {total} lines", total=f"{total:,}"))


def _named(files: list[str]) -> str:
    """The first of them by name, and how many more there are."""
    first = ", ".join(sorted(files)[:SHOWN_FILES])
    more = len(files) - SHOWN_FILES
    return _("{first} and {more} more", first=first, more=f"{more:,}") if more > 0 else first
