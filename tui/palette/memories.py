"""Memories in the palette: those that hold what is typed, and the search for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from memtui.store import ListRow, NotFoundError, Session, Store, StoreError, parse
from memtui.store.destinations import Destination
from memtui.store.text.display import safe
from memtui.store.translation import _

from ..actions import GO_TO
from ..finding.destinations import find_destinations, many_of, name_of
from ..protocol import Browser
from ..text.ages import age
from ..text.content import DIM, joined, plain
from ..text.glyphs import glyph
from .command import MEMORIES, Command

MOST = 5
LEAST_TYPED = 2
PATIENCE = 0.25
"""Seconds after which the hits found by then are shown."""
HIDDEN = ("private", "deleted", "noise")


class MemoryHits:
    """The memory of a browser, searched by its reader: a newer question stops the one before."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def all_of(self, typed: str) -> Command:
        """Return what puts the words into the query line."""
        line = Content.assemble(_("Search memories for "), (f"“{safe(typed)}”", "bold"))

        async def search() -> None:
            await self._browser.search_for(typed)

        return Command("", _("Search memories"), "", MEMORIES, search, line=(line, Content()))

    async def hits(self, typed: str) -> Sequence[Command]:
        """Return what opens the best hits; none of what only a filter of its own shows."""
        query = parse(typed, typing=True)
        if len(typed) < LEAST_TYPED or any(map(query.names_state, HIDDEN)):
            return ()

        def found(store: Store) -> list[tuple[ListRow, Session | None]]:
            if query.is_filter_only:
                rows = store.listing(query, 0, MOST)
            else:
                rows = [hit.row for hit in store.results(query, limit=MOST, seconds=PATIENCE).hits]
            return [(row, _session(store, row)) for row in rows]

        try:
            hits = await self._browser.reader.run(found)
        except StoreError:
            return ()
        return [self._opens(row, session) for row, session in hits]

    async def destinations(self, typed: str) -> Sequence[Command]:
        """Return what goes where an id, a file, a commit or a date leads."""
        return [self._goes(item) for item in await find_destinations(self._browser, typed)]

    def _goes(self, destination: Destination) -> Command:
        def go() -> None:
            self._browser.go_to([destination])

        line = Content.assemble(_("Go to "), name_of(destination))
        beside = plain(many_of(destination) or _(destination.kind), DIM)
        name = _("Go to {place}", place=destination.ref or destination.query)
        return Command("", name, "", GO_TO, go, line=(line, beside))

    def _opens(self, row: ListRow, session: Session | None) -> Command:
        def show() -> None:
            self._browser.show_memory(row, session)

        when = age(row.created_at, self._browser.now())
        line = Content.assemble(glyph(row.type).content, " ", plain(row.title))
        beside = plain(joined(row.project, when), DIM)
        return Command("", f"{row.ref} {safe(row.title)}", "", MEMORIES, show, line=(line, beside))


def _session(store: Store, row: ListRow) -> Session | None:
    if row.session_id is None:
        return None
    try:
        return store.sessions.get(row.session_id)
    except NotFoundError:
        return None
