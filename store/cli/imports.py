"""`mem import`: bring in what another tool remembers, or what agents wrote down, and report on it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .command import Call, Command, group
from .import_progress import progress_bar
from .import_report import show
from .import_sources import SOURCES, Offer, offers, run, source_of
from .output import Row, put_json, put_rows, tell

if TYPE_CHECKING:
    from ..sources.report import Report

app = group()


@app.command("import", cls=Command)
def import_memory(
    ctx: typer.Context,
    source: Annotated[
        str | None, typer.Argument(metavar="[SOURCE]", help=f"{', '.join(SOURCES)}.")
    ] = None,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[PATH]", help="A database, a transcript, or a folder of these."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Import all that is found on this machine.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Report what would come in, and change nothing.")
    ] = False,
    all_warnings: Annotated[
        bool, typer.Option("--all-warnings", help="Tell all warnings, row by row.")
    ] = False,
) -> None:
    """Bring in another tool's memory or agents' transcripts, or what is new in them.

    Without SOURCE, the file or folder itself tells what it is. Without PATH, it is what SOURCE
    keeps on this machine. With neither, what could be imported is listed. Nothing is changed but
    the memory; importing again brings in what is new.
    """
    call: Call = ctx.obj
    source, path = told_apart(source, path)
    if everything and (source or path):
        raise typer.BadParameter("--all is for importing without SOURCE and PATH.")
    wanted: list[tuple[str, Path | None]]
    if source is not None:
        wanted = [(source, path)]
    elif path is not None:
        wanted = [(source_of(path), path)]
    else:
        found = list(offers())
        if not everything:
            show_offers(found, as_json=call.json)
            return
        wanted = [(offer.source, offer.path) for offer in found]
    reports = bring_in(call, wanted, dry_run=dry_run)
    if call.json:
        documents = [asdict(report) for report in reports]
        put_json(documents if everything else documents[0])
    for report in () if call.json else reports:
        show(report, all_warnings=all_warnings)
        if dry_run:
            tell("That is what would come in. Nothing was changed.")
    if any(report.is_damaged for report in reports):
        raise typer.Exit(1)


def told_apart(source: str | None, path: Path | None) -> tuple[str | None, Path | None]:
    """The source and the path, where a lone argument may be either."""
    if source is None or source in SOURCES:
        return source, path
    if path is None:
        return None, Path(source)
    names = ", ".join(SOURCES)
    raise typer.BadParameter(f"{source!r} is not one of {names}.", param_hint="SOURCE")


def bring_in(
    call: Call, wanted: list[tuple[str, Path | None]], *, dry_run: bool = False
) -> list[Report]:
    """Import one after the other; what is read when the user stops it stays. A dry run imports into
    a copy of the memory, so that it tells what an import would."""
    from ..rehearsal import rehearsed

    memory = rehearsed(call.database) if dry_run else call.writing()
    try:
        with memory as store, progress_bar() as progress:
            return [run(store, source, path, progress) for source, path in wanted]
    except KeyboardInterrupt:
        stays = "What was read stays; the same command goes on from there."
        tell(f"Stopped. {'Nothing was changed.' if dry_run else stays}")
        raise typer.Exit(1) from None


def show_offers(found: list[Offer], *, as_json: bool) -> None:
    """List what could be imported, and by which command."""
    if as_json:
        put_json([asdict(offer) | {"path": str(offer.path)} for offer in found])
        return
    put_rows(
        ("source", "files", "MB", "newest", "command"),
        map(offer_row, found),
        wide="command",
        fold=True,
    )
    tell("`mem import --all` imports all of it." if found else "Nothing to import was found here.")


def offer_row(offer: Offer) -> Row:
    """What could be imported from one place."""
    return Row(
        (offer.source, f"{offer.files:,}", f"{offer.bytes / 1e6:,.1f}", offer.newest, offer.command)
    )
