"""What `mem search` prints of agents' files: the hits where they are asked for, else how many there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .console import Row, print_json, print_rows, shown_path, tell

if TYPE_CHECKING:
    from ...files.query import FileQuery
    from ...search.query.language import Query
    from ...store import Store


def files_asked(text: str) -> FileQuery | None:
    """Return what a query asks of agents' files, None where it asks for memories."""
    if ":" not in text and "：" not in text:
        return None
    from ...files.query import file_query

    return file_query(text)


def print_file_hits(store: Store, query: FileQuery, *, limit: int, as_json: bool) -> None:
    """Search in agents' files and print the hits."""
    from ...files.query import files_found

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
        return
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


def tell_more_in_files(store: Store, query: Query, text: str) -> None:
    """Say how many of agents' files hold the words of a query, where they are indexed."""
    path = Path(store.path).with_name("files.db")
    if not query.has_words or not path.exists():
        return
    from ...files.index import count_in

    if number := count_in(path, query):
        tell(
            "{number} more in agents' own files: mem search {text} kind:file",
            number=f"{number:,}",
            text=text,
        )
