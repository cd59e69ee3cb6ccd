"""Export as pages: an index with a search, a page a session, and pages of the facts and notes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ...clock import horizon_ms, now_ms
from ...database.files.atomic import create_private
from ...database.transaction import snapshot
from ...kinds import TABLES, kind_of
from ...records import Fact, Note, Session
from ...records.dataclasses import replace
from ...store import Store
from ..common.drafts import make_directories, translate_errors
from ..common.progress import Progress, ProgressCounter
from ..common.scope import Scope
from ..markdown.session_rows import SessionRows, records
from .frame import Site
from .index_page import MOST, write_index_page
from .list_pages import fact_article, note_article, session_items, write_list_page
from .markup import Markup
from .memories import Span, newest_first, spans
from .places import PAGE, Places, SessionPlace, page_name
from .session_page import write_session_page
from .words import AnyMemory, clock, day


def export_html(
    store: Store, directory: Path, scope: Scope | None = None, progress: Progress | None = None
) -> dict[str, int]:
    """Write pages below a directory, as of one moment; return the number of records by kind.
    Raises ExportError."""
    with snapshot(store.db):
        return _Export(store, directory, scope or Scope(), progress).run()


class _Export:
    """One run."""

    def __init__(self, store: Store, directory: Path, scope: Scope, progress: Progress | None) -> None:
        self.db = store.db
        self.directory = directory
        self.scope = replace(scope, noise=False, levels=False)
        self.places = Places(store, self.scope)
        results, self.days = spans(self.db, self.scope, MOST)
        self.spans = results or [Span(0, 0, 0)]
        self.site = self._site()
        total = len(self.places.sessions) + sum(span.count for span in self.spans)
        self.counter = ProgressCounter(total, progress)

    def run(self) -> dict[str, int]:
        self._write_sessions()
        self._write_lists()
        memories = self._counted(newest_first(self.db, self.scope))
        for number, span in enumerate(self.spans):
            with self._page((page_name("index", number),)) as file:
                some = islice(memories, span.count)
                write_index_page(file, self.site, self.places, number, self.spans, self.days, some)
        # The last one counts once the next one is asked for.
        next(memories, None)
        return self.counter.counts

    def _write_sessions(self) -> None:
        inside = SessionRows(self.db, self.scope)
        sessions = records(self.db, Session, "sessions", self.scope)
        for session in self.counter.counted("sessions", sessions):
            with self._page(self.places.sessions[session.id].path) as file:
                write_session_page(file, self.site, self.places, session, inside.of(session.id))

    def _write_lists(self) -> None:
        places = self.places
        horizon = horizon_ms()

        def by_time(place: SessionPlace) -> tuple[bool, int]:
            return place.started_at > horizon, -place.started_at

        newest = iter(sorted(places.sessions.values(), key=by_time))
        facts = records(self.db, Fact, "facts", self.scope)
        notes = records(self.db, Note, "notes", self.scope)
        for number in range(max(1, -(-len(places.sessions) // PAGE))):
            self._write_list("sessions", number, session_items(islice(newest, PAGE)))
        for number in range(places.pages("facts")):
            shown = (fact_article(places, fact) for fact in islice(facts, PAGE))
            self._write_list("facts", number, shown)
        for number in range(places.pages("notes")):
            self._write_list("notes", number, (note_article(note) for note in islice(notes, PAGE)))

    def _write_list(self, name: str, number: int, parts: Iterable[Markup]) -> None:
        pages = self.places.pages(name)
        with self._page((page_name(name, number),)) as file:
            write_list_page(file, self.site, name, number, pages, parts)

    def _counted(self, memories: Iterator[AnyMemory]) -> Iterator[AnyMemory]:
        for memory in memories:
            yield memory
            self.counter.count(TABLES[kind_of(memory)])

    def _site(self) -> Site:
        projects = {place.project for place in self.places.sessions.values() if place.project}
        name = next(iter(projects)) if len(projects) == 1 else "Memories"
        if self.scope.session in self.places.sessions:
            name = self.places.sessions[self.scope.session].title
        pages = [("index.html", "Timeline"), ("sessions.html", "Sessions")]
        pages += [
            (f"{kind}.html", kind.capitalize()) for kind in ("facts", "notes") if self.places.pages(kind)
        ]
        now = now_ms()
        return Site(name, tuple(pages), f"Exported by memtui on {day(now)} at {clock(now)}.")

    @contextmanager
    def _page(self, path: tuple[str, ...]) -> Iterator[BinaryIO]:
        """Open a new file below the directory."""
        place = self.directory.joinpath(*path)
        make_directories(place.parent)
        with translate_errors(place), os.fdopen(create_private(place), "wb") as file:
            yield file
