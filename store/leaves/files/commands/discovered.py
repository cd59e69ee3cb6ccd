"""The files that a command is about: those that hold everywhere, and those of projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ....cli.command import Call
    from ..discovery import Discovery


def discovered(call: Call, folder: Path, *, all: bool) -> Discovery:
    """Return the files that hold everywhere, and those of a folder's project or of all that are known."""
    from ....agents.homes import AgentHomes
    from ..discovery import Discovery, discover, project_folders, project_of

    own = project_of(folder)
    projects = [own]
    if all and call.path.exists():
        with call.reading(observing=False) as store:
            projects += [project for project in project_folders(store.db) if project != own]
    if call.path.exists():
        from ..index import FileIndex, index_path
        from ..query import refreshed

        with FileIndex(index_path(call.path)) as index:
            files = refreshed(index, AgentHomes.own(), projects)
    else:
        files = discover(AgentHomes.own(), projects)
    if all:
        return files
    return Discovery(
        tuple(
            file
            for file in files.files
            if file.project == own or (file.project is None and file.scope != "project")
        ),
        files.notes,
    )
