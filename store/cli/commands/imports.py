"""`mem import`: bring in what another tool remembers, or what agents wrote down, and report on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ...maintain.importing import (
    SCHEME_C,
    SOURCES,
    Offer,
    offers,
    own_mappings,
    run,
    sources_here,
    sources_of,
    when_read,
)
from ...platform import leaves
from ...platform.errors import SourceError
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...text.plural import count_noun
from ..command import Call, Command, group
from ..output.console import Row, localized, on_terminal, print_json, print_rows, progress_bar, tell
from ..typer_later import typer

if TYPE_CHECKING:
    from ...formats.common.report import Report, SourceWarning


app = group()

COLUMNS = ("kind", "read", "new", "changed", "unchanged", "skipped", "why")
LONGEST_PROCESSING = 600.0
"""Seconds at most for memories to be made of what came in; the rest waits for `mem queue process`."""
SHOWN_WARNINGS = 20
HOW_TO_READ = _("`mem files list --all` lists it, `mem search WORDS kind:file` finds what it says.")
SHOWN_ROWS = 5
"""So many rows with the same warning are named."""


@app.command("import", cls=Command)
def import_memory(
    call: Call,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SOURCE]",
            help=_("{names}, or a mapping's name.", names=", ".join(sources_here())),
        ),
    ] = None,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[PATH]", help="A database, a transcript, or a folder of these."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Import all that is found on this machine.")
    ] = False,
    project: Annotated[
        str | None,
        typer.Option("--project", help="The project of what names none of its own."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Report what would come in, and change nothing.")
    ] = False,
    all_warnings: Annotated[
        bool, typer.Option("--all-warnings", help="Tell all warnings, row by row.")
    ] = False,
) -> None:
    """Bring in another tool's store or agents' transcripts, or what is new in them.

    SOURCE may be a mapping of JSON lines, by its name in the settings' file (`[mappings]`).
    Without SOURCE, the file or folder itself tells what it is. Without PATH, it is what SOURCE
    keeps on this machine. With neither, what could be imported is listed. Nothing is changed but
    the store; importing again brings in what is new.
    """
    source, path = split_source(source, path)
    if everything and (source or path):
        raise typer.BadParameter(_("--all is for importing without SOURCE and PATH."))
    sources: list[tuple[str, Path | None]]
    if source is not None:
        sources = [(source, path)]
    elif path is not None:
        sources = [(each, path) for each in sources_in(call, path)]
    else:
        read: dict[str, int] = {}
        if call.path.exists():
            with call.reading() as store:
                read = when_read(store)
        results = list(offers(read))
        if not everything or not results:
            show_offers(results, as_json=call.json)
            if files := own_memory(call):
                tell(
                    "Agents' own memory is read where it lies: {files}. {hint}",
                    files=count_noun(len(files), "files"),
                    hint=HOW_TO_READ,
                )
            return
        sources = [(offer.source, offer.path) for offer in results]
    reports = import_all(call, sources, dry_run=dry_run, project=project)
    if call.json:
        documents = [asdict(report) for report in reports]
        print_json(documents if everything or len(documents) > 1 else documents[0])
    for report in () if call.json else reports:
        show_report(report, all_warnings=all_warnings)
        if dry_run:
            tell("That is what would come in. Nothing was changed.")
    if any(report.is_damaged or report.is_unreadable for report in reports):
        raise typer.Exit(1)


def split_source(source: str | None, path: Path | None) -> tuple[str | None, Path | None]:
    """Return the source and the path, where a lone argument may be either."""
    if source is None or source in SOURCES or source in (own := own_mappings()):
        return source, path
    if path is None:
        return None, Path(source)
    names = ", ".join((*sources_here(), *own))
    raise typer.BadParameter(
        _("{source!r} is not one of {names}.", source=source, names=names), param_hint="SOURCE"
    )


def sources_in(call: Call, path: Path) -> list[str]:
    """Return what a file or folder is, as `sources_of` does. SourceError where it is nothing known, or
    an agent's own memory, whose index looks like that of scheme C."""
    try:
        sources = sources_of(path)
    except SourceError:
        refuse_own_memory(call, path)
        raise
    if sources == [SCHEME_C]:
        refuse_own_memory(call, path)
    return sources


def refuse_own_memory(call: Call, path: Path) -> None:
    """Raise SourceError where a file or folder is an agent's own memory."""
    if files := own_memory(call, path):
        agents = _(" and ").join(sorted({agent for agents in files for agent in agents}))
        raise SourceError(
            "{path} is the own memory of {agents}, which is read where it lies. {hint}",
            path=path,
            agents=agents,
            hint=HOW_TO_READ,
        )


def own_memory(call: Call, below: Path | None = None) -> list[tuple[str, ...]]:
    """Return the agents of each file in which they keep what they remember by themselves, of all or of
    those of a folder."""
    return [agents for own in leaves.offers("own memory") for agents in own(call, below)]


def import_all(
    call: Call,
    sources: list[tuple[str, Path | None]],
    *,
    dry_run: bool = False,
    project: str | None = None,
) -> list[Report]:
    """Import one after the other, make memories of what came in, and return the reports; what is read
    when the user stops it stays.

    A dry run imports into a copy of the memory, so that it tells what an import would.
    """
    from ...formats.common.report import Report
    from ...maintain.importing import private_copy
    from ...observe.jobs.job import process_by_rules

    reports: list[Report] = []
    memory = private_copy(call.database) if dry_run else call.writing()
    try:
        with memory as store, progress_bar(_("Importing")) as progress:
            store.check_person()
            has_older = store.journal.has_standing()
            for source, path in sources:
                try:
                    reports.append(run(store, source, path, progress, project))
                except SourceError as error:
                    if len(sources) == 1:
                        raise
                    # The others come in.
                    reports.append(Report(source))
                    reports[-1].lose(str(path or source), "", str(error))
            changed = [report.source for report in reports if report.changes]
            if changed and has_older and not dry_run:
                # No undo may pass over it to something older without a word.
                store.journal.note(_("import from {names}", names=", ".join(changed)))
            if changed and not dry_run:
                process_by_rules(store, LONGEST_PROCESSING)
            return reports
    except KeyboardInterrupt:
        tell(
            "Stopped. Nothing was changed."
            if dry_run
            else "Stopped. What was read stays; the same command goes on from there."
        )
        raise typer.Exit(1) from None


def show_offers(offers: list[Offer], *, as_json: bool) -> None:
    """List what could be imported, and by which command."""
    if as_json:
        print_json([asdict(offer) | {"path": str(offer.path)} for offer in offers])
        return
    print_rows(
        ("source", "files", "new", "MB", "newest", "command"),
        map(offer_row, offers),
        wide="command",
        fold=True,
    )
    files, new = (
        sum(it.files for it in offers),
        sum(it.files if it.new is None else it.new for it in offers),
    )
    if not offers:
        tell("Nothing to import was found here.")
    elif not new:
        tell("All of it is in. `mem import --all` brings in what is written there later.")
    elif new == files:
        tell("`mem import --all` imports all of it.")
    else:
        tell("`mem import --all` imports what is new: {files}.", files=count_noun(new, "files"))


def offer_row(offer: Offer) -> Row:
    """Return what could be imported from one location as a row."""
    new = "" if offer.new is None else f"{offer.new:,}"
    return Row(
        offer.source, f"{offer.files:,}", new, f"{offer.bytes / 1e6:,.1f}", offer.newest, offer.command
    )


def show_report(report: Report, *, all_warnings: bool = False) -> None:
    """Print what became of each kind of row, then tell its warnings: the rows of each together, or
    with `all_warnings` row by row."""
    print_rows(COLUMNS, report_rows(report), wide="why", fold=True, right=COLUMNS[1:-1], has_head=True)
    for sentence in _sentences(report):
        tell(sentence)
    limit = len(report.differences) if all_warnings else SHOWN_WARNINGS
    for difference in report.differences[:limit]:
        fields = ", ".join(difference.fields)
        tell(
            "{kind} {record_id} was edited here, and stays; the source differs in: {fields}",
            kind=difference.kind,
            record_id=difference.record_id,
            fields=fields,
        )
    more = report.untold + max(0, len(report.differences) - limit)
    if all_warnings:
        for warning in report.warnings:
            tell(f"{_named(*_place(warning))}: {warning.message}")
        if more:
            tell("{more} more warnings were only counted.", more=f"{more:,}")
        return
    groups = list(_alike(report.warnings))
    for place, names, message in groups[:SHOWN_WARNINGS]:
        tell(f"{_named(place, *names[:SHOWN_ROWS])}{_and_more(names)}: {message}")
    more += sum(len(names) for _, names, _ in groups[SHOWN_WARNINGS:])
    if more:
        tell("{more} more warnings; --all-warnings tells them.", more=f"{more:,}")
    elif any(len(names) > SHOWN_ROWS for _, names, _ in groups):
        tell("--all-warnings tells of each row by itself.")


def report_rows(report: Report) -> Iterator[Row]:
    """Yield what became of each kind of row."""
    form = "{:,}" if on_terminal() else "{}"
    for kind, counts in report.records.items():
        skipped = sum(counts.skipped.values())
        numbers = (counts.read, counts.new, counts.changed, counts.unchanged, skipped)
        why = _(", ").join(f"{number} {localized(reason)}" for reason, number in counts.skipped.items())
        yield Row(localized(kind), *map(form.format, numbers), why)


def _sentences(report: Report) -> Iterator[str]:
    new = sum(counts.new for counts in report.records.values())
    changed = sum(counts.changed for counts in report.records.values())
    if new or changed:
        yield _(
            "{source}: {records} new, {changed} changed.",
            source=report.source,
            records=count_noun(new, "records"),
            changed=f"{changed:,}",
        )
    elif report.counts:
        yield _(
            "{source}: nothing new; all that could be read of it is here already.",
            source=report.source,
        )
    if report.stubs:
        made = count_noun(report.stubs, "sessions")
        yield _("{made} made for rows whose own session the source has lost.", made=made)
    for kind, counts in report.counts.items():
        if counts.vanished:
            yield _(
                "Gone from the source, and kept here: {vanished}.",
                vanished=count_noun(counts.vanished, kind),
            )
        if counts.returned:
            yield _(
                "In the source again after being gone: {returned}.",
                returned=count_noun(counts.returned, kind),
            )
    yield from report.notes


def _alike(warnings: Sequence[SourceWarning]) -> Iterator[tuple[str, list[str], str]]:
    """The place, the rows in it, and the message of warnings that say the same."""
    groups: dict[tuple[str, str], list[str]] = {}
    for warning in warnings:
        place, name = _place(warning)
        groups.setdefault((place, warning.message), []).append(name)
    for (place, message), names in groups.items():
        yield place, names, message


def _place(warning: SourceWarning) -> tuple[str, str]:
    """A table and a row of it, or a file and a line of it."""
    if warning.native_id:
        return warning.table, warning.native_id
    place, colon, line = warning.table.rpartition(":")
    return (place + colon, line) if place and line.isdecimal() else (warning.table, "")


def _named(place: str, *names: str) -> str:
    listed = ", ".join(names)
    return (place + listed if place.endswith(":") else f"{place} {listed}").strip()


def _and_more(names: Sequence[str]) -> str:
    more = len(names) - SHOWN_ROWS
    return _(" and {more} more", more=f"{more:,}") if more > 0 else ""
