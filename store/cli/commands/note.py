"""`mem note`: core memory, MEMORY.md and its like."""

from __future__ import annotations

from typing import Annotated

from ...cli import arguments
from ...platform.clock import local_time
from ...platform.translation import _
from ...records.dataclasses import asdict
from ..arguments import text_or_stdin
from ..command import Call, Command, ReadingCommand, group, print_ref
from ..output.console import Row, print_json, print_rows, print_text, tell
from ..output.serializers import named, record_json, ref
from ..typer_later import typer

app = group("Put, list and show notes.")


@app.command(cls=Command)
def put(
    call: Call,
    path: Annotated[str, typer.Argument(help="Its name, such as MEMORY.md.")],
    text: Annotated[str, typer.Argument(help="Its text; - reads it from standard input.")] = "-",
    project: Annotated[str, typer.Option("--project", help="The project it belongs to; else to all.")] = "",
) -> None:
    """Store a note under its path, and print its id.

    It takes the place of what was there.
    """
    content = text_or_stdin(text)
    with call.writing() as store, store.change() as action:
        written = store.notes.upsert(path, content, project=project)
        action.what = _("{named} put", named=named(written))
    print_ref(call, written, action.what)


@app.command("list", cls=ReadingCommand)
def list_notes(call: Call, project: arguments.OfProject = None) -> None:
    """List notes by project and path."""
    with call.reading() as store:
        notes = store.notes.list(project)
    if call.json:
        print_json([record_json(note) for note in notes])
        return
    if not notes:
        tell("There are no notes.")
    print_rows(
        ("id", "project", "path", "changed", "text"),
        (Row(ref(note), note.project, note.path, local_time(note.updated_at), note.text) for note in notes),
        wide="text",
    )


@app.command(cls=ReadingCommand)
def show(
    call: Call,
    note: Annotated[str, typer.Argument(metavar="ID", help="Its id, such as n1, or its uid.")],
) -> None:
    """Print a note's text; with --json also its sections, and their bullets, by lines."""
    with call.reading() as store:
        result = store.notes.get(note)
    if call.json:
        from ...text.markup import sections

        print_json(
            record_json(result) | {"outline": [asdict(section) for section in sections(result.text)]}
        )
    else:
        print_text(result.text)
