"""The browser in tests: opened at a frozen time, typed into, and read as text."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, cast

from textual.pilot import Pilot
from textual.widget import Widget

from memtui.tui.app import MemApp
from memtui.tui.search.screen import SearchScreen
from tests.tui.patience import idle

NOW = 1_771_356_700_000
"""Tue 2026-02-17 19:31:40 UTC."""

WIDE = (140, 40)


def browser(path: Path, **options: Any) -> MemApp:
    """The browser over a memory, at the frozen time."""
    return MemApp(path, now=lambda: NOW, **options)


@asynccontextmanager
async def opened(path: Path, *, size: tuple[int, int] = WIDE, **options: Any) -> AsyncIterator[Pilot[Any]]:
    """The browser running, all loaded and painted."""
    running = browser(path, **options).run_test(size=size, notifications=True)
    async with cast(AbstractAsyncContextManager[Pilot[Any]], running) as pilot:
        await idle(pilot)
        yield pilot


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys, and wait until all that they set off is done."""
    await pilot.press(*keys)
    await idle(pilot)


async def ask(pilot: Pilot[Any], query: str) -> None:
    """Have another query in the query line."""
    search(pilot).ask(query)
    await pilot.pause()
    await idle(pilot)


def app(pilot: Pilot[Any]) -> MemApp:
    """The browser that a pilot drives."""
    return cast(MemApp, pilot.app)


def search(pilot: Pilot[Any]) -> SearchScreen:
    """The search screen, which is in front."""
    return cast(SearchScreen, pilot.app.screen)


def text(widget: Widget) -> str:
    """What a widget shows."""
    lines = (widget.render_line(y).text.rstrip() for y in range(widget.size.height))
    return "\n".join(lines)


def titles(pilot: Pilot[Any]) -> list[str]:
    """The titles of the results in view."""
    rows = search(pilot).results.list
    items = (rows.item_at(index) for index in range(rows.first_row, rows.first_row + rows.rows_in_view))
    return [item.hit.row.title for item in items if item]


def highlighted(widget: Widget) -> list[str]:
    """The texts a widget shows as matched."""
    accent = widget.app.theme_variables["accent-muted"]
    return [
        segment.text
        for y in range(widget.size.height)
        for segment in widget.render_line(y)
        if segment.style and segment.style.bgcolor and segment.style.bgcolor.name == accent.lower()
    ]
