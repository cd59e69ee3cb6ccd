"""`mem prompt`: what the user asked."""

from __future__ import annotations

from typing import Annotated

from ...cli import arguments
from ...platform.translation import _
from ..arguments import project_for, text_or_stdin
from ..command import Call, Command, group, print_ref
from ..output.serializers import named
from ..typer_later import typer

app = group()


@app.command(cls=Command)
def prompt(
    call: Call,
    text: Annotated[str, typer.Argument(help="What was asked; - reads it from standard input.")],
    session: arguments.Session,
    project: arguments.Project = None,
    agent: arguments.Agent = "manual",
    prompt_number: Annotated[
        int | None, typer.Option("--prompt-number", min=0, help="Its number; else the next one.")
    ] = None,
    private: arguments.Private = False,
    at: arguments.At = None,
) -> None:
    """Add what the user asked and print its id."""
    prompt_text = text_or_stdin(text)
    with call.writing() as store, store.change() as action:
        added = store.prompts.add(
            session,
            prompt_text,
            agent=agent,
            project=project_for(store, session, project),
            prompt_number=prompt_number,
            private=private,
            at=at,
        )
        action.what = _("{named} added", named=named(added))
    print_ref(call, added, action.what)
