"""`mem context`: what a session that starts now would be told."""

from __future__ import annotations

from typing import Annotated

import typer

from .command import Call, Command, group
from .output import put_json, put_text, tell

app = group()


@app.command(cls=Command)
def context(
    ctx: typer.Context,
    project: Annotated[
        str | None, typer.Option("--project", help="Of which project; else the one here.")
    ] = None,
    budget: Annotated[
        int, typer.Option("--budget", min=1, metavar="TOKENS", help="At most about so many tokens.")
    ] = 1_500,
) -> None:
    """Print what a session that starts now would be told."""
    from pathlib import Path

    from ..context import context as text_of
    from ..context import tokens
    from ..repositories import place_of
    from ..unit import reading

    call: Call = ctx.obj
    with call.reading() as store:
        if project is None:
            place = place_of(str(Path.cwd()))
            project = store.known_projects.known(place) or place.name
        with reading(store.db):
            text = text_of(store.db, project, budget=budget)
    if call.json:
        put_json({"project": project, "tokens": tokens(text) if text else 0, "text": text})
    elif text:
        put_text(text)
    else:
        tell(f"Nothing is remembered of {project or 'work outside of any project'} yet.")
