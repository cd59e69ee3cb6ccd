"""Going from screen to screen: the screens that are one key apart, each imported when it is first shown
(`tabs` names them), what would be lost or stopped if they were left now, and where what was typed leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.screen import Screen

from memtui.store import ListRow, Note, Session, Store
from memtui.store.platform.translation import _

from .finding.places import many_of, name_of
from .lists.picker import Pick, PickScreen
from .parts.dialog import Dialog
from .protocol import browser
from .tabs import TABS, screen_module

if TYPE_CHECKING:
    from memtui.store.links.destinations import Destination


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
        await show_ref(app, ref)


async def show_ref(app: App[Any], ref: str) -> None:
    """Go to a memory that is listed by itself."""
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


def _screen(mode: str) -> Screen[Any]:
    """Return a new screen of a mode: of `search` the `SearchScreen` of `search/screen.py`."""
    screen: Screen[Any] = getattr(screen_module(mode), f"{mode.capitalize()}Screen")()
    return screen


MODES: dict[str, str | Callable[[], Screen[Any]]] = {tab.mode: partial(_screen, tab.mode) for tab in TABS}


def is_running(screens: Iterable[Screen[Any]]) -> str:
    """Return which change is on its way on one of these screens, and how to stop it; `` for none."""
    words = next((content for screen in screens if (content := getattr(screen, "at_work", ""))), "")
    return _("{doing} q stops it, takes it back and quits; or wait.", doing=words) if words else ""


def would_be_lost(screens: Sequence[Screen[Any]], contexts: Sequence[str]) -> str:
    """Return what isn't saved on these screens, or of the contexts of these projects, and how to save
    or leave it; `` for nothing."""
    for screen in screens:
        if isinstance(screen, Dialog) and screen.unsaved:
            return _("{what} is not saved: ^s saves it, ^q leaves without.", what=screen.unsaved)
    if not contexts:
        return ""
    from memtui.store.text.display import safe

    from .composer.text import project_name

    names = _(", ").join(safe(project_name(name)) for name in contexts)
    return _("The context of {names} is not saved: 6, then s saves it; q leaves without.", names=names)
