"""`mem mcp`: the memory as a server of the Model Context Protocol."""

from __future__ import annotations

import typer

from ..command import Call, Command, group

app = group()


@app.command(cls=Command)
def mcp(ctx: typer.Context) -> None:
    """Serve the memory to an agent (Model Context Protocol).

    It speaks over standard input and output and ends with them: agents start it themselves. Tools: search,
    timeline, get, context, add, supersede, report.
    """
    call: Call = ctx.obj
    from ...mcp.memory import Memory
    from ...mcp.stdio import serve

    serve(Memory(call.path))
