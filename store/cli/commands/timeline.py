"""`mem timeline`: what happened around a memory."""

from __future__ import annotations

from typing import Annotated

import typer

from ...records import ListRow, Scope
from .. import arguments
from ..arguments import minutes
from ..command import Call, Command, group
from ..output.console import Row, print_json, print_rows, tell
from ..output.serializers import list_row_json, local_time

app = group()


@app.command(cls=Command)
def timeline(
    ctx: typer.Context,
    id: Annotated[
        str, typer.Argument(metavar="ID", help="12, p12, s12, f12 or a uid: what it is around.")
    ],
    window: Annotated[
        str,
        typer.Option("--window", metavar="SPAN", help="How far to either side: 30m, 2h, 1d."),
    ] = "30m",
    scope: Annotated[Scope, typer.Option("--scope", help="Whose memories.")] = "session",
    limit: arguments.Limit = 500,
) -> None:
    """Show what happened around a memory, in time order."""
    call: Call = ctx.obj
    reach = minutes(window)
    with call.reading() as store:
        found = store.timeline(store.record(id), minutes=reach, scope=scope, limit=limit)
    if call.json:
        print_json(
            [
                list_row_json(entry) | {"anchor": place == found.anchor}
                for place, entry in enumerate(found.rows)
            ]
        )
        return
    print_rows(
        ("", "when", "id", "type", "memory", "project"),
        (
            timeline_row(entry, is_anchor=place == found.anchor)
            for place, entry in enumerate(found.rows)
        ),
        wide="memory",
    )
    if found.truncated:
        tell(f"There is more; these are the nearest. -n {limit * 2} shows more.")


def timeline_row(entry: ListRow, *, is_anchor: bool) -> Row:
    """An entry as a line, the anchor behind an arrow."""
    mark = ">" if is_anchor else ""
    return Row(
        (mark, local_time(entry.created_at), entry.ref, entry.type, entry.title, entry.project)
    )
