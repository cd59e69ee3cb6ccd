"""`mem pin`, `unpin`, `private`, `delete`, `restore` and `undo`: correct what is remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import arguments
from ..arguments import find_record, table_of
from ..command import Call, Command, group
from ..output.console import print_json, print_line, tell
from ..output.serializers import record_json, ref

if TYPE_CHECKING:
    from ...records import Common
    from ...tables.base import Table


app = group()


@app.command(cls=Command)
def pin(ctx: typer.Context, ids: arguments.Refs) -> None:
    """Keep memories at hand. Pinned ones are offered first."""
    change(ctx.obj, ids, lambda table, record: table.pin(record))


@app.command(cls=Command)
def unpin(ctx: typer.Context, ids: arguments.Refs) -> None:
    """Let pinned memories go."""
    change(ctx.obj, ids, lambda table, record: table.pin(record, False))


@app.command(cls=Command)
def private(
    ctx: typer.Context,
    ids: arguments.Refs,
    off: Annotated[bool, typer.Option("--off", help="Show them again.")] = False,
) -> None:
    """Hide memories from every list, search and export."""
    change(ctx.obj, ids, lambda table, record: table.set_private(record, not off))


@app.command(cls=Command)
def delete(ctx: typer.Context, ids: arguments.Refs) -> None:
    """Delete memories. `mem restore` and `mem undo` bring them back."""
    change(ctx.obj, ids, lambda table, record: table.delete(record))


@app.command(cls=Command)
def restore(ctx: typer.Context, ids: arguments.Refs) -> None:
    """Bring deleted memories back."""
    change(ctx.obj, ids, lambda table, record: table.restore(record))


@app.command(cls=Command)
def undo(ctx: typer.Context) -> None:
    """Take back the last change, and tell which it was."""
    call: Call = ctx.obj
    with call.writing() as store:
        undone = store.undo()
    if call.json:
        print_json({"undone": undone})
    elif undone is not None:
        print_line(undone)
    if undone is None:
        tell("There is nothing to undo.")
        raise typer.Exit(1)


def change(call: Call, ids: list[str], do: Callable[[Table[Any], Any], Common]) -> None:
    """Change all the records named, or none; prints their ids."""
    with call.writing() as store, store.transaction():
        found = [find_record(store, one) for one in ids]
        changed = [do(table_of(store, record), record) for record in found]
    if call.json:
        print_json([record_json(record) for record in changed])
    else:
        for record in changed:
            print_line(ref(record))
