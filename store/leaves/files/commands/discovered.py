"""The files that a command is about, and what `mem search` and `mem import` say of agents' files: the hits
of a query for them, how many more hold the words of one for memories, and whose own memory a file is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ....cli.output.console import Row, print_json, print_rows, shown_path, tell
from ....context.own_files import FILES_INDEX

if TYPE_CHECKING:
    from ....cli.command import Call
    from ....search.query.language import Query
    from ....store import Store
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


OWN_MEMORY = ("index", "note", "agentnote")
"""The kinds of agents' files in which they keep what they remember by themselves."""


def answer(store: Store, text: str, *, limit: int, as_json: bool) -> bool:
    """Print the hits of a query for agents' files; return False for one that asks for memories."""
    from ..query import file_query, files_found

    query = file_query(text)
    if query is None:
        return False
    hits, notes = files_found(store, query, limit)
    for note in notes:
        tell(note)
    if as_json:
        print_json(
            [
                {
                    "path": str(hit.file.path),
                    "line": hit.line,
                    "class": hit.file.kind,
                    "scope": hit.file.scope,
                    "agents": list(hit.file.agents),
                    "project": str(hit.file.project) if hit.file.project else None,
                    "title": hit.file.title,
                    "passage": hit.passage.text,
                }
                for hit in hits
            ]
        )
        return True
    if not hits:
        tell("Nothing was found in agents' files.")
    print_rows(
        ("class", "file", "agents"),
        (
            Row(
                hit.file.kind,
                f"{shown_path(hit.file.path)}:{hit.line}",
                ", ".join(hit.file.agents[:3]),
                below=hit.passage if hit.passage.text.strip() else None,
            )
            for hit in hits
        ),
        wide="file",
        first_out=("agents",),
    )
    return True


def tell_more(store: Store, query: Query) -> None:
    """Tell how many of agents' files hold the words of a query, where they are indexed."""
    index = store.path.with_name(FILES_INDEX)
    if not query.has_words or not index.exists():
        return
    from ..index import count_in

    if number := count_in(index, query):
        tell(
            "{number} more in agents' own files: mem search {text} kind:file",
            number=f"{number:,}",
            text=query.text,
        )


def own_memory(call: Call, below: Path | None) -> list[tuple[str, ...]]:
    """Return the agents of each file, here or below a folder, in which they keep what they remember by
    themselves."""
    from ....agents.homes import resolved_path

    folder = resolved_path(below) if below else None
    return [
        file.agents
        for file in discovered(call, Path.cwd(), all=True).files
        if file.kind in OWN_MEMORY
        and (folder is None or folder == file.path or folder in file.path.parents)
    ]
