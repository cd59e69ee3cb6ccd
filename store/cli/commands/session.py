"""`mem session`: the working sessions of agents."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

import typer

from ...records import SessionRow, Snippet
from .. import arguments
from ..arguments import current_project
from ..command import Call, Command, group, print_ref
from ..output.console import Row, print_block, print_gap, print_json, print_rows, tell
from ..output.serializers import local_time, record_fields, record_json, ref, session_json

app = group("Start, end, link, list and show sessions.")

SessionId = Annotated[
    str,
    typer.Argument(metavar="ID", help="@12, the session's own id, or its first four characters."),
]


@app.command(cls=Command)
def start(
    ctx: typer.Context,
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]", help="The agent's own id; else the project's manual session."
        ),
    ] = None,
    agent: arguments.Agent = "manual",
    project: Annotated[
        str | None, typer.Option("--project", help="The project; else the repository here.")
    ] = None,
    path: Annotated[
        str | None, typer.Option("--project-path", metavar="PATH", help="Where the project lies.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="What it is about.")] = None,
    at: arguments.At = None,
) -> None:
    """Start or find a session, and print its number."""
    call: Call = ctx.obj
    with call.writing() as store:
        session = store.sessions.start(
            id,
            agent=agent,
            project=current_project(store) if project is None else project,
            project_path=path,
            title=title,
            at=at,
        )
    print_ref(call, session)


@app.command(cls=Command)
def end(
    ctx: typer.Context,
    id: SessionId,
    status: Annotated[
        Literal["completed", "failed"], typer.Option("--status", help="How it ended.")
    ] = "completed",
    at: arguments.At = None,
) -> None:
    """Mark a session as completed or failed."""
    call: Call = ctx.obj
    with call.writing() as store:
        session = store.sessions.end(store.sessions.get(id), status, at)
    print_ref(call, session)


@app.command(cls=Command)
def link(
    ctx: typer.Context,
    id: SessionId,
    memory_id: Annotated[str, typer.Argument(metavar="MEMORY_ID", help="Its memory session id.")],
) -> None:
    """Give a session the id under which a memory service knows it."""
    call: Call = ctx.obj
    with call.writing() as store:
        session = store.sessions.link(store.sessions.get(id), memory_id)
    print_ref(call, session)


@app.command("list", cls=Command)
def list_sessions(
    ctx: typer.Context,
    project: arguments.OfProject = None,
    agent: Annotated[
        str | None, typer.Option("--agent", help="Only this agent's sessions.")
    ] = None,
    limit: arguments.Limit = 50,
    offset: arguments.Offset = 0,
) -> None:
    """List sessions, the newest first."""
    call: Call = ctx.obj
    with call.reading() as store:
        rows = store.sessions.list(project, agent, limit, offset)
    if call.json:
        print_json([session_json(row) for row in rows])
        return
    if not rows:
        tell("There are no sessions.")
    columns = ("id", "started", "project", "prompts", "observations", "about")
    print_rows(columns, map(session_row, rows), wide="about")


def session_row(row: SessionRow) -> Row:
    """A session as a line; below it its agent, its status and its own id."""
    session = row.session
    cells = (
        ref(session),
        local_time(session.started_at),
        session.project,
        str(row.prompts),
        str(row.observations),
        row.summary_line or session.title or session.first_prompt or "",
    )
    below = f"{session.agent}, {session.status}, {session.content_session_id}"
    return Row(cells, Snippet(below))


@app.command(cls=Command)
def show(ctx: typer.Context, id: SessionId) -> None:
    """Show a session with its prompts, observations and summaries."""
    call: Call = ctx.obj
    with call.reading() as store:
        session = store.sessions.get(id)
        row = store.sessions.row(session)
        prompts = store.prompts.of_session(session)
        observations = store.observations.of_session(session)
        summaries = store.summaries.of_session(session)
        usage = store.sessions.usage(session)
    if call.json:
        print_json(
            {
                "session": session_json(row) | {"tokens": asdict(usage)},
                "prompts": [record_json(prompt) for prompt in prompts],
                "observations": [record_json(observation) for observation in observations],
                "summaries": [record_json(summary) for summary in summaries],
            }
        )
        return
    counts = ", ".join(
        f"{number:,} {one if number == 1 else many}"
        for number, one, many in (
            (row.prompts, "prompt", "prompts"),
            (row.observations, "observation", "observations"),
            (row.summaries, "summary", "summaries"),
        )
    )
    fields = [*record_fields(session), ("holds", counts)]
    if usage.output:
        fields.append(("tokens", f"{usage.input:,} in, {usage.output:,} out"))
    print_block(f"session {ref(session)}", fields)
    for prompt in prompts:
        print_gap()
        print_block(f"prompt {ref(prompt)}", record_fields(prompt))
    for summary in summaries:
        print_gap()
        print_block(f"summary {ref(summary)}", record_fields(summary))
    if observations:
        print_gap()
        print_block(
            "observations",
            ((ref(one), f"{one.type}  {one.title or one.subtitle or ''}") for one in observations),
        )
