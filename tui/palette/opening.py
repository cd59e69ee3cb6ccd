"""Opening the palette over a screen, and doing what was chosen there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from memtui.store.paths import make_private_directories, state_path_bytes
from memtui.store.translation import _

from ..protocol import browser
from ..screen import MemScreen
from .command import Command
from .commands import commands_of, of_other_screens, of_store
from .memories import MemoryHits
from .screen import PaletteScreen

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
