"""`mem stats`, `doctor`, `backup` and `rebuild`: the memory as a file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ...database.health import Check
from ...records import Snippet
from ..command import Call, Command, group
from ..output.console import Row, print_block, print_json, print_line, print_rows, tell
from ..output.progress import progress_bar
from ..output.serializers import local_time

app = group()


@app.command(cls=Command)
def stats(ctx: typer.Context) -> None:
    """Count what the memory holds, and tell where it lies."""
    call: Call = ctx.obj
    with call.reading() as store:
        found = {"path": str(store.path), **asdict(store.stats())}
    if call.json:
        print_json(found)
        return
    for name in ("first_at", "last_at"):
        found[name] = "" if found[name] is None else local_time(found[name])
    print_block("memory", ((name, str(value)) for name, value in found.items()))


@app.command(cls=Command)
def doctor(
    ctx: typer.Context,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Compare every indexed term, however many.")
    ] = False,
) -> None:
    """Check the file, its indexes, and what hooks bring. The exit code is 1 when something is wrong."""
    call: Call = ctx.obj
    from ...capture.ingest.catch_up import is_there
    from ...capture.status.checks import capture_checks
    from ...install.checks import agent_checks, checks_without_memory
    from ...observe.jobs.checks import observer_checks

    place = call.path
    checks = [] if is_there(place) else checks_without_memory(place)
    if not checks:
        with call.reading() as store:
            own = store.doctor(thorough=thorough).checks
            checks = [
                *own,
                *capture_checks(store),
                *agent_checks(store),
                *observer_checks(store),
            ]
    is_well = all(check.ok for check in checks)
    if call.json:
        print_json({"ok": is_well, "checks": [asdict(check) for check in checks]})
    else:
        print_rows(("", "check", "found"), map(check_row, checks), wide="found", fold=True)
    if not is_well:
        raise typer.Exit(1)


def check_row(check: Check) -> Row:
    """What was looked at as a line; below it, what to do where it is not well."""
    cells = ("ok" if check.ok else "BAD", check.name, check.found)
    return Row(cells, None if check.ok else Snippet(check.remedy))


@app.command(cls=Command)
def backup(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A new file.")],
) -> None:
    """Copy the memory, verified, into a new file."""
    call: Call = ctx.obj
    with call.reading() as store:
        copy = store.backup(path)
    if call.json:
        print_json({"path": str(copy)})
    else:
        print_line(str(copy))


@app.command(cls=Command)
def rebuild(
    ctx: typer.Context,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="An export (jsonl) whose rows replace those that are here.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="With --from: though lines of it can't be read.")
    ] = False,
) -> None:
    """Make the indexes anew from the rows.

    With --from the rows too: the memory then holds what the export holds and nothing else. What it
    held before is kept beside it. Either way all is done, or nothing is.
    """
    call: Call = ctx.obj
    if source is None:
        if force:
            raise typer.BadParameter("--force is for --from.")
        rebuild_indexes(call)
        return
    from ...maintain.rebuild import rebuild_from

    with progress_bar("Rebuilding", is_counted=True) as show:
        told = None if show is None else lambda done, total: show(done, total, "bytes")
        made = rebuild_from(call.path, source, force=force, progress=told)
    counts = {kind: count.read for kind, count in made.report.counts.items()}
    if call.json:
        before = None if made.before is None else str(made.before)
        print_json({"rows": counts, "before": before, "report": asdict(made.report)})
        return
    tell(f"Rebuilt from {source}: {sum(counts.values()):,} rows.")
    for warning in made.report.warnings[:20]:
        tell(f"{warning.table} {warning.native_id}: {warning.message}")
    if made.before is not None:
        tell(f"What was here before is in {made.before}; remove it when all is well.")


def rebuild_indexes(call: Call) -> None:
    """Make documents, labels and indexes anew."""
    with call.writing() as store:
        store.rebuild()
        held = store.listing_count("")
    if call.json:
        print_json({"indexed": held})
    else:
        tell(f"Indexed {held:,} memories.")
