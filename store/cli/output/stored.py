"""How `mem tail` prints what was stored: a line each, at once."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING

from ...clock import local_time
from ...kinds import kind_of
from ...records import Hit, Note, Session
from ...text.display import safe
from .console import Row, localized, on_terminal, print_json_line, print_rows
from .hits import hit_row, session_names, type_of
from .serializers import Json, author_json, hit_json, ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...search.finding.newly_stored import Stored
    from ...store import Store

REF, TYPE = 6, 10
"""Cells of these columns on a terminal."""
COLUMNS = ("id", "type", "memory", "project", "when")


def print_stored(store: Store, stored: Sequence[Stored], *, as_json: bool) -> None:
    """Print each on a line: on a terminal cut to it, in a pipe as `mem search` does, or as JSON."""
    sessions = session_names(store, [item for item in stored if isinstance(item, Hit)]) if as_json else {}
    refs = [entry.row.ref for entry in stored if isinstance(entry, Hit)]
    authors = store.authors_of(refs)
    for entry in stored:
        if as_json:
            print_json_line(
                hit_json(entry, sessions.get(entry.row.session_id)) | author_json(authors, entry.row.ref)
                if isinstance(entry, Hit)
                else stored_json(entry)
            )
        elif on_terminal():
            _print_line(entry)
        else:
            row = (
                hit_row(entry, authors.get(entry.row.ref, ""))
                if isinstance(entry, Hit)
                else Row(*_cells(entry))
            )
            print_rows(COLUMNS, [row], wide="memory")
        sys.stdout.flush()


def stored_json(item: Session | Note) -> Json:
    """Return a session or a note with the keys that a hit of a search has."""
    kind = kind_of(item)
    return {
        "kind": kind,
        "id": item.id,
        "ref": ref(item),
        "uid": item.uid,
        "title": title_of(item),
        "snippet": "",
        "score": 0.0,
        "tier": "exact",
        "project": item.project,
        "session": item.content_session_id if isinstance(item, Session) else None,
        "type": kind,
        "created_at": item.created_at,
        "superseded": False,
        "stale": False,
        "similarity": None,
        "turn": None,
        "passage": "",
    }


def title_of(item: Session | Note) -> str:
    """Return a note's path, and what a session is called; its first prompt may be a hidden one."""
    if isinstance(item, Note):
        return item.path
    return item.title or f"{item.agent} {item.content_session_id}"


def _cells(item: Stored) -> tuple[str, str, str, str, str]:
    if isinstance(item, Hit):
        row = item.row
        return row.ref, type_of(row), row.title, row.project, local_time(row.created_at)
    kind = localized(kind_of(item))
    return ref(item), kind, title_of(item), item.project, local_time(item.created_at)


def _print_line(item: Stored) -> None:
    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    number, kind, title, project, when = map(safe, _cells(item))
    today = f"{date.today():%Y-%m-%d}"
    content = when.removeprefix(today).strip() if when.startswith(today) else when
    kind += " " * (TYPE - cell_len(kind))
    line = Text.assemble(
        (content, "dim"), " ", number.rjust(REF), " ", (kind, "dim"), " ", (title, "bold"),
        (f"  {project}" if project else "", "dim"),
    )  # fmt: skip
    Console(highlight=False).print(line, no_wrap=True, overflow="ellipsis", crop=True)
