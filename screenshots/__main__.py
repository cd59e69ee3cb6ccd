"""`make screenshots`: drive the real app on the demo memory and export what it shows as SVG."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from textual.pilot import Pilot

from screenshots.mending import mend
from store import Store
from store.capture import settings
from store.demo import fill
from store.formats.export import Format, export_to
from tests.tui.hooked import MINUTE, fail, have_run, leave_waiting, settle_in
from tests.tui.queue.messages import fill_queue
from tui.app import MemApp
from tui.startup.foreign import foreign

NOW = 1_771_364_160_000
"""2026-02-17 21:36 UTC: the evening on which the demo's clock-drift story ends."""
FOLDER = Path(__file__).parent
CLAUDE_MEM, SCHEME_C = ".claude-mem/claude-mem.db", "memory-data"

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


async def elsewhere(pilot: Pilot[str]) -> None:
    """Other tools' memories, browsed where they lie, each a source."""
    await keys(pilot, *"refresh token", "down", "down", "f", *("down",) * 5)


async def facts(pilot: Pilot[str]) -> None:
    """Facts and notes."""
    await keys(pilot, "down", "4")


async def note(pilot: Pilot[str]) -> None:
    """A note, which opens in the user's editor."""
    await keys(pilot, "down", "4", "right")


async def agents(pilot: Pilot[str]) -> None:
    """The agents, one of them just hooked up, and how capture is doing."""
    await keys(pilot, "down", "5", "i", "j", "i")


async def waiting(pilot: Pilot[str]) -> None:
    """Capture that needs the user: events wait, some were not stored, and it is paused."""
    await keys(pilot, "down", "5")


async def queue(pilot: Pilot[str]) -> None:
    """What waits for an observer and what was given up, and why."""
    await keys(pilot, "down", "6", "j", "j")


async def composer(pilot: Pilot[str]) -> None:
    """What a project's sessions are told: one left out, one chosen, one in brief."""
    await keys(pilot, "down", "7", "space", "j", "j", "K", "j", "j", "b", *["minus"] * 5)


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


SHOTS: dict[str, tuple[Drive, tuple[int, int], str, str]] = {
    "search": (search, (140, 40), "memtui-dark", "demo"),
    "chinese": (chinese, (140, 40), "memtui-dark", "demo"),
    "timeline": (timeline, (140, 40), "memtui-dark", "demo"),
    "sessions": (sessions, (140, 40), "memtui-dark", "demo"),
    "session": (session, (140, 40), "memtui-dark", "demo"),
    "facts": (facts, (140, 40), "memtui-dark", "demo"),
    "notes": (note, (120, 32), "memtui-dark", "demo"),
    "from": (elsewhere, (140, 40), "memtui-dark", "foreign"),
    "agents": (agents, (140, 40), "memtui-dark", "demo"),
    "queue": (queue, (120, 32), "memtui-dark", "queued"),
    "composer": (composer, (140, 40), "memtui-dark", "demo"),
    "capture-warnings": (waiting, (120, 32), "memtui-dark", "behind"),
    "why": (why, (120, 32), "memtui-dark", "demo"),
    "did-you-mean": (did_you_mean, (120, 32), "memtui-dark", "demo"),
    "facets": (facets, (140, 40), "memtui-dark", "demo"),
    "no-hits": (no_hits, (120, 32), "memtui-dark", "demo"),
    "help": (help_screen, (120, 40), "memtui-dark", "demo"),
    "narrow": (search, (78, 24), "memtui-dark", "demo"),
    "light": (search, (140, 40), "memtui-light", "demo"),
    "empty": (nothing, (120, 32), "memtui-dark", "empty"),
}
"""Name: how to get there, the size in cells, the theme, and which memory it shows."""


async def shoot(name: str, folder: Path) -> None:
    """Export one picture of a memory in a folder."""
    drive, size, theme, memory = SHOTS[name]
    with shown(folder, memory) as app:
        async with app.run_test(size=size) as pilot:
            app.theme = theme
            await settle(pilot)
            await drive(pilot)
            picture = mend(app.export_screenshot(title="memtui"))
            (FOLDER / f"{name}.svg").write_text(picture, "utf-8")


@contextmanager
def shown(folder: Path, memory: str) -> Iterator[MemApp]:
    """The browser over one of the memories that were prepared."""
    if memory != "foreign":
        # Only where nothing may be written does anything keep waiting.
        read_only = memory in ("behind", "queued")
        yield MemApp(folder / f"{memory}.db", now=lambda: NOW, read_only=read_only)
        return
    with foreign([folder / CLAUDE_MEM, folder / SCHEME_C]) as found:
        yield MemApp(
            found.path, now=lambda: NOW, read_only=True, owner=found.owner, notice=found.notice
        )


def prepare(folder: Path) -> None:
    """A memory full of what agents did, one that has fallen behind, one whose queue is full, and an
    empty one."""
    for name in ("demo", "behind", "queued"):
        with Store.open(folder / f"{name}.db") as store:
            fill(store, now=NOW)
        have_run(folder / f"{name}.db", NOW)
    leave_elsewhere(folder)
    fill_queue(folder / "queued.db")
    behind = folder / "behind.db"
    fail(behind, quarantined=2, lost=1)
    leave_waiting(behind, NOW - 190 * MINUTE, prompts=12)
    settings.pause(behind)
    settings.exclude(behind, ["~/private/*", "*.pem"])
    Store.open(folder / "empty.db").close()


def leave_elsewhere(folder: Path) -> None:
    """What other tools would keep: two projects in claude-mem, the others in a directory."""
    places: dict[Format, str] = {"claude-mem": CLAUDE_MEM, "scheme-c": SCHEME_C}
    for format, path in places.items():
        with Store.open(folder / f"{format}.db") as store:
            fill(store, now=NOW)
            with store.transaction():
                # What is private doesn't go out.
                store.db.execute(
                    "UPDATE sessions SET private = (project IN ('payments-api', 'atlas-web')) <> ?",
                    (format == "claude-mem",),
                )
            export_to(store, format, folder / path)


def main() -> None:
    """Make all pictures anew."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        home = Path(folder)
        os.environ["HOME"] = folder
        settle_in(home, patch)
        # Pictures are the same each time.
        patch.setattr("tui.composer.screen.random_nonce", lambda: "6724b9f4")
        prepare(home)
        for name in SHOTS:
            asyncio.run(shoot(name, home))
            print(f"screenshots/{name}.svg")
        # Where we were; the folder goes before the patch does.
        patch.undo()


if __name__ == "__main__":
    main()
