"""`mem prompt`: what the user asked."""

from __future__ import annotations

from typing import Annotated

import typer

from . import options
from .answers import put_ref
from .command import Call, Command, group
from .stdin import text_or_stdin
from .surroundings import project_for

app = group()


@app.command(cls=Command)
def prompt(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(help="What was asked; - reads it from standard input.")],
    session: options.Session,
    project: options.Project = None,
    agent: options.Agent = "manual",
    prompt_number: Annotated[
        int | None, typer.Option("--prompt-number", min=0, help="Its number; else the next one.")
    ] = None,
    private: options.Private = False,
    at: options.At = None,
) -> None:
    """Add what the user asked and print its id."""
    call: Call = ctx.obj
    asked = text_or_stdin(text)
    with call.writing() as store:
        added = store.prompts.add(
            session,
            asked,
            agent=agent,
            project=project_for(store, session, project),
            prompt_number=prompt_number,
            private=private,
            at=at,
        )
    put_ref(call, added)
