"""`make screenshots`: drive the real app on the demo memory and export what it shows as SVG."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.capture import settings
from memtui.store.capture.demo import fill
from memtui.store.cli.picking import PickRequest
from memtui.store.config import BrowserSettings
from memtui.store.formats.export import Format, export_to
from memtui.store.platform.translation import language
from memtui.tui.app import MemApp
from memtui.tui.leaves.picker.app import PickerApp
from memtui.tui.startup.private_copies import PrivateCopy, foreign, past
from screenshots import tour
from screenshots.animation import animation, recording
from screenshots.mending import mend
from tests.tui.capture.messages import fill_queue
from tests.tui.hooked import MINUTE, fail, have_run, leave_waiting, settle_in
from tests.tui.merge.alike import fill as fill_alike
from tests.tui.patience import idle

NOW = 1_771_364_160_000
"""2026-02-17 21:36 UTC: the evening on which the demo's clock-drift story ends."""
WRONG, WHY_WRONG = 277, "The leeway is 90 s since the second data center; see src/auth/clock.py."
"""The id of a memory that is reported as wrong, and what is wrong with it."""
FOLDER = Path(__file__).parent / ("" if language() == "en" else language())
CHINESE = ("search", "session", "help")
"""The pictures that are drawn in Chinese too, by a process in a Chinese locale, into `zh`."""
TOUR = "tour"
IN_TEXT = "narrow"
"""The picture that is written as text too, for where the README stands alone (see `pyproject.toml`)."""
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
        await idle(pilot)
        await pilot.pause(0.15)


async def search(pilot: Pilot[str]) -> None:
    """Search for two words, and show what happened around one of the hits."""
    await keys(pilot, *"token refresh", "down", "down")


async def chinese(pilot: Pilot[str]) -> None:
    """Search for Chinese words of two characters, with a filter."""
    await keys(pilot, *"缓存 project:订单中心", "down")


async def timeline(pilot: Pilot[str]) -> None:
    """Show the timeline around a hit."""
    await keys(pilot, *"clock drifted", "enter", "t", "right_square_bracket")


async def sessions(pilot: Pilot[str]) -> None:
    """Show the list of sessions."""
    await keys(pilot, "down", "3", "down")


async def session(pilot: Pilot[str]) -> None:
    """Show one session with its summary."""
    await keys(pilot, *"clock drifted", "enter", "o")


async def elsewhere(pilot: Pilot[str]) -> None:
    """Show other tools' memories, browsed where they lie, each a source."""
    await keys(pilot, *"refresh token", "down", "down", "f", *("down",) * 5)


async def facts(pilot: Pilot[str]) -> None:
    """Show the facts."""
    await keys(pilot, "down", "4")


async def note(pilot: Pilot[str]) -> None:
    """Show a note, which opens in the user's editor."""
    await keys(pilot, "down", "4", "right")


async def agents(pilot: Pilot[str]) -> None:
    """Show the agents, one of them just hooked up, and how capture is doing."""
    await keys(pilot, "down", "5", "i", "i", "j", "i")


async def waiting(pilot: Pilot[str]) -> None:
    """Show capture that needs the user: events wait, some were not stored, and it is paused."""
    await keys(pilot, "down", "5")


async def events(pilot: Pilot[str]) -> None:
    """Show what waits for an observer and what was given up, and why."""
    await keys(pilot, "down", "5", "tab", "j", "j")


async def composer(pilot: Pilot[str]) -> None:
    """Compose a project's context: one memory left out, one chosen, one in brief."""
    await keys(pilot, "down", "6", "space", "j", "j", "K", "j", "j", "b", *["minus"] * 5)


async def why(pilot: Pilot[str]) -> None:
    """Explain why a hit is one."""
    await keys(pilot, *"token refresh", "down", "down", "w")


async def did_you_mean(pilot: Pilot[str]) -> None:
    """Search with a typo, and show what was probably meant."""
    await keys(pilot, *"tokne refrseh")


async def facets(pilot: Pilot[str]) -> None:
    """Move to the counts, and make one a filter."""
    await keys(pilot, *"token refresh", "down", "f", "enter")


async def no_hits(pilot: Pilot[str]) -> None:
    """Search for what finds nothing."""
    await keys(pilot, *"kubernetes type:bugfix since:7d")


async def form(pilot: Pilot[str]) -> None:
    """Open the form of a memory."""
    await keys(pilot, *"token refresh", "down", "e")


async def marks(pilot: Pilot[str]) -> None:
    """Mark several memories, all of which the next key acts on."""
    await keys(pilot, *"token refresh", "down", "space", "down", "space", "down", "down", "space")


async def history(pilot: Pilot[str]) -> None:
    """Show the list of changes, the newest first, one of them undone."""
    await keys(pilot, *"token refresh", "down", "p", "down", "x", "down", "d", "u", "H")


async def versions(pilot: Pilot[str]) -> None:
    """Show the versions of a memory, and what differs word by word."""
    await keys(pilot, *"token refresh", "down", "e", "end", *", once and for all", "ctrl+s", "h")


async def trash(pilot: Pilot[str]) -> None:
    """Delete three memories and show the trash."""
    await keys(pilot, *"token refresh", "down", "d", "d", "d", "D")


async def then(pilot: Pilot[str]) -> None:
    """Search the memory as it was a week before."""
    await keys(pilot, *"refresh token", "down", "down")


async def statistics(pilot: Pilot[str]) -> None:
    """Show the statistics."""
    await keys(pilot, "down", "7")


async def completion(pilot: Pilot[str]) -> None:
    """Type a filter, and show the values that complete it."""
    await keys(pilot, *"token project:")


async def merge(pilot: Pilot[str]) -> None:
    """Compare two memories side by side before they are merged."""
    await keys(pilot, "down", "m", "a", "j", "enter", "right", "j")


async def pick(pilot: Pilot[str]) -> None:
    """Pick two of the hits for a prompt, in some lines below a shell's."""
    await keys(pilot, "down", "space", "space")


async def reported(pilot: Pilot[str]) -> None:
    """Show a memory that an agent reported as wrong."""
    await keys(pilot, *"is:wrong", "down")


async def help_screen(pilot: Pilot[str]) -> None:
    """Show all keys of the search screen."""
    await keys(pilot, "down", "question_mark")


async def nothing(pilot: Pilot[str]) -> None:
    """Leave the browser as it opens."""


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
    "capture": (events, (140, 40), "memtui-dark", "queued"),
    "composer": (composer, (140, 40), "memtui-dark", "demo"),
    "capture-warnings": (waiting, (120, 32), "memtui-dark", "behind"),
    "why": (why, (120, 32), "memtui-dark", "demo"),
    "did-you-mean": (did_you_mean, (120, 32), "memtui-dark", "demo"),
    "facets": (facets, (140, 40), "memtui-dark", "demo"),
    "form": (form, (120, 40), "memtui-dark", "curated"),
    "marks": (marks, (140, 40), "memtui-dark", "curated"),
    "history": (history, (120, 32), "memtui-dark", "curated"),
    "versions": (versions, (120, 32), "memtui-dark", "curated"),
    "trash": (trash, (120, 32), "memtui-dark", "curated"),
    "merge": (merge, (120, 32), "memtui-dark", "alike"),
    "as-of": (then, (120, 32), "memtui-dark", "past"),
    "pick": (pick, (120, 14), "memtui-dark", "picked"),
    "reported": (reported, (120, 32), "memtui-dark", "curated"),
    "statistics": (statistics, (140, 40), "memtui-dark", "demo"),
    "completion": (completion, (120, 32), "memtui-dark", "demo"),
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
            if name == IN_TEXT:
                lines = ("".join(run.text for run in line) for line in tour.lines(app))
                text = "".join(f"{line.rstrip()}\n" for line in lines)
                (FOLDER / f"{name}.txt").write_text(text, "utf-8")


async def record_tour(folder: Path) -> None:
    """Record the tour of the demo memory: a recording for terminals, and an animated picture."""
    with shown(folder, "demo") as app:
        frames = await tour.play(app, settle, "memtui-dark")
        _, background = tour.background(app)
    (FOLDER / "tour.cast").write_text(recording(frames, tour.SIZE), "utf-8")
    (FOLDER / "tour.svg").write_text(animation(frames, tour.SIZE, background), "utf-8")


@contextmanager
def shown(folder: Path, memory: str) -> Iterator[MemApp]:
    """Give the browser over one of the memories that were prepared."""
    if memory in ("past", "foreign"):
        with _copy(folder, memory) as seen:
            yield MemApp(
                seen.path, now=lambda: NOW, read_only=True,
                owner=seen.owner, as_of=seen.as_of, notice=seen.notice,
            )  # fmt: skip
        return
    if memory == "picked":
        request = PickRequest(query="token refresh")
        yield PickerApp(folder / "demo.db", request, now=lambda: NOW, settings=(BrowserSettings(), ()))
        return
    # Only where nothing may be written does anything keep waiting.
    read_only = memory in ("behind", "queued")
    yield MemApp(folder / f"{memory}.db", now=lambda: NOW, read_only=read_only)


def _copy(folder: Path, memory: str) -> AbstractContextManager[PrivateCopy]:
    if memory == "past":
        return past(folder / "demo.db", "2026-02-15")
    return foreign([folder / CLAUDE_MEM, folder / SCHEME_C])


def prepare(folder: Path) -> None:
    """Make a memory full of what agents did, one that has fallen behind, one whose queue is full, one of
    which some is alike, and an empty one."""
    for name in ("demo", "behind", "queued", "curated"):
        with Store.open(folder / f"{name}.db") as store:
            fill(store, now=NOW)
        have_run(folder / f"{name}.db", NOW)
    with Store.open(folder / "curated.db") as store:
        store.reporting.report(store.observations.get(WRONG), "wrong", WHY_WRONG, "codex")
    leave_elsewhere(folder)
    fill_queue(folder / "queued.db")
    behind = folder / "behind.db"
    fail(behind, quarantined=2, lost=1)
    leave_waiting(behind, NOW - 190 * MINUTE, prompts=12)
    settings.pause(behind)
    settings.exclude(behind, ["~/private/*", "*.pem"])
    fill_alike(folder / "alike.db")
    Store.open(folder / "empty.db").close()


def leave_elsewhere(folder: Path) -> None:
    """Write what other tools would keep: two projects in claude-mem, the others in a directory."""
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
    """Make all pictures anew, or those that are named."""
    names = sys.argv[1:] or ([*SHOTS, TOUR] if language() == "en" else CHINESE)
    FOLDER.mkdir(exist_ok=True)
    os.environ["TZ"] = "UTC"
    time.tzset()
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        home = Path(folder)
        os.environ["HOME"] = folder
        settle_in(home, patch)
        # Pictures are the same each time.
        patch.setattr("memtui.tui.composer.screen.random_nonce", lambda: "6724b9f4")
        # A context names `mem` by its path where it isn't on this one.
        patch.setenv("PATH", str(Path(sys.executable).parent))
        patch.setattr("memtui.store.database.recording.host_name", lambda: "workbench")
        for module in (
            "curation.many",
            "curation.reporting",
            "database.journal",
            "database.recording",
            "database.journal.reversal",
            "tables.base",
        ):
            patch.setattr(f"memtui.store.{module}.now_ms", lambda: NOW)
        prepare(home)
        for name in names:
            asyncio.run(record_tour(home) if name == TOUR else shoot(name, home))
            print((FOLDER / f"{name}.svg").relative_to(Path(__file__).parents[1]))
        # Where we were; the folder goes before the patch does.
        patch.undo()


if __name__ == "__main__":
    main()
