"""Opening the palette over a screen, and doing what was chosen there."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from textual.app import App

from memtui.store.translation import _

from ..protocol import browser
from ..screen import MemScreen
from .command import Command
from .commands import commands_of, of_other_screens, of_store
from .memories import MemoryHits
from .recent import load, save, used
from .screen import PaletteScreen


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
