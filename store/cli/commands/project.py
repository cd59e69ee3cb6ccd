"""`mem project`: which projects there are, where they lie, and making two one."""

from __future__ import annotations

from typing import Annotated

from ...curation.many import Action
from ...platform.translation import _
from ...text.plural import count_noun
from ..command import Call, Command, ReadingCommand, group
from ..output.console import Row, print_json, print_rows, tell
from ..typer_later import typer
from .chosen import DryRun, Ids, WithQuery, Yes, perform

app = group("List projects, and merge those that are one.")


@app.command("list", cls=ReadingCommand)
def list_projects(call: Call) -> None:
    """List every project with its memories and where it lies."""
    with call.reading() as store:
        counts = dict(store.projects())
        places: dict[str, list[str]] = {}
        for project, _source, place in store.known_projects.places():
            places.setdefault(project, []).append(place)
    names = sorted(counts.keys() | places.keys(), key=lambda name: (-counts.get(name, 0), name))
    projects = [
        {"project": name, "memories": counts.get(name, 0), "places": places.get(name, [])} for name in names
    ]
    if call.json:
        print_json(projects)
        return
    if not projects:
        tell("There are no projects.")
    print_rows(
        ("project", "memories", "places"),
        (
            Row(name or _("(none)"), str(counts.get(name, 0)), ", ".join(places.get(name, [])))
            for name in names
        ),
        wide="places",
    )


@app.command(cls=Command)
def merge(
    call: Call,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The project that goes.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The project that takes it in.")],
) -> None:
    """Make all of one project another's, from now on too. `mem undo` takes it back."""
    with (
        call.writing() as store,
        store.change(_("project {old} merged into {into}", old=old, into=into)),
    ):
        moved = store.known_projects.merge(old, into)
    call.answer(
        {"merged": old, "into": into, "records": moved},
        "{old} is {into} now: {records}. `mem undo` takes it back.",
        old=old,
        into=into,
        records=count_noun(moved, "records"),
    )


@app.command("set", cls=Command)
def set_project(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help='The project; "" for none.')],
    ids: Ids = None,
    query: WithQuery = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Move memories to a project; of a session (@12), all that it holds. One undo takes it back."""
    action = Action("project", project=name.strip())
    perform(call, action, ids, query, dry_run=dry_run, yes=yes)
