"""`mem rebuild`: the indexes anew from the rows, or the rows anew from an export."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ..command import Call, Command, group
from ..output.console import put_json, tell
from ..output.progress import progress_of

app = group()


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

    with progress_of("Rebuilding") as show:
        told = None if show is None else lambda done, total: show(done, total, "bytes")
        made = rebuild_from(call.path, source, force=force, progress=told)
    counts = {kind: count.read for kind, count in made.report.counts.items()}
    if call.json:
        before = None if made.before is None else str(made.before)
        put_json({"rows": counts, "before": before, "report": asdict(made.report)})
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
        put_json({"indexed": held})
    else:
        tell(f"Indexed {held:,} memories.")
