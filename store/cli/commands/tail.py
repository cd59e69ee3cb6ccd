"""`mem tail`: what is stored, as it is stored, for scripts and second screens.

It polls: SQLite notifies no other process, and a file system tells of pages, not of commits.
Whether anybody still reads is asked while it waits, so that `mem tail | head -1` ends at once.
"""

from __future__ import annotations

import select
import sys
import time
from collections import deque
from contextlib import closing, suppress
from datetime import date
from typing import TYPE_CHECKING, Annotated

import apsw

from ...platform.clock import local_time, now_ms
from ...platform.errors import StoreError
from ...platform.translation import _
from ...records.kinds import kind_of
from ...records.rows import Hit, Note, Session
from ...search.arrivals import NewlyStored, Stored
from ...search.query.language import Query
from ...text.display import safe
from ..command import Call, failure_sentence, group
from ..output.console import Row, localized, on_terminal, print_json_line, print_rows, tell
from ..output.hits import hit_row, session_names, tell_remarks, type_of
from ..output.serializers import Json, author_json, hit_json, ref
from ..typer_later import typer
from .search import QueryCommand, saved_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...store import Store


app = group()

LOOK_SECONDS = 0.25
"""Between two looks at whether anything was committed."""
HOOKS_SECONDS = 1.0
"""Between two looks at whether hooks left anything to store."""
CATCH_UP_SECONDS = 0.25
"""What one of these may spend on storing it."""
RETRY_SECONDS = 1.0
"""Between two tries to open a store that is gone."""
SLACK_MS = 1_000
"""What was written so long before the last look, or since, is looked for in what took a store's place."""
MOST_SHOWN = 1_000
"""So many of those shown last are known again."""


class TailCommand(QueryCommand):
    """A command whose arguments are a query, of what is stored from now on."""

    can_look_back = False


@app.command(cls=TailCommand)
def tail(
    call: Call,
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUERY...]", help="As in `mem search`; else everything."),
    ] = None,
    number: Annotated[int, typer.Option("--limit", "-n", min=0, help="Show the newest N first.")] = 10,
    follow: Annotated[
        bool, typer.Option("--follow/--no-follow", help="Go on with what is stored, until Ctrl+C.")
    ] = True,
    saved: Annotated[
        str | None,
        typer.Option("--saved", metavar="NAME", help="A saved search; QUERY is added to it."),
    ] = None,
) -> None:
    """Show what is stored, as it is stored.

    The newest that match first, then each new one, once, whoever stores it; also sessions that start
    and notes, where the query has nothing but project: and agent:. What was there before and only
    changes is not shown. With --json an object a line, as in `mem search --json`.
    """
    with closing(_Followed(call)) as followed:
        store = followed.open()
        words = [] if saved is None else [saved_query(store, saved)]
        if text := " ".join([*words, *(query or ())]):
            tell_remarks(store, text, "mem tail")
        understood = store.find(text).query
        if understood.similar:
            raise typer.BadParameter(
                _("is:similar: lists what is similar to a memory as it is; `mem search` does that.")
            )
        followed.begin(store, understood, number)
        while follow and _is_read(LOOK_SECONDS):
            followed.look()


class _Followed:
    """A store that is followed, whatever becomes of its file: where that is gone or replaced, what comes
    in its place is."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.query = Query()
        self.store: Store | None = None
        self.file: tuple[int, int] | None = None
        self.stored: NewlyStored | None = None
        self.version: tuple[int, int] | None = None
        self.looked_at = now_ms()
        self.hooks_at = 0.0
        self.retry_at = 0.0
        self.is_told = False
        self.shown: deque[str] = deque(maxlen=MOST_SHOWN)

    def open(self) -> Store:
        """Open the store."""
        self.store = store = self.call.reading()
        self.is_told, self.version = False, None
        return store

    def close(self) -> None:
        """Close the store, if it is open."""
        store, self.store = self.store, None
        if store is not None:
            store.close()

    def begin(self, store: Store, query: Query, number: int) -> None:
        """Show the newest that match a query, and follow it from there on."""
        self.query = query
        self.file = _file_of(self.call)
        self.stored = NewlyStored(store.db, query)
        self.show(store, self.stored.last(number))

    def look(self) -> None:
        """Show what was stored since the last look. What is in the way is said once."""
        try:
            if _file_of(self.call) != self.file:
                self.close()
                # A file that comes in its place may be given the same number.
                self.file = None
            store = self.store
            if store is None:
                if time.monotonic() < self.retry_at:
                    return
                self.retry_at = time.monotonic() + RETRY_SECONDS
                store = self.open()
                self._go_on(store, is_same=self.file is not None)
                self.file = _file_of(self.call)
            self._show_new(store)
        except (StoreError, apsw.Error, OSError) as error:
            if isinstance(error, OSError) and error.filename is None:
                # Of no file: what is printed to is gone.
                raise
            self.close()
            if not self.is_told:
                self.is_told = True
                tell("{error} It is waited for.", error=failure_sentence(error) or error)

    def _go_on(self, store: Store, *, is_same: bool) -> None:
        """Follow a store that was opened again, or one that took its place: of that, what was written
        since the last look is new."""
        marks = self.stored.marks if is_same and self.stored is not None else None
        self.stored = NewlyStored(store.db, self.query, marks=marks, since=self.looked_at - SLACK_MS)

    def _show_new(self, store: Store) -> None:
        self._store_what_hooks_left(store)
        now = now_ms()
        version = (store.data_version(), store.db.total_changes())
        if version == self.version or self.stored is None:
            self.looked_at = now
            return
        if self.stored.is_of_before():
            self._go_on(store, is_same=False)
        self.show(store, self.stored.new())
        while self.stored.has_more:
            self.show(store, self.stored.new())
        self.version, self.looked_at = version, now

    def show(self, store: Store, stored: list[Stored]) -> None:
        """Print each, at once; none a second time, where one store took the place of another."""
        new = [item for item in stored if _uid(item) not in self.shown]
        self.shown.extend(map(_uid, new))
        if new:
            print_stored(store, new, as_json=self.call.json)

    def _store_what_hooks_left(self, store: Store) -> None:
        from ...capture.ingest.catch_up import catch_up

        if time.monotonic() >= self.hooks_at:
            # Whatever waits there is there for the next look.
            with suppress(StoreError):
                catch_up(store, CATCH_UP_SECONDS)
            self.hooks_at = time.monotonic() + HOOKS_SECONDS


def _uid(item: Stored) -> str:
    return item.record.uid if isinstance(item, Hit) else item.uid


def _file_of(call: Call) -> tuple[int, int] | None:
    try:
        result = call.path.stat()
    except OSError:
        return None
    return result.st_dev, result.st_ino


def _is_read(seconds: float) -> bool:
    """Wait so long; return whether anybody still reads what is printed. Whoever ends reading is not
    waited for until there is something to print."""
    if not hasattr(select, "poll"):
        time.sleep(seconds)
        return True
    reader = select.poll()
    reader.register(sys.stdout.fileno(), 0)
    return not reader.poll(seconds * 1_000)


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
        "taken_back": False,
        "stale": False,
        "told": 0,
        "pending": False,
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
