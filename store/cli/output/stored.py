"""How `mem tail` prints what was stored: a line each, at once."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING

from ...clock import local_time
from ...kinds import kind_of
from ...records import Hit, Note, Session
from ...text.display import safe
from .console import Row, on_terminal, print_json_line, print_rows
from .hits import hit_row, session_names, type_of
from .serializers import Json, hit_json, ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...search.finding.newly_stored import Stored
    from ...store import Store

REF, TYPE = 6, 10
"""Cells of these columns on a terminal."""
COLUMNS = ("id", "type", "memory", "project", "when")


def print_stored(store: Store, found: Sequence[Stored], *, as_json: bool) -> None:
    """Print each on a line: on a terminal cut to it, in a pipe as `mem search` does, or as JSON."""
    sessions = (
        session_names(store, [one for one in found if isinstance(one, Hit)]) if as_json else {}
    )
    for one in found:
        if as_json:
            print_json_line(
                hit_json(one, sessions.get(one.row.session_id))
                if isinstance(one, Hit)
                else stored_json(one)
            )
        elif on_terminal():
            _print_line(one)
        else:
            row = hit_row(one) if isinstance(one, Hit) else Row(_cells(one))
            print_rows(COLUMNS, [row], wide="memory")
        sys.stdout.flush()


def stored_json(one: Session | Note) -> Json:
    """Return a session or a note with the keys that a hit of a search has."""
    kind = kind_of(one)
    return {
        "kind": kind,
        "id": one.id,
        "ref": ref(one),
        "uid": one.uid,
        "title": title_of(one),
        "snippet": "",
        "score": 0.0,
        "tier": "exact",
        "project": one.project,
        "session": one.content_session_id if isinstance(one, Session) else None,
        "type": kind,
        "created_at": one.created_at,
        "superseded": False,
        "stale": False,
        "similarity": None,
        "turn": None,
        "passage": "",
    }


def title_of(one: Session | Note) -> str:
    """Return a note's path, and what a session is called; its first prompt may be a hidden one."""
    if isinstance(one, Note):
        return one.path
    return one.title or f"{one.agent} {one.content_session_id}"


def _cells(one: Stored) -> tuple[str, str, str, str, str]:
    if isinstance(one, Hit):
        row = one.row
        return row.ref, type_of(row), row.title, row.project, local_time(row.created_at)
    kind = kind_of(one)
    return ref(one), kind, title_of(one), one.project, local_time(one.created_at)


def _print_line(one: Stored) -> None:
    from rich.console import Console
    from rich.text import Text

    number, kind, title, project, when = map(safe, _cells(one))
    today = f"{date.today():%Y-%m-%d}"
    told = when.removeprefix(today).strip() if when.startswith(today) else when
    line = Text.assemble(
        (told, "dim"), " ", number.rjust(REF), " ", (kind.ljust(TYPE), "dim"), " ", (title, "bold"),
        (f"  {project}" if project else "", "dim"),
    )  # fmt: skip
    Console(highlight=False).print(line, no_wrap=True, overflow="ellipsis", crop=True)
