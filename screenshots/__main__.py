"""`make screenshots`: drive the real app on the demo memory and export what it shows as SVG."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from textual.pilot import Pilot

from store import Store
from store.demo import fill
from tui.app import MemApp

from .mending import mend

NOW = 1_771_364_160_000
"""2026-02-17 21:36 UTC: the evening on which the demo's clock-drift story ends."""
FOLDER = Path(__file__).parent

Drive = Callable[[Pilot[str]], Awaitable[None]]


async def keys(pilot: Pilot[str], *pressed: str) -> None:
    """Press keys one after another, and wait until everything they started is on the screen."""
    for key in pressed:
        await pilot.press(key)
        await settle(pilot)


async def settle(pilot: Pilot[str]) -> None:
    """Wait for the workers and their repaint; the timeline follows the selection a moment later."""
    for _ in range(3):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause(0.15)


async def search(pilot: Pilot[str]) -> None:
    """Two words, the hits, and what happened around one of them."""
    await keys(pilot, *"token refresh", "down", "down")


async def chinese(pilot: Pilot[str]) -> None:
    """Chinese words of two characters, with a filter."""
    await keys(pilot, *"缓存 project:订单中心", "down")


async def timeline(pilot: Pilot[str]) -> None:
    """The timeline around a hit."""
    await keys(pilot, *"clock drifted", "enter", "t", "right_square_bracket")


async def sessions(pilot: Pilot[str]) -> None:
    """The list of sessions."""
    await keys(pilot, "down", "3", "down")


async def session(pilot: Pilot[str]) -> None:
    """One session with its summary."""
    await keys(pilot, *"clock drifted", "enter", "o")


async def facts(pilot: Pilot[str]) -> None:
    """Facts and notes."""
    await keys(pilot, "down", "4", "down")


async def why(pilot: Pilot[str]) -> None:
    """Why a hit is one."""
    await keys(pilot, *"token refresh", "down", "down", "w")


async def did_you_mean(pilot: Pilot[str]) -> None:
    """A question with a typo, and what was probably meant."""
    await keys(pilot, *"tokne refrseh")


async def facets(pilot: Pilot[str]) -> None:
    """The counts, with the keys on them and one made a filter."""
    await keys(pilot, *"token refresh", "down", "f", "enter")


async def no_hits(pilot: Pilot[str]) -> None:
    """A query that finds nothing."""
    await keys(pilot, *"kubernetes type:bugfix since:7d")


async def help_screen(pilot: Pilot[str]) -> None:
    """All keys of the search screen."""
    await keys(pilot, "down", "question_mark")


async def nothing(pilot: Pilot[str]) -> None:
    """As it opens."""


SHOTS: dict[str, tuple[Drive, tuple[int, int], str, bool]] = {
    "search": (search, (140, 40), "memtui-dark", True),
    "chinese": (chinese, (140, 40), "memtui-dark", True),
    "timeline": (timeline, (140, 40), "memtui-dark", True),
    "sessions": (sessions, (140, 40), "memtui-dark", True),
    "session": (session, (140, 40), "memtui-dark", True),
    "facts": (facts, (140, 40), "memtui-dark", True),
    "why": (why, (120, 32), "memtui-dark", True),
    "did-you-mean": (did_you_mean, (120, 32), "memtui-dark", True),
    "facets": (facets, (140, 40), "memtui-dark", True),
    "no-hits": (no_hits, (120, 32), "memtui-dark", True),
    "help": (help_screen, (120, 40), "memtui-dark", True),
    "narrow": (search, (78, 24), "memtui-dark", True),
    "light": (search, (140, 40), "memtui-light", True),
    "empty": (nothing, (120, 32), "memtui-dark", False),
}
"""Name: how to get there, the size in cells, the theme, and whether the memory is filled."""


async def shoot(name: str, path: Path, empty: Path) -> None:
    """Export one picture."""
    drive, size, theme, filled = SHOTS[name]
    app = MemApp(path if filled else empty, now=lambda: NOW)
    async with app.run_test(size=size) as pilot:
        app.theme = theme
        await settle(pilot)
        await drive(pilot)
        picture = mend(app.export_screenshot(title="memtui"))
        (FOLDER / f"{name}.svg").write_text(picture, "utf-8")


def main() -> None:
    """Make all pictures anew."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    with TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        path, empty = Path(folder) / "demo.db", Path(folder) / "empty.db"
        with Store.open(path) as store:
            fill(store, now=NOW)
        Store.open(empty).close()
        for name in SHOTS:
            asyncio.run(shoot(name, path, empty))
            print(f"screenshots/{name}.svg")


if __name__ == "__main__":
    main()
