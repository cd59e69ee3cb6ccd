"""`mem pick`: the browser's search as a picker, whose answer is printed."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from ...platform.translation import _
from .. import completing
from ..command import Call, group
from ..picking import FIELDS, PickRequest, query_of_stdin
from ..picking import pick as pick_memories
from ..typer_later import typer
from .search import QueryCommand

app = group()

Format = Literal["reference", "id", "text", "markdown", "json"]


class PickCommand(QueryCommand):
    """A command whose arguments are a query, and whose only flag with one minus is `-c`."""

    can_look_back = False
    flag = re.compile(r"--|-c$")


@app.command(cls=PickCommand)
def pick(
    call: Call,
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUERY]...",
            help="What to search for at first, as in mem search.",
            autocompletion=completing.queries,
        ),
    ] = None,
    format: Annotated[
        Format | None,
        typer.Option("--format", help="As what it is printed; `[mem 276: title]` by default."),
    ] = None,
    template: Annotated[
        str,
        typer.Option(
            "--template",
            metavar="TEXT",
            help=_("Print this, with {fields}.", fields=", ".join(f"{{{name}}}" for name in FIELDS)),
        ),
    ] = "",
    height: Annotated[
        str,
        typer.Option("--height", metavar="LINES", help="Draw below the prompt, in LINES (15, or 40%)."),
    ] = "",
    tmux: Annotated[bool, typer.Option("--tmux", help="In a popup of tmux.")] = False,
    clipboard: Annotated[
        bool, typer.Option("-c", "--clipboard", help="To the clipboard; nothing is printed.")
    ] = False,
    quote_after: Annotated[
        str | None,
        typer.Option(
            "--quote-after",
            metavar="TEXT",
            help="Quote it for a shell, whose line has TEXT before it.",
        ),
    ] = None,
    from_stdin: Annotated[
        bool, typer.Option("--from-stdin", help="Search for the first line of standard input.")
    ] = False,
) -> None:
    """Pick memories in the browser's search, and print them.

    Enter prints the selected memory, or all that Space marked, one a line; Esc prints nothing.
    It is drawn on the terminal, so its output can go anywhere: git commit -m "$(mem pick)".
    Without a terminal it picks nothing; in an agent's shell it prints what QUERY finds.
    Exit status: 0 picked, 1 nothing matched or no terminal, 130 left with Esc or Ctrl+C.
    """
    words = [*(query or ()), *([query_of_stdin()] if from_stdin else [])]
    request = PickRequest(
        query=" ".join(filter(None, words)),
        database=call.database,
        format=format or ("json" if call.json else ""),
        template=template,
        height=height,
        clipboard=clipboard,
        quote_after=quote_after,
    )
    if sentence := request.wrong():
        raise typer.BadParameter(sentence)
    raise typer.Exit(pick_memories(request, in_popup=tmux))
