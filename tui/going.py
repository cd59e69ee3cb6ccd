"""Going where what was typed leads: to a screen of one thing, or to a search for several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import App

from memtui.store import ListRow, Note, Session, Store
from memtui.store.links.destinations import Destination
from memtui.store.platform.translation import _

from .finding.places import many_of, name_of
from .lists.picker import Pick, PickScreen
from .protocol import browser


async def choose_destination(app: App[Any], destinations: Sequence[Destination]) -> None:
    """Go to the only destination, or let one be chosen."""
    if len(destinations) == 1:
        await _go(app, destinations[0])
        return

    def go(picked: Pick[Destination] | None) -> None:
        if picked is not None:
            browser(app).go_to([picked.value])

    picks = [Pick(name_of(item).plain, item, many_of(item) or item.kind) for item in destinations]
    app.push_screen(PickScreen(_("which is meant?"), picks, _("goes there")), go)


async def _go(app: App[Any], destination: Destination) -> None:
    kind, ref = destination.kind, destination.ref
    if destination.query:
        await _list(app, f"{destination.query} ")
    elif kind == "session":
        browser(app).show_session(int(ref[1:]))
    elif kind == "fact":
        from .facts.fact_and_note import FactScreen

        browser(app).open_over(FactScreen(int(ref[1:])))
    elif kind == "note":
        from .facts.fact_and_note import NoteScreen

        note: Note = await browser(app).side.run(lambda store: store.notes.get(ref))
        browser(app).open_over(NoteScreen(note))
    else:
        browser(app).show_memory(*await browser(app).side.run(lambda store: _row(store, ref)))


async def _list(app: App[Any], query: str) -> None:
    """List what a query matches: in the search in front, else in one of its own."""
    from .search.screen import SearchScreen

    if isinstance(app.screen, SearchScreen):
        app.screen.ask(query)
        app.screen.set_focus(app.screen.results.front)
    else:
        await browser(app).show_search(query, in_results=True)


def _row(store: Store, ref: str) -> tuple[ListRow, Session | None]:
    record = store.record(ref)
    return store.list_row(record), store.sessions.of_record(record)
