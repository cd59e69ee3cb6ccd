"""`mem mcp`: the store as a server of the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

from ...platform.translation import _
from ..command import Call, Command, group
from ..typer_later import typer

app = group()


@app.command(cls=Command)
def mcp(
    call: Call,
    http: Annotated[
        bool,
        typer.Option("--http", help="Serve over HTTP on this machine only, with a token shown on stderr."),
    ] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="With --http; 0 is any free one.")
    ] = 0,
    structured: Annotated[
        bool,
        typer.Option(
            "--structured",
            help="Answer values too, for programs: agents show these to their model in place of the text.",
        ),
    ] = False,
) -> None:
    """Serve the store to an agent (Model Context Protocol).

    It speaks over standard input and output and ends with them: agents start it themselves. Tools: search,
    timeline, get, context, add, supersede, report.
    """
    from ...mcp.memory import Memory

    memory = Memory(call.path, structured=structured)
    if http:
        from ...mcp.http import serve as serve_http

        serve_http(memory, port)
        return
    if port:
        raise typer.BadParameter(_("--port goes with --http. Give both, or neither."))
    from ...mcp.stdio import serve

    serve(memory)
