"""`mem summary`: what a session came to."""

from __future__ import annotations

from typing import Annotated

from ...cli import arguments
from ...platform.translation import _
from ...records.rows import SummaryLevel
from ..arguments import project_for
from ..command import Call, Command, group, print_ref
from ..output.serializers import named
from ..typer_later import typer

app = group()


@app.command(cls=Command)
def summary(
    call: Call,
    session: arguments.Session,
    request: Annotated[str | None, typer.Option("--request", help="What was wanted.")] = None,
    investigated: Annotated[str | None, typer.Option("--investigated", help="What was looked at.")] = None,
    learned: Annotated[str | None, typer.Option("--learned", help="What was found out.")] = None,
    completed: Annotated[str | None, typer.Option("--completed", help="What was done.")] = None,
    next_steps: Annotated[str | None, typer.Option("--next-steps", help="What is left to do.")] = None,
    notes: Annotated[str | None, typer.Option("--notes", help="What else is worth knowing.")] = None,
    level: Annotated[SummaryLevel, typer.Option("--level", help="How much it tells.")] = "detailed",
    read: Annotated[
        list[str] | None, typer.Option("--read", metavar="PATH", help="A file read (repeatable).")
    ] = None,
    edited: Annotated[
        list[str] | None,
        typer.Option("--edited", metavar="PATH", help="A file changed (repeatable)."),
    ] = None,
    project: arguments.Project = None,
    agent: arguments.Agent = "manual",
    prompt_number: arguments.PromptNumber = None,
    tokens: arguments.Tokens = 0,
    private: arguments.Private = False,
    at: arguments.At = None,
) -> None:
    """Add a summary of a session and print its id."""
    if not any((request, investigated, learned, completed, next_steps, notes)):
        raise typer.BadParameter(_("Give at least one of --request, --learned, --completed …"))
    with call.writing() as store, store.change() as action:
        added = store.summaries.add(
            session,
            level=level,
            request=request,
            investigated=investigated,
            learned=learned,
            completed=completed,
            next_steps=next_steps,
            notes=notes,
            files_read=read or (),
            files_edited=edited or (),
            agent=agent,
            project=project_for(store, session, project),
            prompt_number=prompt_number,
            discovery_tokens=tokens,
            private=private,
            at=at,
        )
        action.what = _("{named} added", named=named(added))
    print_ref(call, added, action.what)
