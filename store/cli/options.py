"""Options that several commands take, each defined once."""

from __future__ import annotations

from typing import Annotated

import typer

from .times import moment

At = Annotated[
    int | None,
    typer.Option(
        "--at", parser=moment, metavar="TIME", help="When it was: ISO 8601, 2h, yesterday, or ms."
    ),
]
Agent = Annotated[str, typer.Option("--agent", help="The agent whose session it is.")]
Project = Annotated[
    str | None,
    typer.Option("--project", help="The project; else the session's, else the repository here."),
]
OfProject = Annotated[
    str | None, typer.Option("--project", help="Only what belongs to this project.")
]
Private = Annotated[
    bool, typer.Option("--private", help="Keep it out of every list, search and export.")
]
PromptNumber = Annotated[
    int | None,
    typer.Option("--prompt-number", min=0, help="Which prompt of the session led to it."),
]
Tokens = Annotated[int, typer.Option("--tokens", min=0, help="The tokens it cost to find out.")]
Session = Annotated[
    str, typer.Option("--session", metavar="ID", help="Its session's id; made when unknown.")
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many.")]
Offset = Annotated[int, typer.Option("--offset", min=0, help="Leave out so many at the beginning.")]
Refs = Annotated[
    list[str],
    typer.Argument(
        metavar="ID...", help="12, p12 (prompt), s12 (summary), f12 (fact), n12 (note), or a uid."
    ),
]
