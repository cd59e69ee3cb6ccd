"""`mem import`: bring in what another tool remembers, and report what became of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .command import Call, Command, group
from .output import Row, put_json, put_rows, tell

if TYPE_CHECKING:
    from ..sources.report import Report
    from ..store import Store

app = group()

SHOWN_WARNINGS = 20

Source = Literal["claude-mem"]
ProgressCall = Callable[[int, int], None]


@app.command("import", cls=Command)
def import_memory(
    ctx: typer.Context,
    source: Annotated[Source, typer.Argument(metavar="SOURCE", help="claude-mem")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help="Its database; it is not touched.")],
    all_warnings: Annotated[
        bool, typer.Option("--all-warnings", help=f"Tell all, not the first {SHOWN_WARNINGS}.")
    ] = False,
) -> None:
    """Bring in another tool's memory, or what is new in it."""
    call: Call = ctx.obj
    with call.writing() as store, progress_bar() as progress:
        report = importer(source)(store, path, progress)
    if call.json:
        put_json(asdict(report))
        return
    put_rows(
        ("kind", "read", "new", "changed", "unchanged", "skipped", "why"), rows(report), wide="why"
    )
    if report.stubs:
        tell(f"{report.stubs} sessions were made for rows whose own the source has lost.")
    for note in report.notes:
        tell(note)
    shown = report.warnings if all_warnings else report.warnings[:SHOWN_WARNINGS]
    for warning in shown:
        tell(f"{warning.table} {warning.native_id}: {warning.message}")
    if len(shown) < len(report.warnings):
        tell(f"{len(report.warnings) - len(shown)} more warnings; --all-warnings tells them.")


def importer(source: Source) -> Callable[[Store, Path, ProgressCall | None], Report]:
    """What reads a source's files."""
    from ..sources.claude_mem import import_database

    return {"claude-mem": import_database}[source]


def rows(report: Report) -> Iterator[Row]:
    """What became of each kind of row."""
    for kind, counts in report.counts.items():
        numbers = (counts.read, counts.new, counts.changed, counts.unchanged)
        why = ", ".join(f"{number} {reason}" for reason, number in counts.skipped.items())
        skipped = sum(counts.skipped.values())
        yield Row((kind, *map(str, numbers), str(skipped), why))


@contextmanager
def progress_bar() -> Iterator[ProgressCall | None]:
    """A bar on stderr while the block runs, where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Importing", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
