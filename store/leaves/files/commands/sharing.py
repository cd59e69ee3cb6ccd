"""`mem files share`: which of agents' files are kept in step with other machines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call
from ....cli.output.console import Row, print_json, print_rows, shown_path, tell
from ....cli.typer_later import typer
from ....platform.errors import StoreError
from ....platform.translation import _
from ....text.plural import count_noun
from .editing import path_of

if TYPE_CHECKING:
    from ..sharing import SharedFiles


def share(
    call: Call,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH]...", help="The files. Else: list them.")
    ] = None,
    project: Annotated[
        bool, typer.Option("--project", help="All files of the project here, also those to come.")
    ] = False,
    all: Annotated[bool, typer.Option("--all", help="Whatever your other machines share.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Share them on this machine no more.")] = False,
) -> None:
    """Keep agents' files in step with your other machines; `mem sync` carries them.

    They are found there by project, wherever it lies, and merged. Of one that differs there, let what it
    says here stand.
    """
    from ..sharing import SharedFiles

    chosen = [path_of(path) for path in paths or ()]
    if stop and not (chosen or project or all):
        raise typer.BadParameter(_("Say what is shared no more: files, --project or --all."))
    if not (chosen or project or all):
        with call.reading() as store:
            _list(call, SharedFiles(store))
        return
    with call.writing() as store:
        files = SharedFiles(store)
        notes: list[str] = []
        if stop:
            for path in chosen:
                files.stop(path, None)
            if not chosen:
                files.stop(None, Path.cwd() if project else None)
        else:
            if all:
                files.share_all()
            notes += files.share_project(Path.cwd()) if project else []
            for path in chosen:
                files.share(path)
        files.keep_in_step()
        if call.json:
            _list(call, files)
        else:
            shared = sum(file.state not in ("stopped", "waits") for file in files.listed())
            tell("{files} shared. `mem sync` carries them.", files=count_noun(shared, "files"))
    for note in notes:
        tell(note)
    if notes and chosen:
        raise StoreError(_("Not all of it was shared."))


def _list(call: Call, files: SharedFiles) -> None:
    listed = files.listed()
    if call.json:
        print_json(
            [
                {
                    "project": file.place.project,
                    "place": file.place.name,
                    "path": str(file.path) if file.path else None,
                    "state": file.state,
                    "machines": list(file.machines),
                }
                for file in listed
            ]
        )
        return
    if not listed:
        tell("No file is shared. `mem files share --project` shares those of the project here.")
    print_rows(
        ("file", "project", "state", "machines"),
        (
            Row(
                shown_path(file.path) if file.path else file.place.name,
                file.place.project,
                _(file.state),
                ", ".join(file.machines),
            )
            for file in listed
        ),
        wide="file",
    )
