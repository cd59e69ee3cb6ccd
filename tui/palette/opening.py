"""Opening the palette over a screen, with the memories that hold what is typed; doing what was chosen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from memtui.store import ListRow, NotFoundError, Session, Store, StoreError, parse
from memtui.store.links.destinations import Destination
from memtui.store.platform.paths import make_private_directories, state_path_bytes
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..actions import GO_TO
from ..finding.places import find_destinations, many_of, name_of
from ..protocol import Browser, browser
from ..screen import MemScreen
from ..text.ages import age
from ..text.content import DIM, joined, plain
from ..text.glyphs import glyph
from .commands import commands_of, of_other_screens, of_store
from .screen import MEMORIES, Command, PaletteScreen

KEPT = 20
LONGEST = 4_000
"""Bytes read of the file, whatever it has become."""
OF_THIS_PROCESS = ":"
"""What ids have that hold the name of a project or of a saved search: they are not written down."""


def open_palette(screen: MemScreen) -> None:
    """Open the palette with all that can be done on a screen; what is chosen is done when it is closed."""
    app, memory = screen.app, screen.browser
    if memory.recent_commands is None:
        # Not awaited: the keys that follow would be those of the screen below.
        memory.recent_commands = load()
    recent = memory.recent_commands

    async def more() -> list[Command]:
        stored = await of_store(screen)
        return stored + await asyncio.to_thread(of_other_screens, screen)

    palette = PaletteScreen(
        commands_of(screen, partial(choose_theme, app)),
        recent,
        more=more,
        memories=MemoryHits(memory),
    )

    def done(command: Command | None) -> None:
        if command is not None:
            memory.recent_commands = used(recent, command.id)
            app.run_worker(asyncio.to_thread(save, memory.recent_commands), group="recent")
            app.call_later(command.do)

    app.push_screen(palette, done)


def choose_theme(app: App[Any]) -> None:
    """Open a palette of themes alone, the current one first; each is shown while it is selected."""
    memory, current = browser(app), app.theme

    def use(name: str) -> None:
        memory.keep(theme=name)

    named = sorted(app.available_themes.items(), key=lambda pair: (pair[0] != current, pair[0]))
    commands = [
        Command(
            "",
            name,
            _("dark") if theme.dark else _("light"),
            _("Current") if name == current else _("Themes"),
            partial(use, name),
        )
        for name, theme in named
    ]
    palette = PaletteScreen(
        commands,
        title=_("themes"),
        placeholder=_("The name of a theme"),
        selected=lambda command: memory.preview_theme(command.name),
    )

    def done(command: Command | None) -> None:
        if command is not None:
            command.do()
        else:
            memory.preview_theme(None)

    app.push_screen(palette, done)


def used(ids: Sequence[str], id: str) -> list[str]:
    """Return the ids with one at the front, each once."""
    return [id, *(other for other in ids if other != id)][:KEPT] if id else [*ids]


def load() -> list[str]:
    """Return what was written down, the newest first; nothing where that can't be read."""
    with suppress(OSError), _path().open("rb") as file:
        lines = file.read(LONGEST).decode(errors="replace").splitlines()
        return [line for line in lines if line and line.isprintable()][:KEPT]
    return []


def save(ids: Sequence[str]) -> None:
    """Write them down, unless that can't be done: then they are this process's own."""
    path = _path()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        make_private_directories(os.fsencode(path.parent))
        draft.write_text("".join(f"{id}\n" for id in ids if OF_THIS_PROCESS not in id))
        draft.replace(path)


def _path() -> Path:
    return Path(os.fsdecode(state_path_bytes(b"palette")))


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
                rows = store.find(query).rows(0, MOST)
            else:
                rows = [hit.row for hit in store.find(query).page(limit=MOST, seconds=PATIENCE).hits]
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
