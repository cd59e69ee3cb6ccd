"""`mem add`: an observation from the command line, or any number of them from standard input."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from . import options
from .answers import put_ref
from .command import Call, Command, group
from .json_lines import add_lines
from .stdin import text_or_stdin
from .surroundings import project_for

app = group()


@app.command(cls=Command)
def add(
    ctx: typer.Context,
    title: Annotated[
        str | None, typer.Argument(metavar="[TITLE]", help="What was learned or done, in a line.")
    ] = None,
    stdin: Annotated[
        bool,
        typer.Option(
            "--stdin", help="Read observations from standard input, a JSON object on each line."
        ),
    ] = False,
    type: Annotated[
        str, typer.Option("--type", help="bugfix, decision, discovery … any word.")
    ] = "note",
    subtitle: Annotated[str | None, typer.Option("--subtitle", help="A line below.")] = None,
    narrative: Annotated[
        str | None, typer.Option("--narrative", help="The story; - reads it from standard input.")
    ] = None,
    fact: Annotated[list[str] | None, typer.Option("--fact", help="A fact (repeatable).")] = None,
    concept: Annotated[
        list[str] | None, typer.Option("--concept", help="A concept (repeatable).")
    ] = None,
    read: Annotated[
        list[str] | None, typer.Option("--read", metavar="PATH", help="A file read (repeatable).")
    ] = None,
    modified: Annotated[
        list[str] | None,
        typer.Option("--modified", metavar="PATH", help="A file changed (repeatable)."),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag (repeatable).")] = None,
    tool: Annotated[str | None, typer.Option("--tool", help="The tool that was used.")] = None,
    project: options.Project = None,
    session: Annotated[
        str | None,
        typer.Option("--session", help="Its session's id; made when unknown. Else a manual one."),
    ] = None,
    agent: options.Agent = "manual",
    prompt_number: options.PromptNumber = None,
    tokens: options.Tokens = 0,
    private: options.Private = False,
    at: options.At = None,
    event_id: Annotated[
        str | None, typer.Option("--event-id", help="The same event twice is one observation.")
    ] = None,
) -> None:
    """Add an observation and print its id.

    With --stdin the flags stand for what a line leaves out, and each bad line is reported by its
    number while the good ones are stored.
    """
    call: Call = ctx.obj
    if stdin == (title is not None) or (stdin and narrative == "-"):
        raise typer.BadParameter("Give a TITLE, or --stdin for observations as JSON lines.")
    flags: dict[str, Any] = {
        "session": session,
        "type": type,
        "subtitle": subtitle,
        "narrative": narrative and text_or_stdin(narrative),
        "facts": fact or (),
        "concepts": concept or (),
        "files_read": read or (),
        "files_modified": modified or (),
        "tags": tag or (),
        "tool_name": tool,
        "project": project,
        "agent": agent,
        "prompt_number": prompt_number,
        "discovery_tokens": tokens,
        "event_id": event_id,
        "private": private,
        "at": at,
    }
    with call.writing() as store:
        if stdin:
            all_good = add_lines(store, flags, as_json=call.json)
            raise typer.Exit(0 if all_good else 1)
        flags["project"] = project_for(store, session, project)
        added = store.observations.add(title=title, **flags)
    put_ref(call, added)
