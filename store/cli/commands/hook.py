"""`mem hook`, `pause`, `resume` and `exclude`: what agents call at each event, and what it may remember.
`mem mcp`: the store as a server of the Model Context Protocol.
"""

from __future__ import annotations

from datetime import datetime
from math import isinf
from typing import Annotated

from ...platform.translation import _
from ..arguments import minutes_of_span
from ..command import Call, Command, group
from ..output.console import print_json, print_line, tell
from ..typer_later import typer

app = group(
    "Take an agent's event; pause hooks, and exclude what they never take.\n\n"
    "`mem hook AGENT` takes one event, JSON on standard input. Its exit code is 0 whatever happens."
)


@app.command(cls=Command)
def hook(
    call: Call,
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", help="The agent whose hook this is; the event decides."),
    ],
) -> None:
    """Take one event of an agent, JSON on standard input. The exit code is 0 whatever happens."""
    from ...capture.hook_process.main import run

    run([agent, *(("--db", call.database) if call.database is not None else ())])


@app.command(cls=Command)
def pause(
    call: Call,
    span: Annotated[
        float | None,
        typer.Option(
            "--for", parser=minutes_of_span, metavar="SPAN", help="30m, 2h, 1d; else until resume."
        ),
    ] = None,
) -> None:
    """Have hooks remember nothing for now."""
    from ...capture import settings

    if span == 0:
        raise typer.BadParameter(_("Give a span such as 30m, 2h or 1d."), param_hint="--for")
    settings.pause(call.path, None if span is None else span * 60)
    until = settings.paused_until(call.path)
    if call.json:
        ends = None if until is None or isinf(until) else round(until * 1_000)
        print_json({"paused": True, "until": ends})
    elif span is None or until is None:
        tell("Paused: nothing that agents do is remembered until `mem resume`.")
    else:
        tell(
            "Paused until {time}, or `mem resume`.",
            time=f"{datetime.fromtimestamp(until):%Y-%m-%d %H:%M}",
        )


@app.command(cls=Command)
def resume(call: Call) -> None:
    """Have hooks remember again."""
    from ...capture import settings

    was = settings.resume(call.path)
    document = {"paused": False, "was_paused": was}
    call.answer(document, "Hooks remember again." if was else "Nothing was paused.")


@app.command(cls=Command)
def exclude(
    call: Call,
    globs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GLOB]...", help="A project's name, a path (~/private/*), *.pem."),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take these away instead of adding them.")
    ] = False,
) -> None:
    """List, add or take away what hooks never remember."""
    from ...capture import settings

    if not globs:
        include = settings.excluded(call.path)
    elif remove:
        include = settings.include(call.path, globs)
    else:
        include = settings.exclude(call.path, globs)
    if call.json:
        print_json(include)
        return
    if not include:
        tell("Nothing is excluded.")
    for glob in include:
        print_line(glob)


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
