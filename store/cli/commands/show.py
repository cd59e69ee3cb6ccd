"""`mem show`: records in full."""

from __future__ import annotations

import typer

from .. import arguments
from ..arguments import find_record
from ..command import Call, Command, group
from ..output.console import print_block, print_gap, print_json
from ..output.serializers import record_fields, record_json, ref

app = group()


@app.command(cls=Command)
def show(ctx: typer.Context, ids: arguments.Refs) -> None:
    """Show records in full. With --json an array."""
    call: Call = ctx.obj
    with call.reading() as store:
        records = [find_record(store, one) for one in ids]
    if call.json:
        print_json([record_json(record) for record in records])
        return
    for position, record in enumerate(records):
        if position:
            print_gap()
        print_block(f"{type(record).__name__.lower()} {ref(record)}", record_fields(record))
