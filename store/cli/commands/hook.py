"""`mem hook`: what agents call at each event. `store.cli` takes it before typer is imported."""

from __future__ import annotations

from typing import Annotated

import typer

from ..command import Call, Command, group

app = group()


@app.command(cls=Command)
def hook(
    ctx: typer.Context,
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", help="The agent whose hook this is; the event decides."),
    ],
) -> None:
    """Take one event of an agent, JSON on standard input. The exit code is 0 whatever happens."""
    from ...capture.hook_process.main import run

    call: Call = ctx.obj
    run([agent, *(("--db", call.database) if call.database is not None else ())])
